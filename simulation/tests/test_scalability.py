"""Laws of growth, fitted to made figures whose true law is known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.kernels.scalability import LAWS, fit_scalability

COUNTS = [1, 2, 4, 8, 16, 32] * 3


def made(rate: float, contention: float, coherence: float, *, noise: float = 0.0, seed: int = 1) -> list[float]:
    c = np.array(COUNTS, dtype=np.float64)
    exact = rate * c / (1 + contention * (c - 1) + coherence * c * (c - 1))
    return list(exact * (1 + noise * np.random.default_rng(seed).standard_normal(len(c))))


@pytest.mark.parametrize(
    ("law", "contention", "coherence"),
    [("line", 0.0, 0.0), ("saturation", 0.05, 0.0), ("universal scalability", 0.03, 0.002)],
)
def test_the_law_that_made_the_figures_is_chosen(law: str, contention: float, coherence: float) -> None:
    fit = fit_scalability(COUNTS, made(33.3, contention, coherence, noise=0.005), at=[1, 64], seed=7)

    assert fit.law == law
    assert fit.rate == pytest.approx(33.3, rel=0.02)
    assert fit.contention == pytest.approx(contention, abs=0.01)
    assert fit.coherence == pytest.approx(coherence, abs=0.001)
    assert set(fit.aicc) == set(LAWS)


@given(
    rate=st.floats(1, 500),
    contention=st.floats(0.02, 0.3),
    coherence=st.floats(0.001, 0.02),
    terms=st.integers(1, 3),
)
@settings(max_examples=60, deadline=None)
def test_without_noise_the_parameters_are_recovered(
    rate: float, contention: float, coherence: float, terms: int
) -> None:
    contention, coherence = contention if terms > 1 else 0.0, coherence if terms > 2 else 0.0

    fit = fit_scalability(COUNTS, made(rate, contention, coherence), at=[1], seed=7, draws=5)

    assert fit.law == LAWS[terms - 1]
    assert (fit.rate, fit.contention, fit.coherence) == pytest.approx((rate, contention, coherence), rel=1e-6, abs=1e-9)


def test_the_band_holds_the_true_figure_and_widens_where_nothing_was_measured() -> None:
    fit = fit_scalability(COUNTS, made(33.3, 0.05, 0.0, noise=0.02), at=[16, 256], seed=7)

    for count, low, high in zip((16, 256), fit.low, fit.high, strict=True):
        assert low < 33.3 * count / (1 + 0.05 * (count - 1)) < high
    near, far = (high / low for low, high in zip(fit.low, fit.high, strict=True))
    assert far > near > 1


def test_universal_scalability_has_a_peak_and_a_line_none() -> None:
    peaked = fit_scalability(COUNTS, made(33.3, 0.04, 0.0096), at=[1], seed=7)
    line = fit_scalability(COUNTS, made(33.3, 0.0, 0.0), at=[1], seed=7)

    assert peaked.peak_count == pytest.approx(10.0)
    assert line.peak_count is None


def test_the_same_seed_gives_the_same_band() -> None:
    figures = made(33.3, 0.05, 0.0, noise=0.02)

    assert fit_scalability(COUNTS, figures, at=[64], seed=7) == fit_scalability(COUNTS, figures, at=[64], seed=7)
    assert fit_scalability(COUNTS, figures, at=[64], seed=7) != fit_scalability(COUNTS, figures, at=[64], seed=8)


def test_few_figures_allow_only_simple_laws() -> None:
    fit = fit_scalability([1, 2, 4, 8], made(10.0, 0.2, 0.01)[:4], at=[1], seed=7)

    assert set(fit.aicc) == {"line"}


@pytest.mark.parametrize(("counts", "mb_s"), [([1, 2], [1, 2]), ([1, 2, 3], [1, 2]), ([1, 2, 4], [1, 0, 2])])
def test_figures_that_say_nothing_are_refused(counts: list[float], mb_s: list[float]) -> None:
    with pytest.raises(ValueError, match="at least three pairs"):
        fit_scalability(counts, mb_s, at=[1], seed=7)
