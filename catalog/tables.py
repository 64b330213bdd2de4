"""The tables of a package page: which attributes become columns, and how each cell reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from catalog.models import Basis
from catalog.package_contents import AttributeFact, CategoryListing, ItemListing, PackageContents
from catalog.pricing import Term

COLUMNS = (
    ("compute_units", "Compute", "ECU"),
    ("memory_gb", "Memory", "GB"),
    ("processors", "Processors", ""),
    ("cores", "Cores", ""),
    ("clock_ghz", "Clock", "GHz"),
    ("disk_slots", "Disk slots", ""),
    ("capacity_gb", "Capacity", "GB"),
    ("storage_space_gb", "Capacity", "GB"),
    ("local_storage_gb", "Local storage", "GB"),
    ("io_class", "I/O class", ""),
    ("network_mb_s", "Network", "MB/s"),
    ("uplink_mbps", "Uplink", "Mbps"),
    ("outbound_gb", "Outbound included", "GB a month"),
    ("connections_per_second", "Connections", "a second"),
    ("throughput_mbps", "Throughput", "Mbps"),
)
TOLD_WHERE_MISSING = frozenset({"compute_units", "memory_gb", "local_storage_gb", "io_class", "network_mb_s"})
"""What every machine has: where no source says it, the page does."""
WORD_COLUMNS = frozenset({"io_class"})


@dataclass(frozen=True)
class Column:
    """One attribute that at least one item of the category has."""

    label: str
    unit: str
    is_number: bool


@dataclass(frozen=True)
class Cell:
    """One attribute of one item, or that it was not published."""

    words: str
    is_number: bool
    tag: str
    source: str
    note: str


@dataclass(frozen=True)
class ItemRow:
    """One item as a row of the table."""

    item: ItemListing
    short_name: str
    cells: tuple[Cell, ...]
    is_default: bool
    basis_words: str
    source_number: int | None
    price_url: str


@dataclass(frozen=True)
class CategoryTable:
    """One category as a table."""

    category: CategoryListing
    columns: tuple[Column, ...]
    rows: tuple[ItemRow, ...]
    is_hourly: bool
    also_fills: tuple[str, ...]
    """Names of the categories that the same items fill."""


def category_tables(
    contents: PackageContents, *, package_key_name: str, query: Mapping[str, str]
) -> list[CategoryTable]:
    """Return a table for each category that has items on this page."""
    sources = sources_of(contents)
    return [
        _table(category, contents, sources, package_key_name, query)
        for category in contents.categories
        if category.items
    ]


def sources_of(contents: PackageContents) -> list[str]:
    """Return the sources of the prices and attributes on this page, each once, in order of appearance."""
    found: dict[str, None] = {}
    for category in contents.categories:
        for item in category.items:
            if not item.price.is_unpriced:
                found[item.price.source] = None
        for item in category.items:
            found |= {item.attributes[name].source: None for name, _, _ in COLUMNS if name in item.attributes}
    return list(found)


def _table(
    category: CategoryListing,
    contents: PackageContents,
    sources: list[str],
    package_key_name: str,
    query: Mapping[str, str],
) -> CategoryTable:
    term = contents.conditions.term
    also_fills = tuple(other.name for other in contents.categories if other.same_items_as == category.name)
    shown = [column for column in COLUMNS if any(column[0] in item.attributes for item in category.items)]
    rows = []
    for item in category.items:
        price = item.price
        address = reverse("item-price", args=[package_key_name, item.item_id])
        rows.append(
            ItemRow(
                item=item,
                short_name=item.attributes["label"].value if "label" in item.attributes else "",
                cells=tuple(_cell(item.attributes, name) for name, _, _ in shown),
                is_default=item.item_id == category.default_item_id,
                basis_words="" if price.is_unpriced else Basis(price.basis).label,
                source_number=None if price.is_unpriced else sources.index(price.source) + 1,
                price_url=f"{address}?{urlencode({**query, 'category': category.category_code})}",
            )
        )
    columns = tuple(Column(label, unit, name not in WORD_COLUMNS) for name, label, unit in shown)
    return CategoryTable(category, columns, tuple(rows), is_hourly=term is Term.HOURLY, also_fills=also_fills)


def _cell(attributes: Mapping[str, AttributeFact], name: str) -> Cell:
    fact = attributes.get(name)
    is_number = name not in WORD_COLUMNS
    if fact is None:
        tag = "not published" if name in TOLD_WHERE_MISSING else ""
        return Cell("" if tag else "—", is_number, tag=tag, source="", note="")
    note = "short bursts only" if name == "compute_units" and "bursts" in attributes else ""
    words = "none" if name == "local_storage_gb" and fact.value == "0" else _with_separators(fact.value)
    tag = "" if fact.basis == Basis.PUBLISHED else Basis(fact.basis).label.lower()
    return Cell(words, is_number, tag=tag, source=fact.source, note=note)


def _with_separators(text: str) -> str:
    return f"{int(text):,}" if text.isascii() and text.isdigit() else text
