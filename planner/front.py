"""The Pareto front of cost and throughput, exact over every shape below a price, and the cloud behind it."""

from collections.abc import Iterable

import numpy as np

from planner.goals import largest_count
from planner.rows import Row
from planner.shapes import Groups, Ints, Shapes, shapes_of, whole_units

CLOUD_COUNTS = 16
"""Counts shown of one pair of machine types, spread evenly below the chart's ceiling."""


def front_of(groups: Groups, *, ceiling_cents: int | None) -> tuple[Shapes, int]:
    """Return the non-dominated shapes that hold the capacity asked, up to the ceiling, and how many were looked at."""
    if ceiling_cents is None:
        return shapes_of(groups, group=_none(), c=_none(), balancers=_none()), 0
    shapes = every_shape(groups, ceiling_cents=ceiling_cents)
    order = np.lexsort((shapes.group, shapes.machines, -shapes.mb_s, shapes.cents))
    best_before = np.concatenate([[-1.0], np.maximum.accumulate(shapes.mb_s[order])[:-1]]) if len(shapes) else _none()
    return shapes.take(order[shapes.mb_s[order] > best_before]), len(shapes)


def every_shape(groups: Groups, *, ceiling_cents: int) -> Shapes:
    """Return all shapes under the ceiling that hold the capacity asked and waste neither a group nor a balancer.

    Behind b balancers a count c makes sense while c − 1 groups would pass less than they do or hold too little, and up
    to the first b that passes all of c: any other b is dominated.
    """
    group, c = _counts_under(groups, ceiling_cents)
    passed, passed_by_fewer = c * groups.mb_s[group], (c - 1) * groups.mb_s[group]
    is_least = c == groups.least_count_for_capacity[group]
    fixed = groups.demand.balancers
    if fixed is not None:
        is_useful = (c == 1) if fixed == 0 else is_least | (passed_by_fewer < fixed * groups.balancer_mb_s)
        group, c = group[is_useful], c[is_useful]
        most = fewest = np.full(len(group), fixed, dtype=np.int64)
    else:
        most = np.where(c > 1, np.maximum(1, whole_units(passed, groups.balancer_mb_s)), 0)
        needless = np.where(is_least, 0, passed_by_fewer // groups.balancer_mb_s).astype(np.int64)
        fewest = np.minimum(most, np.where(c > 1, np.maximum(1, needless), 0))
    repeats = most - fewest + 1
    start = np.repeat(np.cumsum(repeats) - repeats, repeats)
    balancers = np.repeat(fewest, repeats) + np.arange(int(repeats.sum())) - start
    shapes = shapes_of(groups, group=np.repeat(group, repeats), c=np.repeat(c, repeats), balancers=balancers)
    return shapes.take(shapes.cents <= ceiling_cents)


def cloud_of(groups: Groups, *, ceiling_cents: int | None) -> Shapes:
    """Return what the chart shows of each pair: its group of least $ per MB/s, times some counts under the ceiling."""
    if ceiling_cents is None:
        return shapes_of(groups, group=_none(), c=_none(), balancers=_none())
    shapes = every_shape(_cheapest_groups(groups), ceiling_cents=ceiling_cents)
    keep = np.zeros(len(shapes), dtype=np.bool_)
    for group in np.unique(shapes.group):
        rows = np.flatnonzero(shapes.group == group)
        keep[rows[np.unique(np.linspace(0, len(rows) - 1, CLOUD_COUNTS).round().astype(int))]] = True
    return shapes.take(keep)


def front_of_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the non-dominated rows of several fronts, cheapest first."""
    front: list[Row] = []
    for row in sorted(rows, key=lambda row: (row["cents"], -row["mb_s"], row["machines"], row["rank"])):
        if not front or row["mb_s"] > front[-1]["mb_s"]:
            front.append(row)
    return front


def _counts_under(groups: Groups, ceiling_cents: int) -> tuple[Ints, Ints]:
    """Return every (group, count) that could stay under the ceiling, from the count that holds the capacity on."""
    every = np.arange(len(groups))
    none = np.zeros(len(groups), dtype=np.int64)
    most = largest_count(
        lambda c: shapes_of(groups, group=every, c=c, balancers=none).cents <= ceiling_cents, len(groups)
    )
    least = groups.least_count_for_capacity
    repeats = np.maximum(0, most - least + 1)
    start = np.repeat(np.cumsum(repeats) - repeats, repeats)
    return np.repeat(every, repeats), np.repeat(least, repeats) + np.arange(int(repeats.sum())) - start


def _cheapest_groups(groups: Groups) -> Groups:
    """Return for each pair of machine types its group of least $ per MB/s: the study's choice of N."""
    every = np.arange(len(groups))
    one, none = np.ones(len(groups), dtype=np.int64), np.zeros(len(groups), dtype=np.int64)
    rate = shapes_of(groups, group=every, c=one, balancers=none).cents / groups.mb_s
    order = np.lexsort((groups.nodes, rate, groups.storage, groups.proxy))
    pairs = (groups.proxy * len(groups.fleet.nodes) + groups.storage)[order]
    return groups.take(order[np.concatenate([[True], pairs[1:] != pairs[:-1]])])


def _none() -> Ints:
    return np.empty(0, dtype=np.int64)
