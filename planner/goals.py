"""The three goals: for each group its best count, balancers included; then the best of all. Exact, on whole tables.

A group's cost, throughput and capacity never fall as its count c grows, so each limit is met from some count on or up
to some count; the bounds are found by bisection on the exact figures instead of trying every count.
"""

from collections.abc import Callable

import numpy as np

from core.errors import RuleBroken
from planner.demand import Demand, Goal
from planner.shapes import MOST_GROUPS, Groups, Ints, Shapes, balancers_for, shapes_of, whole_units


def best_of_groups(groups: Groups) -> Shapes:
    """Return the best shapes that meet the demand, at most a few for each group, best first.

    Ties go to fewer machines, then to less money, then to more MB/s, then to the catalogue's order.
    """
    candidates = CANDIDATES[groups.demand.goal](groups)
    return ranked(candidates.take(meets(groups, candidates)), groups)


def meets(groups: Groups, shapes: Shapes) -> np.ndarray:
    """Say for each shape whether it keeps every limit of the demand."""
    demand = groups.demand
    kept = (shapes.c >= 1) & (shapes.c <= MOST_GROUPS) & (shapes.mb_s >= demand.needed_mb_s)
    kept &= shapes.c * groups.usable_mgb[shapes.group] >= max(1, demand.needed_mgb)
    kept &= (shapes.balancers > 0) | (shapes.c == 1)
    if demand.budget is not None:
        kept &= shapes.cents <= _budget_cents(demand)
    return kept


def ranked(shapes: Shapes, groups: Groups) -> Shapes:
    """Return the shapes best first for the goal."""
    objective = {
        Goal.MINIMISE_COST: shapes.cents,
        Goal.MAXIMISE_THROUGHPUT: -shapes.mb_s,
        Goal.MAXIMISE_CAPACITY: -(shapes.c * groups.usable_mgb[shapes.group]),
    }[groups.demand.goal]
    order = np.lexsort((shapes.group, -shapes.mb_s, shapes.cents, shapes.machines, objective))
    return shapes.take(order)


def _cheapest_counts(groups: Groups) -> Shapes:
    group = np.arange(len(groups))
    c = np.maximum(_count_for_throughput(groups), groups.least_count_for_capacity)
    needed = np.full(len(groups), groups.demand.needed_mb_s)
    return shapes_of(groups, group=group, c=c, balancers=balancers_for(groups, needed, c))


def _fastest_counts(groups: Groups) -> Shapes:
    """Up to the count whose whole throughput is affordable with its balancers, more is faster. One more group can still
    pay, with all the balancers the rest of the budget buys; from there on each group more leaves fewer balancers."""
    group = np.arange(len(groups))
    least = groups.least_count_for_capacity
    if groups.demand.balancers is not None:
        return _fastest_behind_fixed(groups, least)

    def is_affordable(c: Ints) -> np.ndarray:
        return _cents(groups, group, c, balancers_for(groups, c * groups.mb_s, c)) <= _budget_cents(groups.demand)

    whole = np.maximum(least, largest_count(is_affordable, len(groups)))
    beyond = whole + 1
    shapes = [shapes_of(groups, group=group, c=whole, balancers=balancers_for(groups, whole * groups.mb_s, whole))]
    for c in (whole, beyond):
        shapes.append(shapes_of(groups, group=group, c=c, balancers=_balancers_left(groups, group, c)))
    return _joined(shapes)


def _fastest_behind_fixed(groups: Groups, least: Ints) -> Shapes:
    group = np.arange(len(groups))
    fixed = np.full(len(groups), groups.demand.balancers, dtype=np.int64)
    ceiling = whole_units(fixed * groups.balancer_mb_s, groups.mb_s)
    most = largest_count(lambda c: _cents(groups, group, c, fixed) <= _budget_cents(groups.demand), len(groups))
    c = np.maximum(least, np.minimum(most, np.where(fixed == 0, 1, np.maximum(1, ceiling))))
    return shapes_of(groups, group=group, c=c, balancers=fixed)


def _largest_counts(groups: Groups) -> Shapes:
    group = np.arange(len(groups))
    needed = np.full(len(groups), groups.demand.needed_mb_s)
    several = balancers_for(groups, needed, np.full(len(groups), 2))
    most = largest_count(lambda c: _cents(groups, group, c, several) <= _budget_cents(groups.demand), len(groups))
    alone = np.ones(len(groups), dtype=np.int64)
    return _joined(
        [
            shapes_of(groups, group=group, c=np.maximum(1, most), balancers=several),
            shapes_of(groups, group=group, c=alone, balancers=balancers_for(groups, needed, alone)),
        ]
    )


CANDIDATES: dict[Goal, Callable[[Groups], Shapes]] = {
    Goal.MINIMISE_COST: _cheapest_counts,
    Goal.MAXIMISE_THROUGHPUT: _fastest_counts,
    Goal.MAXIMISE_CAPACITY: _largest_counts,
}


def _count_for_throughput(groups: Groups) -> Ints:
    return np.maximum(1, whole_units(np.full(len(groups), groups.demand.needed_mb_s), groups.mb_s))


def _balancers_left(groups: Groups, group: Ints, c: Ints) -> Ints:
    """Return the most balancers that the budget still buys beside c groups; at least one is tried."""
    budget = _budget_cents(groups.demand)
    return np.maximum(1, largest_count(lambda b: _cents(groups, group, c, b) <= budget, len(groups)))


def _cents(groups: Groups, group: Ints, c: Ints, balancers: Ints) -> Ints:
    return shapes_of(groups, group=group, c=c, balancers=balancers).cents


def largest_count(is_kept: Callable[[Ints], np.ndarray], size: int) -> Ints:
    """Return for each row the largest count up to MOST_GROUPS for which `is_kept` holds (it never holds again once it
    failed), or 0."""
    low, high = np.zeros(size, dtype=np.int64), np.full(size, MOST_GROUPS + 1, dtype=np.int64)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        kept = is_kept(middle)
        low, high = np.where(kept, middle, low), np.where(kept, high, middle)
    return low


def _budget_cents(demand: Demand) -> int:
    if demand.budget is None:
        raise RuleBroken("limit_missing", "This goal starts from a budget.", field="budget")
    return int(demand.budget * 100)


def _joined(parts: list[Shapes]) -> Shapes:
    return Shapes(**{name: np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0])})
