"""Catalogue answers are asked for again and again: an unchanged one is answered with 304 and no body."""

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from django.db.models import Count, F, QuerySet, Subquery, Value
from django.http import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Account
from api.v1.calls import caller_of
from catalog.book_models import ExchangeRate, PriceBook, PriceBookRule, Promotion
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

    It changes with every loading, and without one when a price, a price book, a promotion or an exchange rate is added
    or used up, or begins or ends on its date.
    """
    parts = {f"part_{number}": Subquery(rows) for number, rows in enumerate(_parts(at))}
    version = CatalogLoad.objects.annotate(**parts).values_list("pk", "digest", *parts).first()
    if version is None:
        return ""
    # Price books and promotions are the partner's, and what is owed is in the account's currency.
    text = " ".join(str(part) for part in (*version, account.pk, account.currency))
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def _parts(at: datetime) -> Iterator[QuerySet[Any, Any]]:
    """Yield the newest row of everything that prices come from, and the last date on which any began or ended."""
    for model in (ItemPrice, PriceBook, PriceBookRule, Promotion):
        rows = model._default_manager
        yield rows.filter(valid_from__lte=at).order_by("-valid_from").values("valid_from")[:1]
        yield rows.filter(valid_to__lte=at).order_by("-valid_to").values("valid_to")[:1]
    for changed in (PriceBook, PriceBookRule, Promotion, ExchangeRate):
        yield changed._default_manager.order_by("-pk").values("pk")[:1]
    rates = ExchangeRate.objects.filter(valid_from__lte=at.astimezone(UTC).date())
    yield rates.order_by("-valid_from").values("valid_from")[:1]
    used_up = Promotion.objects.filter(used__gte=F("use_limit")).order_by()
    yield used_up.annotate(together=Value(1)).values("together").annotate(count=Count("pk")).values("count")
