"""The kernel of replicated requests against the textbook's known answers and its own plain Python."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.independent.by_heapq import quorum_by_heapq
from simulation.independent.by_simpy import quorum_by_simpy
from simulation.kernels.kv_store import simulate
from simulation.kernels.quorum import run_quorum
from simulation.kernels.replications import Interval, replicate
from simulation.kv_store import KvRun
from simulation.mva import closed_throughput
from simulation.quorum_network import DETERMINISTIC, EXPONENTIAL, LOGNORMAL, QuorumNetwork

STORE = QuorumNetwork(
    nodes=5,
    replicas=3,
    acks=2,
    clients=8,
    think_seconds=0.001,
    put_fraction=0.1,
    smallest_bytes=4000,
    mean_bytes_above=50_000,
    processors=4,
    processor_kind=LOGNORMAL,
    processor_shape=0.5,
    coordinator_seconds=0.0002,
    replica_get_seconds=0.0005,
    replica_put_seconds=0.002,
    disks=2,
    miss_fraction=0.5,
    get_disk_seconds=0.002,
    put_disk_seconds=0.004,
    card_seconds_per_byte=8e-9,
    flush_bytes=2e6,
    flush_seconds=0.05,
    flushes_per_compaction=2,
    compaction_seconds=0.1,
    end_seconds=2.0,
)


def queue(**changes: Any) -> QuorumNetwork:
    """One station with one server that serves one second on average."""
    return QuorumNetwork(replica_get_seconds=1.0)._replace(**changes)


def outcome(network: QuorumNetwork, *, seed: int = 1):
    return simulate(KvRun(network, slowdown_deviation=0.0, slowdown_seconds=1.0), seed=seed)


def throughput_of(network: QuorumNetwork) -> Interval:
    return replicate(
        lambda child: simulate(KvRun(network, slowdown_deviation=0.0, slowdown_seconds=1.0), seed=child).throughput_ops,
        seed=11,
        count=8,
    )


def mean_latency(network: QuorumNetwork) -> float:
    return float(np.mean([outcome(network, seed=seed).latency_seconds.mean() for seed in range(4)]))


def erlang_c(servers: int, load: float) -> float:
    below = sum(load**n / math.factorial(n) for n in range(servers))
    waiting = load**servers / math.factorial(servers) * servers / (servers - load)
    return waiting / (below + waiting)


@pytest.mark.parametrize("load", [0.3, 0.7])
def test_m_m_1_has_the_known_latency(load):
    network = queue(arrivals_per_second=load, warm_up_seconds=1000, end_seconds=200_000)

    assert mean_latency(network) == pytest.approx(1 / (1 - load), rel=0.02)


def test_m_m_1_has_the_known_99th_percentile():
    latencies = outcome(queue(arrivals_per_second=0.5, warm_up_seconds=1000, end_seconds=1e6)).latency_seconds

    assert np.percentile(latencies, 99) == pytest.approx(-math.log(0.01) / 0.5, rel=0.03)


@pytest.mark.parametrize("servers", [2, 5])
def test_m_m_c_has_the_known_latency(servers):
    load = 0.8 * servers
    network = queue(arrivals_per_second=load, processors=servers, warm_up_seconds=1000, end_seconds=150_000)

    assert mean_latency(network) == pytest.approx(1 + erlang_c(servers, load) / (servers - load), rel=0.02)


def test_m_d_1_has_the_known_latency():
    network = queue(arrivals_per_second=0.7, processor_kind=DETERMINISTIC, warm_up_seconds=1000, end_seconds=200_000)

    assert mean_latency(network) == pytest.approx(1 + 0.7 / (2 * 0.3), rel=0.02)


def test_m_g_1_waits_by_the_second_moment_of_its_service():
    network = queue(
        arrivals_per_second=0.5,
        processor_kind=LOGNORMAL,
        processor_shape=0.5,
        warm_up_seconds=1000,
        end_seconds=400_000,
    )

    assert mean_latency(network) == pytest.approx(1 + 0.5 * math.exp(0.25) / (2 * 0.5), rel=0.02)


def test_fork_join_of_two_has_the_known_latency():
    # Flatto and Hahn: two exponential queues fed by the same Poisson arrivals.
    load = 0.6
    network = queue(nodes=2, replicas=2, acks=2, arrivals_per_second=load, warm_up_seconds=1000, end_seconds=200_000)

    assert mean_latency(network) == pytest.approx((12 - load) / 8 / (1 - load), rel=0.02)


def test_waiting_for_fewer_answers_is_quicker_by_the_order_statistic():
    idle = queue(nodes=30, replicas=3, arrivals_per_second=0.001, end_seconds=2e7)

    latencies = [mean_latency(idle._replace(acks=acks)) for acks in (1, 2, 3)]

    assert latencies == pytest.approx([1 / 3, 1 / 3 + 1 / 2, 1 / 3 + 1 / 2 + 1], rel=0.02)


def test_the_machine_repairman_agrees_with_exact_mean_value_analysis():
    network = queue(clients=4, think_seconds=4.0, warm_up_seconds=1000, end_seconds=200_000)
    exact = closed_throughput(
        demands=np.array([[1.0]]), multiplicity=np.array([[1.0]]), think_seconds=4.0, customers=4
    ).throughput[0]

    found = throughput_of(network)

    assert found.mean == pytest.approx(exact, rel=0.005)
    assert found.holds(exact)


def test_processors_and_disks_of_many_nodes_agree_with_exact_mean_value_analysis():
    network = QuorumNetwork(
        nodes=3,
        clients=24,
        think_seconds=2.0,
        replica_get_seconds=0.4,
        miss_fraction=0.5,
        get_disk_seconds=0.9,
        warm_up_seconds=2_000,
        end_seconds=200_000,
    )
    exact = closed_throughput(
        demands=np.array([[0.4, 0.5 * 0.9]]), multiplicity=np.array([[3.0, 3.0]]), think_seconds=2.0, customers=24
    ).throughput[0]

    found = throughput_of(network)

    assert found.mean == pytest.approx(exact, rel=0.001)
    assert found.holds(exact)


@pytest.mark.parametrize("simulator", [quorum_by_simpy, quorum_by_heapq])
def test_independent_simulators_agree(simulator):
    network = STORE._replace(flush_bytes=0.0, processor_kind=EXPONENTIAL, warm_up_seconds=1.0, end_seconds=20.0)
    independent = simulator(network, seed=7)

    found = outcome(network._replace(end_seconds=200.0))

    assert found.throughput_ops == pytest.approx(independent.throughput, rel=0.02)
    assert found.latency_seconds.mean() == pytest.approx(independent.mean_latency_seconds, rel=0.03)
    assert np.percentile(found.latency_seconds, 99) == pytest.approx(
        np.percentile(independent.latency_seconds, 99), rel=0.05
    )


def test_the_plain_python_twin_gives_the_same_bits():
    records = [(np.empty(40_000), np.empty(40_000), np.empty(40_000, dtype=np.bool_)) for _ in range(2)]
    weather = (np.array([1.0, 2.5, np.inf]), np.array([1.0, 3.0, 0.5]))

    compiled = run_quorum(np.random.default_rng(1), STORE, 8, 4096, *weather, *records[0])
    plain = run_quorum.py_func(np.random.default_rng(1), STORE, 8, 4096, *weather, *records[1])

    assert compiled == plain
    assert compiled[1] > 500
    for kept, again in zip(*records, strict=True):
        assert kept[: compiled[1]].tobytes() == again[: compiled[1]].tobytes()


def test_open_arrivals_give_the_same_bits_too():
    network = STORE._replace(arrivals_per_second=300.0, end_seconds=2.0)
    records = [(np.empty(4000), np.empty(4000), np.empty(4000, dtype=np.bool_)) for _ in range(2)]
    weather = (np.array([np.inf]), np.array([1.0]))

    compiled = run_quorum(np.random.default_rng(2), network, 512, 8192, *weather, *records[0])
    plain = run_quorum.py_func(np.random.default_rng(2), network, 512, 8192, *weather, *records[1])

    assert compiled == plain
    assert records[0][1][: compiled[1]].tobytes() == records[1][1][: compiled[1]].tobytes()


def test_a_run_whose_first_guesses_of_room_are_too_small_is_complete():
    overloaded = queue(arrivals_per_second=30.0, end_seconds=400.0)

    assert len(outcome(overloaded).latency_seconds) == pytest.approx(400, abs=80)


def test_flushes_and_compaction_hold_requests_back():
    calm = STORE._replace(flush_bytes=0.0, end_seconds=60.0)
    flushing = STORE._replace(end_seconds=60.0)

    assert outcome(flushing).throughput_ops < outcome(calm).throughput_ops
    gets, puts = (outcome(flushing).latencies_ms(puts=each).mean() for each in (False, True))
    assert puts > gets


def test_a_constant_service_is_always_the_same():
    steady = queue(arrivals_per_second=0.01, processor_kind=DETERMINISTIC, end_seconds=20_000)

    assert np.median(outcome(steady).latency_seconds) == 1.0
