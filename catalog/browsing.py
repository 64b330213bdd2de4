"""The list of packages as plain rows, for the pages and the API alike."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import OuterRef, QuerySet

from accounts.models import Account
from catalog.deal import Deal
from catalog.deals import deal_of
from catalog.models import Package
from catalog.pricing import PriceFacts, PriceQuestion, Term, answer_price
from catalog.selectors import prices_by_item
from catalog.shelves import Place, Shelf, shelves_of, shelves_on_sale
from core.json_rows import JsonRows
from core.money import Money


@dataclass(frozen=True)
class PackageListing:
    """One package in the list: what it is and what the cheapest container of it costs."""

    key_name: str
    name: str
    description: str
    location_key_names: tuple[str, ...]
    location_names: tuple[str, ...]
    item_count: int
    from_price: Money | None


def locations_of(*, package_ids: Iterable[int] | QuerySet[Any, Any]) -> defaultdict[int, list[Place]]:
    """Return where each package is sold, in one query."""
    shelves = shelves_of(package_ids=package_ids)
    return defaultdict(list, {package_id: list(shelf.places) for package_id, shelf in shelves.items()})


def package_listings(*, account: Account, at: datetime) -> list[PackageListing]:
    """Return the packages on sale, each with the price of its cheapest container at its first location."""
    links = Package.items.through._default_manager.filter(package_id=OuterRef("pk")).order_by()
    shelves = shelves_on_sale(item_rows=JsonRows(links, "item_id", "item__categories__category_code"))
    fillers = {shelf.package.pk: _fillers(shelf) for shelf in shelves}
    filling = {item_id for codes in fillers.values() for item_ids in codes.values() for item_id in item_ids}
    prices = prices_by_item(item_ids=filling, at=at)
    deal = deal_of(account=account, at=at)
    return [_listing(shelf, fillers[shelf.package.pk], prices, account.currency, deal) for shelf in shelves]


def _listing(
    shelf: Shelf,
    fillers: Mapping[str, set[int]],
    prices: Mapping[int, list[PriceFacts]],
    currency: str,
    deal: Deal,
) -> PackageListing:
    package, places = shelf.package, shelf.places
    cheapest = None
    if places and fillers:
        question = PriceQuestion(places[0].groups, Term.MONTHLY, currency, package_id=package.pk, deal=deal)
        cheapest = _cheapest_container(fillers, prices, question)
    return PackageListing(
        key_name=package.key_name,
        name=package.name,
        description=package.description,
        location_key_names=tuple(place.key_name for place in places),
        location_names=tuple(place.name for place in places),
        item_count=len({item_id for item_id, _ in shelf.rows("item_rows")}),
        from_price=cheapest,
    )


def _fillers(shelf: Shelf) -> dict[str, set[int]]:
    """Return which items of the package may fill each category that it requires."""
    fillers: dict[str, set[int]] = {row.category_code: set() for row in shelf.categories if row.is_required}
    for item_id, code in shelf.rows("item_rows"):
        if code in fillers:
            fillers[code].add(item_id)
    return fillers


def _cheapest_container(
    fillers: Mapping[str, set[int]], prices: Mapping[int, list[PriceFacts]], question: PriceQuestion
) -> Money | None:
    """Return the monthly cost of the cheapest way to fill every required category, on either term."""
    totals = []
    for term in Term:
        cheapest_of_each = []
        for code, item_ids in fillers.items():
            asked = replace(question, term=term, category_code=code)
            answers = (answer_price(prices.get(item_id, ()), asked).monthly for item_id in item_ids)
            known = [answer.amount for answer in answers if answer is not None]
            cheapest_of_each.append(min(known, default=None))
        known_parts = [amount for amount in cheapest_of_each if amount is not None]
        if len(known_parts) == len(cheapest_of_each):
            totals.append(sum(known_parts, Decimal(0)))
    return Money(min(totals), question.currency) if totals else None
