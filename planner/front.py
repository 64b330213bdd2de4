"""The Pareto front of cost and throughput, exact over every shape below a price, and the cloud behind it."""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from planner.dominance import undominated
from planner.goals import is_affordable_once, is_sound, largest_count
from planner.rows import Row
from planner.shapes import Groups, Ints, Shapes, shapes_of, whole_units
from simulation import ranking
from simulation.ranking import Columns

FrontRows = Callable[[Columns], Ints]

MANY_GROUPS = 20_000
"""Above so many groups the front looks only at those that no other dominates."""
CLOUD_PAIRS = 200
"""Pairs of machine types that a chart can show; 13 types make 169. Each part of a plan has its share of them."""
CLOUD_COUNTS = 16
"""Counts shown of one pair of machine types, spread evenly below the chart's ceiling."""


def front_of(
    groups: Groups, *, ceiling_cents: int | None, front_rows: FrontRows = ranking.front_rows
) -> tuple[Shapes, int]:
    """Return the non-dominated shapes that hold the capacity asked, up to the ceiling, and how many were looked at.

    `front_rows` finds them; workers have a faster one in `simulation.kernels.ranking`.
    """
    if ceiling_cents is None:
        return shapes_of(groups, group=_none(), c=_none(), balancers=_none()), 0
    shapes = _shapes_among(groups, worth_looking_at(groups), ceiling_cents=ceiling_cents)
    return shapes.take(front_rows(columns_of(groups, shapes))), len(shapes)


def columns_of(groups: Groups, shapes: Shapes) -> Columns:
    """Return shapes as the flat columns that are ranked."""
    return Columns(shapes.cents, shapes.mb_s, groups.held(shapes.group, shapes.c), shapes.machines)


def every_shape(groups: Groups, *, ceiling_cents: int) -> Shapes:
    """Return all shapes under the ceiling that hold the capacity asked and waste neither a group nor a balancer.

    Behind b balancers a count c makes sense while c − 1 groups would pass less than they do or hold too little, and up
    to the first b that passes all of c: any other b is dominated.
    """
    group, c = _counts_under(groups, ceiling_cents)
    passed, passed_by_fewer = groups.passed(group, c), groups.passed(group, c - 1)
    is_least = c == groups.least_count[group]
    fixed, spare = groups.demand.balancers, groups.demand.spare_balancer
    if fixed is not None:
        passes = max(0, fixed - spare) * groups.balancer_mb_s
        is_useful = (c == 1) if fixed == 0 else is_least | (passed_by_fewer < passes)
        group, c = group[is_useful], c[is_useful]
        most = fewest = np.full(len(group), fixed, dtype=np.int64)
    else:
        most = np.where(c > 1, np.maximum(1, whole_units(passed, groups.balancer_mb_s)) + spare, 0)
        needless = np.where(is_least, 0, passed_by_fewer // groups.balancer_mb_s).astype(np.int64)
        fewest = np.minimum(most, np.where(c > 1, np.maximum(1, needless) + spare, 0))
    repeats = most - fewest + 1
    start = np.repeat(np.cumsum(repeats) - repeats, repeats)
    balancers = np.repeat(fewest, repeats) + np.arange(int(repeats.sum())) - start
    shapes = shapes_of(groups, group=np.repeat(group, repeats), c=np.repeat(c, repeats), balancers=balancers)
    kept = is_sound(groups, shapes) & is_affordable_once(groups, shapes)
    return shapes.take(kept & (shapes.cents <= ceiling_cents))


def cloud_of(groups: Groups, *, ceiling_cents: int | None) -> Shapes:
    """Return what the chart shows of each pair: its group of least $ per MB/s, times some counts under the ceiling.

    Of very many pairs only those of least $ per MB/s are shown: as many as these proxies' share of the fleet's.
    """
    if ceiling_cents is None:
        return shapes_of(groups, group=_none(), c=_none(), balancers=_none())
    share = len(np.unique(groups.proxy)) / max(1, len(groups.fleet.proxies))
    pairs = _cheapest_of_pairs(groups, math.ceil(CLOUD_PAIRS * min(1.0, share)))
    shapes = _shapes_among(groups, pairs, ceiling_cents=ceiling_cents)
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
    least = groups.least_count
    repeats = np.maximum(0, most - least + 1)
    start = np.repeat(np.cumsum(repeats) - repeats, repeats)
    return np.repeat(every, repeats), np.repeat(least, repeats) + np.arange(int(repeats.sum())) - start


def _shapes_among(groups: Groups, rows: Ints, *, ceiling_cents: int) -> Shapes:
    """Return every shape of some of the groups; each names its group by its row among all of them."""
    shapes = every_shape(groups.take(rows), ceiling_cents=ceiling_cents)
    return replace(shapes, group=rows[shapes.group])


def worth_looking_at(groups: Groups) -> Ints:
    """Return all groups or, where there are very many, those that no other dominates: the front is theirs."""
    return np.arange(len(groups)) if len(groups) <= MANY_GROUPS else undominated(groups)


def _cheapest_of_pairs(groups: Groups, most: int) -> Ints:
    """Return for each pair of machine types its group of least $ per MB/s: the study's choice of N. Of more pairs than
    `most` the cheapest by that measure are taken."""
    every = np.arange(len(groups))
    one, none = np.ones(len(groups), dtype=np.int64), np.zeros(len(groups), dtype=np.int64)
    with np.errstate(divide="ignore"):
        rate = shapes_of(groups, group=every, c=one, balancers=none).cents / groups.mb_s
    order = np.lexsort((groups.nodes, rate, groups.storage, groups.proxy))
    pairs = (groups.proxy * len(groups.fleet.nodes) + groups.storage)[order]
    rows = order[np.concatenate([[True], pairs[1:] != pairs[:-1]])]
    return np.sort(rows[np.argsort(rate[rows], kind="stable")[:most]])


def _none() -> Ints:
    return np.empty(0, dtype=np.int64)
