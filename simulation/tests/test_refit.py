import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.arrays import array_of
from simulation.block_io import iops
from simulation.drives import DRIVE_CLASSES, sequential_mb_s
from simulation.kv_store import fast_outcome, kv_run
from simulation.machines import EC2_2012_04, machine_of_type
from simulation.nodes import array_read_mb_s, array_write_mb_s
from simulation.object_disks import object_read_mb_s, object_write_mb_s
from simulation.object_store import READ, STORAGE_DISKS, WRITE, group_table, group_throughput
from simulation.parameters import load_parameter_set
from simulation.refit import FURTHEST, Lesson, candidates_of, factors_of, lesson_of, predicted_value, ratio_lesson
from simulation.tests.networks import machine

PARAMETERS = load_parameter_set()
ARRAYS = [
    {"drive_class": "sata_7k", "drives": 8, "raid": "raid10"},
    {"drive_class": "sas_15k", "drives": 4, "raid": "raid10"},
    {"drive_class": "ssd", "drives": 2, "raid": "raid1"},
]
CLUSTER = {
    "workload": "object_store", "proxy": "m1.large", "storage": "m1.medium", "storage_per_proxy": 5, "proxies": 1,
    "replicas": 3,    "operation": "write",
}  # fmt: skip


STORE = {
    "workload": "kv_store", "nodes": 5, "replicas": 3, "acks": 2, "clients": 64, "keys": 1_000_000,
    "value_bytes": {"distribution": "constant", "bytes": 4096}, "duration_seconds": 60,
    "node": {
        "platform": "bare_metal", "cores": 12, "ram_gb": 36, "network_gbps": 10,
        "array": {"drive_class": "sas_15k", "drives": 4, "raid": "raid10", "drive_gb": 300},
    },
}  # fmt: skip


def block_io(array: dict[str, object], *, operation: str = "read", access: str = "random") -> dict[str, object]:
    return {
        "workload": "block_io", "array": array, "mount": "data", "block_kib": 8, "queue_depth": 64, "access": access,
        "operation": operation,
    }  # fmt: skip


def test_unknown_disks_limit_nothing():
    proxy, storage = (machine_of_type(EC2_2012_04[name], parameters=PARAMETERS) for name in ("m1.large", "m1.medium"))
    fast = replace(storage, drive_class="nvme", disk_write_mb_s=1e6, disk_read_mb_s=1e6)

    tables = [
        group_table(proxies=[proxy], storages=[each], nodes_per_proxy=[1, 5, 20], mix=WRITE, parameters=PARAMETERS)
        for each in (storage, fast)
    ]

    assert np.array_equal(tables[0].throughput_mb_s, tables[1].throughput_mb_s)
    assert np.array_equal(tables[0].limits, tables[1].limits)


def test_slow_disks_are_what_limits_a_group():
    slow = replace(machine(compute_units=100, network_mb_s=1000), disk_write_mb_s=30.0, disk_read_mb_s=60.0)

    outcomes = {
        mix: group_throughput(
            proxy=machine(compute_units=100, network_mb_s=5000), storage=slow, nodes=2, mix=mix, parameters=PARAMETERS
        )
        for mix in (WRITE, READ)
    }

    assert {outcome.limit for outcome in outcomes.values()} == {STORAGE_DISKS}
    assert outcomes[WRITE].throughput_mb_s <= 2 * 30.0 / 3
    assert outcomes[READ].throughput_mb_s <= 2 * 60.0


@given(st.floats(1.0, 500.0), st.floats(1.0, 4.0))
def test_faster_disks_never_lower_throughput(disk_mb_s, factor):
    def passed(speed: float) -> float:
        storage = replace(machine(compute_units=20), disk_write_mb_s=speed, disk_read_mb_s=speed)
        return group_throughput(
            proxy=machine(compute_units=20), storage=storage, nodes=5, mix=WRITE, parameters=PARAMETERS
        ).throughput_mb_s

    assert passed(disk_mb_s * factor) >= passed(disk_mb_s)


