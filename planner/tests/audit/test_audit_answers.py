"""What an audit says of arrays: how busy they are, what a job costs, what another level or no job would save."""

from typing import Any

import numpy as np
import pytest

from accounts.models import Account
from core.errors import InputRefused
from planner.advice.answering import advice_answer
from planner.advice.asking import complete_words
from planner.advice.kinds import asked_of
from planner.advice.market import Market
from planner.advice.registry import KINDS
from planner.audit.carrying import busy_by_interval, busy_by_part, capable_of, carried, running
from planner.audit.kind import kept
from planner.audit.page import audit_part
from planner.tests.advice.factories import Ware, ask, make_market, make_shop, read_market
from planner.tests.advice.raid_case import ASKED
from planner.tests.audit.factories import iostat, make_parts
from simulation.arrays import Array, HostIo, array_throughput
from simulation.parameters import load_parameter_set
from simulation.raid import layout_of

PARAMETERS = load_parameter_set()
CAPABLE = capable_of(PARAMETERS, queue_depth=128)
DAY = 288


def array(raid: str, drives: int = 8) -> Array:
    return Array("sas_15k", drives, layout_of(raid=raid, drives=drives), 600)


def with_a_backup(height: float = 2000) -> Any:
    slots = np.arange(DAY * 7)
    return make_parts(200 + np.where(slots % DAY < 12, height, 0.0))


def answer_of(market: Market, **words: str) -> dict[str, Any]:
    return advice_answer(asked=ask("io_audit", **words), market=market, parameters=PARAMETERS)


def test_a_steady_load_keeps_an_array_as_busy_as_its_capability_says() -> None:
    parts = make_parts(np.full(DAY, 200.0))
    capability = array_throughput(array("raid10"), HostIo(8, 128, 0.7, sequential=False), PARAMETERS).iops

    found = carried(running(parts), array("raid10"), CAPABLE, level="peak")

    assert found.busy == pytest.approx(200 / capability, rel=1e-6)
    assert found.mean_busy == pytest.approx(found.busy)
    assert found.times == pytest.approx(capability / 200, rel=1e-6)


def test_the_parts_of_the_time_add_up_to_the_mean() -> None:
    parts = running(with_a_backup())

    busy = busy_by_part(parts, array("raid50"), CAPABLE)

    assert sum(busy.values()) == pytest.approx(busy_by_interval(parts, array("raid50"), CAPABLE).mean())
    assert set(busy) == {"always", "job1"}


def test_without_its_backup_the_peak_is_what_runs_always() -> None:
    parts = with_a_backup()

    whole = carried(running(parts), array("raid10"), CAPABLE, level="peak")
    without = carried(running(parts, {"job1"}), array("raid10"), CAPABLE, level="peak")

    assert whole.busy == pytest.approx(11 * without.busy, rel=1e-6)


def test_mirrors_carry_more_of_a_load_that_writes_than_parity_on_the_same_drives() -> None:
    parts = running(make_parts(np.full(DAY, 200.0)))

    mirrors = carried(parts, array("raid10"), CAPABLE, level="p95")
    parity = carried(parts, array("raid50"), CAPABLE, level="p95")

    assert mirrors.times > 1.2 * parity.times


def shops() -> Market:
    wares = {
        "server": [Ware("Small", "50", {"disk_slots": "4"}), Ware("Large", "90", {"disk_slots": "12"})],
        "disk_controller": [Ware("RAID 1", "5", rule=ASKED["RAID 1"]), Ware("RAID 10", "10", rule=ASKED["RAID 10"])],
        "disk0": [
            Ware("SATA drive", "10", {"capacity_gb": "2000"}),
            Ware("SAS 15K drive", "20", {"capacity_gb": "600"}),
        ],
        "os": [Ware("A system", "0")],
    }
    return make_market(make_shop(wares, required=("os",), slots=12))


