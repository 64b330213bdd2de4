"""The CSV tables that complete a SoftLayer package: data centres with their pricing groups, and its configuration."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from catalog.cells import Cells
from catalog.files import Columns, table_cells
from catalog.layout import CatalogData, CategoryRow, ConfigurationRow, GroupRow, LocationRow, Notes
from catalog.models import Basis

LOCATION_COLUMNS: Columns = (
    {"package_id", "location_name", "long_name", "price_group_ids"},
    {"region_key", "region_description", "location_id"},
)
GROUP_COLUMNS: Columns = ({"location_group_id", "name"}, {"type"})
CONFIGURATION_COLUMNS: Columns = ({"category_code", "category_name", "is_required"}, {"order_step_id", "sort"})


def read_softlayer_tables(
    data: CatalogData, *, paths: Mapping[str, Path], texts: Mapping[str, str], source: str, notes: Notes
) -> CatalogData:
    """Return the data with what its tables add. The configuration is that of the first package; file order is order."""

    def rows(name: str, columns: Columns) -> Iterator[Cells]:
        return table_cells(paths[name], texts[name], columns, notes.refused) if name in texts else iter(())

    groups = {group.external_id: group for group in data.groups}
    groups |= {group.external_id: group for group in map(_group, rows("location_groups", GROUP_COLUMNS))}
    locations, sold_in = _locations(list(rows("locations", LOCATION_COLUMNS)), data, groups, source, notes)
    configured = list(rows("configuration", CONFIGURATION_COLUMNS))
    package = data.packages[0].key_name if data.packages else ""
    categories = {category.category_code: category for category in data.categories}
    categories |= {
        code: CategoryRow(code, cells.required("category_name", longest=120))
        for cells in configured
        if (code := cells.required("category_code", longest=60))
    }
    return replace(
        data,
        groups=tuple(groups.values()),
        locations=tuple(locations.values()),
        packages=tuple(
            replace(row, locations=tuple(sold_in.get(row.external_id, ()))) if locations else row
            for row in data.packages
        ),
        categories=tuple(categories.values()),
        configuration=tuple(_configuration(cells, package, number, source) for number, cells in enumerate(configured)),
    )


def _group(cells: Cells) -> GroupRow:
    return GroupRow(external_id=cells.whole("location_group_id") or 0, name=cells.required("name", longest=80))


def _locations(
    rows: list[Cells], data: CatalogData, groups: Mapping[int, GroupRow], source: str, notes: Notes
) -> tuple[dict[str, LocationRow], dict[str, list[str]]]:
    """Return the data centres and, for each package id, where it is sold."""
    locations: dict[str, LocationRow] = {}
    sold_in: dict[str, list[str]] = {}
    packages = {package.external_id for package in data.packages}
    for cells in rows:
        package, key_name = cells.required("package_id"), cells.required("location_name", longest=40)
        if package not in packages:
            words = f"There is no package {package} in this catalogue. The row is left out."
            notes.doubtful.append(cells.note("package_id", "package_unknown", words))
            continue
        numbers = [int(word) for word in cells.text("price_group_ids").split("|") if word.isascii() and word.isdigit()]
        for number in numbers:
            if number not in groups:
                cells.refuse("price_group_ids", "unknown_name", f"There is no location group {number}. Add or mend it.")
        name = cells.required("long_name", longest=80)
        locations[key_name] = LocationRow(key_name, name, source[:200], tuple(numbers))
        sold_in.setdefault(package, []).append(key_name)
    return locations, sold_in


def _configuration(cells: Cells, package: str, number: int, source: str) -> ConfigurationRow:
    return ConfigurationRow(
        package=package,
        category_code=cells.text("category_code", longest=60),
        is_required=cells.choice("is_required", ["0", "1"]) == "1",
        order_step=1,
        sort=10 * (number + 1),
        quantity_limit=1,
        same_items_as="",
        default_item="",
        error_words="",
        source=source,
        basis=Basis.PUBLISHED.value,
    )
