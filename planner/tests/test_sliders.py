"""Sliders: what the curves answer is what the whole table answers, for any goal, limits, IT cost and hours."""

import json
from dataclasses import replace
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from planner.benchmarks import fleet_of_2012
from planner.demand import NEEDED, Demand, Goal
from planner.dominance import undominated
from planner.fleet import Fleet
from planner.goals import best_of_groups
from planner.planning import parts_of
from planner.rows import rows_of
from planner.shapes import groups_of
from planner.sliders import curves_of, joined_curves, slider_answer
from planner.tests.brute_force import BALANCER, GRID, PARAMETERS, conditions
from planner.tests.factories import make_demand, make_fleet, make_machine
from simulation.parameters import load_parameter_set

FLEET_2012 = fleet_of_2012(load_parameter_set())
rates = st.decimals(min_value=Decimal("0.01"), max_value=Decimal("0.5"), places=3)
money = st.decimals(min_value=Decimal(300), max_value=Decimal(20_000), places=2)


@st.composite
def machines(draw, key_name):
    """A machine on either term, its price sometimes that of others, so that one dominates another."""
    priced = make_machine(
        key_name,
        compute_units=draw(st.sampled_from([1.0, 4.0, 4.0, 20.0])),
        network_mb_s=draw(st.sampled_from([40.0, 100.0, 1200.0])),
        local_storage_gb=draw(st.sampled_from([0.0, 160.0, 850.0])),
    )
    rate = draw(st.sampled_from([Decimal("0.08"), Decimal("0.16")]) | rates)
    once = (Decimal(draw(st.sampled_from(["0", "50"]))),)
    if draw(st.booleans()):
        return replace(priced, term="monthly", line_fees=(rate * 600,), once_fees=once)
    return replace(priced, line_rates=(rate,), line_fees=(rate * 720,), once_fees=once)


@st.composite
def slid_demands(draw, asked):
    """The demand after its sliders moved."""
    goal = draw(st.sampled_from(Goal))
    limits = {
        "throughput_mb_s": draw(st.decimals(min_value=1, max_value=900, places=1)),
        "capacity_gb": draw(st.decimals(min_value=1, max_value=20_000, places=1)),
        "budget": draw(money),
    }
    fields = {"throughput": "throughput_mb_s", "capacity": "capacity_gb", "budget": "budget"}
    asked_for = {fields[name] for name in NEEDED[goal]}
    return replace(
        asked,
        goal=goal,
        **{name: value if name in asked_for else None for name, value in limits.items()},
        it_cost_per_node=draw(st.sampled_from([Decimal(0), Decimal("12.345"), Decimal(300)])),
        hours_per_month=draw(st.sampled_from([Decimal(1), Decimal("500.5"), Decimal(744)])),
    )


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_curves_answer_as_the_whole_table_does(data):
    nodes = [data.draw(machines(f"m{index}")) for index in range(data.draw(st.integers(1, 5)))]
    fleet = make_fleet(nodes, balancers=[make_machine(BALANCER, fee="120", compute_units=50.0)])
    asked = Demand(goal=Goal.MINIMISE_COST, balancer=BALANCER, **data.draw(conditions() | st.just({})))
    curves = json.loads(json.dumps(curves_of(groups_of(fleet=fleet, demand=asked, parameters=PARAMETERS, grid=GRID))))

    for _ in range(3):
        slid = data.draw(slid_demands(asked))
        whole = groups_of(
            fleet=fleet.at_hours(slid.hours_per_month), demand=slid, parameters=PARAMETERS, grid=GRID
        )  # fmt: skip
        expected = rows_of(whole, best_of_groups(whole))[:1]
        found = slider_answer(curves, fleet=fleet, demand=slid)
        assert ([found] if found else []) == expected


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_curves_of_parts_join_to_the_curves_of_the_whole(data):
    nodes = [data.draw(machines(f"m{index}")) for index in range(data.draw(st.integers(2, 4)))]
    fleet = make_fleet(nodes, balancers=[make_machine(BALANCER, fee="120", compute_units=50.0)])
    asked = Demand(goal=Goal.MINIMISE_COST, balancer=BALANCER, **data.draw(conditions()))
    parts = [
        curves_of(groups_of(fleet=fleet, demand=asked, parameters=PARAMETERS, proxies=proxies, grid=GRID))
        for proxies in parts_of(fleet)
    ]

    joined = joined_curves(parts, fleet=fleet, demand=asked)

    whole = curves_of(groups_of(fleet=fleet, demand=asked, parameters=PARAMETERS, grid=GRID))
    assert [joined[name] for name in ("proxy", "storage", "nodes", "mb_s")] == [
        whole[name] for name in ("proxy", "storage", "nodes", "mb_s")
    ]


def test_a_group_that_costs_more_and_passes_less_is_on_no_curve():
    good = make_machine("good", fee="50")
    worse = make_machine("worse", fee="60", compute_units=2.0, local_storage_gb=160.0)
    groups = groups_of(
        fleet=make_fleet([good, worse]),
        demand=make_demand(throughput="1 MB/s", capacity="1 GB", balancer="good"),
        parameters=PARAMETERS,
        grid=GRID,
    )

    kept = groups.take(undominated(groups))

    assert len(kept) < len(groups)
    assert set(kept.proxy.tolist()) == set(kept.storage.tolist()) == {0}


def test_the_curves_of_the_study_are_few_and_hold_its_best_answer():
    demand = make_demand(throughput="175 MB/s", capacity="2 TB")
    groups = groups_of(fleet=FLEET_2012, demand=demand, parameters=PARAMETERS)
    curves = curves_of(groups)

    assert len(curves["proxy"]) < len(groups) / 2
    assert slider_answer(curves, fleet=FLEET_2012, demand=demand) == rows_of(groups, best_of_groups(groups))[0]


def test_a_demand_that_nothing_meets_has_no_answer():
    demand = make_demand(budget="900", capacity="2 TB")
    curves = curves_of(groups_of(fleet=FLEET_2012, demand=demand, parameters=PARAMETERS))

    assert slider_answer(curves, fleet=FLEET_2012, demand=replace(demand, budget=Decimal(1))) is None


def test_a_fleet_of_an_older_plan_keeps_its_prices_whatever_the_hours():
    row = FLEET_2012.as_json()
    for machine in (*row["nodes"], *row["balancers"]):
        for name in ("term", "line_rates", "once_fees", "notes"):
            del machine[name]

    fleet = Fleet.from_json(row)

    assert fleet.at_hours(Decimal(100)) == fleet
    assert fleet.nodes[0].once_fees == ()
