"""The CSV that COSBench keeps of a workload: a line for each operation of each stage.

Times are in milliseconds, throughput in operations a second, bandwidth in bytes a second; "N/A" stands where an
operation never succeeded.
"""

from collections.abc import Mapping

from planner.measurements.reading.numbers import Cell, DecimalSign, number_of, sign_of
from planner.measurements.reading.readings import Findings, ReadFile, Reading, refused
from planner.measurements.reading.tables import Row, Table, refuse_cut_off, table_of

KIND = "cosbench"
OPERATION, BANDWIDTH = "op-type", "bandwidth"
FIGURES = {
    BANDWIDTH: ("throughput_mb_s", 1e6),
    "throughput": ("throughput_ops", 1.0),
    "avg-restime": ("mean_ms", 1.0),
    "95%-restime": ("p95_ms", 1.0),
    "99%-restime": ("p99_ms", 1.0),
}
MEASURED = ("read", "write")


def read_cosbench(text: str, *, decimal_sign: DecimalSign | None = None) -> ReadFile:
    """Read bandwidth, operations a second and response times of reads and writes. Raises InputRefused with the line."""
    table = table_of(text)
    header = [name.casefold() for name in table.rows[0].cells]
    missing = [name for name in (OPERATION, BANDWIDTH) if name not in header]
    if missing:
        raise refused("not_this_kind", f"This is no CSV of COSBench: it has no column {' and '.join(missing)}.", line=1)
    refuse_cut_off(table, header)
    findings = Findings()
    _refuse_ragged(table, header, findings)
    rows = [(row, dict(zip(header, row.cells, strict=True))) for row in table.rows[1:]]
    measured = [(row, cells) for row, cells in rows if cells[OPERATION].casefold() in MEASURED]
    sign = sign_of(
        [Cell(row.line, cells[name]) for row, cells in measured for name in FIGURES if cells.get(name)],
        chosen=decimal_sign,
        is_by_program=table.separator == ",",
    )
    readings = [reading for row, cells in measured for reading in _readings(row, cells, sign, findings)]
    findings.refuse_if_wrong()
    if not readings:
        raise refused("nothing_measured", "No stage of the file read or wrote anything.")
    return ReadFile(KIND, tuple(readings))


def _refuse_ragged(table: Table, header: list[str], findings: Findings) -> None:
    for row in table.rows[1:]:
        if len(row.cells) != len(header):
            words = f"The line has {len(row.cells)} columns, the first one {len(header)}."
            findings.wrong("columns_differ", words, line=row.line)
    findings.refuse_if_wrong()


def _readings(row: Row, cells: Mapping[str, str], sign: DecimalSign, findings: Findings) -> list[Reading]:
    if cells[BANDWIDTH].upper() in ("N/A", ""):
        words = f"The {cells[OPERATION]}s of this stage never succeeded (bandwidth {cells[BANDWIDTH] or 'empty'})."
        findings.wrong("operation_failed", words, line=row.line)
        return []
    operation = cells[OPERATION].casefold()
    label = " ".join(part for part in (cells.get("stage", ""), cells.get("op-name", "")) if part) or operation
    readings = []
    for name, (metric, divisor) in FIGURES.items():
        words = cells.get(name, "")
        if not words or words.upper() == "N/A":
            continue
        value = number_of(words, sign)
        value = None if value is None else value / divisor
        if findings.check(metric, value, line=row.line, words=words) and value is not None:
            readings.append(Reading(label, metric, value, {"operation": operation}))
    return readings
