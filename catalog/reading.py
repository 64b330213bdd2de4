"""Reading a folder of catalogue data into plain values. `catalog/data/README.md` describes the layout.

Nothing is written here, and nothing is raised for bad data: every refused row is listed, with its place and a way out.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from catalog.blueprint_reading import (
    BLUEPRINT_COLUMNS,
    BLUEPRINT_KEY,
    PLACEMENT_COLUMNS,
    PLACEMENT_KEY,
    read_blueprint_part,
    read_placement,
)
from catalog.cells import Cells
from catalog.files import Columns, digest_of, parse_json, read_text, table_cells, without_repeated
from catalog.layout import AttributeRow, BlueprintPartRow, CatalogData, ItemRow, Notes, PlacementRow, PriceRow, RuleRow
from catalog.models import ItemPrice
from catalog.row_reading import read_attribute, read_item, read_price
from catalog.rule_loading import RULE_COLUMNS, RULE_KEY, read_rule
from catalog.softlayer_reading import read_packages
from catalog.softlayer_tables import read_softlayer_tables
from catalog.structure import Structure, read_structure, refuse_unknown

STRUCTURE_FILE = "catalog.json"
TABLES: dict[str, Columns] = {
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
            *("term_months", "tier", "valid_from", "valid_to", "categories"),
        },
    ),
    "rules.csv": RULE_COLUMNS,
    "blueprints.csv": BLUEPRINT_COLUMNS,
    "placement.csv": PLACEMENT_COLUMNS,
}
Row = TypeVar("Row")


def is_folder_in_our_layout(path: Path) -> bool:
    return path.is_dir() or path.name == STRUCTURE_FILE or path.name in TABLES


def read_folder(folder: Path) -> tuple[CatalogData | None, Notes]:
    """Return what the good rows of a folder say, and a note on each other row; no data where a file is unreadable."""
    notes = Notes()
    texts = _texts(folder, notes)
    if STRUCTURE_FILE not in texts:
        return None, notes
    structure = read_structure(_structure_cells(folder, texts, notes))
    data = _from_tables(folder, texts, structure, notes)
    if structure.softlayer:
        data = _with_softlayer_files(folder, texts, structure, data, notes)
    is_unusable = any(note.is_about_a_file or note.path == structure.path for note in notes.refused)
    return (None if is_unusable else data), notes


def _from_tables(folder: Path, texts: dict[str, str], structure: Structure, notes: Notes) -> CatalogData:
    def rows(name: str, read: Callable[[Cells], Row], key: tuple[str, ...]) -> tuple[Row, ...]:
        if name not in texts:
            return ()
        table = table_cells(folder / name, texts[name], TABLES[name], notes.refused)
        good = []
        for cells in without_repeated(table, key, is_whole=key != RULE_KEY):
            before = len(notes.refused)
            row = read(cells)
            if len(notes.refused) == before:
                good.append(row)
        return tuple(good)

    items = rows("items.csv", lambda cells: _item(cells, structure), ("external_id",))
    known = {item.external_id for item in items} if structure.is_closed else None
    _refuse_unknown_defaults(structure, known, notes)
    return CatalogData(
        digest=digest_of(texts),
        path=str(folder),
        source=structure.source,
        currency=structure.currency,
        extends=structure.extends,
        groups=structure.groups,
        locations=structure.locations,
        categories=structure.categories,
        packages=structure.packages,
        networks=structure.networks,
        configuration=structure.configuration,
        items=items,
        attributes=rows("attributes.csv", lambda cells: _attribute(cells, structure, known), ("item", "name")),
        prices=rows("prices.csv", lambda cells: _price(cells, structure, known), ("item", "external_id")),
        rules=rows("rules.csv", lambda cells: _rule(cells, structure, known), RULE_KEY),
        blueprints=rows("blueprints.csv", lambda cells: _blueprint_part(cells, structure, known), BLUEPRINT_KEY),
        placements=rows("placement.csv", lambda cells: _placement(cells, structure, known), PLACEMENT_KEY),
    )


def _with_softlayer_files(
    folder: Path, texts: dict[str, str], structure: Structure, data: CatalogData, notes: Notes
) -> CatalogData:
    words = structure.sources.get("list", "")
    if not words:
        structure_cells = Cells(structure.path, None, {}, notes.refused)
        structure_cells.refuse("sources.list", "missing", "Is empty. Say where the prices come from.")
    raw = read_packages(
        path=folder / structure.softlayer["packages"],
        text=texts.get(structure.softlayer["packages"], ""),
        source=structure.source,
        price_source=words,
        currency=structure.currency,
        notes=notes,
    )
    tables = {name: folder / file for name, file in structure.softlayer.items() if name != "packages"}
    known_texts = {name: texts[path.name] for name, path in tables.items() if path.name in texts}
    return read_softlayer_tables(
        replace(raw, digest=data.digest, path=data.path), paths=tables, texts=known_texts, source=words, notes=notes
    )


def _texts(folder: Path, notes: Notes) -> dict[str, str]:
    """Return the texts of the folder's files by name; the tables of our layout may be missing."""
    names = [STRUCTURE_FILE, *(name for name in TABLES if (folder / name).exists())]
    texts = {name: text for name in names if (text := read_text(folder / name, notes.refused)) is not None}
    value = parse_json(folder / STRUCTURE_FILE, texts.get(STRUCTURE_FILE, "{}"), [])
    named = value.get("softlayer") if isinstance(value, dict) else None
    files = [name for name in named.values() if isinstance(name, str)] if isinstance(named, dict) else []
    for name in files:
        if (text := read_text(folder / name, notes.refused)) is not None:
            texts[name] = text
    return texts


