"""Writing what a catalogue says into the database: its structure, its items and their prices.

Rows that name what nobody knows are refused here; whoever calls decides whether the rest may stand.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from catalog.blueprint_loading import blueprints_load
from catalog.cells import Cells
from catalog.doubts import doubts_about
from catalog.layout import BlueprintPartRow, CatalogData, Notes, PlacementRow, name_from_code
from catalog.models import (
    Basis,
    Item,
    ItemAttribute,
    ItemCategory,
    Location,
    LocationGroup,
    Package,
    PackageConfiguration,
)
from catalog.price_loading import prices_load
from catalog.rule_loading import rules_load
from catalog.tallying import Tally, add_links, set_links, write_rows

Row = TypeVar("Row")


@dataclass
class Known:
    """The rows that names may mean, by their keys."""

    locations: dict[str, Location]
    categories: dict[str, ItemCategory]
    items: dict[str, Item]
    packages: dict[str, Package]


def catalog_apply(*, data: CatalogData, now: datetime, notes: Notes, tally: Tally) -> None:
    """Write a catalogue. Must run in a transaction; refused and doubtful rows are added to the notes."""
    if _refuse_packages_of_others(data, notes):
        return
    known = Known(_load_locations(data, tally), _load_categories(data, tally), _load_items(data, tally), {})
    known.packages = _load_packages(data, known.locations, notes, tally)
    _load_networks(data, known, notes, tally)
    _load_configuration(data, known, notes, tally)
    _link_items(data, known, tally)
    _load_attributes(data, known.items, notes, tally)
    rules_load(
        rows=_sound(
            data.rules,
            lambda row: _unknown(
                ("item", row.item, known.items),
                ("other", row.other, known.items),
                ("category", row.category, known.categories),
                ("other_category", row.other_category, known.categories),
                ("location", row.location, known.locations),
            ),
            data,
            notes,
        ),
        items=known.items,
        categories=known.categories,
        locations=known.locations,
        tally=tally,
    )
    prices_load(
        rows=_sound(data.prices, lambda row: _unknown(("item", row.item, known.items)), data, notes),
        items=known.items,
        categories=known.categories,
        currency=data.currency,
        source=data.item_source,
        now=now,
        tally=tally,
    )
    parts = _sound(
        data.blueprints,
        lambda row: _unknown(
            ("item", row.item, known.items),
            ("package", row.package, known.packages),
            ("category", row.category_code, known.categories),
        ),
        data,
        notes,
    )
    roles: dict[str, dict[str, BlueprintPartRow]] = defaultdict(dict)
    for part in parts:
        roles[part.blueprint][part.role] = part
    blueprints_load(
        rows=parts,
        placements=_sound(data.placements, lambda row: _unknown(*_names_of(row, roles, known)), data, notes),
        items=known.items,
        categories=known.categories,
        packages=known.packages,
        tally=tally,
    )
    notes.doubtful += doubts_about(data)


def _unknown(*names: tuple[str, str, Mapping[str, object]]) -> tuple[str, str] | None:
    """Return the first field whose name is not known, with that name; an empty name means nothing."""
    return next(((field, name) for field, name, known in names if name and name not in known), None)


def _names_of(
    row: PlacementRow, roles: Mapping[str, Mapping[str, object]], known: Known
) -> list[tuple[str, str, Mapping[str, object]]]:
    """Return what a service names: its roles, which are those of its blueprint, and what it needs."""
    own = roles.get(row.blueprint, {})
    return [
        ("blueprint", row.blueprint, roles),
        *((field, getattr(row, field), own) for field in ("role", "otherwise", "agents")),
        *(("needs", category_code, known.categories) for category_code, _ in row.needs),
        *(("needs", item, known.items) for _, item in row.needs),
    ]


def _sound(
    rows: Iterable[Row], unknown: Callable[[Row], tuple[str, str] | None], data: CatalogData, notes: Notes
) -> list[Row]:
    """Return the rows whose names are known; refuse the others."""
    sound = []
    for row in rows:
        found = unknown(row)
        if found is None:
            sound.append(row)
            continue
        field, name = found
        kind = type(row).__name__.removesuffix("Row").lower()
        cells = Cells(data.path, None, {}, notes.refused, f"{kind}.")
        cells.refuse(field, "unknown_name", f"“{name}” is not in the catalogue. Mend the name, or load what it names.")
    return sound


def _refuse_packages_of_others(data: CatalogData, notes: Notes) -> bool:
    keys = [package.key_name for package in data.packages]
    others = Package.objects.filter(key_name__in=keys).exclude(source=data.source).order_by("key_name")
    for package in others:
        cells = Cells(data.path, None, {}, notes.refused, f"packages.{package.key_name}.")
        words = f"A package of the catalogue “{package.source}” has this key. Choose another one."
        cells.refuse("key_name", "key_name_taken", words)
    return bool(others)


def _load_locations(data: CatalogData, tally: Tally) -> dict[str, Location]:
    """Locations and their groups are shared by all catalogues: made where they are missing, else left as they are."""
    groups = _load_groups(data, tally)
    known = {location.key_name: location for location in Location.objects.all()}
    missing = {
        row.key_name: {"key_name": row.key_name, "name": row.name, "source": row.source}
        for row in data.locations
        if row.key_name not in known
    }
    locations = known | write_rows(model=Location, kind="locations", existing={}, wanted=missing, tally=tally)
    add_links(
        through=Location.groups.through,
        columns=("location_id", "locationgroup_id"),
        pairs={(locations[row.key_name].pk, groups[group].pk) for row in data.locations for group in row.groups},
        tally=tally,
    )
    return locations


def _load_groups(data: CatalogData, tally: Tally) -> dict[int, LocationGroup]:
    """Make the groups that are missing. One that no list names is inactive until a list names it."""
    known = {group.external_id: group for group in LocationGroup.objects.all()}
    wanted = {
        row.external_id: {"external_id": row.external_id, "name": row.name, "is_active": row.is_listed}
        for row in data.groups
        if row.external_id not in known
        or (row.is_listed and not known[row.external_id].name and not known[row.external_id].is_active)
    }
    return known | write_rows(model=LocationGroup, kind="location groups", existing=known, wanted=wanted, tally=tally)


def _load_categories(data: CatalogData, tally: Tally) -> dict[str, ItemCategory]:
    """Categories are shared by all catalogues: made where they are missing, named where nobody had a name for them."""
    known = {category.category_code: category for category in ItemCategory.objects.all()}
    wanted = {
        row.category_code: {"category_code": row.category_code, "name": row.name}
        for row in data.categories
        if row.category_code not in known or known[row.category_code].name == name_from_code(row.category_code)
    }
    return known | write_rows(model=ItemCategory, kind="categories", existing=known, wanted=wanted, tally=tally)


def _load_items(data: CatalogData, tally: Tally) -> dict[str, Item]:
    existing = {item.external_id: item for item in Item.objects.filter(source=data.item_source)}
    wanted = {
        row.external_id: {
            "source": data.item_source,
            "external_id": row.external_id,
            "key_name": row.key_name,
            "description": row.description,
            "capacity": row.capacity,
            "units": row.units,
        }
        for row in data.items
    }
    return existing | write_rows(model=Item, kind="items", existing=existing, wanted=wanted, tally=tally)


def _load_packages(
    data: CatalogData, locations: Mapping[str, Location], notes: Notes, tally: Tally
) -> dict[str, Package]:
    known = {package.key_name: package for package in Package.objects.all()}
    wanted = {
        row.key_name: {
            "source": data.source,
            "external_id": row.external_id,
            "key_name": row.key_name,
            "name": row.name,
            "description": row.description,
            # Retired by the file or by staff: only staff bring it back.
            "is_active": row.is_active and (row.key_name not in known or known[row.key_name].is_active),
        }
        for row in data.packages
    }
    packages = known | write_rows(model=Package, kind="packages", existing=known, wanted=wanted, tally=tally)
    sold = {(packages[row.key_name].pk, locations[name].pk) for row in data.packages for name in row.locations or ()}
    following = _sound(data.packages, lambda row: _unknown(("sold_like", row.sold_like, packages)), data, notes)
    for row in (row for row in following if row.sold_like):
        followed = packages[row.sold_like].locations.values_list("pk", flat=True)
        sold |= {(packages[row.key_name].pk, location) for location in followed}
    told = {packages[row.key_name].pk for row in data.packages if row.locations is not None or row.sold_like}
    set_links(
        through=Package.locations.through,
        columns=("package_id", "location_id"),
        pairs=sold,
        speaks_of=lambda package, _: package in told,
        tally=tally,
        package__source=data.source,
    )
    return packages


def _load_networks(data: CatalogData, known: Known, notes: Notes, tally: Tally) -> None:
    rows = _sound(data.networks, lambda row: _unknown(("package", row.package, known.packages)), data, notes)
    wanted = {
        row.package: {
            "public_network": row.public,
            "private_network": row.private,
            "management_network": row.management,
            "networks_source": row.source,
            "networks_basis": row.basis,
        }
        for row in rows
    }
    write_rows(model=Package, kind="networks", existing=known.packages, wanted=wanted, tally=tally)


def _load_configuration(data: CatalogData, known: Known, notes: Notes, tally: Tally) -> None:
    rows = _sound(
        data.configuration,
        lambda row: _unknown(
            ("package", row.package, known.packages),
            ("category_code", row.category_code, known.categories),
            ("same_items_as", row.same_items_as, known.categories),
            ("default_item", row.default_item, known.items),
        ),
        data,
        notes,
    )
    wanted = {
        (known.packages[row.package].pk, known.categories[row.category_code].pk): {
            "package": known.packages[row.package],
            "category": known.categories[row.category_code],
            "is_required": row.is_required,
            "order_step": row.order_step,
            "sort": row.sort,
            "quantity_limit": row.quantity_limit,
            "same_items_as": known.categories[row.same_items_as] if row.same_items_as else None,
            "default_item": known.items[row.default_item] if row.default_item else None,
            "error_words": row.error_words,
            "source": row.source,
            "basis": row.basis,
        }
        for row in rows
    }
    stored = PackageConfiguration.objects.filter(package__in={package for package, _ in wanted}).select_related(
        "package", "category", "same_items_as", "default_item"
    )
    existing = {(row.package_id, row.category_id): row for row in stored}
    ours = {key for key, row in existing.items() if row.basis == Basis.ASSUMED}
    # What an overlay decided stands when the price list below it is loaded again.
    wanted = {key: row for key, row in wanted.items() if key not in ours or row["basis"] == Basis.ASSUMED}
    write_rows(model=PackageConfiguration, kind="configuration", existing=existing, wanted=wanted, tally=tally)


def _link_items(data: CatalogData, known: Known, tally: Tally) -> None:
    told = {known.items[row.external_id].pk for row in data.items}
    packages = {known.packages[row.key_name].pk for row in data.packages}
    set_links(
        through=Item.categories.through,
        columns=("item_id", "itemcategory_id"),
        pairs={
            (known.items[row.external_id].pk, known.categories[code].pk)
            for row in data.items
            for code in row.categories
        },
        speaks_of=lambda item, _: item in told,
        tally=tally,
        item__source=data.source,
    )
    set_links(
        through=Package.items.through,
        columns=("item_id", "package_id"),
        pairs={
            (known.items[row.external_id].pk, known.packages[name].pk) for row in data.items for name in row.packages
        },
        speaks_of=lambda item, package: item in told and package in packages,
        tally=tally,
        item__source=data.source,
    )


def _load_attributes(data: CatalogData, items: Mapping[str, Item], notes: Notes, tally: Tally) -> None:
    wanted = {
        (items[row.item].pk, row.name): {
            "item": items[row.item],
            "name": row.name,
            "value": row.value,
            "unit": row.unit,
            "source": row.source,
            "basis": row.basis,
        }
        for row in _sound(data.attributes, lambda row: _unknown(("item", row.item, items)), data, notes)
    }
    rows = ItemAttribute.objects.filter(item__source=data.item_source).select_related("item")
    existing = {(row.item_id, row.name): row for row in rows}
    write_rows(model=ItemAttribute, kind="attributes", existing=existing, wanted=wanted, tally=tally)