def test_impossible_disks_are_refused():
    with pytest.raises(ValueError, match="any: disk_write_mb_s must be above zero"):
        replace(machine(), disk_write_mb_s=0.0)


def test_a_factor_speeds_up_one_class_of_drives_and_no_other():
    slowed = PARAMETERS.with_factors({"drive.sata_7k": 0.7})

    for drive_class in DRIVE_CLASSES:
        factor = 0.7 if drive_class == "sata_7k" else 1.0
        for writes in (True, False):
            before = sequential_mb_s(drive_class, PARAMETERS, writes=writes)
            assert sequential_mb_s(drive_class, slowed, writes=writes) == pytest.approx(factor * before)


def test_what_an_array_passes_follows_its_drives_up_to_the_controller():
    array = array_of({"drive_class": "sata_7k", "drives": 4, "raid": "raid10"})
    slowed = PARAMETERS.with_factors({"drive.sata_7k": 0.7})

    assert array_read_mb_s(array, PARAMETERS) == 2 * array_write_mb_s(array, PARAMETERS)
    assert array_write_mb_s(array, slowed) == pytest.approx(0.7 * array_write_mb_s(array, PARAMETERS))
    many = array_of({"drive_class": "ssd", "drives": 24, "raid": "raid0"})
    assert (
        array_write_mb_s(many, PARAMETERS) == array_read_mb_s(many, PARAMETERS) == PARAMETERS.value("controller.mb_s")
    )


@pytest.mark.parametrize("raw", ARRAYS, ids=lambda array: array["drive_class"])
def test_objects_cost_an_array_more_than_one_long_transfer(raw):
    array = array_of(raw)
    slowed = PARAMETERS.with_factors({f"drive.{array.drive_class}": 0.7})

    for objects, long in ((object_write_mb_s, array_write_mb_s), (object_read_mb_s, array_read_mb_s)):
        assert objects(array, PARAMETERS) < long(array, PARAMETERS)
        assert 0.65 * objects(array, PARAMETERS) < objects(array, slowed) < 0.95 * objects(array, PARAMETERS)


def test_two_mirrored_sata_drives_take_objects_at_the_speed_of_their_arms():
    array = array_of({"drive_class": "sata_7k", "drives": 2, "raid": "raid1"})
    small = {**block_io({"drive_class": "sata_7k", "drives": 2, "raid": "raid1"}, operation="write"), "block_kib": 4}

    iops_of_small = iops({**small, "queue_depth": 32}, PARAMETERS)

    assert object_write_mb_s(array, PARAMETERS) == pytest.approx(1 / (1 / 115 + 4 / iops_of_small), rel=1e-9)


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: array["drive_class"])
@pytest.mark.parametrize("share", [0.5, 0.7, 1.0])
def test_an_array_measured_slower_teaches_that_its_drives_are(array, share):
    scenario = block_io(array)
    measured = share * iops(scenario, PARAMETERS)

    lesson = lesson_of(scenario, "iops", measured, PARAMETERS)

    assert lesson is not None
    assert lesson.factor == f"drive.{array['drive_class']}"
    taught = PARAMETERS.with_factors({lesson.factor: math.exp(lesson.log_factor)})
    assert iops(scenario, taught) == pytest.approx(measured, rel=1e-6)


def test_random_reads_of_a_single_drive_teach_in_proportion():
    scenario = block_io({"drive_class": "sata_7k", "drives": 1, "raid": "none"})

    lesson = lesson_of(scenario, "iops", 0.7 * iops(scenario, PARAMETERS), PARAMETERS)

    assert lesson is not None
    assert math.exp(lesson.log_factor) == pytest.approx(0.7, rel=0.02)