def _structure_cells(folder: Path, texts: dict[str, str], notes: Notes) -> Cells:
    path = folder / STRUCTURE_FILE
    before = len(notes.refused)
    value = parse_json(path, texts[STRUCTURE_FILE], notes.refused)
    if isinstance(value, dict):
        return Cells(path=str(path), line=None, values=value, refused=notes.refused)
    # What such a file lacks is not worth telling: that it is no catalogue is enough.
    cells = Cells(path=str(path), line=None, values={}, refused=[])
    if len(notes.refused) == before:
        notes.refused.append(cells.note("", "not_json", "Is not a JSON object. Begin it with {."))
    return cells


def _item(cells: Cells, structure: Structure) -> ItemRow:
    row = read_item(cells)
    refuse_unknown(cells, "categories", row.categories, structure.category_codes)
    refuse_unknown(cells, "packages", row.packages, structure.package_keys)
    return row


def _attribute(cells: Cells, structure: Structure, items: set[str] | None) -> AttributeRow:
    row = read_attribute(cells, structure.sources)
    _refuse_unknown_item(cells, "item", row.item, items)
    return row


def _price(cells: Cells, structure: Structure, items: set[str] | None) -> PriceRow:
    row = read_price(cells, structure.sources)
    _refuse_unknown_item(cells, "item", row.item, items)
    if structure.is_closed:
        refuse_unknown(cells, "categories", row.categories, structure.category_codes)
    if row.location_group is not None and structure.is_closed and row.location_group not in structure.group_ids:
        words = f"No location group {row.location_group} is in {STRUCTURE_FILE}."
        cells.refuse("location_group", "unknown_name", words)
    return row


def _rule(cells: Cells, structure: Structure, items: set[str] | None) -> RuleRow:
    row = read_rule(cells, structure.sources)
    _refuse_unknown_item(cells, "item", row.item, items)
    _refuse_unknown_item(cells, "other", row.other, items)
    if structure.is_closed:
        refuse_unknown(cells, "category", filter(None, [row.category]), structure.category_codes)
        refuse_unknown(cells, "other_category", filter(None, [row.other_category]), structure.category_codes)
        refuse_unknown(cells, "location", filter(None, [row.location]), structure.location_keys)
    return row


def _blueprint_part(cells: Cells, structure: Structure, items: set[str] | None) -> BlueprintPartRow:
    row = read_blueprint_part(cells, structure.sources)
    _refuse_unknown_item(cells, "item", row.item, items)
    if structure.is_closed:
        refuse_unknown(cells, "category", [row.category_code], structure.category_codes)
        refuse_unknown(cells, "package", [row.package], structure.package_keys)
    return row


def _placement(cells: Cells, structure: Structure, items: set[str] | None) -> PlacementRow:
    row = read_placement(cells)
    for category_code, item in row.needs:
        _refuse_unknown_item(cells, "needs", item, items)
        if structure.is_closed:
            refuse_unknown(cells, "needs", [category_code], structure.category_codes)
    return row


def _refuse_unknown_item(cells: Cells, field: str, name: str, items: set[str] | None) -> None:
    """Refuse the name of an item that the file lacks; where it builds on another catalogue (None) that tells later."""
    if name and items is not None:
        refuse_unknown(cells, field, [name], items)


def _refuse_unknown_defaults(structure: Structure, items: set[str] | None, notes: Notes) -> None:
    for row in structure.configuration:
        if items is not None and row.default_item and row.default_item not in items:
            cells = Cells(structure.path, None, {}, notes.refused, f"packages.{row.package}.{row.category_code}.")
            words = f"“{row.default_item}” is not in items.csv. Mend the name, or add the item."
            cells.refuse("default_item", "unknown_name", words)
