"""What every reader of time series makes: rows of cells with their roles; and the samples that the rows say."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.errors import InputRefused
from planner.audit.reading.times import times_of
from planner.measurements.reading.numbers import Cell, DecimalSign, number_of, sign_of

READS, WRITES, IOPS = "reads", "writes", "iops"
READ_BYTES, WRITTEN_BYTES, BYTES = "read_bytes", "written_bytes", "bytes"
READ_MS, WRITE_MS, MS = "read_ms", "write_ms", "ms"
ROLES = (READS, WRITES, IOPS, READ_BYTES, WRITTEN_BYTES, BYTES, READ_MS, WRITE_MS, MS)
NOTHING = frozenset(("", "nan", "-nan", "+nan", "-", "u", "null", "none", "n/a"))
"""What programs write where they measured nothing."""
MOST_TOLD = 20
LARGEST = 1e12


@dataclass(frozen=True)
class Column:
    """What a column holds, and by what its numbers are multiplied: to bytes a second, I/Os a second or milliseconds."""

    role: str
    factor: float = 1.0


@dataclass(frozen=True)
class RawRow:
    """One device in one interval as the file writes it: pairs of a column and its cell."""

    line: int
    time: str
    device: str
    cells: tuple[tuple[Column, str], ...]


@dataclass(frozen=True)
class Sample:
    """One device in one interval. What was not measured is NaN. `mb_s` in 10^6 bytes a second."""

    line: int
    at: datetime
    device: str
    iops: float
    read_iops: float
    mb_s: float
    latency_ms: float


@dataclass(frozen=True)
class ReadSeries:
    """What a file of a time series holds: the program that wrote it, its samples, what was left out."""

    program: str
    samples: tuple[Sample, ...]
    notes: tuple[str, ...] = ()

    @property
    def devices(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sample.device for sample in self.samples))


def refuse_columns(roles: Sequence[str], *, line: int, what: str) -> None:
    """Raise ValueError where the columns do not say both how many I/Os and how many bytes there were."""
    has_ios = IOPS in roles or {READS, WRITES} <= set(roles)
    has_bytes = BYTES in roles or {READ_BYTES, WRITTEN_BYTES} <= set(roles)
    problems = []
    if not has_ios:
        problems.append(f"Line {line}: no column says how many I/Os a second there were. {what}")
    if not has_bytes:
        problems.append(f"Line {line}: no column says how many bytes a second were moved, with a unit. {what}")
    if problems:
        raise ValueError(*problems)


def samples_of(rows: Sequence[RawRow]) -> tuple[Sample, ...]:
    """Read the numbers and times of all rows; raises ValueError with an argument for each thing that is wrong."""
    problems: list[str] = []
    times = times_of([(row.line, row.time) for row in rows], problems)
    sign = _sign(rows, problems)
    samples = []
    for row, at in zip(rows, times, strict=True):
        values = _values(row, sign, problems)
        if at is not None:
            samples.append(_sample(row, at, values))
    if problems:
        more = len(problems) - MOST_TOLD
        raise ValueError(*problems[:MOST_TOLD], *([f"{more:,} more lines are wrong."] if more > 0 else []))
    return tuple(samples)


def _sign(rows: Sequence[RawRow], problems: list[str]) -> DecimalSign:
    """Return the decimal sign of a file: a point where no number has a comma, as programs write no separators."""
    texts = [(row.line, text) for row in rows for _, text in row.cells]
    if not any("," in text for _, text in texts):
        return DecimalSign.POINT
    cells = [Cell(line, text) for line, text in texts if text.casefold() not in NOTHING]
    try:
        return sign_of(cells, is_by_program=True)
    except InputRefused as refusal:
        problems += [violation.words for violation in refusal.violations]
        return DecimalSign.POINT


def _values(row: RawRow, sign: DecimalSign, problems: list[str]) -> Mapping[str, float]:
    values: dict[str, float] = {}
    for column, text in row.cells:
        value = _number(text, sign)
        if value is None:
            problems.append(f"Line {row.line}: “{text[:40]}” is no number.")
        elif value < 0 or value * column.factor > LARGEST:
            problems.append(f"Line {row.line}: “{text[:40]}” cannot be. Write a number from 0 on.")
        else:
            values[column.role] = values.get(column.role, 0.0) + value * column.factor
    return values


def _number(text: str, sign: DecimalSign) -> float | None:
    """Return a number, NaN where nothing was measured, None for anything else; plain digits are read at once."""
    if sign is DecimalSign.POINT and text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    return math.nan if text.casefold() in NOTHING else number_of(text, sign)


def _sample(row: RawRow, at: datetime, values: Mapping[str, float]) -> Sample:
    reads, writes = values.get(READS, math.nan), values.get(WRITES, math.nan)
    iops = values.get(IOPS, reads + writes)
    if math.isnan(reads) and not math.isnan(writes):
        reads = max(0.0, iops - writes)
    moved = values.get(BYTES, values.get(READ_BYTES, math.nan) + values.get(WRITTEN_BYTES, math.nan))
    return Sample(row.line, at, row.device, iops, min(reads, iops), moved / 1e6, _latency(values, reads, iops))


def _latency(values: Mapping[str, float], reads: float, iops: float) -> float:
    """Return the mean time of an I/O: as told, or that of reads and writes by how many of each there were."""
    if MS in values:
        return values[MS]
    if READ_MS not in values or WRITE_MS not in values or not iops > 0:
        return math.nan
    return (values[READ_MS] * reads + values[WRITE_MS] * (iops - reads)) / iops
