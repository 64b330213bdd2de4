"""Replicated writes: which link and flash, what a burst leaves waiting, what is not sold, and what the page tells."""

import pytest

from core.errors import InputRefused
from planner.advice.answering import advice_answer
from planner.advice.arrays import drives_of
from planner.advice.replicated_writes import KIND
from planner.advice.replicated_writes_hosts import flash_of
from planner.advice.replicated_writes_page import write_part
from planner.tests.advice.factories import Ware, ask, make_market, make_shop
from planner.tests.advice.replicated_writes_case import PAIRED
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
WARES = {
    "server": [Ware("Plain", "80", {"cores": "4", "disk_slots": "8"})],
    "port_speed": [
        Ware("100 Mbps Private", "0", {"uplink_mbps": "100"}),
        Ware("1 Gbps Private", "10", {"uplink_mbps": "1000"}),
        Ware("10 Gbps Private", "150", {"uplink_mbps": "10000"}),
    ],
    "disk_controller": [Ware("Non-RAID", "0"), Ware("RAID 10", "50", rule=PAIRED)],
    "disk0": [
        Ware("64 GB SSD", "30", {"capacity_gb": "64"}),
        Ware("800 GB SSD (10 DWPD)", "150", {"capacity_gb": "800"}),
        Ware("1 TB SATA", "20", {"capacity_gb": "1000"}),
    ],
}
MARKET = make_market(make_shop(WARES, slots=8))


def answer(**words: str) -> dict:
    return advice_answer(asked=ask("replicated_writes", **words), market=MARKET, parameters=PARAMETERS)


def figures_of(row: dict) -> dict[str, float]:
    return {figure["key"]: figure["value"] for figure in row["figures"]}


def facts_of(row: dict, **words: str) -> dict[str, str]:
    part = write_part(ask("replicated_writes", **words).demand, row, PARAMETERS)
    return {fact["label"]: fact["words"] for fact in part["facts"]}


def test_small_writes_go_as_fast_over_the_slower_link() -> None:
    best = answer(iops="10,000 IOPS", io="4 KiB")["best"]

    assert best["title"] == "2 × Plain, 1 Gb/s, 1 × 64 GB SSD before 1 × 1 TB SATA"
    assert best["limit"] == "the flash"


def test_larger_writes_need_the_faster_link() -> None:
    best = answer(iops="2,000 IOPS", io="64 KiB", burst="0")["best"]

    assert best["title"] == "2 × Plain, 10 Gb/s, 1 × 64 GB SSD before 1 × 1 TB SATA"


def test_one_copy_waits_for_no_link() -> None:
    best = answer(iops="2,000 IOPS", io="64 KiB", burst="0", copies="1")["best"]

    assert best["machines"] == 1
    assert "1 Gb/s" in best["title"]


def test_a_burst_larger_than_the_flash_takes_a_larger_one() -> None:
    words = {"burst": "80 GB", "length": "1 h", "every": "240 h", "base": "0"}

    best = answer(**words)["best"]

    assert figures_of(best)["flash"] == 800
    backlog = next(need for need in best["needs"] if need["field"] == "burst")
    assert 64 < backlog["asked"] < 80


def test_an_array_that_cannot_drain_what_is_written_is_not_advised() -> None:
    slow = answer(burst="0", base="150 IOPS")["best"]
    fast = answer(burst="0", base="300 IOPS")["best"]

    assert slow["title"].endswith("before 1 × 1 TB SATA")
    assert "before RAID 10 of" in fast["title"]
    assert 150 <= figures_of(slow)["drain"] < 300 <= figures_of(fast)["drain"]


def test_more_than_any_array_drains_names_the_array_as_the_limit() -> None:
    problem = answer(burst="0", base="5,000 IOPS")["problem"]

    assert problem["limit"] == "Writes that the array drains"
    assert problem["field"] == "base"


def test_slow_links_and_infiniband_are_told_as_not_to_be_had() -> None:
    assert {(each["name"], each["reason"]) for each in answer()["left_out"]} == {
        ("100 Mbps Private (Server)", "Its speed is not told, or is below 1 Gb/s."),
        ("InfiniBand", "It is not sold here; the chart shows what it would do."),
    }


def test_infiniband_is_chosen_where_it_is_sold_and_helps_most_for_its_money() -> None:
    sold = {**WARES, "port_speed": [*WARES["port_speed"], Ware("40 Gbps InfiniBand", "100", {"uplink_mbps": "40000"})]}
    market = make_market(make_shop(sold, slots=8))
    asked = ask("replicated_writes", iops="2,000 IOPS", io="64 KiB", burst="0")

    found = advice_answer(asked=asked, market=market, parameters=PARAMETERS)

    assert "40 Gb/s" in found["best"]["title"]
    assert "InfiniBand" not in {each["name"] for each in found["left_out"]}


def test_flash_is_told_by_what_it_bears() -> None:
    assert [flash_of(drive) for drive in drives_of(MARKET.shops[0])] == ["sata_mlc_ssd", "sata_emlc_ssd", None]


def test_a_burst_that_outlasts_the_time_to_the_next_one_is_refused() -> None:
    with pytest.raises(InputRefused) as refused:
        ask("replicated_writes", length="2 h", every="1 h")

    assert [(each.code, each.field) for each in refused.value.violations] == [("too_long", "length")]


def test_the_page_tells_what_becomes_of_a_burst() -> None:
    """2 GB of 4 KiB are 488,281 writes in 300 s: 1,628 a second."""
    words = {"burst": "2 GB", "length": "5 min", "every": "2 h", "base": "0"}
    best = answer(**words)["best"]

    facts = facts_of(best, **words)

    drain = figures_of(best)["drain"]
    rise = (2e9 / 4096 / 300 - drain) * 300
    assert facts["A burst comes at"] == "1,628 IOPS"
    assert facts["It leaves waiting in the flash"] == f"{rise * 4096 / 1e9:.4g} GB"
    assert facts["The array has drained it after"] == f"{rise / drain / 60:.4g} min"
    assert facts["Bursts in a row that the flash takes"] == "any number"
    assert facts["Written on average"] == f"{2e9 / 4096 / 7200:.4g} IOPS"


def test_the_chart_says_where_the_link_makes_a_difference() -> None:
    best = answer()["best"]
    assert KIND.page_part

    panel = KIND.page_part({}, best, "USD")["panel"]

    rates = {row[0]: [float(each.replace(",", "")) for each in row[1:]] for row in panel.rows}
    assert rates["4"][1] < 1.1 * rates["4"][0]
    assert rates["64"][1] > 1.1 * rates["64"][0]
    assert panel.title.startswith("10 GbE helps for writes of 16 to 256 KiB")
    assert [column["label"] for column in panel.columns][3] == "InfiniBand, 40 Gb/s"
