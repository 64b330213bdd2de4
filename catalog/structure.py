"""Reading `catalog.json`: the sources, categories, locations and packages of a catalogue, with their configuration."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from catalog.cells import Cells
from catalog.layout import CategoryRow, ConfigurationRow, GroupRow, LocationRow, NetworksRow, PackageRow
from catalog.models import Basis
from catalog.row_reading import source_and_basis

SLUG = re.compile(r"^[-a-zA-Z0-9_]+$")
SMALL_LIMIT = 32767
SOFTLAYER_FILES = ("packages", "locations", "location_groups", "configuration")


@dataclass(frozen=True)
class Structure:
    """What a catalogue consists of, apart from its items.

    `softlayer` names the files of the folder that are in the shape of the SoftLayer API.
    """

    path: str
    source: str
    currency: str
    extends: str
    sources: dict[str, str]
    softlayer: dict[str, str]
    groups: tuple[GroupRow, ...]
    locations: tuple[LocationRow, ...]
    categories: tuple[CategoryRow, ...]
    packages: tuple[PackageRow, ...]
    networks: tuple[NetworksRow, ...]
    configuration: tuple[ConfigurationRow, ...]

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

    @property
    def is_closed(self) -> bool:
        """Whether every name must be in the file itself; one that builds on another catalogue may use its names."""
        return not (self.extends or self.softlayer)


Row = TypeVar("Row")


def read_structure(cells: Cells) -> Structure:
    """Return what `catalog.json` says; what it says wrongly is noted in the cells."""
    sources = _words(cells, "sources")
    packages = _rows(cells, "packages", _package)
    nested = [
        replace(row, package=package.key_name)
        for package, package_cells in zip(packages, _cells_of(cells, "packages"), strict=False)
        for row in _rows(package_cells, "configuration", lambda each: _configuration(each, sources))
    ]
    structure = Structure(
        path=cells.path,
        source=cells.required("source", longest=60),
        currency=cells.required("currency", longest=3),
        extends=cells.text("extends", longest=60),
        sources=sources,
        softlayer=_words(cells, "softlayer"),
        groups=_rows(cells, "location_groups", _group),
        locations=_rows(cells, "locations", _location),
        categories=_rows(cells, "categories", _category),
        packages=packages,
        networks=_rows(cells, "networks", lambda each: _networks(each, sources)),
        configuration=(
            *nested,
            *_rows(cells, "configuration", lambda each: _configuration_of(each, sources)),
        ),
    )
    for name in structure.softlayer.keys() - set(SOFTLAYER_FILES):
        cells.refuse(f"softlayer.{name}", "unknown_word", f"Is unknown here. Known are: {', '.join(SOFTLAYER_FILES)}.")
    _refuse_dangling(cells, structure)
    return structure


def refuse_unknown(cells: Cells, field: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Note each name that the catalogue does not have."""
    for name in names:
        if name not in known:
            words = f"“{name}” is not in this catalogue. Mend the name, or add what it names."
            cells.refuse(field, "unknown_name", words)


def _cells_of(cells: Cells, field: str) -> list[Cells]:
    """Return the cells of each object in a list; the place of each is told as field[3]."""
    values = cells.values.get(field, [])
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        return []
    return [
        Cells(cells.path, None, value, cells.refused, f"{cells.prefix}{field}[{number}].")
        for number, value in enumerate(values)
    ]


def _rows(cells: Cells, field: str, read: Callable[[Cells], Row]) -> tuple[Row, ...]:
    rows = _cells_of(cells, field)
    if not rows and cells.values.get(field, []) != []:
        cells.refuse(field, "not_a_list", "Is not a list of objects. Write it like [{…}, {…}].")
    return tuple(read(each) for each in rows)


def _words(cells: Cells, field: str) -> dict[str, str]:
    values: Any = cells.values.get(field, {})
    if not isinstance(values, dict):
        cells.refuse(field, "not_an_object", 'Is not an object. Write it like {"short name": "words"}.')
        return {}
    words = Cells(cells.path, None, values, cells.refused, f"{field}.")
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
    key_name = _slug(cells, "key_name", longest=60)
    return PackageRow(
        key_name=key_name,
        external_id=key_name,
        name=cells.required("name", longest=120),
        description=cells.text("description", longest=2000),
        is_active=True,
        locations=cells.list_of("locations") if "locations" in cells.values else None,
        sold_like=cells.text("sold_like", longest=60),
    )


def _networks(cells: Cells, sources: dict[str, str]) -> NetworksRow:
    source, basis = source_and_basis(cells, sources)
    return NetworksRow(
        package=cells.required("package", longest=60),
        public=cells.required("public"),
        private=cells.required("private"),
        management=cells.required("management"),
        source=source,
        basis=basis,
    )


def _configuration_of(cells: Cells, sources: dict[str, str]) -> ConfigurationRow:
    return replace(_configuration(cells, sources), package=cells.required("package", longest=60))


def _configuration(cells: Cells, sources: dict[str, str]) -> ConfigurationRow:
    step = cells.whole("order_step", largest=SMALL_LIMIT)
    source, basis = source_and_basis(cells, sources) if "source" in cells.values else ("", Basis.PUBLISHED.value)
    return ConfigurationRow(
        package="",
        category_code=cells.required("category_code", longest=60),
        is_required=cells.flag("is_required"),
        order_step=1 if step is None else step,
        sort=cells.whole("sort", largest=SMALL_LIMIT) or 0,
        quantity_limit=cells.whole("quantity_limit", smallest=1, largest=SMALL_LIMIT) or 1,
        same_items_as=cells.text("same_items_as", longest=60),
        default_item=cells.text("default_item", longest=60),
        error_words=cells.text("error_words", longest=200),
        source=source,
        basis=basis,
    )


def _refuse_dangling(cells: Cells, structure: Structure) -> None:
    """Refuse names of groups, locations and categories that are not in the file, and names that stand twice."""
    for location in structure.locations:
        for group in location.groups:
            if group not in structure.group_ids:
                _refuse_name(cells, f"locations.{location.key_name}.groups", str(group))
    for package in structure.packages:
        for name in package.locations or ():
            if name not in structure.location_keys:
                _refuse_name(cells, f"packages.{package.key_name}.locations", name)
    for row in structure.configuration if structure.is_closed else ():
        for name in filter(None, (row.category_code, row.same_items_as)):
            if name not in structure.category_codes:
                _refuse_name(cells, f"packages.{row.package}.configuration", name)
    named = [row.package for row in structure.configuration] + [row.package for row in structure.networks]
    for key_name in named if structure.is_closed else ():
        if key_name not in structure.package_keys:
            _refuse_name(cells, "configuration.package", key_name)
    _refuse_twice(cells, "configuration", [f"{row.package}.{row.category_code}" for row in structure.configuration])
    _refuse_twice(cells, "location_groups", [group.external_id for group in structure.groups])
    _refuse_twice(cells, "locations", [location.key_name for location in structure.locations])
    _refuse_twice(cells, "categories", [category.category_code for category in structure.categories])
    _refuse_twice(cells, "packages", [package.key_name for package in structure.packages])


def _refuse_name(cells: Cells, field: str, name: str) -> None:
    cells.refuse(field, "unknown_name", f"“{name}” is not in this file. Mend the name, or add what it names.")


def _refuse_twice(cells: Cells, field: str, names: list[Any]) -> None:
    for name in sorted({name for name in names if names.count(name) > 1}, key=str):
        cells.refuse(field, "repeated", f"“{name}” stands here twice. Remove one of the two.")
