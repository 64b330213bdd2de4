"""Taking a series apart: jobs that were planted are found, noise holds none, and the parts add up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.audit.parts import ALWAYS, Part
from planner.audit.words import duration_words, part_name
from planner.tests.audit.factories import make_parts, make_series

DAY = 288
"""Intervals of five minutes in a day."""
seeds = st.integers(0, 2**32 - 1)


def unrest(seed: int, count: int, *, level: float = 200.0, sigma: float = 10.0) -> np.ndarray:
    return level + np.random.default_rng(seed).normal(0, sigma, count)


def part(parts: tuple[Part, ...], key: str) -> Part:
    return next(each for each in parts if each.key == key)


@given(
    seeds,
    st.sampled_from([12, 50, 72, 90, 144, DAY]),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(200, 3000),
    st.integers(6, 9),
)
@settings(max_examples=60, deadline=None)
def test_a_planted_job_is_found_with_its_period_time_and_length(
    seed: int, period: int, where: float, length: float, height: float, days: int
) -> None:
    phase, width = int(where * (period - 1)), 1 + int(length * (period // 12 - 1))
    values = unrest(seed, DAY * days)
    values[(np.arange(len(values)) - phase) % period < width] += height

    jobs = make_parts(values).jobs

    assert [(job.pattern.period, job.pattern.phase, job.pattern.width) for job in jobs if job.pattern] == [
        (period, phase, width)
    ]
    assert jobs[0].pattern is not None
    assert jobs[0].pattern.confidence > 0.95
    assert np.mean(jobs[0].iops[jobs[0].pattern.is_in]) == pytest.approx(height, rel=0.2)


@given(seeds, st.floats(50, 5000), st.floats(0, 0.6))
@settings(max_examples=30, deadline=None)
def test_what_runs_always_is_found_under_the_course_of_the_day_and_a_backup(
    seed: int, level: float, swing: float
) -> None:
    slots = np.arange(DAY * 7)
    base = level * (1 + swing * np.sin(2 * np.pi * slots / DAY))
    values = base * np.random.default_rng(seed).normal(1, 0.05, len(slots))
    is_backup = (slots % DAY >= 24) & (slots % DAY < 42)
    values[is_backup] += 5 * level

    parts = make_parts(values)

    always = part(parts.all, ALWAYS).iops
    assert np.max(np.abs(always / base - 1)) < 0.3
    assert np.mean(always) == pytest.approx(np.mean(base), rel=0.12)
    assert [part_name(job, parts.series) for job in parts.jobs] == ["The job every day at 02:00"]


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_a_random_walk_has_no_jobs(seed: int) -> None:
    steps = np.random.default_rng(seed).normal(0, 20, DAY * 7)

    assert make_parts(np.abs(500 + np.cumsum(steps)) + 1).jobs == ()


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_bursts_at_random_times_are_no_jobs(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = unrest(seed, DAY * 7)
    for start in random.integers(0, len(values), 12):
        values[start : start + int(random.integers(1, 12))] += 1500

    assert make_parts(values).jobs == ()


@given(seeds, st.integers(0, 400))
@settings(max_examples=30, deadline=None)
def test_the_parts_add_up_to_what_was_measured(seed: int, missing: int) -> None:
    random = np.random.default_rng(seed)
    values = 300 * np.exp(random.normal(0, 0.8, DAY * 4))
    values[np.arange(len(values)) % DAY < 10] += 2000
    moved = values * random.uniform(4, 200, len(values)) * 1024 / 1e6
    values[random.integers(0, len(values), missing)] = np.nan
    moved = np.where(np.isnan(values), np.nan, moved)
    series = make_series(values, mb_s=moved)

    parts = make_parts(values, mb_s=moved)

    assert sum(each.iops for each in parts.all) == pytest.approx(series.iops, nan_ok=True)
    assert sum(each.reads for each in parts.all) == pytest.approx(series.reads, nan_ok=True)
    assert sum(each.mb_s for each in parts.all) == pytest.approx(series.mb_s, nan_ok=True)
    assert all(np.nanmin(each.iops) >= 0 for each in parts.all)


def test_two_jobs_at_once_are_both_found_and_the_larger_ios_are_told() -> None:
    slots = np.arange(DAY * 7)
    values = unrest(3, len(slots))
    moved = values * 8 * 1024 / 1e6
    is_backup = (slots % DAY >= 24) & (slots % DAY < 36)
    values[is_backup] += 900
    moved[is_backup] += 900 * 128 * 1024 / 1e6
    values[slots % 12 == 0] += 400
    moved[slots % 12 == 0] += 400 * 8 * 1024 / 1e6

    parts = make_parts(values, mb_s=moved)

    names = {part_name(job, parts.series): job for job in parts.jobs}
    assert set(names) == {"The job every hour on the hour", "The job every day at 02:00"}
    assert names["The job every day at 02:00"].io_kib == pytest.approx(128, rel=0.05)


def test_a_backup_of_few_large_ios_is_found_though_it_adds_few_ios() -> None:
    slots = np.arange(DAY * 7)
    values = unrest(5, len(slots), level=800)
    moved = values * 8 * 1024 / 1e6
    is_backup = slots % DAY < 18
    values[is_backup] += 60
    moved[is_backup] += 60 * 8192 * 1024 / 1e6

    assert [part_name(job, make_series(values)) for job in make_parts(values, mb_s=moved).jobs] == [
        "The job every day at 00:00"
    ]


def test_a_job_seen_on_two_days_alone_is_not_told() -> None:
    values = unrest(1, DAY * 2)
    values[np.arange(len(values)) % DAY < 12] += 2000

    assert make_parts(values).jobs == ()


@pytest.mark.parametrize(
    ("seconds", "words"), [(300, "5 min"), (5400, "1 h 30 min"), (86_400, "1 day"), (180_000, "2 days 2 h"), (0, "0 s")]
)
def test_times_are_said_as_people_say_them(seconds: int, words: str) -> None:
    assert duration_words(seconds) == words
