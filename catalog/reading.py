"""Reading a folder of catalogue data into plain values. `catalog/data/README.md` describes the layout.

Nothing is written here, and nothing is raised for bad data: every refused row is listed, with its place and a way out.
"""

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from catalog.cells import Cells, RefusedRow
from catalog.models import Basis, ItemPrice, ItemRule
from catalog.structure import Structure, read_structure

STRUCTURE_FILE = "catalog.json"
CAPACITY_PLACES = 4
CAPACITY_LIMIT = Decimal(10**11)
TABLES = {
    "items.csv": (
        {"external_id", "key_name", "description", "categories", "packages"},
        {"capacity", "units"},
    ),
    "attributes.csv": ({"item", "name", "value", "source", "basis"}, {"unit"}),
    "prices.csv": (
        {"external_id", "item", "source", "basis"},
        {
            *ItemPrice.FEES,
            *("location_group", "restriction", "restriction_minimum", "restriction_maximum"),
            *("term_months", "valid_from", "valid_to", "categories"),
        },
    ),
    "rules.csv": ({"item", "kind", "other"}, set[str]()),
}


@dataclass(frozen=True)
class ItemRow:
    external_id: str
    key_name: str
    description: str
    capacity: Decimal | None
    units: str
    categories: tuple[str, ...]
    packages: tuple[str, ...]


@dataclass(frozen=True)
class AttributeRow:
    item: str
    name: str
    value: str
    unit: str
    source: str
    basis: str


@dataclass(frozen=True)
class PriceRow:
    external_id: str
    item: str
    fees: tuple[tuple[str, Decimal | None], ...]
    location_group: int | None
    restriction: str
    restriction_minimum: int | None
    restriction_maximum: int | None
    term_months: int | None
    valid_from: datetime | None
    valid_to: datetime | None
    categories: tuple[str, ...]
    source: str
    basis: str


@dataclass(frozen=True)
class RuleRow:
    item: str
    kind: str
    other: str


@dataclass(frozen=True)
class CatalogData:
    """All that a folder says."""

    digest: str
    structure: Structure
    items: tuple[ItemRow, ...]
    attributes: tuple[AttributeRow, ...]
    prices: tuple[PriceRow, ...]
    rules: tuple[RuleRow, ...]


Row = TypeVar("Row")


def read_folder(folder: Path) -> tuple[CatalogData | None, tuple[RefusedRow, ...]]:
    """Return what the folder says and no refusals, or nothing and every refusal."""
    refused: list[RefusedRow] = []
    texts = _texts(folder, refused)
    if STRUCTURE_FILE not in texts:
        return None, tuple(refused)
    structure = read_structure(_json(folder / STRUCTURE_FILE, texts[STRUCTURE_FILE], refused), refused)

    def rows(name: str, read: Callable[[Cells], Row], key: tuple[str, ...]) -> tuple[Row, ...]:
        cells_of_table = _without_repeated(_table(folder / name, texts.get(name), refused), key)
        return tuple(read(cells) for cells in cells_of_table)

    items = rows("items.csv", lambda cells: _item(cells, structure), ("external_id",))
    known = {item.external_id for item in items}
    data = CatalogData(
        digest=_digest(texts),
        structure=structure,
        items=items,
        attributes=rows("attributes.csv", lambda cells: _attribute(cells, structure, known), ("item", "name")),
        prices=rows("prices.csv", lambda cells: _price(cells, structure, known), ("item", "external_id")),
        rules=rows("rules.csv", lambda cells: _rule(cells, known), ("item", "kind", "other")),
    )
    _refuse_unknown_defaults(structure, known, refused)
    return (None, tuple(refused)) if refused else (data, ())


