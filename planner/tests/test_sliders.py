"""Sliders: what the curves answer is what the whole table answers, for any goal, limits, IT cost and hours."""

import json
import re
from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.tests.factories import client_of, make_account
from jobs.models import Run
from planner.benchmarks import fleet_of_2012
from planner.demand import NEEDED, Demand, Goal
from planner.dominance import undominated
from planner.fleet import Fleet
from planner.goals import best_of_groups
from planner.models import Plan
from planner.planning import parts_of, plan_now
from planner.rows import rows_of
from planner.selectors import slider_of_plan
from planner.shapes import groups_of
from planner.sliders import curves_of, joined_curves, slider_answer, slider_table
from planner.tests.brute_force import BALANCER, GRID, PARAMETERS, conditions
from planner.tests.factories import make_answered_plan, make_demand, make_fleet, make_machine, make_plan
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


def table_of(groups):
    """The table that a plan keeps of these groups, as it comes out of the database."""
    return json.loads(json.dumps(slider_table(curves_of(groups), fleet=groups.fleet, demand=groups.demand)))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_curves_answer_as_the_whole_table_does(data):
    nodes = [data.draw(machines(f"m{index}")) for index in range(data.draw(st.integers(1, 5)))]
    fleet = make_fleet(nodes, balancers=[make_machine(BALANCER, fee="120", compute_units=50.0)])
    asked = Demand(goal=Goal.MINIMISE_COST, balancer=BALANCER, **data.draw(conditions() | st.just({})))
    table = table_of(groups_of(fleet=fleet, demand=asked, parameters=PARAMETERS, grid=GRID))

    for _ in range(3):
        slid = data.draw(slid_demands(asked))
        whole = groups_of(
            fleet=fleet.at_hours(slid.hours_per_month), demand=slid, parameters=PARAMETERS, grid=GRID
        )  # fmt: skip
        expected = rows_of(whole, best_of_groups(whole))[:1]
        found = slider_answer(table, demand=slid)
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
    table = table_of(groups)

    assert len(table["proxy"]) < len(groups) / 2
    assert slider_answer(table, demand=demand) == rows_of(groups, best_of_groups(groups))[0]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_table_holds_exactly_the_machines_that_occur_and_the_balancer(data):
    nodes = [data.draw(machines(f"m{index}")) for index in range(data.draw(st.integers(1, 5)))]
    balancers = [make_machine("other", fee="1"), make_machine(BALANCER, fee="120", compute_units=50.0)]
    fleet = make_fleet(nodes, balancers=balancers)
    asked = Demand(goal=Goal.MINIMISE_COST, balancer=BALANCER, **data.draw(conditions()))
    groups = groups_of(fleet=fleet, demand=asked, parameters=PARAMETERS, grid=GRID)
    whole = curves_of(groups)

    table = table_of(groups)

    kept = Fleet.from_json(table["fleet"])
    places = sorted({*whole["proxy"], *whole["storage"]})
    assert table["places"] == places
    assert kept.nodes == tuple(fleet.nodes[place] for place in places)
    assert [machine.key_name for machine in kept.balancers] == [BALANCER]
    assert [table["places"][number] for number in table["proxy"]] == whole["proxy"]
    assert [table["places"][number] for number in table["storage"]] == whole["storage"]


def test_a_fleet_without_disks_has_an_empty_table_and_no_answer():
    fleet = make_fleet([make_machine("m", local_storage_gb=0.0)])
    demand = make_demand(throughput="1 MB/s", capacity="1 GB", balancer="m")

    table = plan_now(fleet=fleet, demand=demand, parameters=PARAMETERS)["slider"]

    assert (table["places"], table["proxy"], len(table["fleet"]["nodes"])) == ([], [], 0)
    for goal, needed in NEEDED.items():
        limits = {"throughput_mb_s": Decimal(1), "capacity_gb": Decimal(1), "budget": None}
        if "budget" in needed:
            limits |= {"budget": Decimal(10**6), "throughput_mb_s": None}
        assert slider_answer(table, demand=replace(demand, goal=goal, **limits)) is None


def test_a_demand_that_nothing_meets_has_no_answer():
    demand = make_demand(budget="900", capacity="2 TB")
    table = table_of(groups_of(fleet=FLEET_2012, demand=demand, parameters=PARAMETERS))

    assert slider_answer(table, demand=replace(demand, budget=Decimal(1))) is None


def test_a_fleet_of_an_older_plan_keeps_its_prices_whatever_the_hours():
    row = FLEET_2012.as_json()
    for machine in (*row["nodes"], *row["balancers"]):
        for name in ("term", "line_rates", "once_fees", "notes"):
            del machine[name]

    fleet = Fleet.from_json(row)

    assert fleet.at_hours(Decimal(100)) == fleet
    assert fleet.nodes[0].once_fees == ()


@pytest.fixture
def plan(ec2, account, ana):
    return make_answered_plan(account, ana)


def test_a_sliders_page_reads_neither_the_fleet_of_the_question_nor_the_whole_answer(plan, ana):
    browser = client_of(ana)

    with CaptureQueriesContext(connection) as queries:
        page = browser.get(reverse("plan-slide", args=[plan.pk]), {"throughput": "350"})

    asked = "; ".join(query["sql"] for query in queries)
    run = Run._meta.db_table
    read = re.findall(rf'"{run}"."(\w+)"(.{{0,12}})', asked)
    assert page.status_code == 200
    assert {column for column, _ in read} == {"id", "result"}
    for column, after in read:
        assert column == "id" or re.match(r",\s*'\$|\)? *(->|#>)", after), after


def test_what_a_slider_reads_is_a_small_part_of_the_plan(plan, account):
    read, table, best_cents = slider_of_plan(account_id=account.pk, plan_id=plan.pk)

    result = plan.run.result
    assert (table, best_cents) == (result["slider"], result["best"]["cents"])
    assert {"run_id", "account_id"} <= read.get_deferred_fields()
    assert len(json.dumps(table)) < len(json.dumps([result, plan.run.parameters])) / 4


def test_a_slider_is_read_by_the_plans_account_alone_and_where_the_plan_is_worked_out(ec2, account, ana):
    waiting = make_plan(account, ana)

    assert slider_of_plan(account_id=account.pk, plan_id=waiting.pk) == (waiting, None, None)
    with pytest.raises(Plan.DoesNotExist):
        slider_of_plan(account_id=make_account(partner=account.partner, name="Other").pk, plan_id=waiting.pk)


def test_a_plan_of_an_older_version_has_no_sliders(plan, ana):
    browser = client_of(ana)
    page = reverse("plan-detail", args=[plan.pk])
    assert 'id="sliders"' in browser.get(page).content.decode()
    del plan.run.result["slider"]
    plan.run.result["curves"] = {}
    plan.run.save()

    answer = browser.get(reverse("plan-slide", args=[plan.pk]))

    assert answer["Location"] == page
    assert 'id="sliders"' not in browser.get(page).content.decode()
