"""Reading `catalog.json`: the sources, categories, locations and packages of a catalogue, with their configuration."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from catalog.cells import Cells, RefusedRow

SLUG = re.compile(r"^[-a-zA-Z0-9_]+$")
SMALL_LIMIT = 32767


@dataclass(frozen=True)
class GroupRow:
    external_id: int
    name: str


@dataclass(frozen=True)
class LocationRow:
    key_name: str
    name: str
    source: str
    groups: tuple[int, ...]


@dataclass(frozen=True)
class CategoryRow:
    category_code: str
    name: str


@dataclass(frozen=True)
class ConfigurationRow:
    category_code: str
    is_required: bool
    order_step: int
    sort: int
    quantity_limit: int
    default_item: str
    error_words: str


@dataclass(frozen=True)
class PackageRow:
    key_name: str
    name: str
    description: str
    locations: tuple[str, ...]
    configuration: tuple[ConfigurationRow, ...]


@dataclass(frozen=True)
class Structure:
    """What a catalogue consists of, apart from its items."""

    path: str
    source: str
    currency: str
    sources: dict[str, str]
    groups: tuple[GroupRow, ...]
    locations: tuple[LocationRow, ...]
    categories: tuple[CategoryRow, ...]
    packages: tuple[PackageRow, ...]

    @property
    def group_ids(self) -> frozenset[int]:
        return frozenset(group.external_id for group in self.groups)

    @property
    def category_codes(self) -> frozenset[str]:
        return frozenset(category.category_code for category in self.categories)

    @property
    def location_keys(self) -> frozenset[str]:
        return frozenset(location.key_name for location in self.locations)

    @property
    def package_keys(self) -> frozenset[str]:
        return frozenset(package.key_name for package in self.packages)


Row = TypeVar("Row")


def read_structure(cells: Cells, refused: list[RefusedRow]) -> Structure:
    """Return what `catalog.json` says; what it says wrongly is noted in `refused`."""
    structure = Structure(
        path=cells.path,
        source=cells.required("source", longest=60),
        currency=cells.required("currency", longest=3),
        sources=_sources(cells),
        groups=_rows(cells, "location_groups", _group),
        locations=_rows(cells, "locations", _location),
        categories=_rows(cells, "categories", _category),
        packages=_rows(cells, "packages", _package),
    )
    _refuse_dangling(cells, structure)
    return structure


def _rows(cells: Cells, field: str, read: Callable[[Cells], Row]) -> tuple[Row, ...]:
    """Read a list of objects; the place of each is told as field[3]."""
    values = cells.values.get(field, [])
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        cells.refuse(field, "not_a_list", "Is not a list of objects. Write it like [{…}, {…}].")
        return ()
    return tuple(
        read(Cells(cells.path, None, value, cells.refused, f"{cells.prefix}{field}[{number}]."))
        for number, value in enumerate(values)
    )


def _sources(cells: Cells) -> dict[str, str]:
    values: Any = cells.values.get("sources", {})
    if not isinstance(values, dict):
        cells.refuse("sources", "not_an_object", 'Is not an object. Write it like {"short name": "words"}.')
        return {}
    words = Cells(cells.path, None, values, cells.refused, "sources.")
    return {name: words.required(name) for name in values}


def _slug(cells: Cells, field: str, *, longest: int) -> str:
    value = cells.required(field, longest=longest)
    if value and not SLUG.match(value):
        cells.refuse(field, "not_a_key", f"“{value}” is not a key. Use letters, digits, - and _ only.")
    return value


def _group(cells: Cells) -> GroupRow:
    number = cells.whole("external_id")
    if number is None:
        cells.refuse("external_id", "missing", "Is empty. Fill in the number of the group.")
    return GroupRow(external_id=number or 0, name=cells.text("name", longest=80))


def _location(cells: Cells) -> LocationRow:
    groups = cells.values.get("groups", [])
    if not isinstance(groups, list) or not all(isinstance(group, int) for group in groups):
        cells.refuse("groups", "not_a_list", "Is not a list of numbers. Write it like [503, 545].")
        groups = []
    return LocationRow(
        key_name=_slug(cells, "key_name", longest=40),
        name=cells.required("name", longest=80),
        source=cells.required("source", longest=200),
        groups=tuple(groups),
    )


def _category(cells: Cells) -> CategoryRow:
    return CategoryRow(
        category_code=_slug(cells, "category_code", longest=60), name=cells.required("name", longest=120)
    )


def _package(cells: Cells) -> PackageRow:
    return PackageRow(
        key_name=_slug(cells, "key_name", longest=60),
        name=cells.required("name", longest=120),
        description=cells.text("description", longest=2000),
        locations=cells.names("locations"),
        configuration=_rows(cells, "configuration", _configuration),
    )


def _configuration(cells: Cells) -> ConfigurationRow:
    step = cells.whole("order_step", largest=SMALL_LIMIT)
    return ConfigurationRow(
        category_code=cells.required("category_code", longest=60),
        is_required=cells.flag("is_required"),
        order_step=1 if step is None else step,
        sort=cells.whole("sort", largest=SMALL_LIMIT) or 0,
        quantity_limit=cells.whole("quantity_limit", smallest=1, largest=SMALL_LIMIT) or 1,
        default_item=cells.text("default_item", longest=60),
        error_words=cells.text("error_words", longest=200),
    )


def _refuse_dangling(cells: Cells, structure: Structure) -> None:
    """Refuse names of groups, locations and categories that are not in the file, and names that stand twice."""
    for location in structure.locations:
        for group in location.groups:
            if group not in structure.group_ids:
                _refuse_name(cells, f"locations.{location.key_name}.groups", str(group))
    for package in structure.packages:
        for name in package.locations:
            if name not in structure.location_keys:
                _refuse_name(cells, f"packages.{package.key_name}.locations", name)
        for row in package.configuration:
            if row.category_code not in structure.category_codes:
                _refuse_name(cells, f"packages.{package.key_name}.configuration", row.category_code)
        _refuse_twice(
            cells, f"packages.{package.key_name}.configuration", [row.category_code for row in package.configuration]
        )
    _refuse_twice(cells, "location_groups", [group.external_id for group in structure.groups])
    _refuse_twice(cells, "locations", [location.key_name for location in structure.locations])
    _refuse_twice(cells, "categories", [category.category_code for category in structure.categories])
    _refuse_twice(cells, "packages", [package.key_name for package in structure.packages])


def _refuse_name(cells: Cells, field: str, name: str) -> None:
    cells.refuse(field, "unknown_name", f"“{name}” is not in this file. Mend the name, or add what it names.")


def _refuse_twice(cells: Cells, field: str, names: list[Any]) -> None:
    for name in sorted({name for name in names if names.count(name) > 1}, key=str):
        cells.refuse(field, "repeated", f"“{name}” stands here twice. Remove one of the two.")
