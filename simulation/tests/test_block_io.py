import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from simulation.block_io import block_outcome
from simulation.figures import shipped_figures
from simulation.parameters import load_parameter_set
from simulation.predict import judge, predict
from simulation.raid import FEWEST_DRIVES
from simulation.scenarios import ScenarioError
from simulation.tests.asking import value_of

PARAMETERS = load_parameter_set()
FIO = {
    "workload": "block_io",
    "array": {"drive_class": "sas_15k", "drive_gb": 300, "drives": 4, "raid": "raid10"},
    "mount": "data",
    "block_kib": 8,
    "queue_depth": 128,
    "access": "random",
    "operation": "read",
}
LEVELS = ["raid0", "raid1", "raid5", "raid6", "raid10", "raid50"]
STEP = {"raid10": 2, "raid50": 2}
CLASSES = ["sata_7k", "sas_10k", "sas_15k", "ssd", "nvme", "network"]


def scenario(**changes):
    array = {**FIO["array"], **{name: value for name, value in changes.items() if name in FIO["array"]}}
    return {**FIO, "array": array, **{name: value for name, value in changes.items() if name not in FIO["array"]}}


def ask(metric: str = "iops", **changes: object) -> float:
    return value_of(scenario(**changes), metric, PARAMETERS)


scenarios = st.builds(
    scenario,
    drive_class=st.sampled_from(CLASSES),
    raid=st.sampled_from(LEVELS),
    drives=st.integers(2, 64),
    block_kib=st.one_of(st.sampled_from([4, 8, 16, 64, 256, 1024]), st.integers(4, 1024)),
    queue_depth=st.sampled_from([1, 2, 3, 8, 32, 128, 1024]),
    operation=st.sampled_from(["read", "write", "mixed"]),
    access=st.sampled_from(["random", "sequential"]),
    read_fraction=st.floats(0, 1),
    mount=st.sampled_from(["data", "logs", "journal"]),
)


def changed(one, **changes):
    array = {**one["array"], **{name: value for name, value in changes.items() if name in one["array"]}}
    return {**one, "array": array, **{name: value for name, value in changes.items() if name not in one["array"]}}


def is_possible(one: dict) -> bool:
    array = one["array"]
    return array["drives"] >= FEWEST_DRIVES[array["raid"]] and array["drives"] % STEP.get(array["raid"], 1) == 0


def iops(one: dict) -> float:
    return value_of(one, "iops", PARAMETERS)


def test_published_iops_hold_within_8_percent_on_average_and_20_at_worst():
    entries = [entry for entry in shipped_figures() if entry["scenario"]["workload"] == "block_io"]

    errors = [abs(judge(entry, predict(entry["scenario"], entry["metric"], PARAMETERS)).error) for entry in entries]

    assert len(errors) == 24
    assert sum(errors) / len(errors) <= 0.08
    assert max(errors) <= 0.20


def test_a_small_directory_keeps_the_arm_close():
    assert ask(mount="logs") > 1.5 * ask(mount="data")
    assert ask(mount="logs", drive_class="ssd") == ask(mount="data", drive_class="ssd")


def test_a_network_volume_gives_about_400_a_mount():
    assert ask(drive_class="network") == pytest.approx(400, rel=0.05)


def test_a_sata_drive_at_a_shallow_queue_gives_what_its_data_sheet_says():
    alone = ask(drive_class="sata_7k", drives=1, raid="none", queue_depth=1)

    assert alone == pytest.approx(1 / (0.0085 + 0.00417), rel=0.05)


@pytest.mark.parametrize(
    ("changes", "bottleneck"),
    [
        ({}, "drives"),
        ({"drive_class": "ssd", "drives": 16}, "controller"),
        ({"drive_class": "network"}, "network volume"),
        ({"queue_depth": 1}, "queue depth"),
    ],
)
def test_the_bottleneck_is_named(changes, bottleneck):
    assert ask("bottleneck", **changes) == bottleneck


def test_the_metrics_agree_with_each_other():
    assert ask("throughput_mb_s") == pytest.approx(ask("iops") * 8192 / 1e6)
    assert ask("latency_ms") == pytest.approx(128 / ask("iops") * 1e3)


def test_sequential_access_passes_more_than_random():
    assert ask("throughput_mb_s", access="sequential", block_kib=64) > 5 * ask("throughput_mb_s", block_kib=64)


