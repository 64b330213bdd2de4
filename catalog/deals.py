"""Reading what applies to an account beyond the list: one query, whatever the number of rules."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from accounts.models import Account
from catalog.book_models import ExchangeRate, PriceBook, PriceBookRule, Promotion, Scope
from catalog.deal import (
    LIST_PRICES,
    BookFacts,
    BookRuleFacts,
    Deal,
    PromotionFacts,
    RateFacts,
    Target,
    rules_by_target,
)
from catalog.fees import FEE_NAMES, Fees
from core.json_rows import JsonRows, Reading, read

AMOUNTS_OFF = ("recurring_fee_off", "hourly_fee_off", "once_fee_off")


def _exact(name: str) -> Cast:
    """A decimal or a day as text: numbers in JSON are floats."""
    return Cast(name, TextField())


Columns = tuple[str | Combinable, ...]
TARGET_COLUMNS: Columns = (
    *("scope", "package_id", "category__category_code", "item_id"),
    *("package__name", "category__name", "item__description"),
)
BOOK_COLUMNS: Columns = ("pk", "name", "currency", "shows_rules")
RULE_COLUMNS: Columns = ("pk", "book_id", "kind", _exact("percent"), *map(_exact, FEE_NAMES), *TARGET_COLUMNS)
PROMOTION_COLUMNS: Columns = (
    *("pk", "name", _exact("percent_off"), "is_off_recurring", "is_off_once"),
    *map(_exact, AMOUNTS_OFF),
    *("currency", "lasts_months", *TARGET_COLUMNS),
)
RATE_COLUMNS: Columns = ("from_currency", _exact("rate"), _exact("valid_from"), "source")


def deal_of(
    *,
    account: Account,
    at: datetime,
    item_ids: Iterable[int] | None = None,
    promotion_code: str = "",
    is_revealed: bool = False,
) -> Deal:
    """Return what applies to an account at that time: price book, exchange rates, promotions.

    With ids, rules and promotions about other items are left out. `is_revealed` is for the partner's own people.
    An account without a partner is nobody's customer and is told the list prices.
    """
    return read(
        deal_reading(account=account, at=at, item_ids=item_ids, promotion_code=promotion_code, is_revealed=is_revealed)
    )


def deal_reading(
    *,
    account: Account,
    at: datetime,
    item_ids: Iterable[int] | None = None,
    promotion_code: str = "",
    is_revealed: bool = False,
) -> Reading[Deal]:
    """Return how to read what `deal_of` does, for those who read something else in the same query."""
    partner_id = account.partner_id
    if not partner_id:
        return Reading((), lambda: LIST_PRICES)
    ids = None if item_ids is None else list(item_ids)
    questions = (
        JsonRows(_books(partner_id, at), *BOOK_COLUMNS),
        JsonRows(_about(_rules(partner_id, at), ids), *RULE_COLUMNS),
        JsonRows(_about(_promotions(partner_id, at, promotion_code), ids), *PROMOTION_COLUMNS),
        JsonRows(_rates(account.currency, at), *RATE_COLUMNS),
    )
    return Reading(questions, partial(_deal, account.currency, is_revealed))


Rows = Sequence[Sequence[Any]]


def _deal(own_currency: str, is_revealed: bool, books: Rows, rules: Rows, promotions: Rows, rates: Rows) -> Deal:
    book = _book_for(books, own_currency)
    return Deal(
        book=book,
        rules=rules_by_target(_rule(*each) for each in rules if book is not None and each[1] == book.book_id),
        promotions=tuple(_promotion(*each) for each in promotions),
        rates={
            currency: RateFacts(currency, Decimal(rate), date.fromisoformat(day), source)
            for currency, rate, day, source in rates
        },
        is_revealed=is_revealed,
    )


def _books(partner_id: int, at: datetime) -> QuerySet[Any]:
    return PriceBook.objects.open_on(at).filter(partner_id=partner_id).order_by("-valid_from", "pk")


def _rules(partner_id: int, at: datetime) -> QuerySet[Any]:
    """The open rules of all the partner's books, the newest first."""
    return PriceBookRule.objects.open_on(at).filter(book__partner_id=partner_id).order_by("-valid_from", "-pk")


def _promotions(partner_id: int, at: datetime, code: str) -> QuerySet[Any]:
    asked = Q(code="") | Q(code=code.strip().upper())
    left = Q(use_limit__isnull=True) | Q(used__lt=F("use_limit"))
    theirs = Q(partner_id__isnull=True) | Q(partner_id=partner_id)
    return Promotion.objects.open_on(at).filter(asked, left, theirs).order_by("pk")


def _rates(currency: str, at: datetime) -> QuerySet[Any]:
    """The newest rate from each currency on that day."""
    begun = ExchangeRate.objects.filter(to_currency=currency, valid_from__lte=at.astimezone(UTC).date())
    newest = begun.filter(from_currency=OuterRef("from_currency")).order_by("-valid_from").values("pk")[:1]
    return begun.filter(pk=Subquery(newest)).order_by("from_currency")


def _about(rows: QuerySet[Any], item_ids: list[int] | None) -> QuerySet[Any]:
    return rows if item_ids is None else rows.filter(Q(item_id__isnull=True) | Q(item_id__in=item_ids))


def _book_for(books: Sequence[Sequence[Any]], currency: str) -> BookFacts | None:
    """Of several open books the one in the account's currency counts, then the one that began last."""
    facts = [BookFacts(book_id, name, own, bool(shows_rules)) for book_id, name, own, shows_rules in books]
    return min(facts, key=lambda book: book.currency != currency, default=None)


def _rule(rule_id: int, _book_id: int, kind: str, percent: str | None, *others: Any) -> BookRuleFacts:
    fees, target = others[: len(FEE_NAMES)], others[len(FEE_NAMES) :]
    return BookRuleFacts(
        rule_id=rule_id,
        target=_target(*target),
        kind=kind,
        percent=_decimal(percent),
        fees=Fees(**{name: _decimal(fee) for name, fee in zip(FEE_NAMES, fees, strict=True)}),
    )


def _promotion(
    promotion_id: int,
    name: str,
    percent_off: str | None,
    is_off_recurring: int,
    is_off_once: int,
    recurring: str | None,
    hourly: str | None,
    once: str | None,
    currency: str,
    lasts_months: int | None,
    *target: Any,
) -> PromotionFacts:
    return PromotionFacts(
        promotion_id=promotion_id,
        name=name,
        target=_target(*target),
        percent_off=_decimal(percent_off),
        is_off_recurring=bool(is_off_recurring),
        is_off_once=bool(is_off_once),
        fees_off=Fees(_decimal(recurring), _decimal(hourly), one_time_fee=_decimal(once)),
        currency=currency,
        lasts_months=lasts_months,
    )


def _target(scope: str, package_id: int | None, code: str | None, item_id: int | None, *names: str | None) -> Target:
    key = {Scope.PACKAGE: package_id, Scope.CATEGORY: code, Scope.ITEM: item_id}.get(Scope(scope))
    return Target(scope, key, next(filter(None, names), ""))


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
