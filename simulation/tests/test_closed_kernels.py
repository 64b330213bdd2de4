"""The kernels of closed networks against exact answers, an independent simulator, and their own plain Python."""

import random

import numpy as np
import pytest
import simpy

from simulation.kernels.closed import run_closed, run_closed_latencies
from simulation.kernels.replications import ClosedNetwork, Interval, interval_of, replicate, simulate_closed
from simulation.mva import closed_throughput

EXPONENTIAL = 1
NETWORK = ClosedNetwork(
    service_seconds=(0.1, 0.5, 0.12),
    members=(1, 4, 1),
    kinds=(EXPONENTIAL, EXPONENTIAL, EXPONENTIAL),
    think_seconds=1.0,
    customers=32,
)


def exact(network: ClosedNetwork) -> float:
    return float(
        closed_throughput(
            demands=np.array([network.service_seconds]),
            multiplicity=np.array([network.members], dtype=np.float64),
            think_seconds=network.think_seconds,
            customers=network.customers,
        ).throughput[0]
    )


def throughput_of(network: ClosedNetwork, *, jobs: int, seed: int, count: int = 8) -> Interval:
    return replicate(
        lambda child: simulate_closed(network, seed=child, jobs=jobs, warm_up_jobs=10_000).throughput,
        seed=seed,
        count=count,
    )


@pytest.mark.parametrize(
    "network",
    [
        NETWORK,
        ClosedNetwork((2.0,), (1,), (EXPONENTIAL,), think_seconds=8.0, customers=4),
        ClosedNetwork((0.3, 0.2), (2, 3), (EXPONENTIAL, EXPONENTIAL), think_seconds=0.0, customers=12),
    ],
    ids=["central server", "machine repairman", "no thinking"],
)
def test_throughput_agrees_with_exact_mean_value_analysis(network):
    found = throughput_of(network, jobs=1_000_000, seed=11)

    assert found.mean == pytest.approx(exact(network), rel=0.001)
    assert found.holds(exact(network))


def test_latencies_follow_from_littles_law():
    run = simulate_closed(NETWORK, seed=3, jobs=500_000, warm_up_jobs=5_000, with_latencies=True)

    assert run.latency_seconds.mean() == pytest.approx(32 / run.throughput - 1.0, rel=0.005)
    assert run.throughput == pytest.approx(exact(NETWORK), rel=0.005)


def test_a_constant_service_time_shows_in_the_throughput():
    alone = ClosedNetwork((0.25,), (1,), (0,), think_seconds=0.0, customers=3)

    assert simulate_closed(alone, seed=1, jobs=1000, warm_up_jobs=10).throughput == pytest.approx(4.0)


def test_an_independent_simulator_agrees():
    rng = random.Random(7)
    environment = simpy.Environment()
    stations = [simpy.Resource(environment) for _ in range(6)]
    seconds, groups = (0.1, 0.5, 0.5, 0.5, 0.5, 0.12), ((0,), (1, 2, 3, 4), (5,))
    finished = []

    def customer():
        while True:
            yield environment.timeout(rng.expovariate(1.0))
            for group in groups:
                chosen = rng.choice(group)
                with stations[chosen].request() as turn:
                    yield turn
                    yield environment.timeout(rng.expovariate(1 / seconds[chosen]))
            finished.append(environment.now)

    for _ in range(32):
        environment.process(customer())
    environment.run(until=1000)
    independent = sum(time > 100 for time in finished) / 900

    found = throughput_of(NETWORK, jobs=100_000, seed=5)

    assert found.mean == pytest.approx(independent, rel=0.05)


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
