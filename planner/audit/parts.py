"""What a series is made of: what runs always, each job that returns, and the rest; they add up to what was measured."""

from dataclasses import dataclass

import numpy as np

from planner.audit.periods import Flags, Pattern, patterns_of
from planner.audit.series import Floats, Series

ALWAYS_QUANTILE = 0.2
"""What runs always at an hour of the day: what its intervals without jobs reach in four of five cases."""
KIB = 1024
ALWAYS, REST = "always", "rest"


@dataclass(frozen=True)
class Part:
    """One part of the load by interval, NaN where nothing was measured. `pattern` is that of a job that returns."""

    key: str
    iops: Floats
    reads: Floats
    mb_s: Floats
    pattern: Pattern | None = None

    @property
    def is_job(self) -> bool:
        return self.pattern is not None

    @property
    def mean_iops(self) -> float:
        return float(np.nanmean(self.iops))

    @property
    def io_kib(self) -> float:
        """The mean size of its I/Os in KiB; zero where it has none."""
        ios = float(np.nansum(self.iops))
        return float(np.nansum(self.mb_s)) * 1e6 / KIB / ios if ios > 0 else 0.0

    @property
    def read_share(self) -> float:
        ios = float(np.nansum(self.iops))
        return min(1.0, float(np.nansum(self.reads)) / ios) if ios > 0 else 0.0


@dataclass(frozen=True)
class Parts:
    """A series with its parts: what runs always first, then jobs, then the rest."""

    series: Series
    all: tuple[Part, ...]

    @property
    def jobs(self) -> tuple[Part, ...]:
        return tuple(part for part in self.all if part.is_job)


def parts_of(series: Series, *, strip_kib: float, read_share: float) -> Parts:
    """Take a series apart. `read_share` is assumed where the file does not tell reads from writes.

    Bursts are looked for in I/Os of up to one strip: a larger one keeps several drives busy, as several I/Os do.
    """
    reads = series.reads if series.tells_reads else series.iops * read_share
    load = np.maximum(series.iops, series.mb_s * 1e6 / KIB / strip_kib)
    patterns = patterns_of(load, step_seconds=series.step_seconds)
    is_job = np.zeros(series.count, dtype=np.bool_)
    for pattern in patterns:
        is_job |= pattern.is_in
    measured = (series.iops, reads, series.mb_s)
    base = [np.minimum(each, _always(each, series, is_job)) for each in measured]
    above = [each - low for each, low in zip(measured, base, strict=True)]

    def part(key: str, where: Flags, pattern: Pattern | None = None) -> Part:
        iops, reading, moved = (_only(each, where) for each in above)
        return Part(key, iops, reading, moved, pattern)

    found = [Part(ALWAYS, base[0], base[1], base[2])]
    found += [part(f"job{number}", pattern.is_in, pattern) for number, pattern in enumerate(patterns, start=1)]
    found.append(part(REST, ~is_job))
    return Parts(series, tuple(found))


def _only(values: Floats, where: Flags) -> Floats:
    """Return the values where they are marked, zero elsewhere, and NaN where nothing was measured."""
    return np.where(np.isnan(values), np.nan, np.where(where, values, 0.0))


def _always(values: Floats, series: Series, is_job: Flags) -> Floats:
    """Return what runs always by the hour of the day; an hour full of jobs lies between those beside it."""
    usable = ~np.isnan(values) & ~is_job
    hours = np.unique(series.hours[usable])
    levels = [np.quantile(values[usable & (series.hours == hour)], ALWAYS_QUANTILE) for hour in hours]
    around = np.concatenate((hours - 24, hours, hours + 24))
    return np.asarray(np.interp(series.hours, around, np.tile(levels, 3)))
