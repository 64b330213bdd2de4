"""Which law a cluster's throughput follows as it grows: a straight line, saturation, or Universal Scalability.

All three are one formula, X(c) = rate × c / (1 + contention × (c − 1) + coherence × c × (c − 1)); the line has neither
of the last two terms, saturation (Amdahl) only the first. Gunther, "Guerrilla Capacity Planning", Springer 2007. Turned
round, c / X(c) is a sum of terms that are never negative, so each fit is exact and has no starting point. The law is
chosen by Akaike's criterion corrected for few figures (AICc): Hurvich and Tsai, Biometrika 76 (1989).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

FloatArray = NDArray[np.float64]

LAWS = ("line", "saturation", "universal scalability")
"""Each law has one parameter more than the one before."""
DRAWS = 400
BAND_PERCENT = (2.5, 97.5)
LEAST_ERROR = 1e-9
"""Relative errors are never taken to be smaller: data without noise fit every law that holds the true one."""


@dataclass(frozen=True)
class ScalabilityFit:
    """The chosen law: `rate` is MB/s of one group, `contention` and `coherence` what each further one costs.

    `aicc` has the criterion of every law that there are enough figures for; `middle`, `low` and `high` are MB/s at the
    counts asked for, the last two the band that holds the mean in 19 of 20 bootstrap draws.
    """

    law: str
    rate: float
    contention: float
    coherence: float
    aicc: dict[str, float]
    middle: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    @property
    def peak_count(self) -> float | None:
        """From this count on more groups pass less; None where none is too many."""
        return math.sqrt((1 - self.contention) / self.coherence) if self.coherence > 0 and self.contention < 1 else None


def fit_scalability(
    counts: Sequence[float], mb_s: Sequence[float], *, at: Sequence[float], seed: int, draws: int = DRAWS
) -> ScalabilityFit:
    """Fit all laws to measured pairs of count and MB/s and choose one; the band is seen at the counts `at`.

    Raises ValueError for fewer than three figures, or figures that are not above zero.
    """
    c, x = np.asarray(counts, dtype=np.float64), np.asarray(mb_s, dtype=np.float64)
    if len(c) != len(x) or len(c) < 3 or c.min() < 1 or x.min() <= 0:
        raise ValueError("counts and mb_s: at least three pairs above zero are needed")
    fits = {law: _fitted(c, x, terms) for terms, law in enumerate(LAWS, start=1)}
    aicc = {
        law: _aicc(c, x, terms=terms, fitted=fits[law])
        for terms, law in enumerate(LAWS, start=1)
        if len(c) > terms + 2 and len(np.unique(c)) >= terms
    } or {"line": 0.0}
    law = min(aicc, key=lambda name: (aicc[name], LAWS.index(name)))
    seen = np.asarray(at, dtype=np.float64)
    band = _band(c, x, terms=LAWS.index(law) + 1, fitted=fits[law], at=seen, seed=seed, draws=draws)
    first, second, third = fits[law]
    return ScalabilityFit(
        law=law,
        rate=1 / first,
        contention=second / first,
        coherence=third / first,
        aicc=aicc,
        middle=tuple(_passed(seen, fits[law]).tolist()),
        low=tuple(np.minimum(band[0], _passed(seen, fits[law])).tolist()),
        high=tuple(np.maximum(band[1], _passed(seen, fits[law])).tolist()),
    )


def _terms(c: FloatArray) -> FloatArray:
    """The terms of c / X(c), one column each."""
    return np.stack([np.ones_like(c), c - 1, c * (c - 1)], axis=1)


def _fitted(c: FloatArray, x: FloatArray, terms: int) -> FloatArray:
    """The coefficients of the terms that fit best by relative error; those beyond `terms` are zero."""
    turned = c / x
    found, _ = nnls(_terms(c)[:, :terms] / turned[:, None], np.ones_like(c))
    return np.append(found, np.zeros(len(LAWS) - terms))


def _passed(c: FloatArray, fitted: FloatArray) -> FloatArray:
    return np.asarray(c / (_terms(c) @ fitted), dtype=np.float64)


def _aicc(c: FloatArray, x: FloatArray, *, terms: int, fitted: FloatArray) -> float:
    count, free = len(c), terms + 1  # the size of the noise is fitted too
    error = float(np.mean((x / _passed(c, fitted) - 1) ** 2))
    return count * math.log(max(error, LEAST_ERROR**2)) + 2 * free + 2 * free * (free + 1) / (count - free - 1)


def _band(
    c: FloatArray, x: FloatArray, *, terms: int, fitted: FloatArray, at: FloatArray, seed: int, draws: int
) -> FloatArray:
    """Fit the law again to figures that noise of the same size might have given."""
    rng = np.random.default_rng(seed)
    middle = _passed(c, fitted)
    errors = (x / middle - 1) * math.sqrt(len(c) / max(1, len(c) - terms))
    drawn = [
        _passed(at, _fitted(c, middle * (1 + np.maximum(rng.choice(errors, len(c)), -0.9)), terms))
        for _ in range(draws)
    ]
    return np.percentile(np.array(drawn), BAND_PERCENT, axis=0)
