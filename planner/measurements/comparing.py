"""Two measured series side by side: what each configuration gained, and whether that is more than noise."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.measurements.reading.readings import METRICS
from planner.models import Measurement

FEWEST_PAIRS = 3
"""Fewer pairs than this say nothing about how far gains scatter."""
CONFIDENCE = 0.95
WIDEST = 64.0
HALVINGS = 60
STEPS = 4001


@dataclass(frozen=True)
class Pair:
    """One configuration in both series; `gain` is how much better the second is, as a share: 0.1 is 10 % better."""

    name: str
    first: float
    second: float
    gain: float


@dataclass(frozen=True)
class Comparison:
    """What the second series gains over the first. Means are geometric: of ratios, not of percentages.

    `low` and `high` hold the mean gain in 19 of 20 cases; None with fewer than FEWEST_PAIRS pairs, where nothing can be
    said.
    """

    metric: str
    pairs: tuple[Pair, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    mean: float
    low: float | None
    high: float | None

    @property
    def lowest(self) -> Pair:
        return min(self.pairs, key=lambda pair: (pair.gain, pair.name))

    @property
    def highest(self) -> Pair:
        return max(self.pairs, key=lambda pair: (pair.gain, pair.name))

    @property
    def is_more_than_noise(self) -> bool | None:
        """Whether the interval of the mean leaves out zero; None where that cannot be told."""
        if self.low is None or self.high is None:
            return None
        return self.low > 0 or self.high < 0


def metrics_in_both(first: Sequence[Measurement], second: Sequence[Measurement]) -> list[str]:
    """Return the metrics in which both series have a configuration in common."""
    return [key for key in METRICS if _values(first, key).keys() & _values(second, key).keys()]


def comparison_of(first: Sequence[Measurement], second: Sequence[Measurement], *, metric: str) -> Comparison:
    """Compare two series in one metric that both have. Raises ValueError where they have no configuration in common."""
    ours, theirs = _values(first, metric), _values(second, metric)
    names = [name for name in ours if name in theirs]
    if not names:
        raise ValueError("the two series have no configuration in common")
    sign = 1 if METRICS[metric].more_is_better else -1
    logarithms = np.array([sign * math.log(theirs[name] / ours[name]) for name in names])
    low, high = _interval(logarithms)
    return Comparison(
        metric=metric,
        pairs=tuple(
            Pair(name, ours[name], theirs[name], math.expm1(each))
            for name, each in zip(names, logarithms.tolist(), strict=True)
        ),
        only_first=tuple(name for name in ours if name not in theirs),
        only_second=tuple(name for name in theirs if name not in ours),
        mean=math.expm1(float(logarithms.mean())),
        low=low,
        high=high,
    )


def t_quantile(degrees: int) -> float:
    """Return how many standard errors about a mean hold it in 19 of 20 cases: Student's t, integrated numerically."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    low, high = 0.0, WIDEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        x = np.linspace(0.0, middle, STEPS)
        inside = 2 * scale * float(np.trapezoid((1 + x**2 / degrees) ** (-(degrees + 1) / 2), x))
        low, high = (middle, high) if inside < CONFIDENCE else (low, middle)
    return (low + high) / 2


def _interval(logarithms: np.ndarray) -> tuple[float | None, float | None]:
    count = len(logarithms)
    if count < FEWEST_PAIRS:
        return None, None
    mean = float(logarithms.mean())
    half = t_quantile(count - 1) * float(logarithms.std(ddof=1)) / math.sqrt(count)
    return math.expm1(mean - half), math.expm1(mean + half)


def _values(series: Sequence[Measurement], metric: str) -> dict[str, float]:
    """Return what was measured by configuration; what was measured several times counts by its geometric mean."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in series:
        if row.metric == metric:
            found[_name(row)].append(math.log(row.value))
    return {name: math.exp(math.fsum(values) / len(values)) for name, values in found.items()}


def _name(row: Measurement) -> str:
    """Return what makes two rows the same: what was measured, and what was done to it."""
    if row.label == row.configuration:
        return row.configuration
    return f"{row.configuration}, {row.label}" if row.facts else row.label
