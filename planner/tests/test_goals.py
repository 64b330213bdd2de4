"""The three goals: against brute force on small catalogues, and one worked example for each way to the best shape."""

from collections import Counter
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.demand import Goal
from planner.goals import best_of_groups
from planner.rows import rows_of
from planner.shapes import Groups, exact, owed_cents, whole_units
from planner.tests.brute_force import best_by_force, questions
from planner.tests.factories import make_demand, make_groups


@pytest.mark.parametrize("goal", Goal)
def test_a_goal_agrees_with_brute_force_on_small_catalogues(goal: Goal) -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=200, deadline=None, derandomize=True, database=None)
    @given(questions(goal))
    def agrees(groups: Groups) -> None:
        found = rows_of(groups, best_of_groups(groups))[:1]
        expected = best_by_force(groups)

        seen["asked"] += 1
        seen["several proxies"] += expected is not None and expected.c > 1
        wanted = [(expected.cents, expected.machines, expected.mb_s)] if expected else []
        assert [(row["cents"], row["machines"], row["mb_s"]) for row in found] == wanted

    agrees()

    assert seen["several proxies"] >= 0.25 * seen["asked"]


def best(groups):
    """The best shape as (c, nodes behind a proxy, balancers, MB/s, dollars)."""
    row = rows_of(groups, best_of_groups(groups))[0]
    return (
        row["proxies"],
        row["nodes_per_proxy"],
        row["balancers"],
        row["mb_s"],
        row["total_monthly_cost"],
    )


def test_a_single_proxy_needs_no_balancer():
    groups = make_groups(make_demand(throughput="100 MB/s", capacity="500 GB"))

    assert best(groups) == (1, 5, 0, 100.0, "200.00")


def test_a_second_proxy_needs_a_balancer():
    groups = make_groups(make_demand(throughput="106 MB/s", capacity="500 GB"))

    assert best(groups) == (2, 5, 1, 140.0, "700.00")


def test_capacity_can_ask_for_more_groups_than_throughput_and_no_more_balancers():
    groups = make_groups(make_demand(throughput="100 MB/s", capacity="1.5 TB"))

    assert best(groups) == (3, 5, 1, 140.0, "900.00")


def test_nineteen_of_twenty_parts_of_the_throughput_are_enough():
    enough = make_groups(make_demand(throughput="105.26 MB/s", capacity="1 GB"))
    all_of_it = make_groups(make_demand(throughput="105.26 MB/s", capacity="1 GB", meets_share="100"))

    assert best(enough) == (1, 5, 0, 100.0, "200.00")
    assert best(all_of_it) == (2, 5, 1, 140.0, "700.00")


def test_the_budget_buys_all_groups_with_all_balancers_where_it_can():
    groups = make_groups(make_demand(budget="1000", capacity="500 GB"))

    assert best(groups) == (2, 5, 2, 200.0, "1000.00")


def test_one_group_more_with_fewer_balancers_pays():
    # 3 groups with all 3 balancers cost 1,500; 2 groups with 2 pass only 200 MB/s.
    groups = make_groups(make_demand(budget="1400", capacity="500 GB"))

    assert best(groups) == (3, 5, 2, 280.0, "1200.00")


def test_capacity_forces_more_groups_than_the_budgets_best_and_leaves_fewer_balancers():
    # Without the capacity 3 groups with 3 balancers would pass 300 MB/s.
    groups = make_groups(make_demand(budget="1650", capacity="2.5 TB"))

    assert best(groups) == (5, 5, 2, 280.0, "1600.00")


def test_a_fixed_number_of_balancers_ends_the_throughput():
    groups = make_groups(make_demand(budget="9000", capacity="500 GB", balancers="1"))

    assert best(groups) == (2, 5, 1, 140.0, "700.00")


def test_without_balancers_one_proxy_works_alone():
    groups = make_groups(make_demand(budget="9000", capacity="500 GB", balancers="0"))

    assert best(groups) == (1, 5, 0, 100.0, "200.00")


def test_the_largest_cloud_has_only_the_balancers_that_the_throughput_needs():
    groups = make_groups(make_demand(budget="1500", throughput="150 MB/s", goal="maximise_capacity"))

    assert best(groups) == (4, 5, 2, 280.0, "1400.00")


def test_the_largest_cloud_may_be_one_proxy_where_the_budget_ends_before_a_balancer():
    groups = make_groups(make_demand(budget="699.99", throughput="100 MB/s", goal="maximise_capacity"))

    assert best(groups) == (1, 5, 0, 100.0, "200.00")


@pytest.mark.parametrize(
    "limits",
    [
        {"throughput": "100 MB/s", "capacity": "500 GB"},
        {"budget": "300", "capacity": "500 GB"},
    ],
)
def test_of_equal_shapes_the_one_with_fewer_machines_is_best(limits):
    groups = make_groups(make_demand(**limits), nodes=(10, 5), mb_s=(100.0, 100.0), storage_fees=("10", "20"))

    assert best(groups) == (1, 5, 0, 100.0, "200.00")


def test_a_demand_that_nothing_meets_has_no_best_shape():
    groups = make_groups(make_demand(budget="199.99", capacity="500 GB"))

    assert len(best_of_groups(groups)) == 0


def test_it_cost_counts_for_every_machine_and_is_rounded_half_up_once():
    groups = make_groups(make_demand(throughput="100 MB/s", capacity="500 GB", it_cost_per_node="0.0025"))

    row = rows_of(groups, best_of_groups(groups))[0]

    # 6 × 0.0025 = 0.015
    assert (row["monthly_cost"], row["it_monthly_cost"], row["total_monthly_cost"]) == ("200.00", "0.02", "200.02")


@given(
    st.decimals(Decimal(0), Decimal(10**9), places=8, allow_nan=False),
    st.lists(st.integers(0, 400_000), min_size=1, max_size=4),
)
def test_what_pieces_owe_is_exact_to_the_cent_for_any_fee(fee, quantities):
    owed = owed_cents(exact(fee), np.array(quantities))

    expected = [int((fee * quantity * 100).quantize(Decimal(1), rounding=ROUND_HALF_UP)) for quantity in quantities]
    assert owed.tolist() == expected


@given(st.floats(0, 5e5), st.floats(0.5, 1e5))
def test_whole_units_are_the_fewest_that_reach_the_amount(amount, unit):
    amount = min(amount, 9000 * unit)

    (n,) = whole_units(np.array([amount]), unit).tolist()

    assert n * unit >= amount
    assert n == 0 or (n - 1) * unit < amount
