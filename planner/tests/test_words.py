"""Findings in words: why a shape lost, and what an impossible demand runs into and by how much."""

from decimal import Decimal

import pytest

from planner.benchmarks import fleet_of_2012
from planner.planning import plan_now
from planner.shapes import groups_of
from planner.tests.brute_force import best_by_force
from planner.tests.factories import make_demand, make_fleet, make_machine
from planner.words import reason_lost
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
FLEET_2012 = fleet_of_2012(PARAMETERS)
BALANCERS = [make_machine("cc2.8xlarge", compute_units=88, network_mb_s=1200)]


def problem(fleet=FLEET_2012, **words):
    answer = plan_now(fleet=fleet, demand=make_demand(**words), parameters=PARAMETERS)
    assert answer["best"] is None
    return answer["problem"]


def row(**changes):
    return {
        "proxies": 3, "nodes_per_proxy": 5, "machines": 20, "cents": 100_000, "mb_s": 100.0, "capacity_gb": 2000.0,
        "bound_by": "throughput", "limit": "proxy network",
    } | changes  # fmt: skip


CHEAPEST = make_demand(throughput="100 MB/s", capacity="2 TB")
FASTEST = make_demand(budget="1000", capacity="2 TB")
LARGEST = make_demand(budget="1000", throughput="100 MB/s")


@pytest.mark.parametrize(
    ("demand", "changes", "words"),
    [
        (
            CHEAPEST,
            {"cents": 109_000},
            "$90.00 a month more: throughput asks for 3 proxies of 5 storage nodes each, limited by proxy network.",
        ),
        (
            CHEAPEST,
            {"cents": 109_000, "bound_by": "throughput and capacity"},
            "$90.00 a month more: throughput and capacity ask for 3 proxies of 5 storage nodes each, "
            "limited by proxy network.",
        ),
        (CHEAPEST, {"machines": 21}, "The same price, with 1 more machine."),
        (CHEAPEST, {"machines": 26}, "The same price, with 6 more machines."),
        (CHEAPEST, {"mb_s": 98.0}, "The same price, with 2 MB/s less."),
        (CHEAPEST, {}, "The same price, and equal in everything else; it comes later in the catalogue."),
        (
            FASTEST,
            {"mb_s": 90.0},
            "10 MB/s less: the budget ends at 3 proxies of 5 storage nodes each, limited by proxy network.",
        ),
        (FASTEST, {"cents": 100_001}, "As fast, for $0.01 a month more."),
        (LARGEST, {"capacity_gb": 1500.0}, "500 GB less: the budget ends at 3 proxies of 5 storage nodes each."),
        (LARGEST, {"machines": 22}, "As large, with 2 more machines."),
    ],
)
def test_a_shape_lost_for_a_reason_in_one_line(demand, changes, words):
    assert reason_lost(demand, row(**changes), row()) == words


def test_runners_up_all_say_why_they_lost():
    answer = plan_now(fleet=FLEET_2012, demand=CHEAPEST, parameters=PARAMETERS)

    reasons = [each["reason"] for each in answer["runners_up"]]
    assert len(reasons) == 10
    assert all(reason.startswith(("$", "The same price")) for reason in reasons)


def test_a_budget_that_is_too_small_is_short_of_the_cheapest_configuration_of_all_types():
    # A t1.micro is the cheapest proxy, and it is not the first in the list.
    assert problem(budget="900", capacity="2 TB") == {
        "limit": "budget",
        "words": (
            "The budget binds: the cheapest configuration for 2 TB (1 t1.micro + 15 m1.medium) costs $1,742.40 a "
            "month, $842.40 more than the budget. The budget buys at most 800 GB."
        ),
        "short_by": "842.40 USD",
        "nearest_possible": "1742.40 USD",
    }


def test_the_nearest_price_is_that_of_brute_force_over_all_types():
    found = problem(budget="900", throughput="100 MB/s")

    cheapest = make_demand(throughput="100 MB/s", capacity="0.000001 GB")
    groups = groups_of(fleet=FLEET_2012, demand=cheapest, parameters=PARAMETERS)
    best = best_by_force(groups)
    assert found["nearest_possible"] == f"{Decimal(best.cents) / 100:.2f} USD"
    assert found["words"].endswith("The budget buys at most 33.3 MB/s.")


def test_a_budget_below_the_smallest_cloud_buys_nothing_and_says_no_more():
    found = problem(budget="1", capacity="2 TB")

    assert found["short_by"] == "1741.40 USD"
    assert "buys at most" not in found["words"]


@pytest.mark.parametrize("words", [{"capacity": "2 TB"}, {"budget": "99999", "goal": "maximise_capacity"}])
def test_one_balancer_binds_at_140_mb_s(words):
    found = problem(throughput="175 MB/s", balancers="1", **words)

    assert (found["limit"], found["short_by"], found["nearest_possible"]) == (
        "balancers",
        "26.25 MB/s",
        "140.00 MB/s",
    )
    assert found["words"] == (
        "The balancers bind: 1 × cc2.8xlarge is all there may be. That passes at most 140 MB/s, and 166.3 MB/s is "
        "needed: 26.3 MB/s short. Add balancers, or leave their number open."
    )