def _texts(folder: Path, refused: list[RefusedRow]) -> dict[str, str]:
    texts = {}
    for name in (STRUCTURE_FILE, *TABLES):
        path = folder / name
        try:
            texts[name] = path.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            if name == STRUCTURE_FILE:
                words = "There is no such file. Name a folder with catalogue data."
                refused.append(RefusedRow(str(path), None, "", "no_file", words))
        except OSError as error:
            words = f"Cannot be read: {error.strerror}. Name a folder that can be."
            refused.append(RefusedRow(str(path), None, "", "unreadable", words))
        except UnicodeDecodeError as error:
            words = f"Byte {error.start} is not UTF-8. Save the file as UTF-8."
            refused.append(RefusedRow(str(path), None, "", "not_utf8", words))
    return texts


def _digest(texts: dict[str, str]) -> str:
    return hashlib.sha256("\0".join(f"{name}\0{texts[name]}" for name in sorted(texts)).encode()).hexdigest()


def _json(path: Path, text: str, refused: list[RefusedRow]) -> Cells:
    line: int | None = None
    value: Any = None
    try:
        value = json.loads(text)
        words = "Is not a JSON object. Begin it with {."
    except (json.JSONDecodeError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        words = f"Is not JSON ({error}). Mend it, or fetch the whole file again."
    if not isinstance(value, dict):
        refused.append(RefusedRow(str(path), line, "", "not_json", words))
        return Cells(path=str(path), line=None, values={}, refused=[])
    return Cells(path=str(path), line=None, values=value, refused=refused)


def _table(path: Path, text: str | None, refused: list[RefusedRow]) -> Iterable[Cells]:
    """Give the rows of a table that have the shape of its header."""
    if text is None:
        return
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        if not _header_is_known(path, set(reader.fieldnames or ()), refused):
            return
        for values in reader:
            line = reader.line_num
            if None in values or None in values.values():
                words = "Has not as many fields as the header. Add or remove commas, or fetch the whole file again."
                refused.append(RefusedRow(str(path), line, "", "row_shape", words))
            else:
                yield Cells(path=str(path), line=line, values=values, refused=refused)
    except csv.Error as error:
        words = f"Is not CSV from here on ({error}). Mend it, or fetch the whole file again."
        refused.append(RefusedRow(str(path), reader.line_num, "", "not_csv", words))


def _header_is_known(path: Path, header: set[str], refused: list[RefusedRow]) -> bool:
    needed, optional = TABLES[path.name]
    missing, unknown = sorted(needed - header), sorted(header - needed - optional)
    for field in missing:
        refused.append(RefusedRow(str(path), 1, field, "column_missing", "This column is missing. Add it."))
    for field in unknown:
        words = f"This column is unknown. Known are: {', '.join(sorted(needed | optional))}."
        refused.append(RefusedRow(str(path), 1, field, "column_unknown", words))
    return not missing and not unknown


def _without_repeated(rows: Iterable[Cells], key: tuple[str, ...]) -> Iterable[Cells]:
    """Give each row once; refuse one whose key stood in a line above."""
    lines: dict[tuple[str, ...], int | None] = {}
    for cells in rows:
        names = tuple(str(cells.values[field]).strip() for field in key)
        if names in lines and all(names):
            cells.refuse(key[-1], "repeated", f"Stands in line {lines[names]} already. Remove one of the two.")
        else:
            lines[names] = cells.line
            yield cells


def _item(cells: Cells, structure: Structure) -> ItemRow:
    row = ItemRow(
        external_id=cells.required("external_id", longest=60),
        key_name=cells.required("key_name", longest=120),
        description=cells.required("description"),
        capacity=cells.decimal("capacity", places=CAPACITY_PLACES, limit=CAPACITY_LIMIT),
        units=cells.text("units", longest=40),
        categories=cells.names("categories"),
        packages=cells.names("packages"),
    )
    _refuse_unknown(cells, "categories", row.categories, structure.category_codes)
    _refuse_unknown(cells, "packages", row.packages, structure.package_keys)
    return row


def _attribute(cells: Cells, structure: Structure, items: set[str]) -> AttributeRow:
    return AttributeRow(
        item=_item_named(cells, "item", items),
        name=cells.required("name", longest=60),
        value=cells.required("value", longest=120),
        unit=cells.text("unit", longest=40),
        source=structure.sources.get(cells.choice("source", structure.sources), ""),
        basis=cells.choice("basis", Basis.values),
    )


def _price(cells: Cells, structure: Structure, items: set[str]) -> PriceRow:
    row = PriceRow(
        external_id=cells.required("external_id", longest=60),
        item=_item_named(cells, "item", items),
        fees=tuple((fee, cells.decimal(fee)) for fee in ItemPrice.FEES),
        location_group=cells.whole("location_group"),
        restriction=cells.text("restriction"),
        restriction_minimum=cells.whole("restriction_minimum"),
        restriction_maximum=cells.whole("restriction_maximum"),
        term_months=cells.whole("term_months", smallest=1, largest=1200),
        valid_from=cells.moment("valid_from"),
        valid_to=cells.moment("valid_to"),
        categories=cells.names("categories"),
        source=structure.sources.get(cells.choice("source", structure.sources), ""),
        basis=cells.choice("basis", Basis.values),
    )
    _refuse_unknown(cells, "categories", row.categories, structure.category_codes)
    if row.location_group is not None and row.location_group not in structure.group_ids:
        cells.refuse(
            "location_group", "unknown_name", f"No location group {row.location_group} is in {STRUCTURE_FILE}."
        )
    if row.valid_to and not row.valid_from:
        cells.refuse("valid_from", "missing", "Is empty although valid_to is not. Fill it in.")
    if row.valid_from and row.valid_to and row.valid_to <= row.valid_from:
        cells.refuse("valid_to", "ends_too_early", "Is not after valid_from. Write a later date, or leave it empty.")
    return _with_checked_restriction(cells, row)


def _with_checked_restriction(cells: Cells, row: PriceRow) -> PriceRow:
    low, high = row.restriction_minimum, row.restriction_maximum
    if row.restriction and row.restriction not in ItemPrice.Restriction.values:
        known = ", ".join(filter(None, ItemPrice.Restriction.values))
        cells.refuse("restriction", "unknown_word", f"“{row.restriction}” is unknown here. Write one of: {known}.")
    if row.restriction and (low is None or high is None):
        cells.refuse("restriction", "range_missing", "Has no range. Fill in its minimum and maximum.")
    elif not row.restriction and (low is not None or high is not None):
        cells.refuse("restriction", "missing", "Is empty although there is a range. Name it, or remove the range.")
    elif low is not None and high is not None and low > high:
        cells.refuse("restriction_minimum", "above_maximum", f"{low} is above the maximum {high}. Swap or mend them.")
    elif low == 0 and high == 0:
        # From 0 to 0 is how catalogues write "no restriction".
        return replace(row, restriction="", restriction_minimum=None, restriction_maximum=None)
    return row


def _rule(cells: Cells, items: set[str]) -> RuleRow:
    row = RuleRow(
        item=_item_named(cells, "item", items),
        kind=cells.choice("kind", ItemRule.Kind.values),
        other=_item_named(cells, "other", items),
    )
    if row.item and row.item == row.other:
        cells.refuse("other", "same_item", "Is the item itself. Name another one.")
    return row


def _item_named(cells: Cells, field: str, items: set[str]) -> str:
    name = cells.required(field, longest=60)
    if name:
        _refuse_unknown(cells, field, [name], items)
    return name


def _refuse_unknown(cells: Cells, field: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            words = f"“{name}” is not in this catalogue. Mend the name, or add what it names."
            cells.refuse(field, "unknown_name", words)


def _refuse_unknown_defaults(structure: Structure, items: set[str], refused: list[RefusedRow]) -> None:
    for package in structure.packages:
        for row in package.configuration:
            if row.default_item and row.default_item not in items:
                field = f"packages.{package.key_name}.{row.category_code}.default_item"
                words = f"“{row.default_item}” is not in items.csv. Mend the name, or add the item."
                refused.append(RefusedRow(structure.path, None, field, "unknown_name", words))
