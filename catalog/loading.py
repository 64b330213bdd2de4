"""Loading a folder of catalogue data into the database. `catalog/data/README.md` describes the layout and the rules."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from django.db import models, transaction

from catalog.cells import RefusedRow
from catalog.models import (
    CatalogLoad,
    Item,
    ItemAttribute,
    ItemCategory,
    ItemRule,
    Location,
    LocationGroup,
    Package,
    PackageConfiguration,
)
from catalog.price_loading import prices_load
from catalog.reading import CatalogData, read_folder

SHIPPED = Path(__file__).parent / "data"
BATCH = 500


@dataclass
class Tally:
    """How many rows of each kind a loading added, changed and closed."""

    added: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class LoadReport:
    """What a loading did. With any refused row nothing was applied."""

    folder: str
    source: str = ""
    added: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)
    closed: Mapping[str, int] = field(default_factory=dict)
    refused: tuple[RefusedRow, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "folder": self.folder,
            "source": self.source,
            "added": dict(self.added),
            "changed": dict(self.changed),
            "closed": dict(self.closed),
            "refused": [row.as_dict() for row in self.refused],
        }


M = TypeVar("M", bound=models.Model)
Key = TypeVar("Key", bound=Hashable)


def shipped_folders() -> list[Path]:
    """Return the folders of the catalogues that come with the product."""
    return sorted(path.parent for path in SHIPPED.glob("*/catalog.json"))


def catalog_load_folder(*, folder: Path, now: datetime) -> LoadReport:
    """Load a catalogue; all of it, or nothing where a row is refused.

    A folder that was loaded last from its source with the same content changes nothing at all, so that a second start
    never overwrites what staff changed since.
    """
    data, refused = read_folder(folder)
    if data is None:
        return LoadReport(folder=str(folder), refused=refused)
    return _apply(folder, data, now)


@transaction.atomic
def _apply(folder: Path, data: CatalogData, now: datetime) -> LoadReport:
    source = data.structure.source
    taken = _packages_of_others(data)
    if taken:
        return LoadReport(folder=str(folder), source=source, refused=taken)
    newest = CatalogLoad.objects.filter(source=source).first()
    if newest and newest.digest == data.digest:
        return LoadReport(folder=str(folder), source=source)
    tally = Tally()
    locations = _load_locations(data, tally)
    categories = _load_categories(data, tally)
    items = _load_items(data, categories, tally)
    packages = _load_packages(data, locations, items, tally)
    _load_configuration(data, packages, categories, items, tally)
    _link_items(data, packages, categories, items)
    _load_attributes(data, items, tally)
    _load_rules(data, items, tally)
    prices = prices_load(
        rows=data.prices, items=items, categories=categories, currency=data.structure.currency, source=source, now=now
    )
    tally.added["prices"] += prices.added
    tally.changed["prices"] += prices.changed
    tally.closed["prices"] += prices.closed
    CatalogLoad.objects.create(
        source=source,
        digest=data.digest,
        added=tally.added.total(),
        changed=tally.changed.total(),
        closed=tally.closed.total(),
        loaded_at=now,
    )
    return LoadReport(
        folder=str(folder), source=source, added=+tally.added, changed=+tally.changed, closed=+tally.closed
    )


def _packages_of_others(data: CatalogData) -> tuple[RefusedRow, ...]:
    keys = data.structure.package_keys
    others = Package.objects.filter(key_name__in=keys).exclude(source=data.structure.source).order_by("key_name")
    return tuple(
        RefusedRow(
            data.structure.path,
            None,
            f"packages.{package.key_name}.key_name",
            "key_name_taken",
            f"A package of the catalogue “{package.source}” has this key. Choose another one.",
        )
        for package in others
    )


def _write(
    *, model: type[M], kind: str, existing: Mapping[Key, M], wanted: Mapping[Key, dict[str, Any]], tally: Tally
) -> dict[Key, M]:
    """Make the rows that are missing and change those that differ; return every wanted row by its key."""
    made = {key: model(**values) for key, values in wanted.items() if key not in existing}
    model._default_manager.bulk_create(made.values(), batch_size=BATCH)
    tally.added[kind] += len(made)
    edited = []
    for key in wanted.keys() & existing.keys():
        row = existing[key]
        differing = {name: value for name, value in wanted[key].items() if getattr(row, name) != value}
        for name, value in differing.items():
            setattr(row, name, value)
        if differing:
            edited.append(row)
    if edited:
        model._default_manager.bulk_update(edited, list(next(iter(wanted.values()))), batch_size=BATCH)
    tally.changed[kind] += len(edited)
    return {key: made.get(key) or existing[key] for key in wanted}


def _load_locations(data: CatalogData, tally: Tally) -> dict[str, Location]:
    """Locations and their groups are shared by all catalogues: made where they are missing, else left as they are."""
    groups = _load_groups(data, tally)
    known = {location.key_name: location for location in Location.objects.all()}
    missing = {
        row.key_name: {"key_name": row.key_name, "name": row.name, "source": row.source}
        for row in data.structure.locations
        if row.key_name not in known
    }
    locations = known | _write(model=Location, kind="locations", existing={}, wanted=missing, tally=tally)
    _add_links(
        Location.groups.through,
        ("location_id", "locationgroup_id"),
        {(locations[row.key_name].pk, groups[group].pk) for row in data.structure.locations for group in row.groups},
    )
    return locations


def _load_groups(data: CatalogData, tally: Tally) -> dict[int, LocationGroup]:
    known = {group.external_id: group for group in LocationGroup.objects.all()}
    missing = {
        row.external_id: {"external_id": row.external_id, "name": row.name}
        for row in data.structure.groups
        if row.external_id not in known
    }
    return known | _write(model=LocationGroup, kind="location groups", existing={}, wanted=missing, tally=tally)


def _load_categories(data: CatalogData, tally: Tally) -> dict[str, ItemCategory]:
    """Categories are shared by all catalogues: made where they are missing, else left as they are."""
    known = {category.category_code: category for category in ItemCategory.objects.all()}
    missing = {
        row.category_code: {"category_code": row.category_code, "name": row.name}
        for row in data.structure.categories
        if row.category_code not in known
    }
    return known | _write(model=ItemCategory, kind="categories", existing={}, wanted=missing, tally=tally)


def _load_items(data: CatalogData, categories: dict[str, ItemCategory], tally: Tally) -> dict[str, Item]:
    source = data.structure.source
    wanted = {
        row.external_id: {
            "source": source,
            "external_id": row.external_id,
            "key_name": row.key_name,
            "description": row.description,
            "capacity": row.capacity,
            "units": row.units,
        }
        for row in data.items
    }
    existing = {item.external_id: item for item in Item.objects.filter(source=source)}
    return _write(model=Item, kind="items", existing=existing, wanted=wanted, tally=tally)


def _load_packages(
    data: CatalogData, locations: dict[str, Location], items: dict[str, Item], tally: Tally
) -> dict[str, Package]:
    source = data.structure.source
    wanted = {
        row.key_name: {
            "source": source,
            "external_id": row.key_name,
            "key_name": row.key_name,
            "name": row.name,
            "description": row.description,
        }
        for row in data.structure.packages
    }
    existing = {package.key_name: package for package in Package.objects.filter(source=source)}
    packages = _write(model=Package, kind="packages", existing=existing, wanted=wanted, tally=tally)
    _set_links(
        Package.locations.through,
        ("package_id", "location_id"),
        {(packages[row.key_name].pk, locations[name].pk) for row in data.structure.packages for name in row.locations},
        package__source=data.structure.source,
    )
    return packages


def _load_configuration(
    data: CatalogData,
    packages: dict[str, Package],
    categories: dict[str, ItemCategory],
    items: dict[str, Item],
    tally: Tally,
) -> None:
    wanted = {
        (packages[package.key_name].pk, categories[row.category_code].pk): {
            "package": packages[package.key_name],
            "category": categories[row.category_code],
            "is_required": row.is_required,
            "order_step": row.order_step,
            "sort": row.sort,
            "quantity_limit": row.quantity_limit,
            "default_item": items[row.default_item] if row.default_item else None,
            "error_words": row.error_words,
        }
        for package in data.structure.packages
        for row in package.configuration
    }
    rows = PackageConfiguration.objects.filter(package__in=packages.values())
    existing = {
        (row.package_id, row.category_id): row for row in rows.select_related("package", "category", "default_item")
    }
    _write(model=PackageConfiguration, kind="configuration", existing=existing, wanted=wanted, tally=tally)


def _link_items(
    data: CatalogData, packages: dict[str, Package], categories: dict[str, ItemCategory], items: dict[str, Item]
) -> None:
    _set_links(
        Item.categories.through,
        ("item_id", "itemcategory_id"),
        {(items[row.external_id].pk, categories[code].pk) for row in data.items for code in row.categories},
        item__source=data.structure.source,
    )
    _set_links(
        Package.items.through,
        ("item_id", "package_id"),
        {(items[row.external_id].pk, packages[name].pk) for row in data.items for name in row.packages},
        item__source=data.structure.source,
        package__source=data.structure.source,
    )


def _load_attributes(data: CatalogData, items: dict[str, Item], tally: Tally) -> None:
    wanted = {
        (items[row.item].pk, row.name): {
            "item": items[row.item],
            "name": row.name,
            "value": row.value,
            "unit": row.unit,
            "source": row.source,
            "basis": row.basis,
        }
        for row in data.attributes
    }
    rows = ItemAttribute.objects.filter(item__source=data.structure.source).select_related("item")
    existing = {(row.item_id, row.name): row for row in rows}
    _write(model=ItemAttribute, kind="attributes", existing=existing, wanted=wanted, tally=tally)


def _load_rules(data: CatalogData, items: dict[str, Item], tally: Tally) -> None:
    rows = ItemRule.objects.filter(item__source=data.structure.source)
    existing = {(row.item_id, row.kind, row.other_id): row for row in rows}
    wanted = {
        (items[row.item].pk, row.kind, items[row.other].pk): {
            "item": items[row.item],
            "kind": row.kind,
            "other": items[row.other],
        }
        for row in data.rules
    }
    missing = {key: values for key, values in wanted.items() if key not in existing}
    _write(model=ItemRule, kind="rules", existing={}, wanted=missing, tally=tally)


def _add_links(through: type[models.Model], columns: tuple[str, str], pairs: Iterable[tuple[int, int]]) -> None:
    links = [through(**dict(zip(columns, pair, strict=True))) for pair in sorted(pairs)]
    through._default_manager.bulk_create(links, batch_size=BATCH, ignore_conflicts=True)


def _set_links(
    through: type[models.Model], columns: tuple[str, str], pairs: set[tuple[int, int]], **among: Any
) -> None:
    """Make exactly these links `among` the rows that the catalogue speaks of."""
    rows = through._default_manager.filter(**among).values_list(*columns, "pk")
    existing = {(first, second): pk for first, second, pk in rows}
    surplus = [pk for pair, pk in existing.items() if pair not in pairs]
    for start in range(0, len(surplus), BATCH):
        through._default_manager.filter(pk__in=surplus[start : start + BATCH]).delete()
    _add_links(through, columns, pairs - existing.keys())
