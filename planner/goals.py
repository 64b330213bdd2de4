"""The three goals: for each group its best count, balancers included; then the best of all. Exact, on whole tables.

A group's cost, throughput and capacity never fall as its count c grows, so each limit is met from some count on or up
to some count; the bounds are found by bisection on the exact figures instead of trying every count.
"""

from collections.abc import Callable

import numpy as np

from core.errors import RuleBroken
from planner.demand import Goal
from planner.shapes import MOST_GROUPS, Groups, Ints, Shapes, balancers_for, shapes_of


def best_of_groups(groups: Groups) -> Shapes:
    """Return the best shapes that meet the demand, at most a few for each group, best first.

    Ties go to fewer machines, then to less money, then to more MB/s, then to the catalogue's order.
    """
    candidates = CANDIDATES[groups.demand.goal](groups)
    return ranked(candidates.take(meets(groups, candidates)), groups)


def meets(groups: Groups, shapes: Shapes) -> np.ndarray:
    """Say for each shape whether it keeps every limit of the demand."""
    return (
        is_sound(groups, shapes)
        & (shapes.mb_s > 0)
        & (shapes.mb_s >= groups.demand.needed_mb_s)
        & is_affordable(groups, shapes)
    )


def is_sound(groups: Groups, shapes: Shapes) -> np.ndarray:
    """Say for each shape whether it holds what is asked, on enough machines of each kind for copies and spares."""
    kept = (shapes.c >= groups.least_count[shapes.group]) & (shapes.c <= MOST_GROUPS)
    return kept & ((shapes.balancers > groups.demand.spare_balancer) | ((shapes.balancers == 0) & (shapes.c == 1)))


def is_affordable(groups: Groups, shapes: Shapes) -> np.ndarray:
    """Say for each shape whether it keeps the budgets of the demand: of its cost, and of what is paid once."""
    demand = groups.demand
    kept = np.ones(len(shapes), dtype=np.bool_)
    if demand.budget is not None:
        kept &= shapes.cents <= int(demand.budget * 100)
    return kept & is_affordable_once(groups, shapes)


def is_affordable_once(groups: Groups, shapes: Shapes) -> np.ndarray:
    """Say for each shape whether what ordering it owes once stays within the demand's limit, where there is one."""
    limit = groups.demand.budget_once
    return np.ones(len(shapes), dtype=np.bool_) if limit is None else shapes.once_cents <= int(limit * 100)


def ranked(shapes: Shapes, groups: Groups) -> Shapes:
    """Return the shapes best first for the goal."""
    objective = {
        Goal.MINIMISE_COST: shapes.cents,
        Goal.MAXIMISE_THROUGHPUT: -shapes.mb_s,
        Goal.MAXIMISE_CAPACITY: -groups.held(shapes.group, shapes.c),
    }[groups.demand.goal]
    order = np.lexsort((shapes.group, -shapes.mb_s, shapes.cents, shapes.machines, objective))
    return shapes.take(order)


def _cheapest_counts(groups: Groups) -> Shapes:
    group = np.arange(len(groups))
    c = np.maximum(groups.least_count_for(groups.demand.needed_mb_s), groups.least_count)
    needed = np.full(len(groups), groups.demand.needed_mb_s)
    return shapes_of(groups, group=group, c=c, balancers=balancers_for(groups, needed, c))


def _fastest_counts(groups: Groups) -> Shapes:
    """Up to the count whose whole throughput is affordable with its balancers, more is faster. One more group can still
    pay, with all the balancers the rest of the budget buys; from there on each group more leaves fewer balancers."""
    group = np.arange(len(groups))
    least = groups.least_count
    if groups.demand.balancers is not None:
        return _fastest_behind_fixed(groups, least)

    def balancers_of(c: Ints) -> Ints:
        return balancers_for(groups, groups.passed(group, c), c)

    whole = np.maximum(least, largest_count(lambda c: _is_bought(groups, group, c, balancers_of(c)), len(groups)))
    beyond = whole + 1
    shapes = [shapes_of(groups, group=group, c=whole, balancers=balancers_of(whole))]
    for c in (whole, beyond):
        shapes.append(shapes_of(groups, group=group, c=c, balancers=_balancers_left(groups, group, c)))
    return _joined(shapes)


def _fastest_behind_fixed(groups: Groups, least: Ints) -> Shapes:
    group = np.arange(len(groups))
    demand = groups.demand
    fixed = np.full(len(groups), demand.balancers, dtype=np.int64)
    passes = max(0, (demand.balancers or 0) - demand.spare_balancer) * groups.balancer_mb_s
    ceiling = groups.least_count_for(passes)
    most = largest_count(lambda c: _is_bought(groups, group, c, fixed), len(groups))
    c = np.maximum(least, np.minimum(most, np.where(fixed == 0, 1, np.maximum(1, ceiling))))
    return shapes_of(groups, group=group, c=c, balancers=fixed)


def _largest_counts(groups: Groups) -> Shapes:
    group = np.arange(len(groups))
    needed = np.full(len(groups), groups.demand.needed_mb_s)
    several = balancers_for(groups, needed, np.full(len(groups), 2))
    most = largest_count(lambda c: _is_bought(groups, group, c, several), len(groups))
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


def _balancers_left(groups: Groups, group: Ints, c: Ints) -> Ints:
    """Return the most balancers that the budget still buys beside c groups; at least one is tried."""
    return np.maximum(1, largest_count(lambda b: _is_bought(groups, group, c, b), len(groups)))


def _is_bought(groups: Groups, group: Ints, c: Ints, balancers: Ints) -> np.ndarray:
    """Say which of these shapes the budget buys; raises RuleBroken where there is none."""
    if groups.demand.budget is None:
        raise RuleBroken("limit_missing", "This goal starts from a budget.", field="budget")
    return is_affordable(groups, shapes_of(groups, group=group, c=c, balancers=balancers))


def largest_count(is_kept: Callable[[Ints], np.ndarray], size: int) -> Ints:
    """Return for each row the largest count up to MOST_GROUPS for which `is_kept` holds (it never holds again once it
    failed), or 0."""
    low, high = np.zeros(size, dtype=np.int64), np.full(size, MOST_GROUPS + 1, dtype=np.int64)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        kept = is_kept(middle)
        low, high = np.where(kept, middle, low), np.where(kept, high, middle)
    return low


def _joined(parts: list[Shapes]) -> Shapes:
    return Shapes(**{name: np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0])})
