"""A time series on an even grid: one value for each interval, NaN where nothing was measured."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise

import numpy as np

from planner.audit.reading.rows import ReadSeries, Sample
from planner.audit.reading.tables import NOTE

FEWEST, MOST = 24, 12_000
"""Intervals that an audit needs, and those that it takes: a week by the minute is 10,080."""
HOUR = 3600.0
CLOCK_CHANGE = timedelta(hours=1)
ALL = "all"
MOST_NAMED = 12
HEADER = "time,device,IOPS,read IOPS,MB/s,latency ms\n"
Floats = np.ndarray[tuple[int], np.dtype[np.float64]]


@dataclass(frozen=True)
class Series:
    """I/O by interval. `mb_s` in 10^6 bytes a second; `reads` are those of the I/Os that read, NaN where not told."""

    program: str
    device: str
    start: datetime
    step_seconds: int
    iops: Floats
    reads: Floats
    mb_s: Floats
    latency_ms: Floats
    notes: tuple[str, ...]

    @cached_property
    def is_measured(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return ~np.isnan(self.iops)

    @property
    def count(self) -> int:
        return len(self.iops)

    @property
    def io_kib(self) -> Floats:
        """The size of an I/O in KiB: bytes a second over I/Os a second; NaN where nothing moved."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.iops > 0, self.mb_s * 1e6 / 1024 / self.iops, np.nan)

    @property
    def fingerprint(self) -> str:
        figures = b"".join(each.tobytes() for each in (self.iops, self.reads, self.mb_s, self.latency_ms))
        return hashlib.sha256(f"{self.start} {self.step_seconds}".encode() + figures).hexdigest()

    @property
    def gap_note(self) -> str:
        return f"{self.count - int(self.is_measured.sum()):,} of {self.count:,} intervals were not measured."

    @property
    def tells_reads(self) -> bool:
        return not bool(np.isnan(self.reads[self.is_measured]).any())

    def at(self, slot: int) -> datetime:
        return self.start + timedelta(seconds=slot * self.step_seconds)

    @cached_property
    def hours(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The hour of the day of each interval, on the clock of the machine that measured."""
        begin = self.start.hour * 3600 + self.start.minute * 60 + self.start.second
        return (begin + np.arange(self.count, dtype=np.int64) * self.step_seconds) // 3600 % 24


class DeviceUnclear(ValueError):
    """A device was named that a file does not hold, or none of several."""


def device_chosen(found: ReadSeries, device: str) -> str:
    """Return the device that is meant; raises DeviceUnclear naming those that there are where it is not plain."""
    names = found.devices
    named = ", ".join(name or "without a name" for name in names[:MOST_NAMED])
    named += f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    if device in names or device == ALL:
        return device
    if device:
        raise DeviceUnclear(f"The file has no device “{device[:40]}”. It has: {named}.")
    if len(names) > 1:
        raise DeviceUnclear(
            f"The file has {len(names):,} devices: {named}. Write the name of one, or “{ALL}” for their sum: what "
            "stands on one another, as md0 on sda, must not be counted twice."
        )
    return names[0] if names else ""


def series_of(found: ReadSeries, device: str) -> Series:
    """Put the samples of a device, or the sum of all, on an even grid; raises ValueError with all that is wrong."""
    name = device_chosen(found, device)
    samples = [sample for sample in found.samples if name in (sample.device, ALL)]
    rows = _summed(samples) if name == ALL and len(found.devices) > 1 else samples
    if len(rows) < FEWEST:
        raise ValueError(f"The file has {len(rows)} intervals. An audit needs at least {FEWEST}.")
    step, notes = _step(rows)
    slots = [round((sample.at - rows[0].at).total_seconds() / step) for sample in rows]
    if max(slots) >= MOST:
        raise ValueError(
            f"From {rows[0].at:%Y-%m-%d %H:%M} to {rows[-1].at:%Y-%m-%d %H:%M} are {max(slots) + 1:,} intervals of "
            f"{step} s. Send at most {MOST:,}: a shorter time, or means of longer intervals."
        )
    iops, reads, mb_s, latency = (
        _on_grid(slots, values)
        for values in zip(*((row.iops, row.read_iops, row.mb_s, row.latency_ms) for row in rows), strict=True)
    )
    whole = ~(np.isnan(iops) | np.isnan(mb_s))
    series = Series(
        program=found.program,
        device=name,
        start=rows[0].at,
        step_seconds=step,
        iops=np.where(whole, iops, np.nan),
        reads=np.where(whole, reads, np.nan),
        mb_s=np.where(whole, mb_s, np.nan),
        latency_ms=latency,
        notes=(*found.notes, *notes),
    )
    return _without_emptiness(series)


def _without_emptiness(series: Series) -> Series:
    """Refuse what is mostly gaps or does nothing; note what is missing."""
    measured = int(series.is_measured.sum())
    gaps = series.count - measured
    if measured < FEWEST or gaps > series.count / 2:
        raise ValueError(f"{gaps:,} of {series.count:,} intervals hold no figures. Send a series with fewer gaps.")
    if not np.nansum(series.iops) > 0 or not np.nansum(series.mb_s) > 0:
        raise ValueError("The series holds no I/O: all figures are zero. Choose another device.")
    return replace(series, notes=(*series.notes, series.gap_note)) if gaps else series


def _summed(samples: Iterable[Sample]) -> list[Sample]:
    """Add the devices of each moment up; the latency is the mean by how many I/Os each answered."""
    moments: dict[tuple[int, datetime], list[Sample]] = {}
    turns: dict[tuple[str, datetime], int] = {}
    for sample in samples:
        turn = turns.get((sample.device, sample.at), 0)
        turns[sample.device, sample.at] = turn + 1
        moments.setdefault((turn, sample.at), []).append(sample)
    return [_sum(each) for each in moments.values()]


def _sum(each: Sequence[Sample]) -> Sample:
    iops = sum(sample.iops for sample in each)
    timed = [sample for sample in each if sample.iops > 0]
    waited = sum(sample.latency_ms * sample.iops for sample in timed)
    return replace(
        each[0],
        device=ALL,
        iops=iops,
        read_iops=sum(sample.read_iops for sample in each),
        mb_s=sum(sample.mb_s for sample in each),
        latency_ms=waited / iops if iops > 0 else float("nan"),
    )


def _step(rows: Sequence[Sample]) -> tuple[int, list[str]]:
    """Return the usual seconds between two intervals; refuse time that goes back, but for a change of the clocks."""
    between = np.array([(after.at - before.at).total_seconds() for before, after in pairwise(rows)])
    forward = between[between > 0]
    step = max(1, round(float(np.median(forward)))) if len(forward) else 0
    problems, notes = [], []
    for place in np.flatnonzero(between <= 0).tolist():
        row, back = rows[place + 1], between[place]
        if step and 0 < back + CLOCK_CHANGE.total_seconds() <= 2 * step:
            notes.append(f"Line {row.line}: the clocks went back an hour; the hour that comes twice is its mean.")
        else:
            words = "this time stands there twice" if back == 0 else "time goes back"
            problems.append(f"Line {row.line}: {words} ({row.at:%Y-%m-%d %H:%M:%S}). Send the rows in order, one each.")
    if len(notes) > 2:
        problems.append("The clocks went back more than twice: send the rows in order.")
    if problems:
        raise ValueError(*problems[:20])
    return step, notes


def _on_grid(slots: Sequence[int], values: Sequence[float]) -> Floats:
    """Return the mean of what falls into each interval; NaN where nothing does."""
    numbers = np.array(values, dtype=np.float64)
    known = ~np.isnan(numbers)
    places = np.array(slots)[known]
    size = max(slots) + 1
    sums = np.bincount(places, weights=numbers[known], minlength=size)
    counts = np.bincount(places, minlength=size)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(counts > 0, sums / counts, np.nan)


def series_text(series: Series, *, digest: str) -> str:
    """Return a series as the table in which it is kept: short, and read back as the same device by `read_series`."""
    name = series.device.replace(",", " ").replace('"', "").strip() or "-"
    lines = []
    for slot in range(series.count):
        figures = (series.iops[slot], series.reads[slot], series.mb_s[slot], series.latency_ms[slot])
        lines.append(f"{series.at(slot):%Y-%m-%d %H:%M:%S},{name}," + ",".join(_short(each) for each in figures))
    told = [
        f"From {series.program}, SHA-256 {digest}",
        *(f"{NOTE}{note}" for note in series.notes if note != series.gap_note),
    ]
    return "".join(f'"{each}"\n' for each in told) + HEADER + "\n".join(lines)


def _short(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.6g}"
