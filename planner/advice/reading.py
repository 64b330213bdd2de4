"""Reading what is on sale for a piece of advice: a handful of queries, however many items, places and prices."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal

from accounts.models import Account
from catalog.container_facts import Chosen, slot_of
from catalog.containers import ContainerQuestion
from catalog.desk import Conditions, Desk, Examined, StockLeft
from catalog.models import Item, ItemAttribute, Location, Package
from catalog.pricing import Term
from catalog.selectors import catalog_version
from catalog.shelves import Place, Shelf, shelves_on_sale
from planner.advice.cheapest_places import Stand, cheapest_places
from planner.advice.market import LeftOut, Market, Part, Shop

Facts = Mapping[int, Mapping[str, str]]
Known = dict[tuple[int, Term, tuple[int, ...]], Mapping[str, tuple[Part, ...]]]
"""The parts of a package on a term, by category, where these price groups hold: the same in each such place."""


def places_of(categories: Collection[str]) -> dict[str, str]:
    """Return where packages are sold that ask for any of the categories: names by key name, in order."""
    codes = {"packages__is_active": True, "packages__configuration__category__category_code__in": list(categories)}
    rows = Location.objects.filter(**codes).distinct().order_by("key_name")
    return dict(rows.values_list("key_name", "name"))


def market_of(
    *,
    account: Account,
    categories: Collection[str],
    parts: Collection[str],
    location_key: str,
    term: str,
    hours_per_month: Decimal,
    at: datetime,
    is_everywhere: bool = False,
) -> Market:
    """Return every package that asks for any of the categories, at the place, with prices as of that time.

    Without a place each package stands wherever it is sold, or, unless `is_everywhere`, in each place that may have the
    cheapest answer. What is not offered on the term is taken on the other. Of the categories in `parts` it is noted
    what has no price.
    """
    shelves = [
        (shelf, place)
        for shelf in shelves_on_sale()
        if any(asked.category_code in categories for asked in shelf.categories)
        for place in shelf.places
        if location_key in ("", place.key_name)
    ]
    packages = {shelf.package.pk: shelf.package for shelf, _ in shelves}
    item_ids = set(_items_of(packages))
    desk = Desk(
        conditions=Conditions(account, at, hours_per_month, ""),
        packages=packages,
        location_ids={place.location_id for _, place in shelves},
        item_ids=item_ids,
    )
    facts = _facts_of(item_ids)
    stock = StockLeft(desk.facts.stock, is_shared=False)
    terms = [Term(term), *(each for each in Term if each != term)]
    known: Known = {}
    stands = []
    for shelf, place in shelves:
        on_terms = (_shop(shelf, place, each, desk, stock, facts, known) for each in terms)
        found = next((shop for shop in on_terms if shop is not None), None)
        if found:
            stands.append(Stand(found, place.groups))
    shops = [stand.shop for stand in stands] if is_everywhere else cheapest_places(stands)
    return Market(
        currency=account.currency,
        shops=tuple(shops),
        left_out=tuple(_unpriced(shops, parts, desk)),
        catalog_version=catalog_version(),
        places={place.key_name: place.name for _, place in shelves},
    )


def _items_of(packages: Iterable[int]) -> Iterable[int]:
    links = Package.items.through._default_manager.filter(package_id__in=list(packages))
    return links.values_list("item_id", flat=True)


def _facts_of(item_ids: Collection[int]) -> Facts:
    facts: defaultdict[int, dict[str, str]] = defaultdict(dict)
    rows = ItemAttribute.objects.filter(item_id__in=item_ids).values_list("item_id", "name", "value")
    for item_id, name, value in rows:
        facts[item_id][name] = value
    for item_id, capacity in Item.objects.filter(pk__in=item_ids).values_list("pk", "capacity"):
        if capacity is not None:
            facts[item_id].setdefault("capacity", f"{capacity.normalize():f}")
    return facts


def _shop(
    shelf: Shelf, place: Place, term: Term, desk: Desk, stock: StockLeft, facts: Facts, known: Known
) -> Shop | None:
    """Return the package on the term; None where something that it requires is not offered so."""
    location = Location(pk=place.location_id, key_name=place.key_name, name=place.name)
    examined = desk.examine(ContainerQuestion(shelf.package, location, term.value, ()), stock)
    key = (shelf.package.pk, term, place.groups)
    if key not in known:
        known[key] = {each.category_code: _offered(each.category_code, examined, facts) for each in shelf.categories}
    parts = known[key]
    usual: dict[str, Part] = {}
    for asked in shelf.categories:
        if not asked.is_required:
            continue
        found = _usual(parts[asked.category_code], asked.default_item_id)
        if found is None:
            return None
        usual[asked.category_code] = found
    slots = sorted((code for code in parts if slot_of(code) is not None), key=lambda code: slot_of(code) or 0)
    return Shop(
        package_key=shelf.package.key_name,
        package_name=shelf.package.name,
        location_key=place.key_name,
        location_name=place.name,
        term=term.value,
        container=examined.container,
        prices=examined.prices,
        parts=parts,
        usual=usual,
        slots=tuple(slots),
    )


def _offered(code: str, examined: Examined, facts: Facts) -> tuple[Part, ...]:
    """Return the items that may be chosen for a category and have a price here, by their id.

    One whose price depends on the size of its machine is not among them: it cannot be compared by itself.
    """
    found = []
    filled_by = examined.container.package.filled_by(code)
    for item in examined.items_offered:
        if filled_by.isdisjoint(item.category_codes):
            continue
        answer, _ = examined.prices.of_one(Chosen(code, item), ())
        if answer.lasting_monthly is not None:
            found.append(Part(item, facts.get(item.item_id, {}), answer.lasting_monthly))
    return tuple(found)


def _usual(parts: tuple[Part, ...], default_id: int | None) -> Part | None:
    """Return the package's default, or the cheapest part where that is not offered."""
    default = next((part for part in parts if part.item.item_id == default_id), None)
    return default or min(parts, key=lambda part: (part.monthly.amount, part.item.item_id), default=None)


def _unpriced(shops: Iterable[Shop], parts: Collection[str], desk: Desk) -> Iterator[LeftOut]:
    """Give the items that have no price in any of the shops: they are never advised, as unknown is not zero."""
    by_package: defaultdict[str, list[Shop]] = defaultdict(list)
    for shop in shops:
        by_package[shop.package_key].append(shop)
    for same in by_package.values():
        unpriced = set[int].intersection(*(_unpriced_in(shop, parts, desk) for shop in same))
        where = same[0].location_name if len(same) == 1 else "any location"
        for item_id in sorted(unpriced):
            name = f"{desk.item(item_id).description} ({same[0].package_name})"
            yield LeftOut(name, f"It has no price in {where} on {same[0].term} terms.")


def _unpriced_in(shop: Shop, parts: Collection[str], desk: Desk) -> set[int]:
    offered = {part.item.item_id for found in shop.parts.values() for part in found}
    found = set()
    for item_id in shop.container.package.item_ids - offered:
        item = desk.item(item_id)
        codes = sorted(item.category_codes.intersection(parts))
        if codes and not shop.prices.depends_on_machine(Chosen(codes[0], item)):
            found.add(item_id)
    return found
