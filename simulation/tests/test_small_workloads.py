import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.figures import shipped_figures
from simulation.parameters import load_parameter_set
from simulation.predict import judge, predict
from simulation.scenarios import ScenarioError
from simulation.tests.asking import value_of

PARAMETERS = load_parameter_set()
BUILD = {
    "workload": "build",
    "compiler": "gcc",
    "vcpus": 8,
    "ram_gb": 8,
    "storage": "local_ssd",
    "cpu": "sandy_bridge_16_cores",
}
WRITE = {
    "workload": "replicated_write",
    "io_kib": 32,
    "link": "ib_10g",
    "peers": 1,
    "flash": "sata_emlc_ssd",
    "vcpus": 2,
    "workers": 2,
    "access": "random",
    "operation": "write",
}
ANALYTIC = ("build", "document_store", "light_path", "raid", "replicated_write")


def minutes(**changes: object) -> float:
    return value_of({**BUILD, **changes}, "minutes", PARAMETERS)


def write(metric: str = "iops", **changes: object) -> float:
    return value_of({**WRITE, **changes}, metric, PARAMETERS)


@pytest.mark.parametrize(
    "entry",
    [entry for entry in shipped_figures() if entry["scenario"]["workload"] in ANALYTIC],
    ids=lambda entry: entry["id"],
)
def test_every_published_figure_of_the_small_workloads_holds(entry):
    prediction = predict(entry["scenario"], entry["metric"], PARAMETERS, entry.get("baseline"))

    assert judge(entry, prediction).status == "ok"


def test_light_needs_a_millisecond_for_300_kilometres():
    assert value_of({"workload": "light_path", "metres": 299_792.458}, "light_one_way_ms", PARAMETERS) == 1.0


def test_light_without_a_way_is_refused():
    with pytest.raises(ScenarioError, match="metres: is missing"):
        predict({"workload": "light_path"}, "light_one_way_ms", PARAMETERS)


@given(vcpus=st.integers(1, 64), ram=st.floats(1, 64), compiler=st.sampled_from(["gcc", "msvc"]))
def test_more_processors_or_memory_never_build_slower(vcpus, ram, compiler):
    here = minutes(vcpus=vcpus, ram_gb=ram, compiler=compiler)

    assert minutes(vcpus=vcpus + 1, ram_gb=ram, compiler=compiler) <= here
    assert minutes(vcpus=vcpus, ram_gb=ram * 1.5, compiler=compiler) <= here


def test_processors_beyond_the_hosts_cores_do_not_help():
    assert minutes(vcpus=32, ram_gb=16) == minutes(vcpus=16, ram_gb=16)


def test_older_processors_and_a_busy_san_build_slower():
    assert minutes(cpu="harpertown_8_cores") > minutes(cpu="nehalem_8_cores") > minutes()
    assert minutes(storage="busy_san") > minutes()


@pytest.mark.parametrize("field", ["compiler", "vcpus", "ram_gb", "storage", "cpu"])
def test_a_missing_field_of_a_build_is_named(field):
    with pytest.raises(ScenarioError, match=f"{field}: is missing"):
        minutes(**{field: None})


@pytest.mark.parametrize(("kib", "milliseconds"), [(4, 2), (32, 6), (256, 70)])
def test_local_flash_answers_as_slowly_as_the_posts_tell(kib, milliseconds):
    assert write("latency_ms", io_kib=kib, peers=0, link=None) == pytest.approx(milliseconds, rel=0.15)


def test_infiniband_gains_over_gigabit_ethernet_where_the_ethernet_is_full():
    assert write(io_kib=32) > 2 * write(io_kib=32, link="1gbe")
    assert write(io_kib=4) == pytest.approx(write(io_kib=4, link="1gbe"), rel=0.15)


def test_ten_gigabit_ethernet_is_as_good_as_infiniband_for_one_peer():
    assert write(link="10gbe") == pytest.approx(write(), rel=0.02)


@given(gbps=st.integers(1, 99), kib=st.sampled_from([4, 32, 256, 1024]), peers=st.integers(1, 8))
def test_a_faster_link_or_fewer_peers_never_write_slower(gbps, kib, peers):
    here = write(link=f"{gbps}gbe", io_kib=kib, peers=peers)

    assert write(link=f"{gbps + 1}gbe", io_kib=kib, peers=peers) >= here * (1 - 1e-9)
    assert write(link=f"{gbps}gbe", io_kib=kib, peers=peers + 1) <= here * (1 + 1e-9)
    assert here * kib * 1024 * peers <= gbps * 125e6


def test_reads_are_local():
    assert write(operation="read", link=None) == write(operation="read", link="1gbe")


def test_a_peer_without_a_link_is_refused():
    with pytest.raises(ScenarioError, match="link: is missing"):
        write(link=None)


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"link": "pigeon"}, "link"), ({"peers": -1}, "peers"), ({"flash": "floppy"}, "flash"), ({"io_kib": 0}, "io_kib")],
)
def test_an_impossible_value_of_a_write_is_refused_by_the_name_of_the_field(changes, field):
    with pytest.raises(ScenarioError) as refusal:
        write(**changes)

    assert refusal.value.field == field
