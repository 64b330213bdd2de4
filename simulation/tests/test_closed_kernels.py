"""The kernels of closed networks against exact answers, an independent simulator, and their own plain Python."""

import numpy as np
import pytest

from simulation.closed_network import ClosedNetwork
from simulation.independent.by_heapq import closed_by_heapq
from simulation.independent.by_simpy import closed_by_simpy
from simulation.kernels.closed import run_closed, run_closed_latencies
from simulation.kernels.replications import Interval, interval_of, replicate, simulate_closed

EXPONENTIAL = 1
NETWORK = ClosedNetwork(
    service_seconds=(0.1, 0.5, 0.12),
    members=(1, 4, 1),
    kinds=(EXPONENTIAL, EXPONENTIAL, EXPONENTIAL),
    think_seconds=1.0,
    customers=32,
)


def throughput_of(network: ClosedNetwork, *, jobs: int, seed: int, with_latencies: bool = False) -> Interval:
    def once(child: np.random.SeedSequence) -> float:
        run = simulate_closed(network, seed=child, jobs=jobs, warm_up_jobs=10_000, with_latencies=with_latencies)
        return run.throughput

    return replicate(once, seed=seed, count=8)


@pytest.mark.parametrize("with_latencies", [False, True])
@pytest.mark.parametrize(
    "network",
    [
        NETWORK,
        ClosedNetwork((2.0,), (1,), (EXPONENTIAL,), think_seconds=8.0, customers=4),
        ClosedNetwork((0.3, 0.2), (2, 3), (EXPONENTIAL, EXPONENTIAL), think_seconds=0.0, customers=12),
    ],
    ids=["central server", "machine repairman", "no thinking"],
)
def test_throughput_agrees_with_exact_mean_value_analysis(network, with_latencies):
    found = throughput_of(network, jobs=1_000_000, seed=11, with_latencies=with_latencies)

    exact = network.exact_throughput()
    assert found.mean == pytest.approx(exact, rel=0.001)
    assert found.holds(exact)


def test_an_interval_tells_a_wrong_answer_from_the_right_one():
    found = throughput_of(NETWORK, jobs=1_000_000, seed=11)

    assert not found.holds(NETWORK.exact_throughput() * 1.005)


def test_latencies_follow_from_littles_law():
    run = simulate_closed(NETWORK, seed=3, jobs=500_000, warm_up_jobs=5_000, with_latencies=True)

    assert run.latency_seconds.mean() == pytest.approx(32 / run.throughput - 1.0, rel=0.005)
    assert run.throughput == pytest.approx(NETWORK.exact_throughput(), rel=0.005)


def test_a_constant_service_time_shows_in_the_throughput():
    alone = ClosedNetwork((0.25,), (1,), (0,), think_seconds=0.0, customers=3)

    assert simulate_closed(alone, seed=1, jobs=1000, warm_up_jobs=10).throughput == pytest.approx(4.0)


@pytest.mark.parametrize("simulator", [closed_by_simpy, closed_by_heapq])
def test_independent_simulators_agree(simulator):
    independent = simulator(NETWORK, seed=7, warm_up_seconds=100, seconds=2000)

    found = simulate_closed(NETWORK, seed=5, jobs=500_000, warm_up_jobs=5_000, with_latencies=True)

    assert found.throughput == pytest.approx(independent.throughput, rel=0.02)
    assert found.latency_seconds.mean() == pytest.approx(independent.mean_latency_seconds, rel=0.03)
    assert np.percentile(found.latency_seconds, 99) == pytest.approx(
        np.percentile(independent.latency_seconds, 99), rel=0.05
    )


@pytest.mark.parametrize("think_seconds", [0.0, 1.0])
def test_the_plain_python_twins_give_the_same_bits(think_seconds):
    stations = (
        np.array([0, 1, 3]),
        np.array([0, 1, 1]),
        np.array([1, 2, 2]),
        np.array([0.1, 0.3, 0.3]),
        np.array([0.0, 0.5, 0.5]),
    )

    compiled = run_closed(np.random.default_rng(1), *stations, think_seconds, 5, 10, 500)
    plain = run_closed.py_func(np.random.default_rng(1), *stations, think_seconds, 5, 10, 500)
    records = [(np.empty(500), np.empty(500)) for _ in range(2)]
    run_closed_latencies(np.random.default_rng(1), *stations, think_seconds, 5, 10, *records[0])
    run_closed_latencies.py_func(np.random.default_rng(1), *stations, think_seconds, 5, 10, *records[1])

    assert compiled == plain
    for kept, again in zip(*records, strict=True):
        assert kept.tobytes() == again.tobytes()


def test_the_same_seed_gives_the_same_run_and_another_seed_another():
    first, again, other = (
        simulate_closed(NETWORK, seed=seed, jobs=1000, warm_up_jobs=10).throughput for seed in (1, 1, 2)
    )

    assert first == again != other


def test_the_interval_is_that_of_the_t_distribution():
    interval = interval_of([1.0, 2.0, 3.0])

    assert interval.mean == 2.0
    assert interval.half_width == pytest.approx(4.302653 / 3**0.5, rel=1e-6)


def test_an_impossible_network_is_refused():
    with pytest.raises(ValueError, match="customers"):
        ClosedNetwork((1.0,), (1,), (1,), think_seconds=0.0, customers=0)
