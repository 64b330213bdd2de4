"""Reading one row of catalogue data: an item, an attribute or a price."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from catalog.cells import Cells
from catalog.layout import AttributeRow, ItemRow, PriceRow
from catalog.models import Basis, ItemPrice

CAPACITY_PLACES = 4
CAPACITY_LIMIT = Decimal(10**11)
Sources = Mapping[str, str]
"""The words that people see for each short name of a source."""


def read_item(cells: Cells) -> ItemRow:
    return ItemRow(
        external_id=cells.required("external_id", longest=60),
        key_name=cells.required("key_name", longest=120),
        description=cells.required("description"),
        capacity=cells.decimal("capacity", places=CAPACITY_PLACES, limit=CAPACITY_LIMIT),
        units=cells.text("units", longest=40),
        categories=cells.list_of("categories"),
        packages=cells.list_of("packages"),
    )


def read_attribute(cells: Cells, sources: Sources) -> AttributeRow:
    source, basis = source_and_basis(cells, sources)
    return AttributeRow(
        item=cells.required("item", longest=60),
        name=cells.required("name", longest=60),
        value=cells.required("value", longest=120),
        unit=cells.text("unit", longest=40),
        source=source,
        basis=basis,
    )


def read_price(cells: Cells, sources: Sources) -> PriceRow:
    source, basis = source_and_basis(cells, sources)
    row = PriceRow(
        external_id=cells.required("external_id", longest=60),
        item=cells.required("item", longest=60),
        fees=tuple((fee, cells.decimal(fee)) for fee in ItemPrice.FEES),
        location_group=cells.whole("location_group"),
        restriction=cells.text("restriction"),
        restriction_minimum=cells.whole("restriction_minimum"),
        restriction_maximum=cells.whole("restriction_maximum"),
        term_months=cells.whole("term_months", smallest=1, largest=1200),
        valid_from=cells.moment("valid_from"),
        valid_to=cells.moment("valid_to"),
        categories=cells.list_of("categories"),
        source=source,
        basis=basis,
        tier=cells.whole("tier") or None,
        place=cells.place,
    )
    if row.tier is not None and dict(row.fees)["usage_rate"] is None:
        cells.refuse("tier", "rate_missing", "Has no usage_rate. Fill it in, or remove the tier.")
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
    elif low == 0 and high == 0:
        # From 0 to 0 is how catalogues write "no restriction".
        return replace(row, restriction="", restriction_minimum=None, restriction_maximum=None)
    elif not row.restriction and (low is not None or high is not None):
        cells.refuse("restriction", "missing", "Is empty although there is a range. Name it, or remove the range.")
    elif low is not None and high is not None and low > high:
        cells.refuse("restriction_minimum", "above_maximum", f"{low} is above the maximum {high}. Swap or mend them.")
    return row


def source_and_basis(cells: Cells, sources: Sources) -> tuple[str, str]:
    """Read where a figure comes from, as words that people see, and how it is known."""
    return sources.get(cells.choice("source", sources), ""), cells.choice("basis", Basis.values)
