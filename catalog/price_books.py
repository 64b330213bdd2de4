"""Keeping price books: rules are added, replaced and closed, never edited."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import Partner
from catalog.book_models import ExchangeRate, PriceBook, PriceBookRule, Scope
from catalog.fees import FEE_NAMES, LARGEST_FEE, RATE_PLACES, Fees
from catalog.models import Item, ItemCategory, Package
from catalog.services import catalog_touch
from core.errors import InputRefused, RuleBroken, Violation

LARGEST_PERCENTAGES = {PriceBookRule.Kind.MARK_UP: Decimal(1000), PriceBookRule.Kind.DISCOUNT: Decimal(100)}
PERCENT_PLACES = Decimal("0.0001")
LONGEST_NAME = 80
CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True)
class RuleAsked:
    """A rule as somebody asks for it; without a time it begins now."""

    kind: str
    scope: str
    percent: Decimal | None = None
    fees: Fees = field(default_factory=Fees)
    package: Package | None = None
    category: ItemCategory | None = None
    item: Item | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


def books_of(*, partner_id: int | None) -> QuerySet[PriceBook]:
    """Return the price books of a partner; None, a host of no partner, means those of all."""
    books = PriceBook.objects.select_related("partner")
    return books if partner_id is None else books.filter(partner_id=partner_id)


def rules_of(*, book: PriceBook) -> QuerySet[PriceBookRule]:
    """Return every rule that a book had, has or will have, the latest first."""
    return book.rules.select_related("book", "package", "category", "item").order_by("-valid_from", "-pk")


@transaction.atomic
def price_book_create(
    *, partner: Partner, name: str, currency: str, shows_rules: bool, who: str, now: datetime
) -> PriceBook:
    """Begin a price book now, without rules; raises InputRefused with every problem."""
    if problems := book_problems(partner=partner, name=name, currency=currency):
        raise InputRefused(tuple(problems))
    book = PriceBook.objects.create(
        partner=partner, name=name.strip(), currency=currency, shows_rules=shows_rules, valid_from=now
    )
    catalog_touch(who=who, now=now)
    return book


@transaction.atomic
def price_book_end(*, book_id: int, who: str, now: datetime) -> PriceBook:
    """Let a price book end now: from then on the list prices count. What was ordered or quoted stays as it is."""
    book = PriceBook.objects.select_for_update().get(pk=book_id)
    _require_open(book)
    if book.valid_from >= now:
        raise RuleBroken("price_book_not_begun", f"“{book.name}” has not begun. End it once it has.")
    book.valid_to = now
    book.save(update_fields=["valid_to"])
    catalog_touch(who=who, now=now)
    return book


@transaction.atomic
def price_book_rule_add(*, book_id: int, asked: RuleAsked, who: str, now: datetime) -> PriceBookRule:
    """Add a rule; one about the same that holds when it begins ends then, and it ends when a later one about it begins.

    Raises InputRefused with every problem.
    """
    book = PriceBook.objects.select_for_update().get(pk=book_id)
    _require_open(book)
    begins = asked.valid_from or now
    if problems := rule_problems(asked, now=now):
        raise InputRefused(tuple(problems))
    target = {"scope": asked.scope, "package": asked.package, "category": asked.category, "item": asked.item}
    about_the_same = book.rules.filter(**_exactly(target))
    still_held = Q(valid_to__isnull=True) | Q(valid_to__gt=begins)
    for replaced in about_the_same.filter(still_held, valid_from__lte=begins):
        _end(replaced, at=begins)
    later = about_the_same.filter(valid_from__gt=begins).order_by("valid_from").first()
    ends = [at for at in (asked.valid_to, later.valid_from if later else None) if at is not None]
    rule = PriceBookRule.objects.create(
        book=book,
        kind=asked.kind,
        percent=asked.percent,
        **{name: getattr(asked.fees, name) for name in FEE_NAMES},
        **target,
        valid_from=begins,
        valid_to=min(ends, default=None),
    )
    catalog_touch(who=who, now=now)
    return rule


@transaction.atomic
def price_book_rule_end(*, book_id: int, rule_id: int, who: str, now: datetime) -> None:
    """Let a rule end now, or take it back where it has not begun. Raises RuleBroken where it has ended."""
    rule = PriceBookRule.objects.select_for_update().get(pk=rule_id, book_id=book_id)
    if rule.valid_to is not None and rule.valid_to <= now:
        raise RuleBroken("rule_ended", f"This rule ended on {rule.valid_to:%Y-%m-%d} already.")
    _end(rule, at=now)
    catalog_touch(who=who, now=now)


def exchange_rate_add(
    *, from_currency: str, to_currency: str, rate: Decimal, valid_from: date, source: str, who: str, now: datetime
) -> ExchangeRate:
    """Note what a unit of one currency is worth in another from a day on; raises InputRefused with every problem."""
    problems = [
        *_currency_problems(from_currency, name="from_currency"),
        *_currency_problems(to_currency, name="to_currency"),
        *_rate_problems(rate),
    ]
    if from_currency == to_currency:
        problems.append(Violation("same_currency", "to_currency", "A rate joins two currencies. Name another one."))
    same_day = ExchangeRate.objects.filter(from_currency=from_currency, to_currency=to_currency, valid_from=valid_from)
    if same_day.exists():
        words = f"There is a rate from {valid_from} on already. Choose another day."
        problems.append(Violation("rate_exists", "valid_from", words))
    if problems:
        raise InputRefused(tuple(problems))
    found = ExchangeRate.objects.create(
        from_currency=from_currency, to_currency=to_currency, rate=rate, valid_from=valid_from, source=source
    )
    catalog_touch(who=who, now=now)
    return found


def book_problems(*, partner: Partner, name: str, currency: str) -> list[Violation]:
    """Say everything that keeps a price book from being begun."""
    return [*_name_problems(partner, name), *_currency_problems(currency)]


def rule_problems(asked: RuleAsked, *, now: datetime) -> list[Violation]:
    """Say everything that keeps a rule from being added."""
    begins = asked.valid_from or now
    return [*_kind_problems(asked), *_target_problems(asked), *_time_problems(asked, begins=begins, now=now)]


def _require_open(book: PriceBook) -> None:
    if book.valid_to is not None:
        words = f"“{book.name}” ended on {book.valid_to:%Y-%m-%d}. Begin a new price book."
        raise RuleBroken("price_book_ended", words)


def _end(rule: PriceBookRule, *, at: datetime) -> None:
    """Close a rule; one that would never have held goes."""
    if rule.valid_from >= at:
        rule.delete()
    else:
        rule.valid_to = at
        rule.save(update_fields=["valid_to"])


def _exactly(target: Mapping[str, Any]) -> dict[str, Any]:
    """Return the filter for rows that name just this; null is asked for by another word."""
    return {
        name if value is not None else f"{name}__isnull": True if value is None else value
        for name, value in target.items()
    }


def _name_problems(partner: Partner, name: str) -> Iterator[Violation]:
    if not 0 < len(name.strip()) <= LONGEST_NAME:
        yield Violation("name_length", "name", f"Give the price book a name of 1 to {LONGEST_NAME} characters.")
    elif partner.price_books.filter(name=name.strip()).exists():
        yield Violation("name_taken", "name", f"{partner} has a price book “{name.strip()}” already. Choose another.")


def _currency_problems(currency: str, *, name: str = "currency") -> Iterator[Violation]:
    if not CURRENCY.fullmatch(currency):
        yield Violation("currency_unknown", name, "Write a currency as three capitals, such as EUR.")


def _rate_problems(rate: Decimal) -> Iterator[Violation]:
    if not (rate.is_finite() and 0 < rate <= LARGEST_FEE and rate == rate.quantize(RATE_PLACES)):
        yield Violation("rate_out_of_range", "rate", "A rate is above zero and has at most six places.")


def _kind_problems(asked: RuleAsked) -> Iterator[Violation]:
    if asked.kind not in PriceBookRule.Kind.values:
        yield Violation("kind_unknown", "kind", "Choose a mark-up, a discount or a fixed price.")
    elif asked.kind == PriceBookRule.Kind.FIXED:
        yield from _fixed_problems(asked)
    else:
        yield from _percent_problems(asked)


def _percent_problems(asked: RuleAsked) -> Iterator[Violation]:
    most = LARGEST_PERCENTAGES[PriceBookRule.Kind(asked.kind)]
    percent = asked.percent
    if percent is None or not percent.is_finite() or not 0 < percent <= most:
        words = f"A {PriceBookRule.Kind(asked.kind).label.lower()} is above 0 % and at most {most} %."
        yield Violation("percent_out_of_range", "percent", words)
    elif percent != percent.quantize(PERCENT_PLACES):
        yield Violation("percent_too_fine", "percent", "A percentage has at most four places.")
    for name in _named_fees(asked.fees):
        yield Violation("fee_not_fixed", name, "Only a fixed price has fees of its own. Leave this empty.")


def _fixed_problems(asked: RuleAsked) -> Iterator[Violation]:
    if asked.percent is not None:
        yield Violation("percent_not_fixed", "percent", "A fixed price has no percentage. Leave this empty.")
    if not _named_fees(asked.fees):
        yield Violation("fee_missing", "recurring_fee", "A fixed price needs at least one fee.")
    for name in _named_fees(asked.fees):
        fee = getattr(asked.fees, name)
        if not fee.is_finite() or not 0 <= fee <= LARGEST_FEE or fee != fee.quantize(RATE_PLACES):
            yield Violation("fee_out_of_range", name, "A fee is not negative and has at most six places.")
    if asked.scope == Scope.EVERYTHING:
        words = "A fixed price is for a package, a category or an item. Choose one."
        yield Violation("fixed_for_everything", "scope", words)


def _named_fees(fees: Fees) -> list[str]:
    return [name for name in FEE_NAMES if getattr(fees, name) is not None]


def _target_problems(asked: RuleAsked) -> Iterator[Violation]:
    if asked.scope not in Scope.values:
        yield Violation("scope_unknown", "scope", "Choose what the rule is about.")
        return
    for scope in (Scope.PACKAGE, Scope.CATEGORY, Scope.ITEM):
        named = getattr(asked, scope.value)
        if scope == asked.scope and named is None:
            yield Violation("target_missing", scope.value, f"Name the {scope.value} that the rule is about.")
        elif scope != asked.scope and named is not None:
            words = f"The rule is about {Scope(asked.scope).label.lower()}. Leave the {scope.value} empty."
            yield Violation("target_too_many", scope.value, words)


def _time_problems(asked: RuleAsked, *, begins: datetime, now: datetime) -> Iterator[Violation]:
    if begins < now:
        words = "What a price was cannot be changed. Choose a day from now on, or none."
        yield Violation("begins_in_the_past", "valid_from", words)
    if asked.valid_to is not None and asked.valid_to <= begins:
        yield Violation("ends_too_early", "valid_to", "It ends after it begins. Choose a later day, or none.")
