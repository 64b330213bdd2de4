"""A series to begin with, made up: so that somebody sees what an audit answers before measuring."""

import math
from collections.abc import Iterator
from datetime import datetime, timedelta

DAYS, STEP_MINUTES = 5, 30
START = datetime.fromisoformat("2026-11-02")
HEADER = "time,read IOPS,write IOPS,MB/s,latency ms"
DATABASE_KIB, BACKUP_KIB = 8, 128
BACKUP_IOPS = 420


def sample_text() -> str:
    """Return five days of a small database: busier in office hours, and backed up at 02:00 for an hour and a half."""
    return "\n".join((HEADER, *_lines()))


def _lines() -> Iterator[str]:
    for slot in range(DAYS * 24 * 60 // STEP_MINUTES):
        at = START + timedelta(minutes=slot * STEP_MINUTES)
        hour = at.hour + at.minute / 60
        unrest = 1 + 0.06 * math.sin(slot * 1.7) + 0.04 * math.sin(slot * 0.37)
        database = (140 + 110 * math.exp(-(((hour - 14) / 4) ** 2))) * unrest
        backup = BACKUP_IOPS if 2 <= hour < 3.5 else 0
        moved = (database * DATABASE_KIB + backup * BACKUP_KIB) * 1024 / 1e6
        latency = 4 + database / 60 + backup / 40
        reads, writes = 0.7 * database + backup, 0.3 * database
        yield f"{at:%Y-%m-%d %H:%M},{reads:.1f},{writes:.1f},{moved:.2f},{latency:.1f}"
