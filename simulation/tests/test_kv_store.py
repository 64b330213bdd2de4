import numpy as np
import pytest

from simulation.kernels.kv_store import KvOutcome, simulate, simulate_scenario
from simulation.kernels.predicting import metrics_with_kernels, scenario_figures
from simulation.kv_store import fast_outcome, kv_run, most_ops
from simulation.nodes import ram_hit_fraction
from simulation.parameters import load_parameter_set
from simulation.scenarios import ScenarioError
from simulation.tests.asking import value_of

PARAMETERS = load_parameter_set()
SSD = {"drive_class": "ssd", "drive_gb": 128, "drives": 4, "raid": "raid10"}
NETWORK = {"drive_class": "network", "drive_gb": 500, "drives": 4, "raid": "raid10"}
NODE = {"platform": "bare_metal", "ram_gb": 36, "array": SSD, "network_gbps": 2, "cores": 12}
RIAK = {
    "workload": "kv_store",
    "engine": "riak-1.3.1",
    "nodes": 5,
    "clients": 8,
    "gets_per_put": 10,
    "keys": 1_000_000,
    "value_bytes": {"distribution": "exponential", "minimum": 4098, "mean_above_minimum": 50_000},
    "replicas": 3,
    "acks": 2,
    "duration_seconds": 120,
    "node": NODE,
}
SHORT = metrics_with_kernels(operations=40_000)


def scenario(*, node: dict | None = None, **changes: object) -> dict:
    return {**RIAK, "node": {**NODE, **(node or {})}, **changes}


def ask(metric: str = "throughput_ops", *, node: dict | None = None, **changes: object):
    return value_of(scenario(node=node, **changes), metric, PARAMETERS, metrics=SHORT)


def test_memory_beyond_the_systems_share_answers_reads():
    assert ram_hit_fraction(ram_gb=2, data_gb=30, parameters=PARAMETERS) == 0.0
    assert ram_hit_fraction(ram_gb=17, data_gb=30, parameters=PARAMETERS) == 0.5
    assert ram_hit_fraction(ram_gb=64, data_gb=30, parameters=PARAMETERS) == 1.0


@pytest.mark.parametrize("clients", [1, 32, 256, 1024])
@pytest.mark.parametrize("node", [{}, {"array": NETWORK, "ram_gb": 7.5}], ids=["flash", "network volume"])
def test_no_run_passes_the_operational_bound(clients, node):
    one = scenario(clients=clients, node=node)
    run = kv_run(one, PARAMETERS)
    fixed = run.network._replace(end_seconds=20.0, warm_up_seconds=1.0)

    found = simulate(run.__class__(fixed, 0.0, run.slowdown_seconds), seed=1).throughput_ops

    assert found <= most_ops(run.network) * 1.05
    assert fast_outcome(run.network).throughput_ops <= most_ops(run.network)


@pytest.mark.parametrize(
    ("field", "values"),
    [("clients", [1, 8, 64, 1024]), ("nodes", [3, 5, 20, 100])],
)
def test_the_fast_answer_grows_with_clients_and_nodes(field, values):
    found = [
        fast_outcome(kv_run(scenario(**{"clients": 512, field: value}), PARAMETERS).network).throughput_ops
        for value in values
    ]

    assert found == sorted(found)


def test_more_clients_or_nodes_or_memory_serve_more():
    assert ask(clients=8) > ask(clients=2) > ask(clients=1)
    assert ask(nodes=20, clients=256) > ask(nodes=5, clients=256)
    on_disks = {"array": {**SSD, "drive_class": "sata_7k"}}
    assert ask(node={**on_disks, "ram_gb": 36}) > ask(node={**on_disks, "ram_gb": 8})


def test_bare_metal_with_flash_serves_more_than_network_volumes():
    assert ask() > 2 * ask(node={"platform": "virtual", "array": NETWORK, "ram_gb": 7.5})


def test_waiting_for_more_answers_takes_longer():
    means = [ask("get_mean_ms", acks=acks) for acks in (1, 2, 3)]

    assert means == sorted(means)


def test_network_volumes_slow_down_together():
    on_volumes = scenario(node={"array": NETWORK, "ram_gb": 7.5}, duration_seconds=2000)

    volumes = simulate_scenario(on_volumes, PARAMETERS, seed=4).window_ops()
    flash = simulate_scenario(scenario(duration_seconds=2000), PARAMETERS, seed=4, operations=300_000).window_ops()

    assert volumes.std() / volumes.mean() > 3 * flash.std() / flash.mean()


def test_the_same_seed_gives_the_same_requests_whatever_ran_before():
    sequence = np.random.SeedSequence(5)
    run = kv_run(scenario(duration_seconds=5), PARAMETERS)

    first, again = simulate(run, seed=sequence), simulate(run, seed=sequence)
    plain = simulate(run, seed=5)

    assert first.latency_seconds.tobytes() == again.latency_seconds.tobytes() == plain.latency_seconds.tobytes()


def test_percentiles_are_those_of_ten_second_windows():
    outcome = KvOutcome(
        finished_seconds=np.array([1.0, 2.0, 12.0, 13.0, 29.0]),
        latency_seconds=np.array([0.001, 0.003, 0.010, 0.010, 0.5]),
        puts=np.array([False, False, False, False, True]),
        warm_up_seconds=0.0,
        end_seconds=30.0,
        events=0,
    )

    assert outcome.window_ops().tolist() == [0.2, 0.2, 0.1]
    assert outcome.window_percentile_ms(puts=False, percent=50) == pytest.approx((2 + 10) / 2)
    assert outcome.latencies_ms(puts=True).tolist() == [500.0]


def test_without_puts_their_latency_is_refused_and_the_rest_is_told():
    figures = scenario_figures(scenario(gets_per_put=1_000_000, duration_seconds=2), PARAMETERS)

    assert "get_p99_ms" in figures
    assert "put_p99_ms" not in figures


@pytest.mark.parametrize(
    "field",
    ["nodes", "clients", "gets_per_put", "keys", "value_bytes", "replicas", "acks", "duration_seconds", "node"],
)
def test_a_missing_field_is_named(field):
    with pytest.raises(ScenarioError, match=f"^{field}: is missing$"):
        kv_run({**RIAK, field: None}, PARAMETERS)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"acks": 4}, "acks"),
        ({"replicas": 6}, "replicas"),
        ({"value_bytes": {"distribution": "zipf"}}, "value_bytes.distribution"),
        ({"value_bytes": {"distribution": "constant"}}, "value_bytes.bytes"),
        ({"node": {"cores": 0}}, "node.cores"),
        ({"node": {"platform": "cloud"}}, "node.platform"),
    ],
)
def test_an_impossible_value_is_refused_by_the_name_of_the_field(changes, field):
    with pytest.raises(ScenarioError) as refusal:
        kv_run(scenario(**changes), PARAMETERS)

    assert refusal.value.field == field