@settings(max_examples=150, deadline=None)
@given(one=scenarios)
def test_throughput_never_passes_the_operational_bounds(one):
    assume(is_possible(one))
    array, found = one["array"], value_of(one, "iops", PARAMETERS)
    rate = found * one["block_kib"] * 1024 / 1e6
    speed = {"sata_7k": 115, "sas_10k": 140, "sas_15k": 160, "ssd": 270, "nvme": 2500, "network": 100}

    assert found > 0
    assert rate <= speed[array["drive_class"]] * array["drives"] * (1 + 1e-9)
    assert rate <= PARAMETERS.value("controller.mb_s") * (1 + 1e-9)
    assert value_of(one, "latency_ms", PARAMETERS) >= 0.002
    assert max(block_outcome(one, PARAMETERS).utilisation.values()) <= 1 + 1e-9


@settings(max_examples=150, deadline=None)
@given(one=scenarios)
def test_more_drives_deliver_no_less(one):
    # Every further drive of a mirror is one more copy to write.
    assume(is_possible(one) and (one["array"]["raid"] != "raid1" or one["operation"] == "read"))
    raid, drives = one["array"]["raid"], one["array"]["drives"]

    assert iops(changed(one, drives=drives + STEP.get(raid, 1))) >= iops(one) * (1 - 1e-9)


@settings(max_examples=150, deadline=None)
@given(one=scenarios)
def test_a_deeper_queue_delivers_no_less(one):
    assume(is_possible(one))

    assert iops(changed(one, queue_depth=one["queue_depth"] * 2)) >= iops(one) * (1 - 1e-9)


@settings(max_examples=150, deadline=None)
@given(one=scenarios, factor=st.floats(1, 4))
def test_larger_blocks_deliver_fewer_operations_and_no_less_data(one, factor):
    assume(is_possible(one))

    before, after = iops(one), iops(changed(one, block_kib=one["block_kib"] * factor))

    assert after <= before * (1 + 1e-9)
    assert factor * after >= before * (1 - 1e-9)


@settings(max_examples=100, deadline=None)
@given(one=scenarios)
def test_reads_deliver_no_less_than_writes_of_the_same_queue_at_the_drives(one):
    assume(is_possible(one))
    cached = int(PARAMETERS.value("controller.cached_writes"))

    written = iops(changed(one, operation="write", queue_depth=1024))

    assert written <= iops(changed(one, operation="read", queue_depth=1024 + cached)) * (1 + 1e-9)


def test_a_higher_write_penalty_writes_slower():
    written = [ask(operation="write", drives=12, raid=raid) for raid in ("raid0", "raid10", "raid5", "raid6")]

    assert written == sorted(written, reverse=True)
    assert written[0] == pytest.approx(4 * written[2], rel=0.02)


@pytest.mark.parametrize("field", ["array", "mount", "block_kib", "queue_depth", "access", "operation"])
def test_a_missing_field_is_named(field):
    one = json.loads(json.dumps(FIO))
    del one[field]

    with pytest.raises(ScenarioError) as refusal:
        predict(one, "iops", PARAMETERS)

    assert str(refusal.value) == f"{field}: is missing"


@pytest.mark.parametrize("field", ["drive_class", "drives", "raid"])
def test_a_missing_field_of_the_array_is_named(field):
    one = json.loads(json.dumps(FIO))
    del one["array"][field]

    with pytest.raises(ScenarioError) as refusal:
        predict(one, "iops", PARAMETERS)

    assert str(refusal.value) == f"array.{field}: is missing"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"block_kib": 0}, "block_kib"),
        ({"block_kib": "8"}, "block_kib"),
        ({"queue_depth": 1.5}, "queue_depth"),
        ({"operation": "trim"}, "operation"),
        ({"operation": "mixed", "read_fraction": 1.1}, "read_fraction"),
        ({"operation": "mixed"}, "read_fraction"),
        ({"access": "zigzag"}, "access"),
        ({"mount": "swap"}, "mount"),
        ({"drive_class": "tape"}, "array.drive_class"),
        ({"drives": 3}, "array.drives"),
        ({"raid": "raid99"}, "array.raid"),
        ({"drive_gb": -1}, "array.drive_gb"),
        ({"drive_gb": None, "mount": "logs"}, "array.drive_gb"),
        ({"array": []}, "array"),
    ],
)
def test_an_impossible_value_is_refused_by_the_name_of_the_field(changes, field):
    with pytest.raises(ScenarioError) as refusal:
        ask(**changes)

    assert refusal.value.field == field
