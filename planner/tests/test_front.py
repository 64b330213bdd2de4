"""The Pareto front: against brute force, in parts, and thinned for the chart."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.demand import Goal
from planner.dominance import undominated
from planner.front import cloud_of, every_shape, front_of, front_of_rows
from planner.planning import MOST_FRONT_ROWS, parts_of, plan_now, thinned
from planner.rows import rows_of
from planner.shapes import groups_of, shapes_of
from planner.tests.brute_force import GRID, PARAMETERS, pareto_by_force, questions
from planner.tests.factories import make_demand, make_groups

CEILINGS = st.integers(1, 3_000_000)
any_questions = st.sampled_from(Goal).flatmap(questions)


@settings(max_examples=60, deadline=None)
@given(any_questions, CEILINGS)
def test_the_front_is_that_of_all_shapes_under_the_ceiling(groups, ceiling):
    front, considered = front_of(groups, ceiling_cents=ceiling)

    found = list(zip(front.cents.tolist(), front.mb_s.tolist(), strict=True))
    assert found == pareto_by_force(groups, ceiling_cents=ceiling)
    assert considered >= len(found)


@settings(max_examples=60, deadline=None)
@given(any_questions, CEILINGS)
def test_fronts_of_parts_join_to_the_front_of_the_whole(groups, ceiling):
    fleet, demand = groups.fleet, groups.demand
    parts = [
        groups_of(fleet=fleet, demand=demand, parameters=PARAMETERS, proxies=proxies, grid=GRID)
        for proxies in parts_of(fleet)
    ]

    joined = front_of_rows(row for part in parts for row in rows_of(part, front_of(part, ceiling_cents=ceiling)[0]))

    assert joined == rows_of(groups, front_of(groups, ceiling_cents=ceiling)[0])


@settings(max_examples=30, deadline=None)
@given(any_questions, CEILINGS)
def test_the_cloud_behind_the_front_holds_shapes_that_were_looked_at(groups, ceiling):
    every = every_shape(groups, ceiling_cents=ceiling)
    looked_at = set(zip(every.cents.tolist(), every.mb_s.tolist(), strict=True))

    cloud = cloud_of(groups, ceiling_cents=ceiling)

    assert set(zip(cloud.cents.tolist(), cloud.mb_s.tolist(), strict=True)) <= looked_at


def test_capacity_may_force_more_groups_than_few_balancers_pass():
    groups = make_groups(make_demand(throughput="100 MB/s", capacity="2.5 TB"))

    front, _ = front_of(groups, ceiling_cents=220_000)

    assert front.c.tolist() == [5, 5, 5, 5]
    assert front.balancers.tolist() == [1, 2, 3, 4]
    assert front.mb_s.tolist() == [140.0, 280.0, 420.0, 500.0]


def test_behind_a_fixed_balancer_no_group_is_wasted():
    groups = make_groups(make_demand(throughput="100 MB/s", capacity="500 GB", balancers="1"))

    every = every_shape(groups, ceiling_cents=900_000)

    assert every.c.tolist() == [1, 2]


def test_a_front_without_a_ceiling_is_empty():
    groups = make_groups(make_demand(throughput="100 MB/s", capacity="500 GB"))

    front, considered = front_of(groups, ceiling_cents=None)

    assert (len(front), considered) == (0, 0)


def test_the_front_of_a_plan_rises_in_cost_and_in_throughput_and_holds_the_best():
    fleet = make_groups(make_demand(throughput="1 MB/s", capacity="1 GB")).fleet
    demand = make_demand(throughput="300 MB/s", capacity="1 TB", balancer="cc2.8xlarge")

    answer = plan_now(fleet=fleet, demand=demand, parameters=PARAMETERS)

    front = answer["front"]
    assert len(front) > 2
    assert all(low["cents"] < high["cents"] and low["mb_s"] < high["mb_s"] for low, high in pairwise(front))
    assert any(row["cents"] <= answer["best"]["cents"] for row in front if row["mb_s"] >= answer["best"]["mb_s"])
    assert all(row["capacity_gb"] >= 1000 for row in front)


def test_of_rows_of_one_price_the_fastest_with_the_fewest_machines_stays():
    def row(cents, mb_s, machines):
        return {"cents": cents, "mb_s": mb_s, "machines": machines, "rank": [0, 0, 5, 1]}

    rows = [row(100, 50.0, 6), row(100, 60.0, 8), row(100, 60.0, 7), row(200, 60.0, 6), row(300, 70.0, 9)]

    assert front_of_rows(rows) == [row(100, 60.0, 7), row(300, 70.0, 9)]


def test_a_short_front_is_kept_whole():
    rows = [{"cents": cents} for cents in range(MOST_FRONT_ROWS)]

    assert thinned(rows) == rows
    assert thinned([]) == []


def test_a_long_front_keeps_its_ends_and_an_even_choice_between():
    rows = [{"cents": cents} for cents in range(10 * MOST_FRONT_ROWS)]

    kept = [row["cents"] for row in thinned(rows)]

    assert (len(kept), kept[0], kept[-1]) == (MOST_FRONT_ROWS, 0, 10 * MOST_FRONT_ROWS - 1)
    assert set(np.diff(kept)) <= {10, 11}


@settings(max_examples=30, deadline=None)
@given(any_questions, CEILINGS)
def test_a_row_of_the_cloud_names_the_machines_that_cost_and_pass_what_it_says(groups, ceiling):
    cloud = cloud_of(groups, ceiling_cents=ceiling)

    again = shapes_of(groups, group=cloud.group, c=cloud.c, balancers=cloud.balancers)
    assert (again.cents.tolist(), again.mb_s.tolist()) == (cloud.cents.tolist(), cloud.mb_s.tolist())


@settings(max_examples=60, deadline=None)
@given(any_questions, CEILINGS)
def test_the_front_of_very_many_groups_is_that_of_those_which_no_other_dominates(groups, ceiling):
    whole, _ = front_of(groups, ceiling_cents=ceiling)

    some, _ = front_of(groups.take(undominated(groups)), ceiling_cents=ceiling)

    assert (some.cents.tolist(), some.mb_s.tolist()) == (whole.cents.tolist(), whole.mb_s.tolist())
