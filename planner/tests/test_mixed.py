"""Mixed fleets: against brute force on tiny catalogues, and beside the best uniform shape."""

from decimal import Decimal
from itertools import product
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.demand import NEEDED, Demand, Goal
from planner.goals import best_of_groups
from planner.mixed import best_mixed
from planner.rows import rows_of
from planner.shapes import groups_of
from planner.tests.brute_force import BALANCER, PARAMETERS
from planner.tests.factories import make_demand, make_fleet, make_groups, make_machine
from simulation.kernels.mixed import solved_mix

MOST = 5
fees = st.integers(50, 400).map(str)


def mixes_by_force(groups):
    """Every mix of up to MOST groups of each kind behind one proxy: (cents, machines, MB/s, held)."""
    demand, balancer = groups.demand, groups.fleet.balancer(groups.demand.balancer)
    for proxy in set(groups.proxy.tolist()):
        rows = [row for row in range(len(groups)) if groups.proxy[row] == proxy and groups.usable_mgb[row] > 0]
        for counts in product(range(MOST + 1), repeat=len(rows)):
            proxies = sum(counts)
            if proxies < 2:
                continue
            used = list(zip(rows, counts, strict=True))
            passed = sum(count * float(groups.mb_s[row]) for row, count in used)
            held = sum(count * int(groups.usable_mgb[row]) for row, count in used)
            for balancers in range(1, max(1, ceil(passed / groups.balancer_mb_s)) + 1):
                nodes = sum(count * int(groups.nodes[row]) for row, count in used)
                machines = proxies + nodes + balancers
                dollars = proxies * sum(groups.fleet.nodes[proxy].line_fees) + balancers * sum(balancer.line_fees)
                dollars += sum(
                    count * int(groups.nodes[row]) * sum(groups.fleet.nodes[groups.storage[row]].line_fees)
                    for row, count in used
                )
                dollars += machines * demand.it_cost_per_node
                yield int(dollars * 100), machines, min(passed, balancers * groups.balancer_mb_s), held


def best_by_force(groups):
    demand = groups.demand
    objective = {
        Goal.MINIMISE_COST: lambda mix: mix[0],
        Goal.MAXIMISE_THROUGHPUT: lambda mix: -mix[2],
        Goal.MAXIMISE_CAPACITY: lambda mix: -mix[3],
    }[demand.goal]
    kept = [
        mix
        for mix in mixes_by_force(groups)
        if mix[2] >= demand.needed_mb_s
        and mix[3] >= demand.needed_mgb
        and (demand.budget is None or mix[0] <= demand.budget * 100)
    ]
    return min((objective(mix) for mix in kept), default=None)


@st.composite
def questions(draw):
    """One proxy type and two storage types, one of them small and one large; limits that a handful of groups meets."""
    goal = draw(st.sampled_from(Goal))
    proxy = make_machine("p", fee="120", network_mb_s=400.0, local_storage_gb=0.0)
    storages = [
        make_machine("fast", fee=draw(fees), compute_units=draw(st.floats(2, 8)), local_storage_gb=160.0),
        make_machine("large", fee=draw(fees), compute_units=draw(st.floats(0.5, 2)), local_storage_gb=1700.0),
    ]
    balancer = make_machine(BALANCER, fee="90", compute_units=60.0)
    limits = {
        "throughput_mb_s": draw(st.integers(20, 150).map(Decimal)),
        "capacity_gb": draw(st.integers(500, 6000).map(Decimal)),
        "budget": draw(st.integers(2500, 4500).map(Decimal)),
    }
    names = {"throughput": "throughput_mb_s", "capacity": "capacity_gb", "budget": "budget"}
    demand = Demand(
        goal=goal,
        **{names[name]: limits[names[name]] for name in NEEDED[goal]},
        it_cost_per_node=draw(st.sampled_from([Decimal(0), Decimal(7)])),
        balancer=BALANCER,
    )
    return groups_of(
        fleet=make_fleet([proxy, *storages], balancers=[balancer]),
        demand=demand,
        parameters=PARAMETERS,
        proxies=[0],
        grid=(5,),
    )


@settings(max_examples=60, deadline=None)
@given(questions())
def test_the_best_mix_is_that_of_all_mixes(groups):
    found, expected = best_mixed(groups, solve=solved_mix), best_by_force(groups)

    if expected is None:
        # More groups of a kind than are tried by force may still do.
        assert found is None or found["proxies"] > MOST
        return
    assert found is not None
    value = {
        Goal.MINIMISE_COST: found["cents"],
        Goal.MAXIMISE_THROUGHPUT: -found["mb_s"],
        Goal.MAXIMISE_CAPACITY: -round(found["capacity_gb"] * 3000),
    }[groups.demand.goal]
    assert found["is_proven"]
    if max(group["proxies"] for group in found["groups"]) <= MOST:
        assert value == pytest.approx(expected, abs=0.011 if groups.demand.goal is Goal.MAXIMISE_THROUGHPUT else 0)
    else:
        assert value <= expected


def test_a_mix_beats_the_best_uniform_shape_where_one_type_is_fast_and_the_other_large():
    proxy = make_machine("p", fee="10", network_mb_s=1200.0, compute_units=60.0, local_storage_gb=0.0)
    fast = make_machine("fast", fee="100", compute_units=8.0, local_storage_gb=160.0)
    large = make_machine("large", fee="100", compute_units=0.3, local_storage_gb=8000.0)
    groups = groups_of(
        fleet=make_fleet([proxy, fast, large], balancers=[make_machine(BALANCER, fee="20", compute_units=300.0)]),
        demand=make_demand(throughput="150 MB/s", capacity="13 TB", balancer=BALANCER),
        parameters=PARAMETERS,
        proxies=[0],
        grid=(5,),
    )

    mixed = best_mixed(groups, solve=solved_mix)
    uniform = rows_of(groups, best_of_groups(groups))[0]

    assert mixed["is_mixed"]
    assert set(mixed["storages"]) == {"fast", "large"}
    assert mixed["cents"] < uniform["cents"]
    assert mixed["mb_s"] >= groups.demand.needed_mb_s


def test_a_mix_is_priced_to_the_cent_as_an_order_is_by_line():
    groups = make_groups(
        make_demand(throughput="190 MB/s", capacity="1 TB"),
        mb_s=(100.0, 100.0),
        nodes=(5, 5),
        storage_fees=("20.005", "20.005"),
    )

    mixed = best_mixed(groups, solve=solved_mix)

    # 2 × 100 + 10 × 20.005 in one line, or 5 × 20.005 in two (100.025 rounds up twice), and 2 × 300.
    assert mixed["cost"] in ("1000.05", "1000.06")
    assert mixed["is_mixed"] == (mixed["cost"] == "1000.06")


def test_what_a_demand_fixes_and_a_mix_cannot_keep_has_no_mix():
    for words in ({"balancers": "1"}, {"spare_node": "yes"}, {"budget_once": "10"}):
        groups = make_groups(make_demand(throughput="190 MB/s", capacity="1 TB", **words))

        assert best_mixed(groups, solve=solved_mix) is None


def test_an_impossible_mix_is_none():
    groups = make_groups(make_demand(budget="500", capacity="1 TB"))

    assert best_mixed(groups, solve=solved_mix) is None
