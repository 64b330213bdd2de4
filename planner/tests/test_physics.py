"""What physics promises of every plan, whatever the fitted parameters are."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.benchmarks import fleet_of_2012
from planner.demand import Goal
from planner.planning import plan_now
from planner.shapes import groups_of, shapes_of
from planner.tests.brute_force import PARAMETERS, fleets, questions
from planner.tests.factories import make_demand

FLEET_2012 = fleet_of_2012(PARAMETERS)
DEMANDS = [
    {"throughput": "175 MB/s", "capacity": "2 TB"},
    {"budget": "9000", "capacity": "2 TB"},
    {"budget": "9000", "throughput": "100 MB/s"},
]
NAMES = ("shape", "proxy", "storage", "reason")


def renamed(fleet, new_names):
    def rename(priced):
        name = new_names[priced.key_name]
        return replace(priced, title=name, machine=replace(priced.machine, key_name=name))

    return replace(
        fleet,
        nodes=tuple(rename(priced) for priced in fleet.nodes),
        balancers=tuple(rename(priced) for priced in fleet.balancers),
    )


def with_network(fleet, index, factor):
    """The fleet with another network figure of one machine type."""
    nodes = list(fleet.nodes)
    machine = nodes[index].machine
    nodes[index] = replace(nodes[index], machine=replace(machine, network_mb_s=machine.network_mb_s * factor))
    return replace(fleet, nodes=tuple(nodes))


def numbers(row):
    return {key: value for key, value in row.items() if key not in NAMES}


@pytest.mark.parametrize("words", DEMANDS)
def test_renaming_every_machine_type_changes_no_number_of_a_plan(words):
    old = [priced.key_name for priced in FLEET_2012.nodes]
    new_names = {name: f"type-{len(old) - place:02}" for place, name in enumerate(sorted(old))}

    plain = plan_now(fleet=FLEET_2012, demand=make_demand(**words), parameters=PARAMETERS)
    other = plan_now(
        fleet=renamed(FLEET_2012, new_names),
        demand=make_demand(**words, balancer=new_names["cc2.8xlarge"]),
        parameters=PARAMETERS,
    )

    assert numbers(other["best"]) == numbers(plain["best"])
    assert other["best"]["proxy"] == new_names[plain["best"]["proxy"]]
    for part in ("runners_up", "front"):
        assert [numbers(row) for row in other[part]] == [numbers(row) for row in plain[part]]
    assert [point["mb_s"] for point in other["cloud"]] == [point["mb_s"] for point in plain["cloud"]]


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(Goal).flatmap(questions), st.integers(0, 3), st.integers(1, 100))
def test_throughput_cost_and_capacity_never_fall_as_groups_are_added(groups, balancers, c):
    every = np.arange(len(groups))
    count, behind = np.full(len(groups), c), np.full(len(groups), balancers)

    fewer = shapes_of(groups, group=every, c=count, balancers=behind)
    more = shapes_of(groups, group=every, c=count + 1, balancers=behind)

    assert np.all(more.mb_s >= fewer.mb_s)
    assert np.all(more.cents >= fewer.cents)
    assert np.all(more.capacity_gb >= fewer.capacity_gb)


@settings(max_examples=50, deadline=None)
@given(fleets(), st.sampled_from(["0", "40", "100"]))
def test_throughput_never_falls_as_storage_nodes_are_added(fleet, read_share):
    demand = make_demand(throughput="1 MB/s", capacity="1 GB", balancer="balancer", read_share=read_share)
    grid = range(1, 41)

    groups = groups_of(fleet=fleet, demand=demand, parameters=PARAMETERS, grid=grid)

    assert np.all(np.diff(groups.mb_s.reshape(-1, len(grid)), axis=1) >= 0)


@settings(max_examples=50, deadline=None)
@given(st.data(), fleets())
def test_halving_a_network_lowers_only_groups_of_that_type_and_those_it_limits_for_sure(data, fleet):
    index = data.draw(st.integers(0, len(fleet.nodes) - 1))
    demand = make_demand(throughput="1 MB/s", capacity="1 GB", balancer="balancer")

    before = groups_of(fleet=fleet, demand=demand, parameters=PARAMETERS)
    after = groups_of(fleet=with_network(fleet, index, 0.5), demand=demand, parameters=PARAMETERS)

    contains = (before.proxy == index) | (before.storage == index)
    is_limited = (before.proxy == index) & (before.limit == "proxy network")
    is_limited |= (before.storage == index) & (before.limit == "storage network")
    assert np.array_equal(after.mb_s[~contains], before.mb_s[~contains])
    assert np.all(after.mb_s <= before.mb_s)
    assert np.all(after.mb_s[is_limited] < before.mb_s[is_limited])


@settings(max_examples=30, deadline=None)
@given(st.data(), fleets())
def test_halving_a_network_that_limits_nothing_changes_nothing(data, fleet):
    index = data.draw(st.integers(0, len(fleet.nodes) - 1))
    demand = make_demand(throughput="1 MB/s", capacity="1 GB", balancer="balancer")
    wide = with_network(fleet, index, 1e6)

    before = groups_of(fleet=wide, demand=demand, parameters=PARAMETERS)
    after = groups_of(fleet=with_network(wide, index, 0.5), demand=demand, parameters=PARAMETERS)

    assert np.array_equal(after.mb_s, before.mb_s)


def test_a_larger_budget_never_buys_less_throughput_or_capacity():
    best = [
        [
            plan_now(fleet=FLEET_2012, demand=make_demand(budget=str(budget), **words), parameters=PARAMETERS)["best"]
            for budget in range(3000, 12001, 3000)
        ]
        for words in ({"capacity": "1 TB"}, {"throughput": "30 MB/s"})
    ]

    throughputs = [row["mb_s"] for row in best[0]]
    capacities = [row["capacity_gb"] for row in best[1]]
    assert throughputs == sorted(throughputs)
    assert capacities == sorted(capacities)


def test_reading_is_at_least_as_fast_as_writing_for_every_group():
    writing = make_demand(throughput="1 MB/s", capacity="1 GB")
    reading = replace(writing, read_share=Decimal(1))

    written = groups_of(fleet=FLEET_2012, demand=writing, parameters=PARAMETERS)
    read = groups_of(fleet=FLEET_2012, demand=reading, parameters=PARAMETERS)

    assert np.all(read.mb_s >= written.mb_s)
