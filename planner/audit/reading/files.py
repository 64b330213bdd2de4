"""Reading a time series of any kind: recognised by what it holds."""

from functools import lru_cache

from planner.audit.reading.esxtop import is_esxtop, read_esxtop
from planner.audit.reading.iostat import is_iostat, is_iostat_json, read_iostat, read_iostat_json
from planner.audit.reading.rows import ReadSeries
from planner.audit.reading.tables import read_table


@lru_cache(maxsize=4)
def read_series(text: str) -> ReadSeries:
    """Read a file of I/O over time; raises ValueError with an argument for each thing that is wrong, with its line."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if is_iostat_json(plain):
        return read_iostat_json(plain)
    if is_esxtop(plain):
        return read_esxtop(plain)
    return read_iostat(plain) if is_iostat(plain) else read_table(plain)
