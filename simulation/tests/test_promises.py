"""The largest load that keeps a latency promise, and that slow moments count for all who arrive in them."""

import math

import numpy as np
import pytest

from simulation.kernels.kv_store import simulate
from simulation.kernels.predicting import metrics_with_kernels, scenario_figures
from simulation.kernels.promises import keeps, open_latencies_ms, sustainable_ops
from simulation.kv_store import KvRun, kv_run
from simulation.parameters import load_parameter_set
from simulation.predict import Prediction, predict
from simulation.promises import Promise, promise_of
from simulation.quorum_network import QuorumNetwork
from simulation.scenarios import ScenarioError

PARAMETERS = load_parameter_set()
RIAK = {
    "workload": "kv_store",
    "nodes": 5,
    "clients": 8,
    "gets_per_put": 10,
    "keys": 1_000_000,
    "value_bytes": {"distribution": "exponential", "minimum": 4098, "mean_above_minimum": 50_000},
    "replicas": 3,
    "acks": 2,
    "duration_seconds": 60,
    "node": {
        "platform": "bare_metal",
        "ram_gb": 36,
        "array": {"drive_class": "ssd", "drive_gb": 128, "drives": 4, "raid": "raid10"},
        "network_gbps": 2,
        "cores": 12,
    },
}


def steady(network: QuorumNetwork) -> KvRun:
    return KvRun(network, slowdown_deviation=0.0, slowdown_seconds=1.0)


@pytest.mark.parametrize("within_seconds", [10.0, 20.0])
def test_m_m_1_sustains_the_known_load(within_seconds):
    # Its latency is exponential with the rate that is left: P(over t) = exp(-(1 - load) t).
    run = steady(QuorumNetwork(replica_get_seconds=1.0))

    most = sustainable_ops(run, Promise(percent=99, within_ms=within_seconds * 1e3), seed=2)

    assert most == pytest.approx(1 + math.log(0.01) / within_seconds, rel=0.03)


def test_the_largest_load_that_keeps_a_promise_keeps_it_and_a_larger_one_breaks_it():
    calm = steady(kv_run(RIAK, PARAMETERS).network._replace(flush_bytes=0.0))
    promise = Promise(percent=99, within_ms=20)

    most = sustainable_ops(calm, promise, seed=3)

    assert keeps(calm, promise, rate=most, seed=3)
    assert not keeps(calm, promise, rate=most * 1.1, seed=3)
    assert sustainable_ops(calm, Promise(percent=99, within_ms=30), seed=3) >= most


def test_a_promise_that_idle_nodes_break_has_no_load():
    assert sustainable_ops(kv_run(RIAK, PARAMETERS), Promise(percent=99, within_ms=0.1), seed=3) == 0.0


def test_all_who_arrive_while_a_node_stands_still_are_counted():
    # A second of standing still after every 2,000 puts. Two clients that wait for their answers see it twice; at the
    # same rate of arrivals nearly a hundred requests do.
    stalling = QuorumNetwork(
        clients=2,
        think_seconds=0.02,
        put_fraction=1.0,
        smallest_bytes=1.0,
        replica_put_seconds=0.001,
        flush_bytes=2000.0,
        flush_seconds=1.0,
        end_seconds=2000.0,
    )
    waiting = simulate(steady(stalling), seed=1)

    arriving = open_latencies_ms(steady(stalling), rate=waiting.throughput_ops, seed=1)

    assert np.percentile(waiting.latency_seconds, 99) < 0.05
    assert np.percentile(arriving, 99) > 500


def test_a_promise_in_a_scenario_is_one_more_figure():
    calm = {**RIAK, "gets_per_put": 1_000_000, "duration_seconds": 2}
    promising = {**calm, "promise": {"percent": 99, "within_ms": 20}}

    figures = scenario_figures(promising, PARAMETERS, seed=3)

    assert "sustainable_ops" not in scenario_figures(calm, PARAMETERS, seed=3)
    assert figures["sustainable_ops"] == sustainable_ops(
        kv_run(calm, PARAMETERS), Promise(percent=99, within_ms=20), seed=3
    )
    assert predict(promising, "sustainable_ops", PARAMETERS, metrics=metrics_with_kernels(seed=3)) == Prediction(
        figures["sustainable_ops"]
    )


@pytest.mark.parametrize(
    ("promise", "field"),
    [
        ("99 of 100", "promise"),
        ({"within_ms": 20}, "promise.percent"),
        ({"percent": 99}, "promise.within_ms"),
        ({"percent": 0, "within_ms": 20}, "promise.percent"),
        ({"percent": 100, "within_ms": 20}, "promise.percent"),
        ({"percent": 99, "within_ms": 0}, "promise.within_ms"),
    ],
)
def test_an_impossible_promise_is_refused_by_the_name_of_the_field(promise, field):
    for reading in (promise_of, lambda scenario: kv_run(scenario, PARAMETERS)):
        with pytest.raises(ScenarioError) as refusal:
            reading({**RIAK, "promise": promise})
        assert refusal.value.field == field
