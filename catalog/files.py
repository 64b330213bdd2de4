"""Opening catalogue files: what cannot be read is noted, and nothing is raised."""

import csv
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from catalog.cells import Cells, RowNote

LARGEST_FILE = 200_000_000
GZIP_MARK = b"\x1f\x8b"
Columns = tuple[set[str], set[str]]
"""The columns that a table needs, and those that it may have."""


def read_text(path: Path, refused: list[RowNote]) -> str | None:
    """Return a file's text, unpacked where it is gzip; None with a note where it cannot be read."""
    try:
        content = _unpacked(path)
        return content.decode("utf-8-sig")
    except FileNotFoundError:
        note = ("no_file", "There is no such file. Name one that is there.")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        note = ("not_gzip", f"Is not whole gzip data ({error}). Fetch the whole file again.")
    except OSError as error:
        note = ("unreadable", f"Cannot be read: {error.strerror}. Name a file that can be.")
    except UnicodeDecodeError as error:
        note = ("not_utf8", f"Byte {error.start} is not UTF-8. Save the file as UTF-8.")
    except OverflowError:
        note = ("too_large", f"Has more than {LARGEST_FILE:,} bytes. Split it.")
    code, words = note
    refused.append(RowNote(str(path), None, "", code, words))
    return None


def _unpacked(path: Path) -> bytes:
    with open(path, "rb") as file:
        is_gzip = file.read(2) == GZIP_MARK
        file.seek(0)
        content = (gzip.GzipFile(fileobj=file) if is_gzip else file).read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise OverflowError
    return content


def digest_of(texts: Mapping[str, str]) -> str:
    """Return a digest of named texts."""
    return hashlib.sha256("\0".join(f"{name}\0{texts[name]}" for name in sorted(texts)).encode()).hexdigest()


def parse_json(path: Path, text: str, refused: list[RowNote]) -> Any:
    """Return what a JSON text says, with fractions as text so that no money passes through a float.

    None with a note where it is not JSON.
    """
    try:
        return json.loads(text, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        words = f"Is not JSON ({error}). Mend it, or fetch the whole file again."
        refused.append(RowNote(str(path), getattr(error, "lineno", None), "", "not_json", words))
        return None


def table_cells(path: Path, text: str, columns: Columns, refused: list[RowNote]) -> Iterator[Cells]:
    """Give the rows of a CSV table that have the shape of its header."""
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        if not _header_is_known(path, set(reader.fieldnames or ()), columns, refused):
            return
        for values in reader:
            line = reader.line_num
            if None in values or None in values.values():
                words = "Has not as many fields as the header. Add or remove commas, or fetch the whole file again."
                refused.append(RowNote(str(path), line, "", "row_shape", words))
            else:
                yield Cells(path=str(path), line=line, values=values, refused=refused)
    except csv.Error as error:
        words = f"Is not CSV from here on ({error}). Mend it, or fetch the whole file again."
        refused.append(RowNote(str(path), reader.line_num, "", "not_csv", words))


def _header_is_known(path: Path, header: set[str], columns: Columns, refused: list[RowNote]) -> bool:
    needed, optional = columns
    missing, unknown = sorted(needed - header), sorted(header - needed - optional)
    for field in missing:
        refused.append(RowNote(str(path), 1, field, "column_missing", "This column is missing. Add it."))
    for field in unknown:
        words = f"This column is unknown. Known are: {', '.join(sorted(needed | optional))}."
        refused.append(RowNote(str(path), 1, field, "column_unknown", words))
    return not missing and not unknown


def without_repeated(rows: Iterable[Cells], key: tuple[str, ...], *, is_whole: bool = True) -> Iterator[Cells]:
    """Give each row once; refuse one whose key stood in a line above. Where it is whole, no part of it may be empty."""
    lines: dict[tuple[str, ...], int | None] = {}
    for cells in rows:
        names = tuple(str(cells.values.get(field) or "").strip() for field in key)
        if names in lines and (all(names) or not is_whole):
            cells.refuse(key[-1], "repeated", f"Stands in line {lines[names]} already. Remove one of the two.")
        else:
            lines[names] = cells.line
            yield cells
