"""Packages with what they ask for and where they are sold, as plain rows: everything about one in a single query."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import OuterRef, QuerySet

from catalog.models import Item, Package, PackageConfiguration
from core.json_rows import JsonRows


@dataclass(frozen=True)
class Place:
    """A location of a package, with its active pricing groups."""

    location_id: int
    key_name: str
    name: str
    groups: tuple[int, ...]


@dataclass(frozen=True)
class CategoryAsked:
    """One category that a package asks for, with what it takes where nobody chose."""

    category_code: str
    name: str
    is_required: bool
    order_step: int
    quantity_limit: int
    error_words: str
    same_items_as: str
    """The code of the category whose items fill this one too; empty for one with items of its own."""
    same_items_as_name: str
    default_item_id: int | None
    default_key_name: str
    default_description: str


@dataclass(frozen=True)
class Shelf:
    """A package, where it is sold by key name, and what it asks for in its order."""

    package: Package
    places: tuple[Place, ...]
    categories: tuple[CategoryAsked, ...]

    def rows(self, name: str) -> list[list[Any]]:
        """Return what was read along under this name."""
        found: list[list[Any]] = getattr(self.package, name)
        return found

    def place(self, key_name: str | None) -> Place | None:
        """Return the place of this key name, else the first one; None for a package that is sold nowhere."""
        return next((place for place in self.places if place.key_name == key_name), next(iter(self.places), None))


def shelf_of(*, key_name: str) -> Shelf:
    """Return a package on sale in one query; raises Package.DoesNotExist."""
    return _shelf(_with_rows(Package.objects.filter(is_active=True)).get(key_name=key_name))


@dataclass(frozen=True)
class ItemOnShelf:
    """An item of a package on sale, with the categories that it may fill."""

    item: Item
    shelf: Shelf
    category_codes: frozenset[str]

    @property
    def usual_category(self) -> str:
        """The first category of the package that the item fills; empty where it fills none."""
        return next(
            (row.category_code for row in self.shelf.categories if row.category_code in self.category_codes), ""
        )


def item_on_shelf(*, key_name: str, item_id: int) -> ItemOnShelf:
    """Return an item of a package on sale in one query; raises Item.DoesNotExist."""
    links = Package.items.through.objects.filter(item_id=item_id, package__key_name=key_name, package__is_active=True)
    codes = Item.categories.through._default_manager.filter(item_id=OuterRef("item_id")).order_by()
    found = _with_rows_of(links.select_related("item", "package"), OuterRef("package_id"))
    link = found.annotate(code_rows=JsonRows(codes, "itemcategory__category_code")).first()
    if link is None:
        raise Item.DoesNotExist
    return ItemOnShelf(link.item, _shelf(link.package, link), frozenset(code for (code,) in link.code_rows))


def shelves_of(*, package_ids: Iterable[int] | QuerySet[Any, Any]) -> dict[int, Shelf]:
    """Return packages, on sale or not, by id in one query."""
    return {package.pk: _shelf(package) for package in _with_rows(Package.objects.filter(pk__in=package_ids))}


def shelves_on_sale(**along: JsonRows) -> list[Shelf]:
    """Return every package on sale, by name, in one query; with other rows along, for `Shelf.rows`."""
    return [_shelf(package) for package in _with_rows(Package.objects.filter(is_active=True), **along)]


def _with_rows(packages: QuerySet[Package], **along: JsonRows) -> QuerySet[Package, Any]:
    return _with_rows_of(packages, OuterRef("pk")).annotate(**along)


def _with_rows_of(rows: QuerySet[Any, Any], package_id: OuterRef) -> QuerySet[Any, Any]:
    """Read along what the shelf of a package needs, with rows that say which package it is."""
    links = Package.locations.through._default_manager.filter(package_id=package_id)
    asked = PackageConfiguration.objects.filter(package_id=package_id)
    return rows.annotate(
        place_rows=JsonRows(
            links.order_by("location__key_name", "location__groups__external_id"),
            "location_id",
            "location__key_name",
            "location__name",
            "location__groups__external_id",
            "location__groups__is_active",
        ),
        category_rows=JsonRows(
            asked.order_by("order_step", "sort", "pk"),
            "category__category_code",
            "category__name",
            "is_required",
            "order_step",
            "quantity_limit",
            "error_words",
            "same_items_as__category_code",
            "same_items_as__name",
            "default_item_id",
            "default_item__key_name",
            "default_item__description",
        ),
    )


def _shelf(package: Package, row: Any = None) -> Shelf:
    """Put a shelf together from what was read along with a row, the package's own unless told otherwise."""
    read: Any = row or package
    return Shelf(
        package=package,
        places=tuple(_places(read.place_rows)),
        categories=tuple(_category(*each) for each in read.category_rows),
    )


def _places(rows: Iterable[Sequence[Any]]) -> Iterable[Place]:
    """Put the groups of each location together."""
    for (location_id, key_name, name), same in groupby(rows, key=lambda row: tuple(row[:3])):
        groups = tuple(group for *_, group, is_active in same if is_active)
        yield Place(location_id, key_name, name, groups)


def _category(
    category_code: str, name: str, is_required: bool, order_step: int, quantity_limit: int, *others: Any
) -> CategoryAsked:
    error_words, same_items_as, same_items_as_name, default_item_id, default_key_name, default_description = others
    return CategoryAsked(
        category_code=category_code,
        name=name,
        is_required=bool(is_required),
        order_step=order_step,
        quantity_limit=quantity_limit,
        error_words=error_words,
        same_items_as=same_items_as or "",
        same_items_as_name=same_items_as_name or "",
        default_item_id=default_item_id,
        default_key_name=default_key_name or "",
        default_description=default_description or "",
    )
