"""Reading the CSV that esxtop writes in batch mode: a column for each counter of each adapter, device and disk.

Its megabytes are taken as 1,048,576 bytes: an assumption, as its manual does not say.
"""

import csv
import re
from collections.abc import Mapping
from io import StringIO

from planner.audit.reading.rows import (
    IOPS,
    MS,
    READ_BYTES,
    READS,
    WRITES,
    WRITTEN_BYTES,
    Column,
    RawRow,
    ReadSeries,
    refuse_columns,
    samples_of,
)

MIB = 1024**2
HEADING = re.compile(r"\\\\[^\\]*\\(?P<object>[^\\(]+)\((?P<instance>.*)\)\\(?P<counter>[^\\]+)")
OBJECTS = ("Physical Disk", "Virtual Disk")
COUNTERS: Mapping[str, Column] = {
    "Commands/sec": Column(IOPS),
    "Reads/sec": Column(READS),
    "Writes/sec": Column(WRITES),
    "MBytes Read/sec": Column(READ_BYTES, MIB),
    "MBytes Written/sec": Column(WRITTEN_BYTES, MIB),
    "Average Guest MilliSec/Command": Column(MS),
}
ASK = "Write the file with: esxtop -b -d 60"
Places = dict[str, dict[int, Column]]


def is_esxtop(text: str) -> bool:
    return "(PDH-CSV" in text[:200]


def read_esxtop(text: str) -> ReadSeries:
    """Read a batch file; raises ValueError with an argument for each thing that is wrong."""
    try:
        lines = [(number, cells) for number, cells in enumerate(csv.reader(StringIO(text), strict=True), 1) if cells]
    except csv.Error:
        last = text.rstrip("\n").count("\n") + 1
        raise ValueError(f"Line {last}: the file is cut off here. Send the whole file.") from None
    header = lines[0][1]
    devices = _devices(header)
    short = [(number, cells) for number, cells in lines[1:] if len(cells) < len(header)]
    if short:
        raise ValueError(
            *(
                f"Line {number}: {len(cells):,} of {len(header):,} columns: the file is cut off here. Send it whole."
                for number, cells in short[:20]
            )
        )
    rows = [
        RawRow(number, cells[0], device, tuple((column, cells[place].strip()) for place, column in places.items()))
        for number, cells in lines[1:]
        for device, places in devices.items()
    ]
    return ReadSeries("esxtop", samples_of(rows))


def _devices(header: list[str]) -> Places:
    """Return the columns of each device; a total is left out where reads and writes stand beside it."""
    found: Places = {}
    owners: dict[str, str] = {}
    for place, heading in enumerate(header):
        match = HEADING.fullmatch(heading.strip())
        if not match or not match["object"].startswith(OBJECTS) or match["counter"] not in COUNTERS:
            continue
        name, owner = match["instance"].strip(), match["object"]
        if owners.setdefault(name, owner) == owner:
            found.setdefault(name, {})[place] = COUNTERS[match["counter"]]
    whole = {name: _without_total(places) for name, places in found.items()}
    usable = {name: places for name, places in whole.items() if _is_enough(places)}
    if not usable:
        refuse_columns([], line=1, what=ASK)
    return usable


def _without_total(places: dict[int, Column]) -> dict[int, Column]:
    roles = {column.role for column in places.values()}
    has_parts = {READS, WRITES} <= roles
    return {place: column for place, column in places.items() if not (has_parts and column.role == IOPS)}


def _is_enough(places: dict[int, Column]) -> bool:
    roles = {column.role for column in places.values()}
    return bool(roles & {READS, IOPS}) and {READ_BYTES, WRITTEN_BYTES} <= roles
