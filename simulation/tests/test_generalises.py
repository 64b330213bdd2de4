"""Predictions far from any published figure: monotone where physics says so, never beyond the operational bounds."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.document_store import document_rates
from simulation.drives import ROTATING
from simulation.kernels.kv_store import simulate
from simulation.kv_store import FastOutcome, KvRun, fast_outcome, kv_run, most_ops
from simulation.parameters import load_parameter_set
from simulation.quorum_network import QuorumNetwork
from simulation.raid import FEWEST_DRIVES
from simulation.tests.asking import value_of

PARAMETERS = load_parameter_set()
STEP = {"raid10": 2, "raid50": 2}
SATA = {"drive_class": "sata_7k", "drive_gb": 1000, "drives": 8, "raid": "raid10"}
NVME = {**SATA, "drive_class": "nvme"}
ROUNDING = 1 - 1e-9
Scenario = dict[str, Any]


@st.composite
def arrays(draw: st.DrawFn) -> Scenario:
    raid = draw(st.sampled_from(["raid0", "raid5", "raid6", "raid10", "raid50"]))
    drives = draw(st.integers(2, 64))
    drives = max(drives - drives % STEP.get(raid, 1), FEWEST_DRIVES[raid])
    drive_class = draw(st.sampled_from([*ROTATING, "ssd", "nvme", "network"]))
    return {"drive_class": drive_class, "drive_gb": 300, "drives": drives, "raid": raid}


nodes = st.builds(
    lambda **node: node,
    platform=st.sampled_from(["bare_metal", "virtual"]),
    cores=st.integers(1, 64),
    ram_gb=st.floats(4, 512),
    network_gbps=st.floats(1, 100),
    array=arrays(),
)
key_value_stores = st.builds(
    lambda kib, **scenario: {**scenario, "value_bytes": {"distribution": "constant", "bytes": kib * 1024}},
    workload=st.just("kv_store"),
    kib=st.floats(4, 1024),
    nodes=st.integers(3, 100),
    clients=st.integers(1, 1024),
    gets_per_put=st.sampled_from([0, 1, 10, 1000]),
    keys=st.sampled_from([10_000, 1_000_000, 100_000_000]),
    replicas=st.integers(1, 3),
    acks=st.just(1),
    duration_seconds=st.just(60),
    node=nodes,
)
document_stores = st.builds(
    lambda **scenario: scenario,
    workload=st.just("document_store"),
    clients=st.integers(1, 1024),
    reads_per_update=st.sampled_from([0, 1, 6, 100]),
    document_kib=st.floats(4, 1024),
    dataset_gb=st.floats(1, 2000),
    node=nodes,
)
replicated_writes = st.builds(
    lambda gbps, **scenario: {**scenario, "link": f"{gbps}gbe"},
    workload=st.just("replicated_write"),
    io_kib=st.floats(4, 1024),
    gbps=st.integers(1, 100),
    peers=st.integers(0, 8),
    flash=st.sampled_from(["sata_emlc_ssd", "sata_mlc_ssd", "pcie_flash"]),
    vcpus=st.integers(1, 64),
    workers=st.integers(1, 32),
    access=st.just("random"),
    operation=st.sampled_from(["read", "write"]),
)


def with_more(scenario: Scenario, **factors: float) -> Scenario:
    """The scenario with so many times as much of some fields of the node; whole numbers stay whole."""
    node = {name: scenario["node"][name] * factor for name, factor in factors.items()}
    return {**scenario, "node": {**scenario["node"], **node}}


def with_more_drives(scenario: Scenario) -> Scenario:
    array = scenario["node"]["array"]
    more = {**array, "drives": array["drives"] + STEP.get(array["raid"], 1)}
    return {**scenario, "node": {**scenario["node"], "array": more}}


def fast(scenario: Scenario) -> FastOutcome:
    return fast_outcome(kv_run(scenario, PARAMETERS).network)


def documents(scenario: Scenario) -> float:
    return value_of(scenario, "throughput_ops", PARAMETERS)


def writes(scenario: Scenario) -> float:
    return value_of(scenario, "iops", PARAMETERS)


@settings(max_examples=100, deadline=None)
@given(one=key_value_stores)
def test_more_of_anything_never_slows_a_key_value_store(one):
    least = fast(one).throughput_ops * ROUNDING

    assert fast({**one, "clients": one["clients"] + 1}).throughput_ops >= least
    assert fast({**one, "nodes": one["nodes"] + 1}).throughput_ops >= least
    assert fast(with_more(one, network_gbps=1.5)).throughput_ops >= least
    assert fast(with_more(one, ram_gb=1.5)).throughput_ops >= least
    assert fast(with_more(one, cores=2)).throughput_ops >= least
    assert fast(with_more_drives(one)).throughput_ops >= least


@settings(max_examples=100, deadline=None)
@given(one=key_value_stores, factor=st.floats(1, 4))
def test_larger_values_or_more_acknowledgements_never_speed_a_key_value_store_up(one, factor):
    most = fast(one).throughput_ops / ROUNDING
    size = one["value_bytes"]["bytes"] * factor

    assert fast({**one, "value_bytes": {"distribution": "constant", "bytes": size}}).throughput_ops <= most
    assert fast({**one, "acks": one["replicas"]}).throughput_ops <= most


@settings(max_examples=100, deadline=None)
@given(one=key_value_stores)
def test_no_station_of_a_key_value_store_works_more_than_all_the_time(one):
    outcome = fast(one)

    assert 0 < outcome.throughput_ops <= most_ops(kv_run(one, PARAMETERS).network) / ROUNDING
    assert max(outcome.utilisation.values()) <= 1 / ROUNDING


@settings(max_examples=25, deadline=None)
@given(one=key_value_stores)
def test_no_run_of_a_key_value_store_passes_its_bound(one):
    network = kv_run(one, PARAMETERS).network

    assert steady_ops(network, requests=4000 + 100 * one["clients"]) <= most_ops(network) * 1.1


@pytest.mark.parametrize(
    ("field", "values"), [("clients", [1, 4, 16, 64, 256, 1024]), ("nodes", [3, 6, 12, 25, 50, 100])]
)
def test_runs_of_a_key_value_store_grow_with_clients_and_nodes(field, values):
    found = [run_ops(**{"clients": 512, field: value}) for value in values]

    assert all(after >= before * 0.98 for before, after in pairwise(found))


@pytest.mark.parametrize(
    ("field", "values", "rest"),
    [
        ("network_gbps", [1, 2, 10, 25, 100], {"ram_gb": 512, "cores": 32, "array": NVME}),
        ("cores", [1, 2, 8, 32], {"ram_gb": 512, "network_gbps": 100, "array": NVME}),
        ("ram_gb", [4, 16, 64, 256], {"cores": 32, "network_gbps": 10}),
    ],
)
def test_runs_of_a_key_value_store_grow_with_link_and_processors_and_memory(field, values, rest):
    found = [run_ops(clients=256, node={**rest, field: value}) for value in values]

    assert all(after >= before * 0.98 for before, after in pairwise(found))
    assert found[-1] > 1.5 * found[0]


def run_ops(*, node: Scenario | None = None, **changes: object) -> float:
    """Requests per second of a short run, by default on SATA disks with a thin link."""
    plain = {"platform": "bare_metal", "cores": 8, "ram_gb": 64, "network_gbps": 1, "array": SATA}
    one = {
        "workload": "kv_store",
        "nodes": 5,
        "clients": 64,
        "gets_per_put": 100,
        "keys": 3_000_000,
        "value_bytes": {"distribution": "constant", "bytes": 50_000},
        "replicas": 3,
        "acks": 2,
        "duration_seconds": 60,
        "node": {**plain, **(node or {})},
        **changes,
    }
    return steady_ops(kv_run(one, PARAMETERS).network, requests=20_000)


def steady_ops(network: QuorumNetwork, *, requests: int) -> float:
    """Requests per second of a run without what comes and goes over minutes: bursts and slow moments.

    The first half warms up: while stragglers queue, a store that waits for few answers seems faster than it can be.
    """
    seconds = requests / fast_outcome(network).throughput_ops
    steady = network._replace(flush_bytes=0.0, warm_up_seconds=seconds / 2, end_seconds=seconds)
    return simulate(KvRun(steady, slowdown_deviation=0.0, slowdown_seconds=1.0), seed=1).throughput_ops


@settings(max_examples=60, deadline=None)
@given(one=document_stores)
def test_more_of_anything_never_slows_a_document_store(one):
    least = documents(one) * ROUNDING

    assert documents({**one, "clients": one["clients"] + 1}) >= least
    assert documents({**one, "dataset_gb": one["dataset_gb"] / 1.5}) >= least
    assert documents(with_more(one, network_gbps=1.5)) >= least
    assert documents(with_more(one, ram_gb=1.5)) >= least
    assert documents(with_more(one, cores=2)) >= least
    assert documents(with_more_drives(one)) >= least


@settings(max_examples=60, deadline=None)
@given(one=document_stores, factor=st.floats(1, 4))
def test_larger_documents_are_served_slower_and_never_faster_than_the_link(one, factor):
    found = documents(one)
    updates = found / (1 + one["reads_per_update"])
    bytes_one_way = max(updates, found - updates) * one["document_kib"] * 1024

    assert 0 < documents({**one, "document_kib": one["document_kib"] * factor}) <= found / ROUNDING
    assert bytes_one_way <= one["node"]["network_gbps"] * 125e6


@settings(max_examples=60, deadline=None)
@given(one=document_stores)
def test_no_station_of_a_document_store_works_more_than_all_the_time(one):
    assert max(document_rates(one, PARAMETERS).utilisation.values()) <= 1 / ROUNDING


@settings(max_examples=100, deadline=None)
@given(one=replicated_writes)
def test_more_of_anything_but_peers_never_slows_a_replicated_write(one):
    least = writes(one) * ROUNDING
    faster = f"{int(one['link'].removesuffix('gbe')) + 1}gbe"

    assert writes({**one, "link": faster}) >= least
    assert writes({**one, "vcpus": one["vcpus"] + 1}) >= least
    assert writes({**one, "workers": one["workers"] + 1}) >= least
    assert writes({**one, "peers": one["peers"] + 1}) <= writes(one) / ROUNDING
    assert writes({**one, "io_kib": one["io_kib"] * 1.5}) <= writes(one) / ROUNDING


@settings(max_examples=100, deadline=None)
@given(one=replicated_writes)
def test_a_replicated_write_stays_inside_link_and_flash(one):
    written = writes(one) * one["io_kib"] * 1024 * ROUNDING
    copies = one["peers"] if one["operation"] == "write" else 0

    assert written * copies <= int(one["link"].removesuffix("gbe")) * 125e6
    assert written <= max(PARAMETERS.value(f"flash.{one['flash']}.{kind}_mb_s") for kind in ("buffered", "read")) * 1e6


@pytest.mark.parametrize("raid", ["none", "raid0", "raid5", "raid6", "raid10", "raid50"])
def test_more_drives_of_any_level_never_pass_less(raid):
    counts = [each for each in range(2, 65) if each >= FEWEST_DRIVES[raid] and each % STEP.get(raid, 1) == 0]

    for reads in (0, 0.5, 1):
        found = [
            value_of(
                {
                    "workload": "raid",
                    "raid": raid,
                    "drives": drives,
                    "single_drive_random_mb_s": 2.0,
                    "read_fraction": reads,
                },
                "random_mb_s",
                PARAMETERS,
            )
            for drives in counts
        ]
        assert found == sorted(found)
        assert found[-1] <= 64 * 2.0


@given(metres=st.floats(0, 1e9), more=st.floats(0, 1e9))
def test_light_takes_longer_for_a_longer_way(metres, more):
    here, further = (
        value_of({"workload": "light_path", "metres": each}, "light_one_way_ms", PARAMETERS)
        for each in (metres, metres + more)
    )

    assert further >= here