def test_without_balancers_the_fastest_single_proxy_is_the_nearest():
    found = problem(throughput="175 MB/s", capacity="2 TB", balancers="0")

    groups = groups_of(fleet=FLEET_2012, demand=CHEAPEST, parameters=PARAMETERS)
    fastest = max(groups.mb_s[groups.usable_mgb >= 6_000_000])
    assert (found["limit"], found["nearest_possible"]) == ("balancers", f"{fastest:.2f} MB/s")
    assert "with none there is one proxy alone" in found["words"]


def test_without_balancers_the_largest_single_group_is_the_nearest():
    found = problem(throughput="20 MB/s", capacity="2 PB", balancers="0")

    # 80 × 3,370 GB in three copies.
    assert (found["limit"], found["nearest_possible"]) == ("balancers", "89866.67 GB")


def test_a_throughput_beyond_the_largest_cluster_is_bound_by_size():
    found = problem(throughput="500 GB/s", capacity="2 TB")

    groups = groups_of(fleet=FLEET_2012, demand=CHEAPEST, parameters=PARAMETERS)
    fastest = 5000 * max(groups.mb_s[groups.usable_mgb > 0])
    assert (found["limit"], found["nearest_possible"]) == ("size", f"{fastest:.2f} MB/s")
    assert found["short_by"] == f"{475_000 - fastest:.2f} MB/s"


@pytest.mark.parametrize("words", [{"throughput": "5 GB/s"}, {"budget": "9000"}])
def test_a_capacity_beyond_the_largest_cluster_is_bound_by_size(words):
    found = problem(capacity="2000 PB", **words)

    assert (found["limit"], found["nearest_possible"]) == ("size", "449333333.33 GB")
    assert "That holds at most 449.3 PB, and 2,000 PB is asked: 1,550.7 PB short." in found["words"]


@pytest.mark.parametrize(
    "words",
    [
        {"throughput": "100 MB/s", "capacity": "1 GB"},
        {"budget": "9000", "capacity": "1 GB"},
        {"budget": "9000", "throughput": "1 MB/s"},
    ],
)
def test_a_fleet_without_local_storage_can_store_nothing(words):
    diskless = make_fleet(
        [make_machine("a", local_storage_gb=0), make_machine("b", local_storage_gb=0)], balancers=BALANCERS
    )

    found = problem(fleet=diskless, **words)

    assert (found["limit"], found["short_by"]) == ("capacity", None)
    assert found["words"] == "No machine type sold here has local storage, so no capacity can be stored."


def test_a_diskless_type_serves_as_proxy_and_never_as_storage_node():
    fleet = make_fleet(
        [make_machine("diskless", fee="1", local_storage_gb=0), make_machine("disks", fee="500")], balancers=BALANCERS
    )

    answer = plan_now(fleet=fleet, demand=make_demand(throughput="5 MB/s", capacity="1 GB"), parameters=PARAMETERS)

    assert answer["best"]["shape"] == "1 diskless + 5 disks"


def test_one_machine_type_is_a_fleet_too():
    fleet = make_fleet([make_machine("only")], balancers=BALANCERS)

    answer = plan_now(fleet=fleet, demand=make_demand(throughput="5 MB/s", capacity="1 GB"), parameters=PARAMETERS)

    assert (answer["best"]["shape"], answer["best"]["total_monthly_cost"]) == ("1 only + 5 only", "600.00")
    assert answer["runners_up"] == []


def test_the_smallest_demand_and_the_largest_budget_are_answered():
    tiny = make_demand(throughput="0.001 MB/s", capacity="1 MB")
    rich = make_demand(budget="1,000,000,000,000", capacity="1 GB", balancers="1")

    smallest = plan_now(fleet=FLEET_2012, demand=tiny, parameters=PARAMETERS)["best"]
    richest = plan_now(fleet=FLEET_2012, demand=rich, parameters=PARAMETERS)["best"]

    assert smallest["shape"] == "1 t1.micro + 5 m1.small"
    assert richest["mb_s"] == pytest.approx(140.0, rel=1e-4)


@pytest.mark.parametrize("demand", [CHEAPEST, FASTEST])
def test_the_best_row_says_what_binds(demand):
    groups = groups_of(fleet=FLEET_2012, demand=demand, parameters=PARAMETERS)
    answer = plan_now(fleet=FLEET_2012, demand=demand, parameters=PARAMETERS)

    limits = {*groups.limit.tolist(), "balancers"}
    for each in [answer["best"] or answer["problem"], *answer["runners_up"]]:
        assert each["limit"] in limits | {"budget"}


def test_a_row_says_whether_throughput_or_capacity_keeps_it_from_being_smaller():
    small = plan_now(
        fleet=FLEET_2012, demand=make_demand(throughput="175 MB/s", capacity="1 GB"), parameters=PARAMETERS
    )
    large = plan_now(
        fleet=FLEET_2012, demand=make_demand(throughput="1 MB/s", capacity="200 TB"), parameters=PARAMETERS
    )

    assert small["best"]["bound_by"] == "throughput"
    assert large["best"]["bound_by"] == "capacity"
