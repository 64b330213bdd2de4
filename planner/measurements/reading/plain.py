"""A plain table of what was measured: configuration, value, and where wanted unit and metric."""

from collections.abc import Mapping, Sequence

from planner.measurements.reading.numbers import Cell, DecimalSign, number_of, sign_of
from planner.measurements.reading.readings import METRICS, Findings, ReadFile, Reading, refused
from planner.measurements.reading.tables import Row, table_of

KIND = "plain"
CONFIGURATION, VALUE, UNIT, METRIC = "configuration", "value", "unit", "metric"
COLUMNS = (CONFIGURATION, VALUE, UNIT, METRIC)
UNITS: Mapping[str, tuple[str, float]] = {
    "iops": ("iops", 1.0),
    "kiops": ("iops", 1e3),
    "kb/s": ("throughput_mb_s", 1e-3),
    "mb/s": ("throughput_mb_s", 1.0),
    "gb/s": ("throughput_mb_s", 1e3),
    "kib/s": ("throughput_mb_s", 1024 / 1e6),
    "mib/s": ("throughput_mb_s", 1024**2 / 1e6),
    "gib/s": ("throughput_mb_s", 1024**3 / 1e6),
    "mbit/s": ("network_mb_s", 1 / 8),
    "gbit/s": ("network_mb_s", 125.0),
    "ops/s": ("throughput_ops", 1.0),
    "us": ("mean_ms", 1e-3),
    "ms": ("mean_ms", 1.0),
    "s": ("mean_ms", 1e3),
}
"""A unit, the metric that it is usually of, and how many of the metric's unit it is."""
LONGEST_NAME = 120


def read_plain(text: str, *, decimal_sign: DecimalSign | None = None) -> ReadFile:
    """Read a table with or without a line of names above. Raises InputRefused with every line that is wrong."""
    table = table_of(text)
    header = [name.casefold() for name in table.rows[0].cells]
    has_header = CONFIGURATION in header or VALUE in header
    names = header if has_header else list(COLUMNS[: len(header)])
    missing = [name for name in (CONFIGURATION, VALUE) if name not in names]
    if missing:
        words = f"The table has no column “{missing[0]}”. Name its columns configuration, value, unit and metric."
        raise refused("column_missing", words, line=table.rows[0].line)
    rows = table.rows[1:] if has_header else table.rows
    if not rows:
        raise refused("nothing_measured", "The table has no line under its names.", line=1)
    findings = Findings()
    _refuse_ragged(rows, names, findings)
    place = names.index(VALUE)
    cells = [Cell(row.line, row.cells[place]) for row in rows]
    sign = sign_of(cells, chosen=decimal_sign, is_by_program=table.separator == ",")
    readings = [_reading(row, dict(zip(names, row.cells, strict=True)), sign, findings) for row in rows]
    findings.refuse_if_wrong()
    return ReadFile(KIND, tuple(reading for reading in readings if reading))


def _refuse_ragged(rows: Sequence[Row], names: Sequence[str], findings: Findings) -> None:
    for row in rows:
        if len(row.cells) != len(names):
            words = f"The line has {len(row.cells)} columns instead of {len(names)}. Is the file whole?"
            findings.wrong("columns_differ", words, line=row.line)
    findings.refuse_if_wrong()


def _reading(row: Row, cells: Mapping[str, str], sign: DecimalSign, findings: Findings) -> Reading | None:
    name, words = cells[CONFIGURATION], cells[VALUE]
    metric, factor = _metric(cells, row, findings)
    if not name or len(name) > LONGEST_NAME:
        findings.wrong(
            "configuration_missing", f"Name the configuration, in at most {LONGEST_NAME} letters.", line=row.line
        )
    value = number_of(words, sign)
    value = None if value is None else value * factor
    is_good = findings.check(metric, value, line=row.line, words=words)
    return Reading(name, metric, value) if is_good and value is not None else None


def _metric(cells: Mapping[str, str], row: Row, findings: Findings) -> tuple[str, float]:
    unit, metric = cells.get(UNIT, "").casefold(), cells.get(METRIC, "").casefold()
    if unit and unit not in UNITS:
        findings.wrong("unit_unknown", f"The unit “{unit}” is none of {', '.join(UNITS)}.", line=row.line)
        return "value", 1.0
    if metric and metric not in METRICS:
        findings.wrong("metric_unknown", f"The metric “{metric}” is none of {', '.join(METRICS)}.", line=row.line)
        return "value", 1.0
    usual, factor = UNITS.get(unit, (metric or "value", 1.0))
    if metric and unit and METRICS[metric].unit not in (METRICS[usual].unit, ""):
        words = f"The metric {metric} is in {METRICS[metric].unit}, not in {cells[UNIT]}."
        findings.wrong("unit_unfit", words, line=row.line)
    return metric or usual, factor
