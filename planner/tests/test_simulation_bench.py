"""`manage.py bench simulation`: its rows, on networks too small to tell speeds."""

import math

import pytest

from planner.benchmarks import BenchRow
from planner.management.simulation_bench import EVENTS, Sizes, bench_simulation

SMALL = Sizes(
    jobs=400_000,
    requests=20_000,
    closed_seconds=100.0,
    store_seconds=0.5,
    replications=3,
    store_duration_seconds=20.0,
    cold=False,
)


@pytest.fixture(scope="module")
def rows() -> list[BenchRow]:
    return bench_simulation(SMALL)


def named(rows: list[BenchRow], words: str) -> list[BenchRow]:
    return [row for row in rows if words in row.name]


def test_every_kernel_is_measured_beside_simpy_and_heapq(rows):
    speeds = [row for row in rows if row.unit == EVENTS]

    assert [len(named(speeds, words)) for words in ("SimPy", "heapq")] == [3, 3]
    assert all(row.ratio == row.value / row.reference for row in speeds)
    assert all(row.value > 0 and row.reference > 0 for row in speeds)


def test_agreement_with_exact_answers_is_told_in_per_cent_and_in_intervals(rows):
    per_cent, widths = named(rows, "off exact MVA (reference: allowed)"), named(rows, "95 % interval")

    assert [row.reference for row in per_cent] == [0.1, 0.1, 0.1]
    assert [row.reference for row in widths] == [1.0, 1.0, 1.0]
    assert all(row.value < 2 for row in per_cent)
    assert all(row.ratio == pytest.approx(row.reference / row.value) for row in (*per_cent, *widths))


def test_the_approximation_of_several_classes_is_held_against_the_exact_answer(rows):
    (row,) = named(rows, "three classes")

    assert 0 < row.value < row.reference


def test_a_long_run_of_a_store_tells_its_operations_beside_what_simpy_would_take(rows):
    (row,) = named(rows, "of a key-value store")

    assert "operations" in row.name
    assert row.unit == "CPU s"
    assert math.isfinite(row.ratio)
    assert row.ratio == row.reference / row.value


def test_times_from_cold_are_left_out_where_not_asked_for(rows):
    assert named(rows, "standard scenario") == []
