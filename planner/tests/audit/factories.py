"""Time series of I/O of which the truth is known, as plain tables and as the programs write them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from planner.audit.parts import Parts, parts_of
from planner.audit.reading.files import read_series
from planner.audit.series import Floats, Series, series_of

START = datetime.fromisoformat("2026-03-02T00:00:00")
STRIP_KIB = 256.0
IOSTAT_HEAD = "Linux 5.10.0 (db1) \t03/02/2026 \t_x86_64_\t(8 CPU)\n"
CPU = (
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           1.00    0.00    0.50    2.00    0.00   96.50\n"
)
NEW_COLUMNS = (
    "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await  %util"
)
OLD_COLUMNS = (
    "Device:         rrqm/s   wrqm/s     r/s     w/s    rMB/s    wMB/s avgrq-sz avgqu-sz   await  svctm  %util"
)


def make_series(iops: Sequence[float] | Floats, *, mb_s: Floats | None = None, step_seconds: int = 300) -> Series:
    """Make a series that reads seven I/Os in ten, of 8 KiB where no MB/s are given."""
    values = np.maximum(np.asarray(iops, dtype=np.float64), 0.0)
    moved = values * 8 * 1024 / 1e6 if mb_s is None else mb_s
    return Series("test", "sda", START, step_seconds, values, 0.7 * values, moved, 0 * values + 5.0, ())


def make_parts(iops: Sequence[float] | Floats, *, mb_s: Floats | None = None, step_seconds: int = 300) -> Parts:
    series = make_series(iops, mb_s=mb_s, step_seconds=step_seconds)
    return parts_of(series, strip_kib=STRIP_KIB, read_share=0.7)


def table(values: Sequence[str], *, header: str, minutes: int = 5, start: datetime = START) -> str:
    """Make a table: a time every so many minutes, and behind it what is given."""
    times = [start + timedelta(minutes=minutes * number) for number in range(len(values))]
    return "\n".join([header, *(f"{at:%Y-%m-%d %H:%M:%S},{value}" for at, value in zip(times, values, strict=True))])


def iostat(
    reports: int, *, style: str = "new", clock: str = "%m/%d/%Y %I:%M:%S %p", devices: Sequence[str] = ("sda",)
) -> str:
    """Write what `iostat -x -t 300` does: 100 reads of 8 KiB and 50 writes of 16 KiB a second, the first one wild."""
    pieces = [IOSTAT_HEAD]
    for number in range(reports):
        at = START + timedelta(minutes=5 * number)
        times = 1 if number else 77
        columns = NEW_COLUMNS if style == "new" else OLD_COLUMNS
        lines = [_iostat_line(device, times, style) for device in devices]
        pieces.append(f"{at.strftime(clock)}\n{CPU}\n{columns}\n" + "\n".join(lines) + "\n")
    return "\n".join(pieces)


def _iostat_line(device: str, times: int, style: str) -> str:
    reads, writes = 100 * times, 50 * times
    if style == "new":
        return (
            f"{device}  {reads}.00 {8 * reads}.00 0.00 0.00 4.00 8.00 {writes}.00 {16 * writes}.00 0.00 0.00 7.00 60.0"
        )
    return (
        f"{device}  0.00 0.00 {reads}.00 {writes}.00 {8 * reads / 1024} {16 * writes / 1024} 21.33 0.75 5.00 3.00 60.0"
    )


def esxtop(rows: int, *, disks: Sequence[str] = ("vmhba0",)) -> str:
    """Write what `esxtop -b -d 60` writes of disks: 120 commands a second, 1.5 MB of reads and 0.5 of writes."""
    counters = ["Commands/sec", "Reads/sec", "Writes/sec", "MBytes Read/sec", "MBytes Written/sec"]
    counters += ["Average Guest MilliSec/Command"]
    heads = ["(PDH-CSV 4.0) (UTC)(0)", r"\\esx1\Memory\Free MBytes"]
    heads += [rf"\\esx1\Physical Disk Adapter({disk})\{counter}" for disk in disks for counter in counters]
    lines = [heads]
    for number in range(rows):
        at = START + timedelta(minutes=number)
        figures = ["120.00", "90.00", "30.00", "1.50", "0.50", "6.25"] * len(disks)
        lines.append([f"{at:%m/%d/%Y %H:%M:%S}", "4711", *figures])
    return "\n".join(",".join(f'"{cell}"' for cell in line) for line in lines) + "\n"


def cacti(rows: int, *, told: int | None = None, value: str = "120,80,983040") -> str:
    """Write what Cacti exports of a graph with reads, writes and bytes, and how many rows it says there are."""
    at = [START + timedelta(minutes=5 * number) for number in range(rows)]
    preamble = [
        '"Title:","db1 - Disk"', '"Vertical Label:","a second"', f'"Start Date:","{START:%Y-%m-%d %H:%M:%S}"',
        f'"End Date:","{at[-1]:%Y-%m-%d %H:%M:%S}"', '"Step:","300"',
        f'"Total Rows:","{rows if told is None else told}"',
        '"Graph ID:","12"', '"Host ID:","3"', "", '"Date","Reads","Writes","Bytes"',
    ]  # fmt: skip
    lines = [f'"{time:%Y-%m-%d %H:%M:%S}",' + ",".join(f'"{cell}"' for cell in value.split(",")) for time in at]
    return "\n".join([*preamble, *lines]) + "\n"


def read(text: str, device: str = "") -> Series:
    """Read a file as the audit does."""
    return series_of(read_series(text), device)
