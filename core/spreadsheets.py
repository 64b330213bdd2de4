"""Tables for spreadsheets: CSV in which no cell is taken for a formula."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

FORMULA_BEGINS_WITH = ("=", "+", "-", "@", "\t", "\r")


def csv_of(*, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV; None is an empty cell, and words that begin as a formula are marked as words."""
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(columns)
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return written.getvalue()


def _cell(value: object) -> str:
    words = "" if value is None else str(value)
    return f"'{words}" if isinstance(value, str) and words.startswith(FORMULA_BEGINS_WITH) else words
