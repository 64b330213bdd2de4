"""RAID and disks: what survives what, how exposed a rebuild is, and what is said in plain words."""

import pytest

from accounts.models import Account
from planner.advice.answering import advice_answer
from planner.tests.advice.factories import Ware, ask, make_market, make_shop, read_market
from planner.tests.advice.raid_case import ASKED
from simulation.parameters import load_parameter_set
from simulation.raid import layout_of, rebuild_hours, rebuild_loss_chance

PARAMETERS = load_parameter_set()
SHOP = {
    "server": [Ware("Small", "50", {"disk_slots": "2"}), Ware("Large", "90", {"disk_slots": "6"})],
    "disk_controller": [
        Ware("Non-RAID", "0"),
        Ware("RAID 1", "30", rule=ASKED["RAID 1"]),
        Ware("RAID 10", "30", rule=ASKED["RAID 10"]),
    ],
    "disk0": [Ware("1 TB SATA", "20", {"capacity_gb": "1000"}), Ware("400 GB SSD", "80", {"capacity_gb": "400"})],
}


def answer(**words: str) -> dict:
    asked = ask("raid", **words)
    return advice_answer(asked=asked, market=make_market(make_shop(SHOP, slots=6)), parameters=PARAMETERS)


def figures_of(row: dict) -> dict[str, float]:
    return {figure["key"]: figure["value"] for figure in row["figures"]}


def test_a_pair_of_drives_is_enough_for_little() -> None:
    best = answer(capacity="900 GB", iops="50 IOPS")["best"]

    assert best["title"] == "RAID 1 of 2 × 1 TB SATA in Small"
    assert best["monthly_cost"] == "120.00"


def test_more_needs_pairs_of_pairs_in_a_larger_chassis() -> None:
    best = answer(capacity="2 TB", iops="50 IOPS")["best"]

    assert best["title"] == "RAID 10 of 4 × 1 TB SATA in Large"
    assert best["monthly_cost"] == "200.00"


def test_what_may_be_lost_needs_no_raid_and_says_so() -> None:
    best = answer(capacity="900 GB", iops="10 IOPS", failures="0")["best"]

    assert best["title"] == "1 × 1 TB SATA in Small"
    assert best["notes"] == ["A drive alone loses everything when a drive fails: only for what may be lost."]


def test_flash_is_taken_where_rotating_drives_are_too_slow() -> None:
    best = answer(capacity="300 GB", iops="5,000 IOPS")["best"]

    assert "400 GB SSD" in best["title"]


def test_only_the_drives_that_are_wanted_are_advised() -> None:
    found = answer(capacity="300 GB", iops="50 IOPS", media="flash")

    assert all("SSD" in row["title"] for row in (found["best"], *found["runners_up"]))


def test_how_exposed_a_rebuild_is_follows_the_model() -> None:
    best = answer(capacity="900 GB", iops="50 IOPS")["best"]

    speed = PARAMETERS.value("raid.rebuild_mb_s")
    chance = rebuild_loss_chance(
        layout=layout_of(raid="raid1", drives=2),
        drive_gb=1000,
        rebuild_mb_s=speed,
        failures_per_drive_year=PARAMETERS.value("raid.failures_per_drive_year"),
    )
    assert figures_of(best)["rebuild"] == rebuild_hours(drive_gb=1000, rebuild_mb_s=speed)
    assert figures_of(best)["loss"] == pytest.approx(100 * chance)


def test_the_advice_says_that_raid_is_no_backup() -> None:
    notes = " ".join(answer()["notes"])

    for words in ("RAID is not a backup", "weekly", "daily", "off the server", "RAID 10", "RAID 0 only"):
        assert words in notes


@pytest.mark.django_db
def test_drives_and_controllers_that_are_not_understood_are_named(ec2: None, account: Account) -> None:
    asked = ask("raid")

    left_out = advice_answer(asked=asked, market=read_market(account, asked), parameters=PARAMETERS)["left_out"]

    assert {"name": "RAID (Bare Metal Server)", "reason": "Its RAID level is not told."} in left_out
