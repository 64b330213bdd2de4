"""Text files and tables in them: byte order marks, line ends, and commas, semicolons or tabs between columns."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from planner.measurements.reading.readings import refused

MOST_BYTES = 5 * 10**6
MOST_LINES = 100_000
SEPARATORS = ";\t,"


@dataclass(frozen=True)
class Row:
    """The cells of one line of a table."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table with what stood between its columns. `is_whole`: the last line has its line end."""

    separator: str
    rows: tuple[Row, ...]
    is_whole: bool


def text_of(data: bytes) -> str:
    """Return a file as text with plain line ends. Raises InputRefused for one that is empty, too large or no text."""
    if len(data) > MOST_BYTES:
        raise refused("file_too_large", f"The file has more than {MOST_BYTES // 10**6} MB. Upload the summary alone.")
    text = _decoded(data)
    if "\x00" in text:
        raise refused("file_not_text", "The file is not text. Upload what the program wrote as text, CSV or JSON.")
    if not text.strip():
        raise refused("file_empty", "The file is empty.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def table_of(text: str, *, separator: str = "") -> Table:
    """Return the lines of a table that hold anything, at least one, each cell without the space around it.

    Without a `separator` it is what the first line has most of. Raises InputRefused where a quotation never ends
    and where no line holds anything.
    """
    found = separator or _separator(text)
    rows = []
    reader = csv.reader(StringIO(text), delimiter=found, skipinitialspace=True, strict=True)
    try:
        begin = 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append(Row(begin, tuple(cell.strip() for cell in cells)))
            begin = reader.line_num + 1
    except csv.Error as error:
        raise refused("file_truncated", f"The line cannot be read: {error}. Is the file whole?", line=begin) from None
    if not rows:
        raise refused("file_empty", "The file holds separators alone.")
    if len(rows) > MOST_LINES:
        raise refused("file_too_large", f"The file has more than {MOST_LINES:,} lines. Upload the summary alone.")
    return Table(found, tuple(rows), text.endswith("\n"))


def refuse_cut_off(table: Table, header: Sequence[str]) -> None:
    """Refuse a table by a program of which the end is missing, with the line."""
    last = table.rows[-1]
    if len(last.cells) < len(header) or not table.is_whole:
        words = f"The file is cut off: its last line has {len(last.cells)} of {len(header)} columns"
        words += "." if len(last.cells) < len(header) else " and no end."
        raise refused("file_truncated", f"{words} Upload the whole file.", line=last.line)


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _separator(text: str) -> str:
    first = text.lstrip("\n").partition("\n")[0]
    counts = {separator: first.count(separator) for separator in SEPARATORS}
    return max(counts, key=lambda separator: counts[separator]) if any(counts.values()) else ","
