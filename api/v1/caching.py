"""Catalogue answers are asked for again and again: an unchanged one is answered with 304 and no body."""

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import Subquery
from django.http import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Account
from api.v1.calls import caller_of
from catalog.models import CatalogLoad, ItemPrice


def answer_unless_known(request: Request, *, at: datetime, make: Callable[[], dict[str, Any]]) -> HttpResponseBase:
    """Answer 304 where the caller holds the catalogue answer of this version, else make it."""
    etag = catalog_etag(account=caller_of(request).account, at=at)
    answer: HttpResponseBase | None = None
    if etag:
        answer = get_conditional_response(request._request, etag=etag)
    if answer is None:
        answer = Response(make())
    if etag:
        answer["ETag"] = etag
    answer["Cache-Control"] = "private, no-cache"
    patch_vary_headers(answer, ["Authorization", "Cookie"])
    return answer


def catalog_etag(*, account: Account, at: datetime) -> str:
    """Return the version of what the catalogue tells an account; empty where no catalogue is loaded.

    It changes with every loading, and when a price begins or ends on its date without one.
    """
    begun = ItemPrice.objects.filter(valid_from__lte=at).order_by("-valid_from").values("valid_from")[:1]
    ended = ItemPrice.objects.filter(valid_to__lte=at).order_by("-valid_to").values("valid_to")[:1]
    version = (
        CatalogLoad.objects.annotate(begun=Subquery(begun), ended=Subquery(ended))
        .values_list("pk", "digest", "begun", "ended")
        .first()
    )
    if version is None:
        return ""
    text = " ".join(str(part) for part in (*version, account.currency))
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
