"""What comes again and again: periods in which bursts of a series return, and how sure that is."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.audit.series import Floats

Flags = np.ndarray[tuple[int], np.dtype[np.bool_]]
USUAL_SECONDS = (600, 900, 1800, 3600, 7200, 10800, 14400, 21600, 28800, 43200, 86400, 604800)
"""Periods that people give to jobs, tried whatever the series looks like."""
FEWEST_CYCLES = 3
SURE = 0.95
"""The least confidence at which a period is told."""
PEAK_SHARE, EDGE_SHARE = 0.75, 0.5
"""In what share of its cycles a burst must come, and what share still counts as its beginning and end."""
MOST_PATTERNS = 5
MOST_LAGS = 10
WINDOW_SECONDS = 9 * 3600
"""Bursts of up to half of this stand out from what surrounds them; longer ones are the course of the day."""
ANCHORS = 1000
SIGMAS, FACTOR = 5.0, 0.25
"""By how many standard deviations of the rest, and by what share of the level, a burst must stand out."""


@dataclass(frozen=True)
class Pattern:
    """Bursts that return every `period` intervals, the first at `phase`, `width` long; `is_in` marks their intervals.

    `confidence` is one less the chance that bursts which came at random times would line up so in any of the periods
    and places that were looked at.
    """

    period: int
    phase: int
    width: int
    cycles: int
    hits: int
    confidence: float
    is_in: Flags


def surroundings(values: Floats, *, step_seconds: int) -> Floats:
    """Return the running median: what surrounds each interval, through bursts and gaps."""
    count = len(values)
    known = np.flatnonzero(~np.isnan(values))
    filled = np.interp(np.arange(count), known, values[known])
    half = max(4, min(WINDOW_SECONDS // step_seconds, count // 3) // 2)
    anchors = np.unique(np.linspace(0, count - 1, min(count, ANCHORS)).astype(int))
    medians = [np.median(filled[max(0, at - half) : at + half + 1]) for at in anchors]
    return np.interp(np.arange(count), anchors, np.array(medians))


def bursts(values: Floats, *, step_seconds: int) -> tuple[Flags, Floats]:
    """Return which intervals stand out from what surrounds them, and by how much."""
    level = surroundings(values, step_seconds=step_seconds)
    above = values - level
    middle = float(np.nanmedian(above))
    sigma = 1.4826 * float(np.nanmedian(np.abs(above - middle)))
    stands_out = np.nan_to_num(above, nan=-1.0) > np.maximum(middle + SIGMAS * sigma, FACTOR * level)
    stands_out &= ~np.isnan(values) & (np.nan_to_num(above) > 0)
    return stands_out, np.where(stands_out, np.nan_to_num(above), 0.0)


def patterns_of(values: Floats, *, step_seconds: int) -> list[Pattern]:
    """Return the bursts that return, those with most I/O first; none where nothing surely does.

    A burst in which several jobs run at once counts with the first of them, and shapes them all.
    """
    is_known = ~np.isnan(values)
    is_burst, above = bursts(values, step_seconds=step_seconds)
    left = is_burst
    found: list[Pattern] = []
    while len(found) < MOST_PATTERNS and left.sum() >= FEWEST_CYCLES:
        candidates = [
            each
            for each in _candidates(is_burst, is_known, left, step_seconds=step_seconds)
            if 2 * (each.is_in & left).sum() >= max(2 * FEWEST_CYCLES, each.is_in.sum())
        ]
        if not candidates:
            break
        best = max(candidates, key=lambda each: (float(above[each.is_in & left].sum()), -each.period, each.confidence))
        found.append(replace(best, is_in=best.is_in & left))
        left = left & ~best.is_in
    return found


def _candidates(is_burst: Flags, is_known: Flags, left: Flags, *, step_seconds: int) -> Iterator[Pattern]:
    count = len(is_burst)
    longest = count // FEWEST_CYCLES
    usual = {seconds // step_seconds for seconds in USUAL_SECONDS if seconds % step_seconds == 0}
    usual = {period for period in usual if 4 <= period <= longest}
    for period in sorted(usual):
        yield from _of_period(period, is_burst, is_known, left, tries=len(usual))
    for period in _lags(left, longest):
        if period not in usual:
            yield from _of_period(period, is_burst, is_known, left, tries=len(usual) + longest)


def _lags(is_burst: Flags, longest: int) -> list[int]:
    """Return the shifts under which the bursts agree best with themselves: the peaks of their autocorrelation."""
    if longest < 4:
        return []
    signal = is_burst - is_burst.mean()
    spectrum = np.fft.rfft(signal, 2 * len(signal))
    agreement = np.fft.irfft(np.abs(spectrum) ** 2)[: longest + 2]
    middle = agreement[1:-1]
    is_peak = (middle >= agreement[:-2]) & (middle > agreement[2:]) & (middle > 0.2 * agreement[0])
    peaks = np.flatnonzero(is_peak) + 1
    peaks = peaks[(peaks >= 4) & (peaks <= longest)]
    return [int(each) for each in peaks[np.argsort(-agreement[peaks], kind="stable")][:MOST_LAGS]]


def _of_period(period: int, is_burst: Flags, is_known: Flags, left: Flags, *, tries: int) -> Iterator[Pattern]:
    """Fold the series by a period and give the places where bursts came in nearly every cycle.

    All bursts shape a place; only those that are `left`, which no other pattern explains, speak for it.
    """
    cycles = -(-len(is_burst) // period)
    pad = cycles * period - len(is_burst)
    folded = np.pad(is_burst, (0, pad)).reshape(cycles, period)
    seen = np.pad(is_known, (0, pad)).reshape(cycles, period)
    unexplained = np.pad(left, (0, pad)).reshape(cycles, period)
    observed = seen.sum(axis=0)
    share = np.where(observed >= FEWEST_CYCLES, folded.sum(axis=0) / np.maximum(1, observed), 0.0)
    for phase, width in _windows(share):
        if width > period // 2:
            continue
        places = (phase + np.arange(width)) % period
        was_seen, came = seen[:, places].any(axis=1), unexplained[:, places].any(axis=1)
        cycles_seen, hits = int(was_seen.sum()), int((came & was_seen).sum())
        chance = _tail(cycles_seen, hits, _chance_of_any(left, width))
        confidence = 1 - min(1.0, chance * tries * period / width)
        if hits >= PEAK_SHARE * cycles_seen and confidence >= SURE:
            yield Pattern(period, phase, width, cycles_seen, hits, confidence, _marked(is_burst, period, phase, width))


def _windows(share: Floats) -> Iterator[tuple[int, int]]:
    """Give runs around the cycle of shares above the edge that somewhere reach the peak: where they begin, how long."""
    period = len(share)
    is_edge = share >= EDGE_SHARE
    if is_edge.all() or not is_edge.any():
        return
    begin = int(np.flatnonzero(~is_edge)[0])
    turned, is_run = np.roll(share, -begin), np.roll(is_edge, -begin)
    ends = np.flatnonzero(np.diff(np.concatenate(([0], is_run.astype(int), [0]))))
    for first, last in zip(ends[::2], ends[1::2], strict=True):
        if turned[first:last].max() >= PEAK_SHARE:
            yield int(first + begin) % period, int(last - first)


def _marked(is_burst: Flags, period: int, phase: int, width: int) -> Flags:
    """Mark the bursts in the window of each cycle and one interval to either side of it."""
    place = (np.arange(len(is_burst)) - phase + 1) % period
    return np.asarray(is_burst & (place < width + 2))


def _chance_of_any(is_burst: Flags, width: int) -> float:
    """Return how likely a window anywhere holds a burst."""
    sums = np.concatenate(([0], np.cumsum(is_burst)))
    return float((sums[width:] > sums[:-width]).mean())


def _tail(tries: int, hits: int, chance: float) -> float:
    """Return the chance of at least so many hits, each with the chance."""
    terms: Sequence[float] = [
        math.exp(
            math.lgamma(tries + 1) - math.lgamma(each + 1) - math.lgamma(tries - each + 1)
            + each * math.log(max(chance, 1e-300)) + (tries - each) * math.log(max(1 - chance, 1e-300))
        )
        for each in range(hits, tries + 1)
    ]  # fmt: skip
    return min(1.0, sum(terms))
