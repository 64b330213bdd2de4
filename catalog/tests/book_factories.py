"""Small makers of price books, exchange rates and promotions."""

from datetime import date, datetime
from decimal import Decimal
from itertools import count
from typing import Any

from accounts.models import Partner
from catalog.fees import FEE_NAMES
from catalog.models import ExchangeRate, Item, ItemCategory, Package, PriceBook, PriceBookRule, Promotion
from catalog.tests.factories import LONG_AGO

numbers = count(1)


def make_book(
    partner: Partner, *, currency: str = "USD", name: str = "", shows_rules: bool = True, **fields: Any
) -> PriceBook:
    """Return a new open price book without rules."""
    return PriceBook.objects.create(
        partner=partner,
        name=name or f"Book {next(numbers)}",
        currency=currency,
        shows_rules=shows_rules,
        valid_from=fields.pop("valid_from", LONG_AGO),
        **fields,
    )


def make_rule(
    book: PriceBook,
    words: str,
    about: Package | ItemCategory | Item | None = None,
    *,
    valid_from: datetime = LONG_AGO,
    valid_to: datetime | None = None,
) -> PriceBookRule:
    """Return a new rule written "+15", "-10" or "recurring_fee=12.50 setup_fee=5"."""
    values: dict[str, Any] = {"kind": "fixed", **fees_written(words)}
    if words[0] in "+-":
        values = {"kind": "mark_up" if words[0] == "+" else "discount", "percent": Decimal(words[1:])}
    return PriceBookRule.objects.create(
        book=book, **values, **target_of(about), valid_from=valid_from, valid_to=valid_to
    )


def make_rate(from_currency: str, to_currency: str, rate: str, *, valid_from: date = date(2012, 1, 1)) -> ExchangeRate:
    return ExchangeRate.objects.create(
        from_currency=from_currency, to_currency=to_currency, rate=Decimal(rate), valid_from=valid_from, source="a bank"
    )


def make_promotion(
    name: str = "Spring", *, about: Package | ItemCategory | Item | None = None, **fields: Any
) -> Promotion:
    """Return a new promotion for everybody; without amounts it takes 20 % off every fee."""
    is_amount = any(field.endswith("_off") and field != "percent_off" for field in fields)
    percent = {} if is_amount else {"percent_off": Decimal(20), "is_off_recurring": True, "is_off_once": True}
    return Promotion.objects.create(name=name, **{**percent, "valid_from": LONG_AGO, **target_of(about), **fields})


def target_of(about: Package | ItemCategory | Item | None) -> dict[str, Any]:
    kinds = {Package: "package", ItemCategory: "category", Item: "item"}
    scope = "everything" if about is None else kinds[type(about)]
    return {"scope": scope} if about is None else {"scope": scope, scope: about}


def fees_written(words: str) -> dict[str, Decimal]:
    fees = dict(part.split("=") for part in words.split() if "=" in part)
    assert fees.keys() <= set(FEE_NAMES)
    return {name: Decimal(fee) for name, fee in fees.items()}
