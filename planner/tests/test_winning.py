"""What would make a loser win: each change is applied, and then it does; with a little less of it, it does not."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from planner.demand import Goal
from planner.goals import best_of_groups
from planner.phases.winning import other_throughput, price_drop, with_changes
from planner.planning import plan_now, rank
from planner.rows import rows_of
from planner.shapes import groups_of
from planner.tests.factories import make_demand, make_fleet, make_machine
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
DEMANDS = {
    Goal.MINIMISE_COST: make_demand(throughput="175MB/s", capacity="2TB", balancer="big"),
    Goal.MAXIMISE_THROUGHPUT: make_demand(budget="9000", capacity="2TB", balancer="big"),
    Goal.MAXIMISE_CAPACITY: make_demand(budget="9000", throughput="100MB/s", balancer="big"),
}


@pytest.fixture(scope="module")
def fleet():
    return make_fleet(
        [
            make_machine("big", fee="900", compute_units=88.0, network_mb_s=800.0),
            make_machine("middle", fee="230"),
            make_machine("odd", fee="170", compute_units=3.0, network_mb_s=80.0, local_storage_gb=500.0),
            make_machine("small", fee="60", compute_units=1.0, network_mb_s=60.0, local_storage_gb=160.0),
        ]
    )


def answered(fleet, goal):
    demand = DEMANDS[goal]
    answer = plan_now(fleet=fleet, demand=demand, parameters=PARAMETERS)
    return demand, answer, groups_of(fleet=fleet, demand=demand, parameters=PARAMETERS)


def test_a_price_that_falls_by_as_much_makes_the_loser_the_best_and_a_cent_less_does_not(fleet):
    demand, answer, groups = answered(fleet, Goal.MINIMISE_COST)

    for row in answer["runners_up"]:
        drop, of = price_drop(row, answer["best"], groups, demand)

        assert of == row["cents"]
        assert rank(demand, {**row, "cents": row["cents"] - drop}) < rank(demand, answer["best"])
        assert rank(demand, {**row, "cents": row["cents"] - drop + 1}) > rank(demand, answer["best"])


def test_a_demand_changed_to_that_throughput_makes_the_losers_machines_the_best(fleet):
    demand, answer, _ = answered(fleet, Goal.MINIMISE_COST)
    found = 0

    for row in answer["runners_up"]:
        throughput = other_throughput(row, table=answer["slider"], demand=demand)
        if throughput is None:
            continue
        found += 1
        again = plan_now(fleet=fleet, demand=replace(demand, throughput_mb_s=throughput), parameters=PARAMETERS)
        assert (again["best"]["proxy"], again["best"]["storage"]) == (row["proxy"], row["storage"])

    assert found > 0


@pytest.mark.parametrize("goal", [Goal.MAXIMISE_THROUGHPUT, Goal.MAXIMISE_CAPACITY])
def test_with_a_budget_the_fall_lets_it_buy_what_beats_the_best(fleet, goal):
    demand, answer, groups = answered(fleet, goal)
    told = 0

    for row in answer["runners_up"]:
        drop = price_drop(row, answer["best"], groups, demand)
        if drop is None or row["rank"][:2] == answer["best"]["rank"][:2]:
            continue
        told += 1
        richer = replace(demand, budget=demand.budget + Decimal(drop[0]).scaleb(-2))
        of_pair = (groups.proxy == row["rank"][0]) & (groups.storage == row["rank"][1])
        its_groups = replace(groups.take(np.flatnonzero(of_pair)), demand=richer)
        (bought,) = rows_of(its_groups, best_of_groups(its_groups).take(np.arange(1)))
        name = "mb_s" if goal is Goal.MAXIMISE_THROUGHPUT else "capacity_gb"
        assert bought[name] > answer["best"][name]

    assert told > 0


def test_the_words_name_both_changes(fleet):
    demand, answer, groups = answered(fleet, Goal.MINIMISE_COST)

    rows = with_changes(answer["runners_up"], best=answer["best"], groups=groups, table=answer["slider"], demand=demand)

    for row in rows:
        assert "a month off its price (" in row["change"]["words"]
        assert ("a demand of" in row["change"]["words"]) == (row["change"]["throughput_mb_s"] is not None)