def test_what_no_speed_of_the_drives_explains_teaches_nothing():
    scenario = block_io(ARRAYS[0])

    assert lesson_of(scenario, "iops", 1e9, PARAMETERS) is None
    assert lesson_of(scenario, "iops", 0.01, PARAMETERS) is None


def test_a_cluster_teaches_about_what_limits_it():
    predicted = predicted_value(CLUSTER, "throughput_mb_s", PARAMETERS)
    assert predicted is not None

    lesson = lesson_of(CLUSTER, "throughput_mb_s", 0.8 * predicted, PARAMETERS)

    assert lesson is not None
    assert lesson.factor in candidates_of(CLUSTER)
    taught = PARAMETERS.with_factors({lesson.factor: math.exp(lesson.log_factor)})
    assert predicted_value(CLUSTER, "throughput_mb_s", taught) == pytest.approx(0.8 * predicted, rel=1e-6)


@pytest.mark.parametrize(
    ("gets_per_put", "factor"), [(1, "drive.sas_15k"), (10_000, "kv_store.get_processor_ms")], ids=["puts", "gets"]
)
def test_a_key_value_store_teaches_about_what_limits_it(gets_per_put, factor):
    store = STORE | {"gets_per_put": gets_per_put}
    fast = fast_outcome(kv_run(store, PARAMETERS).network).throughput_ops

    lesson = lesson_of(store, "throughput_ops", 0.7 * fast, PARAMETERS)

    assert lesson is not None
    assert lesson.factor == factor
    taught = PARAMETERS.with_factors({lesson.factor: math.exp(lesson.log_factor)})
    assert predicted_value(store, "throughput_ops", taught) == pytest.approx(0.7 * fast, rel=1e-6)
    assert predicted_value(store, "get_mean_ms", PARAMETERS) is None


def test_a_metric_that_follows_from_another_teaches_nothing():
    assert lesson_of(block_io(ARRAYS[0]), "latency_ms", 5.0, PARAMETERS) is None
    assert lesson_of({"workload": "build"}, "minutes", 5.0, PARAMETERS) is None


def test_a_measured_network_is_assumed_no_more_and_counts_in_full():
    medium = EC2_2012_04["m1.medium"]
    assumed = machine_of_type(medium, parameters=PARAMETERS)
    lesson = ratio_lesson("network.m1.medium", measured=assumed.network_mb_s / 2, predicted=assumed.network_mb_s)
    assert lesson is not None

    measured = machine_of_type(medium, parameters=PARAMETERS.with_factors({lesson.factor: math.exp(lesson.log_factor)}))

    assert (assumed.network_is_assumed, measured.network_is_assumed) == (medium.network_mb_s is None, False)
    assert measured.network_mb_s == pytest.approx(assumed.network_mb_s / 2)
    assert ratio_lesson("network.m1.medium", measured=1.0, predicted=1000.0) is None


lessons = st.builds(
    Lesson, factor=st.sampled_from(["drive.ssd", "drive.sata_7k"]), log_factor=st.floats(-FURTHEST, FURTHEST)
)


@given(st.lists(lessons, max_size=8), st.randoms())
def test_the_order_of_lessons_does_not_matter(taught, random):
    shuffled = list(taught)
    random.shuffle(shuffled)

    assert factors_of(shuffled) == factors_of(taught)


@given(st.lists(lessons, min_size=1, max_size=8))
def test_a_factor_lies_between_as_taken_here_and_what_the_lessons_say(taught):
    for name, factor in factors_of(taught).items():
        mean = math.fsum(each.log_factor for each in taught if each.factor == name) / sum(
            each.factor == name for each in taught
        )
        assert abs(math.log(factor)) <= abs(mean) + 1e-5
        assert math.log(factor) * mean >= -1e-5


def test_one_lesson_counts_nearly_and_many_fully():
    once, often = (factors_of([Lesson("drive.ssd", math.log(0.7))] * count)["drive.ssd"] for count in (1, 50))

    assert 0.7 < often < once < 0.71
    assert factors_of([]) == {}
