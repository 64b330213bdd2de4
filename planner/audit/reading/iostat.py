"""Reading what iostat of sysstat writes: `iostat -x -t` as text, and with `-o JSON`.

iostat's kB and MB are 1,024 and 1,048,576 bytes and its sectors 512 (sysstat, iostat.c). Its first report is the mean
since the machine was started, unless it was told -y; it is always left out.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

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
from planner.audit.reading.times import is_time

KIB, MIB, SECTOR = 1024, 1024**2, 512
COLUMNS: Mapping[str, Column] = {
    "tps": Column(IOPS),
    "r/s": Column(READS),
    "w/s": Column(WRITES),
    "rkB/s": Column(READ_BYTES, KIB),
    "wkB/s": Column(WRITTEN_BYTES, KIB),
    "rMB/s": Column(READ_BYTES, MIB),
    "wMB/s": Column(WRITTEN_BYTES, MIB),
    "rsec/s": Column(READ_BYTES, SECTOR),
    "wsec/s": Column(WRITTEN_BYTES, SECTOR),
    "kB_read/s": Column(READ_BYTES, KIB),
    "kB_wrtn/s": Column(WRITTEN_BYTES, KIB),
    "MB_read/s": Column(READ_BYTES, MIB),
    "MB_wrtn/s": Column(WRITTEN_BYTES, MIB),
    "await": Column(MS),
    "r_await": Column(READ_MS),
    "w_await": Column(WRITE_MS),
}
ASK = "Write the file with: iostat -x -t 300"
FIRST_LEFT_OUT = "iostat's first report, the mean since the machine was started, is left out."


def is_iostat(text: str) -> bool:
    return any(line.startswith("Device") and "/s" in line and "," not in line for line in text.split("\n", 200)[:200])


def is_iostat_json(text: str) -> bool:
    return text.lstrip().startswith("{")


def read_iostat(text: str) -> ReadSeries:
    """Read the text of `iostat -x -t`; raises ValueError with an argument for each thing that is wrong."""
    reports = list(_reports(text))
    _refuse_short(reports)
    rows = [row for report in reports[1:] for row in report]
    return ReadSeries("iostat", samples_of(rows), (FIRST_LEFT_OUT,))


def _reports(text: str) -> Iterator[list[RawRow]]:
    """Give the rows of each report; raises ValueError at the first line that cannot be one of iostat's."""
    time, is_cpu = "", False
    names: list[str] = []
    report: list[RawRow] = []
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words:
            names = []
        elif is_time(line):
            if report:
                yield report
            time, names, report = line.strip(), [], []
        elif words[0].startswith("Device"):
            names, is_cpu = words[1:], False
            refuse_columns([COLUMNS[name].role for name in names if name in COLUMNS], line=number, what=ASK)
            if not time:
                raise ValueError(f"Line {number}: no time stands above this report. {ASK}")
        elif names:
            report.append(_row(words, names, number, time))
        elif words[0] == "avg-cpu:":
            is_cpu = True
        elif is_cpu:
            is_cpu = False
        elif words[0] != "Linux":
            raise ValueError(f"Line {number}: “{line.strip()[:40]}” is nothing that iostat -x -t writes. {ASK}")
    if report:
        yield report


def _row(words: list[str], names: list[str], line: int, time: str) -> RawRow:
    if len(words) != len(names) + 1:
        raise ValueError(
            f"Line {line}: {len(words) - 1} of {len(names)} columns: the file is cut off here. Send the whole file."
        )
    cells = tuple((COLUMNS[name], text) for name, text in zip(names, words[1:], strict=True) if name in COLUMNS)
    return RawRow(line, time, words[0], _without_doubles(cells))


def _without_doubles(cells: tuple[tuple[Column, str], ...]) -> tuple[tuple[Column, str], ...]:
    """Leave out a total where its parts stand beside it."""
    roles = {column.role for column, _ in cells}
    doubled = {IOPS} if {READS, WRITES} <= roles else set()
    doubled |= {BYTES} if {READ_BYTES, WRITTEN_BYTES} <= roles else set()
    return tuple((column, text) for column, text in cells if column.role not in doubled)


def _refuse_short(reports: list[list[RawRow]]) -> None:
    if len(reports) < 2:
        raise ValueError(f"iostat wrote {len(reports)} report: the first is the mean since the start. {ASK}")
    last, before = {row.device for row in reports[-1]}, {row.device for row in reports[-2]}
    if len(last) < len(before) and last < before:
        line = reports[-1][-1].line
        raise ValueError(
            f"Line {line}: the last report has {len(last)} of {len(before)} devices: the file is cut off here. "
            "Send the whole file."
        )


def read_iostat_json(text: str) -> ReadSeries:
    """Read `iostat -x -t -o JSON`; raises ValueError with an argument for each thing that is wrong."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"Line {error.lineno}: the JSON ends or breaks here. Send the whole file.") from None
    except (RecursionError, ValueError):
        raise ValueError(
            f"The JSON is nested deeper, or its numbers are longer, than iostat's. {ASK} -o JSON"
        ) from None
    try:
        reports = [report for host in found["sysstat"]["hosts"] for report in host["statistics"]]
        rows = [
            _json_row(number, report, disk) for number, report in enumerate(reports[1:], 2) for disk in report["disk"]
        ]
    except (KeyError, TypeError, AttributeError):
        raise ValueError(f"The JSON is not what iostat writes. {ASK} -o JSON") from None
    if not rows:
        raise ValueError(f"The JSON holds no second report with disks. {ASK} -o JSON")
    refuse_columns([column.role for column, _ in rows[0].cells], line=1, what=ASK)
    return ReadSeries("iostat", samples_of(rows), (FIRST_LEFT_OUT,))


def _json_row(number: int, report: Mapping[str, Any], disk: Mapping[str, Any]) -> RawRow:
    """Return a disk of a report; its line is the number of the report, as lines mean nothing in JSON."""
    cells = tuple((COLUMNS[name], str(value)) for name, value in disk.items() if name in COLUMNS)
    time, device = str(report["timestamp"]), str(disk["disk_device"])
    if not (time + device).isprintable():
        raise ValueError(f"Report {number}: its time or a device has characters that cannot be shown. {ASK} -o JSON")
    return RawRow(number, time, device, _without_doubles(cells))
