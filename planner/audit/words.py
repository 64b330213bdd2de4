"""An audit in words: kinds of drives and levels, when a job returns and how long it runs."""

from planner.advice.arrays import LEVEL_WORDS
from planner.audit.parts import ALWAYS, REST, Part
from planner.audit.series import Series

CLASSES = (
    ("sata_7k", "SATA, 7,200 rpm"),
    ("sas_10k", "SAS, 10,000 rpm"),
    ("sas_15k", "SAS, 15,000 rpm"),
    ("ssd", "SSD"),
    ("nvme", "NVMe"),
)
RAIDS = tuple(LEVEL_WORDS.items())
MINUTE, HOUR, DAY, WEEK = 60, 3600, 86_400, 604_800


def duration_words(seconds: int) -> str:
    """Return a time as people say it: "1 h 30 min"."""
    pieces = []
    for size, unit in ((DAY, "days"), (HOUR, "h"), (MINUTE, "min"), (1, "s")):
        count, seconds = divmod(seconds, size)
        if count:
            pieces.append(f"{count} {'day' if unit == 'days' and count == 1 else unit}")
    return " ".join(pieces) or "0 s"


def part_name(part: Part, series: Series) -> str:
    """Return what a part is called: "The job every day at 02:00"."""
    names = {ALWAYS: "What runs always", REST: "The rest, in no pattern"}
    return names.get(part.key) or f"The job {when_words(part, series)}"


def when_words(part: Part, series: Series) -> str:
    """Return when a job comes, on the clock of the machine that measured."""
    assert part.pattern is not None
    period = part.pattern.period * series.step_seconds
    first = series.at(part.pattern.phase)
    if period == DAY:
        return f"every day at {first:%H:%M}"
    if period == WEEK:
        return f"every {first:%A} at {first:%H:%M}"
    if period == HOUR:
        return f"every hour at {first:%M} past" if first.minute else "every hour on the hour"
    return f"every {duration_words(period)}, as at {first:%H:%M}"
