"""What Basho Bench keeps of a run: summary.csv, and a file of latencies for each operation.

Each line is a window: `elapsed` and `window` in seconds; in a summary how many operations succeeded in it, in a file of
latencies how long they took, in microseconds. The first window, in which the run warms up, is left out where there are
others.
"""

import math
from collections.abc import Sequence

from planner.measurements.reading.numbers import Cell, DecimalSign, number_of, sign_of
from planner.measurements.reading.readings import Findings, ReadFile, Reading, refused
from planner.measurements.reading.tables import Row, refuse_cut_off, table_of

KIND = "basho_bench"
SUMMARY = ("elapsed", "window", "total", "successful", "failed")
LATENCIES = ("elapsed", "window", "n", "min", "mean", "median", "95th", "99th", "99_9th", "max", "errors")
PER_MS = 1000.0
Windows = list[tuple[int, dict[str, float]]]


def read_basho(text: str, *, decimal_sign: DecimalSign | None = None) -> ReadFile:
    """Read the mean of the windows. Raises InputRefused with the line."""
    table = table_of(text)
    header = tuple(name.casefold() for name in table.rows[0].cells)
    if header not in (SUMMARY, LATENCIES):
        words = f"This is no CSV of Basho Bench: its columns are {', '.join(SUMMARY)}, or {', '.join(LATENCIES)}."
        raise refused("not_this_kind", words, line=1)
    if len(table.rows) < 2:
        raise refused("nothing_measured", "The file has no window: the run ended before the first.", line=1)
    refuse_cut_off(table, header)
    windows = _windows(table.rows[1:], header, decimal_sign, is_by_program=table.separator == ",")
    warm = windows[1:] or windows
    notes = ("The first window, in which the run warms up, is left out.",) if len(windows) > 1 else ()
    readings = _summary(warm) if header == SUMMARY else _latencies(warm)
    findings = Findings()
    for reading in readings:
        findings.check(reading.metric, reading.value, line=None, words=f"{reading.label}: {reading.value:g}")
    findings.refuse_if_wrong()
    return ReadFile(KIND, tuple(readings), notes)


def _windows(rows: Sequence[Row], header: Sequence[str], chosen: DecimalSign | None, *, is_by_program: bool) -> Windows:
    sign = sign_of(
        [Cell(row.line, cell) for row in rows for cell in row.cells], chosen=chosen, is_by_program=is_by_program
    )
    findings = Findings()
    windows = []
    for row in rows:
        if len(row.cells) != len(header):
            words = f"The line has {len(row.cells)} columns, the first one {len(header)}."
            findings.wrong("columns_differ", words, line=row.line)
            continue
        numbers = {}
        for name, words in zip(header, row.cells, strict=True):
            value = number_of(words, sign)
            if value is None or not math.isfinite(value) or value < 0:
                findings.wrong("number_unreadable", f"The {name} “{words}” cannot have been measured.", line=row.line)
            else:
                numbers[name] = value
        windows.append((row.line, numbers))
    findings.refuse_if_wrong()
    return windows


def _summary(windows: Windows) -> list[Reading]:
    seconds = sum(numbers["window"] for _, numbers in windows)
    successful = sum(numbers["successful"] for _, numbers in windows)
    return [Reading("whole run", "throughput_ops", successful / seconds if seconds else math.nan)]


def _latencies(windows: Windows) -> list[Reading]:
    """Return means over the windows, each counted as often as operations ended in it."""
    count = sum(numbers["n"] for _, numbers in windows)
    figures = (("mean", "mean_ms"), ("95th", "p95_ms"), ("99th", "p99_ms"))
    return [
        Reading(
            "mean of the windows",
            metric,
            sum(numbers[name] * numbers["n"] for _, numbers in windows) / count / PER_MS if count else math.nan,
        )
        for name, metric in figures
    ]
