"""Predictions of single configurations after an account measured: measured, calibrated, or as before."""

import math

import pytest

from planner.configurations import Configuration, DriveGroup
from planner.learnt import Learnt, array_test_of
from planner.measurements.calibrating import learnt_of
from planner.measurements.services import measurement_delete
from planner.predicted import predicted_of
from planner.tests.test_measurements import MIRROR, keep, made_fio, mongo_role


def configuration(drive_class: str = "sata_7k", *, drives: int = 2, raid: str = "raid1") -> Configuration:
    return Configuration(
        title="one",
        quantity=1,
        platform="bare_metal",
        cores=4,
        compute_units=None,
        ram_gb=8.0,
        network_gbps=1.0,
        machine_type=None,
        drives=(DriveGroup(drive_class, 500.0, drives, "500 GB"),),
        raid=raid,
        notes=(),
    )


def bases(configuration: Configuration, learnt: Learnt) -> dict[str, str]:
    return {figure.key: figure.basis for figure in predicted_of(configuration, learnt=learnt).figures}


TEST = {
    "workload": "block_io", "array": MIRROR, "mount": "data", "block_kib": 8, "queue_depth": 128, "access": "random",
    "operation": "read",
}  # fmt: skip


def test_what_was_measured_under_the_very_test_is_shown_as_measured_and_the_rest_as_calibrated():
    learnt = Learnt(factors={"drive.sata_7k": 0.7}, iops={array_test_of(TEST): 123.0})

    figure = predicted_of(configuration(), learnt=learnt).figure("random_read")

    assert (figure.value, figure.low, figure.high, figure.basis_tag) == (123.0, 123.0, 123.0, "measured")
    assert bases(configuration(), learnt) == {
        "random_read": "measured", "random_write": "calibrated", "sequential_read": "calibrated",
        "sequential_write": "calibrated", "usable": "specification", "network": "specification",
    }  # fmt: skip


def test_another_array_of_the_same_drives_is_calibrated_and_slower():
    learnt = Learnt(factors={"drive.sata_7k": 0.7}, iops={array_test_of(TEST): 123.0})
    four = configuration(drives=4, raid="raid10")

    before, after = (predicted_of(four, learnt=each).figure("sequential_read") for each in (Learnt(), learnt))

    assert after.basis == "calibrated"
    assert 0.65 * before.value < after.value < 0.95 * before.value


def test_another_class_of_drives_is_predicted_as_before():
    learnt = Learnt(factors={"drive.sata_7k": 0.7})

    assert predicted_of(configuration("ssd"), learnt=learnt) == predicted_of(configuration("ssd"))


@pytest.mark.django_db
def test_what_an_account_learnt_is_what_its_rows_say(ec2, account, ana):
    file = keep(account, ana, made_fio(share=0.7), source=f"role:{mongo_role().pk}")
    row = file.measurements.get(metric="iops")

    learnt = learnt_of(account_id=account.pk)

    assert learnt.factors == {"drive.sata_7k": pytest.approx(math.exp(row.log_factor), rel=0.02)}
    assert learnt.iops == {("sata_7k", 2, "raid1", "random", "write", 4.0, 32): row.value}
    measurement_delete(account=account, file_id=file.pk)
    assert learnt_of(account_id=account.pk) == Learnt()
