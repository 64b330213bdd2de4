"""Quotes as JSON."""

from datetime import datetime
from typing import Any

from django.urls import reverse

from api.v1.texts import time_text
from orders.models import Quote
from orders.quoting import quote_state

Json = dict[str, Any]


def quote_line(quote: Quote, *, now: datetime) -> Json:
    return {
        "id": quote.pk,
        "number": quote.number,
        "order": quote.order_id,
        "name": quote.document["name"],
        "state": quote_state(quote, now=now),
        "currency": quote.currency,
        "totals": quote.document["totals"],
        "issued_at": time_text(quote.issued_at),
        "issued_by": quote.issued_by.email,
        "expires_at": time_text(quote.expires_at),
        "accepted_at": time_text(quote.accepted_at),
        "accepted_by": quote.accepted_by.email if quote.accepted_by else None,
        "withdrawn_at": time_text(quote.withdrawn_at),
        "link": reverse("quote-shared", args=[quote.share_token]) if quote.share_token else None,
        "href": reverse("api-quote", args=[quote.pk]),
    }


def quote_json(quote: Quote, *, now: datetime) -> Json:
    document = quote.document
    return {
        **quote_line(quote, now=now),
        "hours_per_month": document["hours_per_month"],
        "items": document["items"],
    }
