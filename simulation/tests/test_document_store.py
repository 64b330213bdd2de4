import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.parameters import load_parameter_set
from simulation.predict import predict
from simulation.scenarios import ScenarioError
from simulation.tests.asking import value_of

PARAMETERS = load_parameter_set()
SAS = {"drive_class": "sas_15k", "drive_gb": 300, "drives": 4, "raid": "raid10"}
SSD = {"drive_class": "ssd", "drive_gb": 400, "drives": 4, "raid": "raid10"}
JOURNAL = {"drive_class": "ssd", "drive_gb": 64, "drives": 2, "raid": "raid1"}
NODE = {
    "platform": "bare_metal",
    "ram_gb": 36,
    "array": SAS,
    "journal": JOURNAL,
    "network_gbps": 2,
    "cores": 12,
}
MONGO = {
    "workload": "document_store",
    "clients": 128,
    "reads_per_update": 6,
    "document_kib": 512,
    "dataset_gb": 32,
    "node": NODE,
}


def ask(metric: str = "throughput_ops", *, node: dict | None = None, **changes: object) -> float:
    return value_of({**MONGO, "node": {**NODE, **(node or {})}, **changes}, metric, PARAMETERS)


def test_flash_serves_more_than_disks():
    assert ask(node={"array": SSD}) > 1.001 * ask()


def test_the_peak_is_at_least_the_mean():
    assert ask("throughput_ops_peak") >= ask("throughput_ops")


def test_reads_and_updates_make_up_the_throughput():
    assert ask("reads_per_second") + ask("updates_per_second") == pytest.approx(ask("throughput_ops"))
    assert ask("reads_per_second") == pytest.approx(6 * ask("updates_per_second"))


def test_data_beyond_the_memory_is_served_slower():
    assert ask(dataset_gb=400, node={"network_gbps": 10}) < 0.5 * ask(dataset_gb=32, node={"network_gbps": 10})


def test_the_network_bounds_the_throughput():
    assert ask("reads_per_second") * 512 * 1024 <= 2 * 125e6


@settings(max_examples=40, deadline=None)
@given(
    clients=st.integers(1, 512), gbps=st.floats(1, 50), dataset=st.floats(1, 500), drives=st.sampled_from([2, 4, 8, 32])
)
def test_more_of_anything_serves_no_less(clients, gbps, dataset, drives):
    array = {**SAS, "drives": drives}
    here = ask(clients=clients, dataset_gb=dataset, node={"network_gbps": gbps, "array": array})

    def better(*, node: dict | None = None, **changes: object) -> float:
        return ask(
            **{"clients": clients, "dataset_gb": dataset, **changes},
            node={"network_gbps": gbps, "array": array, **(node or {})},
        )

    assert better(clients=clients + 8) >= here * (1 - 1e-6)
    assert better(node={"network_gbps": 2 * gbps}) >= here * (1 - 1e-6)
    assert better(dataset_gb=dataset / 2) >= here * (1 - 1e-6)
    assert better(node={"array": {**SAS, "drives": 2 * drives}}) >= here * (1 - 1e-6)


@pytest.mark.parametrize("field", ["clients", "reads_per_update", "document_kib", "dataset_gb", "node"])
def test_a_missing_field_is_named(field):
    with pytest.raises(ScenarioError, match=f"{field}: is missing"):
        predict({**MONGO, field: None}, "throughput_ops", PARAMETERS)


@pytest.mark.parametrize(
    ("node", "field"),
    [
        ({"platform": None}, "node.platform"),
        ({"ram_gb": 0}, "node.ram_gb"),
        ({"array": None}, "node.array"),
        ({"network_gbps": None}, "node.network_gbps"),
        ({"cores": None}, "node.cores"),
        ({"journal": {**JOURNAL, "drives": 0}}, "node.journal.drives"),
    ],
)
def test_a_missing_or_impossible_field_of_the_node_is_named(node, field):
    with pytest.raises(ScenarioError) as refusal:
        ask(node=node)

    assert refusal.value.field == field