def test_the_ladder_says_what_is_asked_as_the_answer_does_and_less_to_do_never_costs_more() -> None:
    for level in ("p95", "peak"):
        for scope in ("everything", "without_jobs"):
            answer = answer_of(shops(), level=level, scope=scope, capacity="900 GB", growth="1 times")

            ladder = {(row["level"], row["without"]): row for row in answer["best"]["extra"]["ladder"]}

            assert (
                ladder[level, "" if scope == "everything" else "job1"]["monthly_cost"] == answer["best"]["monthly_cost"]
            )
            assert set(ladder) == {(each, without) for each in ("p95", "peak") for without in ("", "job1")}
            for each in ("p95", "peak"):
                assert float(ladder[each, "job1"]["monthly_cost"]) <= float(ladder[each, ""]["monthly_cost"])


def test_the_page_splits_the_price_by_the_time_of_the_array() -> None:
    words = {"price_now": "480.00"}
    asked = ask("io_audit", **words)
    answer = answer_of(shops(), **words)

    part = audit_part(asked.demand, answer["best"], "USD")

    told = [row["today_cost"].amount for row in part["parts"]] + [part["idle"]["today_cost"].amount]
    assert abs(float(sum(told)) - 480.00) <= 0.02
    new = [row["new_cost"].amount for row in part["parts"]] + [part["idle"]["new_cost"].amount]
    assert abs(float(sum(new)) - float(answer["best"]["monthly_cost"])) <= 0.02
    assert [row["name"] for row in part["parts"]] == [
        "What runs always", "The job every day at 02:00", "The rest, in no pattern",
    ]  # fmt: skip


def test_without_a_price_of_today_no_cost_of_today_is_told() -> None:
    part = audit_part(ask("io_audit").demand, answer_of(shops())["best"], "USD")

    assert not part["has_price"]
    assert [row["today_cost"] for row in part["parts"]] == [None, None, None]


def test_another_level_says_how_many_of_the_same_drives_would_do() -> None:
    asked = ask("io_audit", price_now="800", drives_now="12", capacity="1.2 TB", growth="1 times")
    answer = answer_of(shops(), price_now="800", drives_now="12", capacity="1.2 TB", growth="1 times")

    rows = {row["name"]: row for row in audit_part(asked.demand, answer["best"], "USD")["levels"]}

    assert rows["RAID 50"]["is_today"]
    assert rows["RAID 10"]["for_capacity"] == 4
    assert rows["RAID 5"]["for_capacity"] == 3
    fewer = 12 - rows["RAID 10"]["drives"]
    assert rows["RAID 10"]["saved"] == f"{fewer} fewer, ${800 * fewer / 12:,.2f} a month less"


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ({"raid_now": "raid10", "drives_now": "7"}, "drives_now"),
        ({"series": iostat(40, devices=("sda", "sdb"))}, "device"),
        ({"device": "sdz"}, "device"),
        ({"series": "nothing"}, "series"),
        ({"price_now": "much"}, "price_now"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(words: dict[str, str], field: str) -> None:
    with pytest.raises(InputRefused) as refused:
        ask("io_audit", **words)

    assert {violation.field for violation in refused.value.violations} == {field}


def test_a_file_is_kept_as_the_series_of_its_device_with_its_digest() -> None:
    words = complete_words(KINDS["io_audit"].fields, {"series": iostat(40, devices=("sda", "sdb")), "device": "sdb"})

    short = kept(words)

    assert len(short["series"]) < len(words["series"]) / 4
    assert short["series"].startswith('"From iostat, SHA-256 ')
    assert asked_of(KINDS["io_audit"], short).words == asked_of(KINDS["io_audit"], words).words


@pytest.mark.django_db
def test_switching_the_backup_off_saves_money_on_the_shipped_catalogue(ec2: None, account: Account) -> None:
    asked = ask("io_audit", growth="20 times", level="peak")

    best = advice_answer(asked=asked, market=read_market(account, asked), parameters=PARAMETERS)["best"]

    peak = {row["without"]: float(row["monthly_cost"]) for row in best["extra"]["ladder"] if row["level"] == "peak"}
    assert peak[""] == float(best["monthly_cost"])
    assert peak["job1"] < peak[""]
