"""Faults of price books, exchange rates and promotions: gaps, and rules that contradict each other."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

from accounts.models import Account
from catalog.book_models import ExchangeRate, PriceBook, PriceBookRule, Promotion
from catalog.contracts import MONTHS_TOLD
from catalog.deals import deal_of
from catalog.lint_facts import CatalogFacts, Finding
from catalog.models import ItemPrice, Package
from catalog.pricing import PriceFacts, PriceQuestion, Term
from catalog.ranges import price_without_container
from catalog.selectors import prices_by_item

Span = tuple[datetime, datetime | None]
Pair = tuple[str, str]


def book_findings(facts: CatalogFacts, *, at: datetime) -> Iterator[Finding]:
    """Return every fault of what stands between list prices and what accounts pay, in a fixed order."""
    books = list(PriceBook.objects.open_on(at).select_related("partner").order_by("pk"))
    missing = _missing_rates(books, at=at)
    for (from_currency, to_currency), subjects in sorted(missing.items()):
        words = f"Prices in {from_currency} cannot be told in {to_currency}: there is no exchange rate. Add one."
        yield Finding("rate_missing", ", ".join(sorted(subjects)), words)
    yield from _unpriced_items(books, facts, missing, at=at)
    yield from _overlapping_books(books)
    rules = list(_still_to_count(PriceBookRule.objects.filter(book__in=books), at=at)) if books else []
    yield from _overlapping_rules(rules)
    yield from _idle_rules(facts, [rule for rule in rules if rule.valid_from <= at])
    promotions = list(_still_to_count(Promotion.objects.all(), at=at))
    yield from _contradicting_promotions([promotion for promotion in promotions if not promotion.code])
    yield from _repeated_codes([promotion for promotion in promotions if promotion.code])


def _missing_rates(books: Sequence[PriceBook], *, at: datetime) -> dict[Pair, set[str]]:
    """Return from which currency to which no rate is known, and who would need it."""
    accounts = list(Account.objects.order_by().values_list("partner__name", "partner_id", "currency").distinct())
    if not accounts and not books:
        return {}
    listed = set(ItemPrice.objects.open_on(at).order_by().values_list("currency", flat=True).distinct())
    wanted: dict[Pair, set[str]] = defaultdict(set)
    paid_in: dict[int, set[str]] = defaultdict(set)
    for partner, partner_id, currency in accounts:
        paid_in[partner_id].add(currency)
        for other in listed - {currency}:
            wanted[other, currency].add(partner)
    for book in books:
        for currency in paid_in[book.partner_id] - {book.currency}:
            wanted[book.currency, currency].add(str(book))
        for other in listed - {book.currency}:
            wanted[other, book.currency].add(str(book))
    today = at.astimezone(UTC).date()
    known = set(ExchangeRate.objects.filter(valid_from__lte=today).values_list("from_currency", "to_currency"))
    return {pair: subjects for pair, subjects in wanted.items() if pair not in known}


def _unpriced_items(
    books: Sequence[PriceBook], facts: CatalogFacts, missing: dict[Pair, set[str]], *, at: datetime
) -> Iterator[Finding]:
    """Find items that the list prices and a book does not, for another reason than an exchange rate."""
    packages = {pk: package for pk, package in facts.packages.items() if package.is_sold_somewhere}
    sold = {item for package in packages.values() for item in facts.orderable_in(package) if item in facts.priced}
    if not books or not sold:
        return
    prices = prices_by_item(item_ids=sold, at=at)
    groups = _groups_by_package(packages)
    for book in books:
        deal = deal_of(account=Account(partner=book.partner, currency=book.currency), at=at)
        if deal.book is None or deal.book.book_id != book.pk:
            continue  # another book of the partner comes first
        for item in sorted(sold):
            currencies = {price.currency for price in prices[item]}
            if any((currency, book.currency) in missing for currency in currencies):
                continue
            questions = (
                PriceQuestion(
                    group,
                    term,
                    book.currency,
                    category_code=code,
                    contract_months=months,
                    package_id=package,
                    deal=deal,
                )
                for package in packages
                if item in packages[package].items
                for code in sorted(facts.codes.get(item, ()))
                for group in groups[package]
                for term in Term
                for months in (None, MONTHS_TOLD[-1])
            )
            if not _has_a_price(prices[item], questions):
                words = f"{facts.names[item]} has a list price and none under “{book.name}”. Mend its rule."
                yield Finding("book_item_unpriced", f"{book}: {facts.subjects[item]}", words)


def _has_a_price(prices: Sequence[PriceFacts], questions: Iterable[PriceQuestion]) -> bool:
    return any(not price_without_container(prices, question)[0].is_unpriced for question in questions)


def _groups_by_package(packages: Iterable[int]) -> dict[int, set[tuple[int, ...]]]:
    """Return the different sets of pricing groups of the places where each package is sold."""
    rows = Package.locations.through._default_manager.filter(package_id__in=packages).values_list(
        "package_id", "location_id", "location__groups__external_id", "location__groups__is_active"
    )
    places: dict[tuple[int, int], tuple[int, ...]] = defaultdict(tuple)
    for package, location, group, is_active in rows.order_by("location__groups__external_id"):
        places[package, location] += (group,) if is_active else ()
    groups: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for (package, _), found in places.items():
        groups[package].add(found)
    return groups


def _overlapping_books(books: Sequence[PriceBook]) -> Iterator[Finding]:
    for one, other in combinations(books, 2):
        if (one.partner_id, one.currency) == (other.partner_id, other.currency):
            words = f"“{other.name}” holds for {other.currency} at the same time. End one of the two."
            yield Finding("books_overlap", str(one), words)


def _overlapping_rules(rules: Sequence[PriceBookRule]) -> Iterator[Finding]:
    for one, other in _pairs_about_the_same(rules, key="book_id"):
        words = f"Rules {one.pk} and {other.pk} are both about {one.target_words} at the same time. End one of the two."
        yield Finding("book_rules_overlap", str(one.book), words)


def _idle_rules(facts: CatalogFacts, rules: Sequence[PriceBookRule]) -> Iterator[Finding]:
    """Find rules about packages and items that are not sold any more."""
    sold = {item for package in facts.packages.values() for item in package.items}
    for rule in rules:
        is_idle = (rule.package_id is not None and rule.package_id not in facts.packages) or (
            rule.item_id is not None and rule.item_id not in sold
        )
        if is_idle:
            words = f"Rule {rule.pk} is about {rule.target_words}, which is not sold any more. End it."
            yield Finding("book_rule_idle", str(rule.book), words)


def _contradicting_promotions(promotions: Sequence[Promotion]) -> Iterator[Finding]:
    """Find promotions without a code that are about the same: only one of them ever counts."""
    for one, other in _pairs_about_the_same(promotions, key="partner_id", everybody=None):
        words = (
            f"“{one}” and “{other}” are both about {one.target_words} at the same time; they do not add up. End one."
        )
        yield Finding("promotions_contradict", f"promotion {one.pk}", words)


def _repeated_codes(promotions: Sequence[Promotion]) -> Iterator[Finding]:
    for one, other in combinations(promotions, 2):
        if one.code == other.code and None in (one.partner_id, other.partner_id) and _overlap(_span(one), _span(other)):
            words = f"The code {one.code} stands for “{one}” and “{other}” at the same time. Change one of the two."
            yield Finding("promotion_code_twice", f"promotion {one.pk}", words)


def _still_to_count(rows: Any, *, at: datetime) -> Any:
    owner = "book__partner" if rows.model is PriceBookRule else "partner"
    return rows.exclude(valid_to__lte=at).select_related(owner, "package", "category", "item").order_by("pk")


def _pairs_about_the_same(rows: Iterable[Any], *, key: str, everybody: object = ()) -> Iterator[tuple[Any, Any]]:
    """Return the pairs about one thing that hold at the same time, for the same owner or for everybody."""
    about: dict[tuple[object, ...], list[Any]] = defaultdict(list)
    for row in rows:
        about[row.scope, row.package_id, row.category_id, row.item_id].append(row)
    for same in about.values():
        for one, other in combinations(same, 2):
            owners = {getattr(one, key), getattr(other, key)}
            if (len(owners) == 1 or everybody in owners) and _overlap(_span(one), _span(other)):
                yield one, other


def _span(row: Any) -> Span:
    return row.valid_from, row.valid_to


def _overlap(one: Span, other: Span) -> bool:
    first, second = sorted((one, other), key=lambda span: span[0])
    return first[1] is None or first[1] > second[0]
