"""The list of packages as plain rows, for the pages and the API alike."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from itertools import groupby

from accounts.models import Account
from catalog.models import Package, PackageConfiguration
from catalog.pricing import PriceFacts, PriceQuestion, Term, answer_price
from catalog.selectors import prices_by_item
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


@dataclass(frozen=True)
class Place:
    """A location of a package, with its active pricing groups."""

    location_id: int
    key_name: str
    name: str
    groups: tuple[int, ...]


def locations_of(*, package_ids: Iterable[int]) -> defaultdict[int, list[Place]]:
    """Return where each package is sold, in one query."""
    rows = (
        Package.locations.through._default_manager.filter(package_id__in=list(package_ids))
        .order_by("package_id", "location__key_name")
        .values_list(
            "package_id",
            "location_id",
            "location__key_name",
            "location__name",
            "location__groups__external_id",
            "location__groups__is_active",
        )
    )
    found: defaultdict[int, list[Place]] = defaultdict(list)
    for (package_id, location_id, key_name, name), same in groupby(rows, key=lambda row: row[:4]):
        groups = tuple(group for *_, group, is_active in same if is_active)
        found[package_id].append(Place(location_id, key_name, name, groups))
    return found


def package_listings(*, account: Account, at: datetime) -> list[PackageListing]:
    """Return the packages on sale, each with the price of its cheapest container at its first location."""
    packages = list(Package.objects.filter(is_active=True))
    locations = locations_of(package_ids=[package.pk for package in packages])
    items, fillers = _items_of(packages)
    filling = {item_id for codes in fillers.values() for item_ids in codes.values() for item_id in item_ids}
    prices = prices_by_item(item_ids=filling, at=at)
    listings = []
    for package in packages:
        places = locations[package.pk]
        cheapest = None
        if places and fillers[package.pk]:
            question = PriceQuestion(places[0].groups, Term.MONTHLY, account.currency)
            cheapest = _cheapest_container(fillers[package.pk], prices, question)
        listings.append(
            PackageListing(
                key_name=package.key_name,
                name=package.name,
                description=package.description,
                location_key_names=tuple(place.key_name for place in places),
                location_names=tuple(place.name for place in places),
                item_count=len(items[package.pk]),
                from_price=cheapest,
            )
        )
    return listings


def _items_of(packages: Sequence[Package]) -> tuple[dict[int, set[int]], dict[int, dict[str, set[int]]]]:
    """Return the items of each package, and which of them may fill each category that it requires."""
    fillers: dict[int, dict[str, set[int]]] = defaultdict(dict)
    configuration = PackageConfiguration.objects.filter(package__in=packages, is_required=True)
    for package_id, code in configuration.values_list("package_id", "category__category_code"):
        fillers[package_id][code] = set()
    items: dict[int, set[int]] = defaultdict(set)
    links = Package.items.through._default_manager.filter(package__in=packages)
    for package_id, item_id, code in links.values_list("package_id", "item_id", "item__categories__category_code"):
        items[package_id].add(item_id)
        if code in fillers[package_id]:
            fillers[package_id][code].add(item_id)
    return items, fillers


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
