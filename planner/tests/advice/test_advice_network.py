"""Network: which bandwidths carry a month, what more costs, what an uplink passes, and of three networks."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Account
from catalog.usage import UsageTier
from planner.advice.answering import advice_answer
from planner.advice.network_plans import ALONE, TOGETHER, Bandwidth, NetworkDemand, NetworkPlan, bandwidths_of
from planner.tests.advice.factories import Ware, ask, make_market, make_shop, read_market
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
WARES = {
    "server": [Ware("Plain", "50")],
    "port_speed": [
        Ware("100 Mbps Public & Private", "0", {"uplink_mbps": "100"}),
        Ware("1 Gbps Public & Private", "10", {"uplink_mbps": "1000"}),
        Ware("10 Gbps Private", "5", {"uplink_mbps": "10000"}),
        Ware("Public of some speed", "1"),
    ],
    "bandwidth": [
        Ware("500 GB Bandwidth", "0", {"outbound_gb": "500"}),
        Ware("1000 GB Bandwidth", "30", {"outbound_gb": "1000"}),
        Ware("5000 GB Bandwidth", "200", {"outbound_gb": "5000"}),
        Ware("Unlimited Bandwidth", "900"),
        Ware("Some bandwidth", "1"),
    ],
    "remote_management": [Ware("A console", "0")],
}
RATE = Decimal("0.125")
SHOP = make_shop(WARES, required=("remote_management",))


def answer(**words: str) -> dict:
    return advice_answer(asked=ask("network", **words), market=make_market(SHOP), parameters=PARAMETERS)


def figures_of(row: dict) -> dict[str, float]:
    return {figure["key"]: figure["value"] for figure in row["figures"]}


def demand(**changed: object) -> NetworkDemand:
    return ask("network").demand.__class__(**{**vars(ask("network").demand), **changed})


def test_little_traffic_goes_out_of_one_server_for_the_price_of_the_server() -> None:
    best = answer(out="400 GB", into="0", peak="50 Mbit/s")["best"]

    assert best["title"] == "1 × Plain, 0.1 Gb/s, 500 GB Bandwidth"
    assert best["monthly_cost"] == "50.00"
    assert figures_of(best) == {
        "peak": 0.07,
        "out": 500,
        "into": pytest.approx(22_680),
        "private": 0.07,
        "networks": 3,
    }


def test_a_second_server_costs_less_than_a_larger_allowance_for_one() -> None:
    best = answer(out="2 TB", into="0", peak="50 Mbit/s")["best"]

    assert best["title"] == "2 × Plain, 0.1 Gb/s, 2 × 1000 GB Bandwidth"
    assert best["monthly_cost"] == "160.00"


def test_allowances_that_are_counted_together_are_mixed() -> None:
    words = {"out": "1.5 TB", "into": "0", "peak": "120 Mbit/s"}

    assert answer(**words)["best"]["monthly_cost"] == "150.00"
    mixed = answer(**words, sharing="together")["best"]
    assert mixed["monthly_cost"] == "130.00"
    assert mixed["title"] == "2 × Plain, 0.1 Gb/s, 1 × 500 GB Bandwidth, 1 × 1000 GB Bandwidth"
    assert [role["quantity"] for role in mixed["roles"]] == [1, 1]


def test_an_allowance_and_an_uplink_carry_just_what_they_say() -> None:
    best = answer(out="500 GB", into="0", peak="70 Mbit/s", servers="1")["best"]

    assert best["title"] == "1 × Plain, 0.1 Gb/s, 500 GB Bandwidth"


def test_the_peak_chooses_the_uplink() -> None:
    best = answer(out="400 GB", peak="0.7 Gb/s", servers="3")["best"]

    assert best["title"] == "1 × Plain, 1 Gb/s, 500 GB Bandwidth"
    assert best["needs"][0]["delivered"] == pytest.approx(0.7)


def test_unlimited_bandwidth_lets_out_what_the_uplink_passes() -> None:
    plan = NetworkPlan(SHOP, SHOP.offered("server")[0], SHOP.offered("port_speed")[0], (bandwidths_of(SHOP)[-1],))

    assert plan.out_gb(demand(fill=0.5)) == pytest.approx(0.1 * 0.5 * 30 * 24 * 3600 / 8)


def test_what_is_private_or_of_unknown_speed_or_size_is_left_out_with_the_reason() -> None:
    assert {(each["name"], each["reason"]) for each in answer()["left_out"]} == {
        ("10 Gbps Private (Server)", "It does not reach the public network."),
        ("Public of some speed (Server)", "Its speed is not told."),
        ("Some bandwidth (Server)", "Its allowance is not told."),
    }


def test_traffic_beyond_the_allowance_counts_in_the_ranking_and_is_told_beside_the_order() -> None:
    wares = {**WARES, "bandwidth": [
        Ware("500 GB Bandwidth", "0", {"outbound_gb": "500"}, usage="0.02"),
        Ware("1000 GB Bandwidth", "30", {"outbound_gb": "1000"}),
    ]}  # fmt: skip
    market = make_market(make_shop(wares, required=("remote_management",)))

    best = advice_answer(
        asked=ask("network", out="1,000 GB", peak="50 Mbit/s"), market=market, parameters=PARAMETERS
    )["best"]  # fmt: skip

    assert best["title"] == "1 × Plain, 0.1 Gb/s, 500 GB Bandwidth"
    assert (best["monthly_cost"], best["cents"]) == ("50.00", 6000)
    assert any("expected to cost $10.00 a month" in note for note in best["notes"])


def test_management_apart_is_met_by_packages_that_have_it() -> None:
    without = make_shop({code: wares for code, wares in WARES.items() if code != "remote_management"}, key="bare")
    market = make_market(without, SHOP)

    best = advice_answer(asked=ask("network", management="apart"), market=market, parameters=PARAMETERS)["best"]

    assert best["roles"][0]["package"] == "server"
    assert figures_of(best)["networks"] == 3
    assert any("one apart for management (A console)" in note for note in best["notes"])


@given(
    out=st.integers(0, 20_000),
    picked=st.lists(st.integers(0, 2), min_size=1, max_size=4),
    sharing=st.sampled_from((ALONE, TOGETHER)),
)
def test_beyond_the_allowance_every_gigabyte_is_paid_once(out: int, picked: list[int], sharing: str) -> None:
    """All bandwidths at one rate: what is paid is what no allowance holds, whoever carries it."""
    free = [bandwidths_of(SHOP)[number] for number in picked]
    bandwidths = tuple(Bandwidth(each.part, each.allowance_gb, (UsageTier(0, RATE),)) for each in free)
    plan = NetworkPlan(SHOP, SHOP.offered("server")[0], SHOP.offered("port_speed")[1], bandwidths)

    metered = plan.metered(demand(out_gb=float(out), sharing=sharing))

    if sharing == TOGETHER:
        beyond = max(0.0, out - sum(bandwidth.allowance_gb for bandwidth in bandwidths))
    else:
        beyond = sum(max(0.0, out / len(bandwidths) - bandwidth.allowance_gb) for bandwidth in bandwidths)
    assert float(metered) == pytest.approx(beyond * 0.125)


@pytest.mark.django_db
def test_the_shipped_catalogue_carries_more_from_more_servers(ec2: None, account: Account) -> None:
    asked = ask("network", out="60 TB", peak="5 Gb/s", servers="8", sharing="together")

    found = advice_answer(asked=asked, market=read_market(account, asked), parameters=PARAMETERS)

    assert found["best"]["meets"]
    assert found["best"]["machines"] > 1
    assert len({row["machines"] for row in found["runners_up"]}) > 1
