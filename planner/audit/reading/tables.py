"""Reading tables of time series: any CSV whose header says what its columns hold, and Cacti's export of a graph."""

import re
from collections.abc import Iterator, Sequence

from core.errors import InputRefused
from planner.audit.reading.rows import (
    BYTES,
    IOPS,
    MS,
    READ_BYTES,
    READ_MS,
    READS,
    WRITE_MS,
    WRITES,
    WRITTEN_BYTES,
    Column,
    RawRow,
    ReadSeries,
    refuse_columns,
    samples_of,
)
from planner.measurements.reading.tables import Row, table_of

TIMES = re.compile(r"^(date|time|timestamp|date ?/? ?time|when|zeit|datum|datetime)\b", re.IGNORECASE)
DEVICES = re.compile(r"^(device|disk|lun|volume|array)( name)?$", re.IGNORECASE)
UNIT = re.compile(
    r"(?<![a-z])(?P<prefix>k|m|g|)(?P<binary>i?)(b|bytes?)\b(?:\s+(?:read|written|wrtn|write))?\s*"
    r"(?:/|per|p)\s*s(ec(ond)?)?\b",
    re.IGNORECASE,
)
WORD_BYTES = re.compile(r"\bbytes?\b", re.IGNORECASE)
LATENCY = re.compile(r"latency|await|svctm|response|milliseconds?|\bms\b|\bµs\b|\bus\b", re.IGNORECASE)
MICRO = re.compile(r"µs|\bus\b|micro", re.IGNORECASE)
SECONDS = re.compile(r"(?<!milli)(?<!micro)\bs(ec(onds)?)?\b[)\]]?$", re.IGNORECASE)
READING, WRITING = (
    re.compile(r"read|^r[/_ ]|^r(k|m)i?b", re.IGNORECASE),
    re.compile(r"writ|wrtn|^w[/_ ]|^w(k|m)i?b", re.IGNORECASE),
)
COUNTED = re.compile(r"iops|i/?os?\b|reads?|writes?|ops|commands|transfers|tps|^[rw]/s", re.IGNORECASE)
POWERS = {"": 0, "k": 1, "m": 2, "g": 3}
TOTAL_ROWS = re.compile(r"total rows:?", re.IGNORECASE)
ASK = "Name the columns like: time, read IOPS, write IOPS, MB/s, latency ms"
KEPT = re.compile(r"From (?P<program>[^,]+), SHA-256 [0-9a-f]{64}")
NOTE = "Note: "
"""How lines above the header begin in a table as it is kept."""


def column_of(name: str) -> Column | None:
    """Return what a column holds by its heading; None where it says nothing that is known.

    kB and MB are powers of 1,000 and KiB and MiB of 1,024, as they are written.
    """
    words = name.strip()
    reads, writes = bool(READING.search(words)), bool(WRITING.search(words))
    unit = UNIT.search(words) or UNIT.search(re.sub(r"^[rw](?=[kmg]i?b)", "", words, flags=re.IGNORECASE))
    if unit or WORD_BYTES.search(words):
        factor = (1024 if unit["binary"] else 1000) ** POWERS[unit["prefix"].casefold()] if unit else 1
        return Column(_one_of(reads, writes, READ_BYTES, WRITTEN_BYTES, BYTES), factor)
    if LATENCY.search(words):
        factor = (
            1e-3 if MICRO.search(words) else 1e3 if SECONDS.search(words) and not re.search("ms|milli", words) else 1
        )
        return Column(_one_of(reads, writes, READ_MS, WRITE_MS, MS), factor)
    if COUNTED.search(words):
        return Column(_one_of(reads, writes, READS, WRITES, IOPS))
    return None


def _one_of(reads: bool, writes: bool, read: str, write: str, both: str) -> str:
    return both if reads == writes else read if reads else write


def read_table(text: str) -> ReadSeries:
    """Read a table with a header; raises ValueError with an argument for each thing that is wrong."""
    try:
        rows = table_of(text, separator=_separator(text)).rows
    except InputRefused as refusal:
        raise ValueError(*(violation.words for violation in refusal.violations)) from None
    place = next((number for number, row in enumerate(rows) if TIMES.match(row.cells[0]) and len(row.cells) > 1), None)
    if place is None:
        raise ValueError(f"Line 1: no header begins with a column of times. {ASK}")
    header, data = rows[place], rows[place + 1 :]
    columns = [column_of(name) for name in header.cells]
    columns[0] = None
    columns = _without_totals(columns)
    refuse_columns([column.role for column in columns if column], line=header.line, what=ASK)
    _refuse_cut_off(rows[:place], header, data)
    device = next((number for number, name in enumerate(header.cells) if number and DEVICES.match(name)), None)
    raw = [
        RawRow(
            row.line,
            row.cells[0],
            row.cells[device] if device is not None else "",
            tuple((column, cell) for column, cell in zip(columns, row.cells, strict=False) if column),
        )
        for row in data
    ]
    return ReadSeries(_program(rows[:place]), samples_of(raw), tuple(_notes(rows[:place])))


def _program(preamble: Sequence[Row]) -> str:
    """Return what wrote a table: Cacti, what a table that was kept says, or nothing in particular."""
    if any(TOTAL_ROWS.match(row.cells[0]) for row in preamble):
        return "Cacti"
    kept = next((match for row in preamble if (match := KEPT.match(row.cells[0]))), None)
    return kept["program"] if kept else "CSV"


def _notes(preamble: Sequence[Row]) -> Iterator[str]:
    for row in preamble:
        if row.cells[0].startswith(NOTE):
            yield row.cells[0].removeprefix(NOTE)


def _separator(text: str) -> str:
    """Return what stands between the columns of the first line that begins with a time's heading."""
    for line in text.split("\n", 50)[:50]:
        if TIMES.match(line.strip().strip('"')):
            return max(";\t,", key=line.count)
    return ""


def _without_totals(columns: Sequence[Column | None]) -> list[Column | None]:
    """Leave out totals and means where their parts stand beside them."""
    roles = {column.role for column in columns if column}
    doubled = set()
    for total, parts in ((IOPS, {READS, WRITES}), (BYTES, {READ_BYTES, WRITTEN_BYTES}), (MS, {READ_MS, WRITE_MS})):
        doubled |= {total} if parts <= roles else set()
    return [None if column and column.role in doubled else column for column in columns]


def _refuse_cut_off(preamble: Sequence[Row], header: Row, data: Sequence[Row]) -> None:
    """Refuse rows with fewer columns than the header, and a Cacti export with fewer rows than it says it has."""
    problems = [
        f"Line {row.line}: {len(row.cells)} of {len(header.cells)} columns"
        + (": the file is cut off here. Send the whole file." if row is data[-1] else ".")
        for row in data
        if len(row.cells) < len(header.cells)
    ]
    for row in preamble:
        if TOTAL_ROWS.match(row.cells[0]) and len(row.cells) > 1 and row.cells[1].isdigit():
            told, last = int(row.cells[1]), data[-1].line if data else header.line
            if len(data) < told:
                problems.append(
                    f"Line {last}: {len(data):,} of {told:,} rows: the file is cut off here. Send the whole file."
                )
    if problems:
        raise ValueError(*problems[:20])
