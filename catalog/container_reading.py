"""Reading what the catalogue says about some containers, prices apart: packages, places, items, rules, stock."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import OuterRef, Q

from catalog.container_facts import CategoryFacts, ItemFacts, PackageFacts, RuleFacts, RuleIndex
from catalog.models import Item, ItemAttribute, ItemRule, Location, Package, PackageConfiguration, Stock
from catalog.sizes import SIZES, whole_sizes
from core.json_rows import JsonRows, Reading


@dataclass(frozen=True)
class CatalogFacts:
    """Facts by the id of the package, the location or the item that they are about."""

    packages: Mapping[int, PackageFacts]
    items: Mapping[int, ItemFacts]
    location_groups: Mapping[int, tuple[int, ...]]
    stock: Mapping[int, Mapping[int, int]]
    """What is left of limited items: by location, then by item."""
    rules: RuleIndex


def facts_reading(
    *, packages: Mapping[int, Package], location_ids: Collection[int], item_ids: Collection[int]
) -> Reading[CatalogFacts]:
    """Return how to read what is to be known of containers of these packages, at these locations, of these items.

    Of a package's items and locations only those asked about are read: a package may hold thousands.
    """
    questions = (
        JsonRows(
            _links(Location.groups, location_id__in=location_ids, locationgroup__is_active=True),
            "location_id",
            "locationgroup__external_id",
        ),
        JsonRows(
            Stock.objects.filter(location_id__in=location_ids, item_id__in=item_ids).order_by(),
            *("location_id", "item_id", "quantity_left"),
        ),
        JsonRows(
            Item.objects.filter(pk__in=item_ids).order_by(),
            *("pk", "key_name", "description"),
            _codes_of("pk"),
            JsonRows(
                ItemAttribute.objects.filter(item_id=OuterRef("pk"), name__in=SIZES).order_by(),
                *("item_id", "name", "value"),
            ),
        ),
        JsonRows(
            # Those of these items, and those of whole categories, which are few.
            ItemRule.objects.filter(Q(item_id__in=item_ids) | Q(item__isnull=True)).order_by("pk"),
            _codes_of("other_id"),
            *("pk", "kind", "item_id", "category__category_code", "other_id", "other_category__category_code"),
            *("location_id", "other__description", "other_category__name"),
            *("restriction", "minimum", "maximum", "multiple_of", "equality"),
        ),
        JsonRows(
            PackageConfiguration.objects.filter(package_id__in=packages).order_by("order_step", "sort", "pk"),
            *("package_id", "category__category_code", "category__name", "is_required", "quantity_limit"),
            *("error_words", "same_items_as__category_code"),
        ),
        JsonRows(_links(Package.items, package_id__in=packages, item_id__in=item_ids), "package_id", "item_id"),
        JsonRows(
            _links(Package.locations, package_id__in=packages, location_id__in=location_ids),
            *("package_id", "location_id"),
        ),
    )
    return Reading(questions, partial(_facts, packages))


Rows = Sequence[Sequence[Any]]


def _facts(
    packages: Mapping[int, Package],
    groups: Rows,
    stock: Rows,
    items: Rows,
    rules: Rows,
    configuration: Rows,
    items_held: Rows,
    locations: Rows,
) -> CatalogFacts:
    asked, held, sold_in = _by_first(configuration), _sets(items_held), _sets(locations)
    return CatalogFacts(
        packages={
            package_id: PackageFacts(
                name=package.name,
                is_active=package.is_active,
                categories=tuple(_category(*row) for row in asked[package_id]),
                item_ids=held[package_id],
                location_ids=sold_in[package_id],
            )
            for package_id, package in packages.items()
        },
        items={
            item_id: ItemFacts(item_id, key_name, description, frozenset(_firsts(codes)), whole_sizes(sizes)[item_id])
            for item_id, key_name, description, codes, sizes in items
        },
        location_groups=defaultdict(tuple, {key: _firsts(rows) for key, rows in _by_first(groups).items()}),
        stock=defaultdict(dict, {key: {each[0]: each[1] for each in rows} for key, rows in _by_first(stock).items()}),
        rules=RuleIndex(_rule(*row) for row in rules),
    )


def _codes_of(item_id: str) -> JsonRows:
    links = Item.categories.through._default_manager.filter(item_id=OuterRef(item_id)).order_by()
    return JsonRows(links, "itemcategory__category_code")


def _links(links: Any, **asked: Any) -> Any:
    """Return the rows that join two tables."""
    return links.through._default_manager.filter(**asked).order_by()


def _by_first(rows: Iterable[Sequence[Any]]) -> defaultdict[int, list[Sequence[Any]]]:
    found: defaultdict[int, list[Sequence[Any]]] = defaultdict(list)
    for first, *others in rows:
        found[first].append(others)
    return found


def _firsts(rows: Iterable[Sequence[Any]]) -> tuple[Any, ...]:
    return tuple(row[0] for row in rows)


def _sets(pairs: Iterable[Sequence[Any]]) -> defaultdict[int, frozenset[Any]]:
    """Return the second values by the first ones, none for an id without any."""
    found = {first: frozenset(_firsts(values)) for first, values in _by_first(pairs).items()}
    return defaultdict(frozenset, found)


def _category(
    category_code: str, name: str, is_required: bool, quantity_limit: int, error_words: str, same_items_as: str | None
) -> CategoryFacts:
    return CategoryFacts(category_code, name, bool(is_required), quantity_limit, error_words, same_items_as or "")


def _rule(
    other_codes: Rows,
    number: int,
    kind: str,
    item_id: int | None,
    category_code: str | None,
    other_id: int | None,
    other_category: str | None,
    location_id: int | None,
    other_description: str | None,
    other_category_name: str | None,
    *sizes: Any,
) -> RuleFacts:
    restriction, minimum, maximum, multiple_of, equality = sizes
    return RuleFacts(
        number=number,
        kind=kind,
        item_id=item_id,
        category_code=category_code or "",
        other_id=other_id,
        other_codes=frozenset(_firsts(other_codes)),
        other_category=other_category or "",
        location_id=location_id,
        other_words=other_description or other_category_name or "",
        restriction=restriction,
        minimum=minimum,
        maximum=maximum,
        multiple_of=multiple_of,
        equality=equality,
    )
