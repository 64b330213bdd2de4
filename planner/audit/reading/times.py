"""Times as programs write them: ISO 8601, and days, months and years in the order of some locale."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

TIME = re.compile(
    r"(?P<first>\d{1,4})(?P<mark>[-/.])(?P<second>\d{1,2})[-/.](?P<third>\d{1,4})\.?[T ,]+"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<seconds>\d{2})(?:[.,]\d+)?)?\s*(?P<half>[AaPp]\.?[Mm]\.?)?"
    r"\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?"
)
EPOCH = re.compile(r"\d{9,10}(?:\.\d+)?")
YEAR_FIRST, DAY_FIRST, MONTH_FIRST = (0, 1, 2), (2, 1, 0), (2, 0, 1)
"""Where year, month and day stand."""


def is_time(text: str) -> bool:
    """Tell whether a text is a time with a date and nothing else."""
    return TIME.fullmatch(text.strip()) is not None


def times_of(texts: Sequence[tuple[int, str]], problems: list[str]) -> list[datetime | None]:
    """Return the times on the clock of the machine that wrote them, without zone; None where a text is no time.

    Each such text is added to `problems` with its line. Where month and day could stand either way round the order is
    taken that puts the times nearer together: a series that passes midnight then tells.
    """
    matches = [TIME.fullmatch(text.strip()) for _, text in texts]
    orders = _orders([match for match in matches if match])
    readings = [
        [_time(match, text, order) for match, (_, text) in zip(matches, texts, strict=True)] for order in orders
    ]
    best = min(readings, key=_disorder)
    for (line, text), at in zip(texts, best, strict=True):
        if at is None:
            problems.append(f"Line {line}: “{text[:40]}” is no time. Write it like 2026-11-21 02:05:00.")
    return best


def _orders(matches: Sequence[re.Match[str]]) -> Sequence[tuple[int, int, int]]:
    if not matches or len(matches[0]["first"]) == 4:
        return [YEAR_FIRST]
    return [DAY_FIRST] if matches[0]["mark"] == "." else [MONTH_FIRST, DAY_FIRST]


def _disorder(times: Sequence[datetime | None]) -> tuple[int, float]:
    known = [at for at in times if at is not None]
    span = (max(known) - min(known)).total_seconds() if known else 0.0
    return len(times) - len(known), span


def _time(match: re.Match[str] | None, text: str, order: tuple[int, int, int]) -> datetime | None:
    if match is None:
        return datetime.fromtimestamp(float(text), UTC).replace(tzinfo=None) if EPOCH.fullmatch(text.strip()) else None
    numbers = [int(match[name]) for name in ("first", "second", "third")]
    year, month, day = (numbers[place] for place in order)
    hour, half = int(match["hour"]), (match["half"] or "").replace(".", "").casefold()
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    year = year + 2000 if year < 100 else year
    clock = f"{hour:02}:{match['minute']}:{match['seconds'] or '00'}"
    try:
        return datetime.fromisoformat(f"{year:04}-{month:02}-{day:02}T{clock}")
    except ValueError:
        return None
