"""A plan in parts that can be worked out anywhere, and the answer put together from them.

A part looks at some of the proxies with every storage type; everything in it is plain JSON, so that it can be stored as
the result of a job's point and come out the same from the command line.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np

from planner.demand import Demand, Goal
from planner.fleet import Fleet
from planner.front import cloud_of, front_of, front_of_rows
from planner.goals import best_of_groups
from planner.rows import Row, rows_of
from planner.shapes import Groups, Shapes, groups_of
from planner.words import hover_words, problem_of, reason_lost
from simulation.object_store import balancer_mb_s
from simulation.parameters import ParameterSet

RUNNERS_UP = 10
CEILING_OF_THE_CHART = 2.5
"""The chart shows shapes up to this many times the price of the best one."""
MOST_PARTS = 8
MOST_FRONT_ROWS = 400
"""Rows kept of a long Pareto front, evenly: more than a chart can show, and far less than a huge cloud's front has."""
UNLIMITED = Decimal(10**15)
"""A budget above whatever the largest cluster costs."""

Json = dict[str, Any]


def parts_of(fleet: Fleet) -> list[list[int]]:
    """Share the proxies out into at most MOST_PARTS parts of nearly equal size."""
    proxies = range(len(fleet.nodes))
    count = min(MOST_PARTS, len(proxies))
    return [list(proxies[start::count]) for start in range(count)]


def plan_part(*, fleet: Fleet, demand: Demand, proxies: Sequence[int], parameters: ParameterSet) -> Json:
    """Work out one part: the best shape of each pair, the front, the chart's cloud, and what would be nearest."""
    groups = groups_of(fleet=fleet, demand=demand, parameters=parameters, proxies=proxies)
    best = best_of_groups(groups)
    nearest = {} if len(best) else _nearest(groups)
    ceiling = _ceiling(demand, int(best.cents[0]) if len(best) else None)
    front, considered = front_of(groups, ceiling_cents=ceiling)
    return {
        "best": rows_of(groups, _first_of_pairs(groups, best)),
        "front": rows_of(groups, front),
        "cloud": [_chart_point(row, demand) for row in rows_of(groups, cloud_of(groups, ceiling_cents=ceiling))],
        "nearest": nearest,
        "considered": considered,
        "groups": len(groups),
    }


def plan_answer(*, fleet: Fleet, demand: Demand, parts: Sequence[Json], parameters: ParameterSet) -> Json:
    """Put the parts together: the best configuration, the next ten with why each lost, the front and the chart."""
    rows = sorted((row for part in parts for row in part["best"]), key=lambda row: rank(demand, row))
    best = rows[0] if rows else None
    ceiling = _ceiling(demand, best["cents"] if best else None)
    front = front_of_rows(row for part in parts for row in part["front"] if _is_under(row, ceiling))
    balancer = fleet.balancer(demand.balancer)
    return {
        "demand": demand.as_json(),
        "currency": fleet.currency,
        "location": fleet.location,
        "catalog_version": fleet.catalog_version,
        "parameter_set": parameters.name,
        "balancer": {"type": balancer.key_name, "mb_s": balancer_mb_s(balancer.machine, parameters)},
        "best": best,
        "runners_up": [{**row, "reason": reason_lost(demand, row, rows[0])} for row in rows[1 : 1 + RUNNERS_UP]],
        "problem": None if best else problem_of(demand, _nearest_of_parts(demand, parts)),
        "front": thinned(front),
        "front_size": len(front),
        "cloud": [row for part in parts for row in part["cloud"] if _is_under(row, ceiling)],
        "left_out": [{"machine_type": key, "reason": reason} for key, reason in fleet.left_out],
        "considered": sum(part["considered"] for part in parts),
        "groups": sum(part["groups"] for part in parts),
    }


def plan_now(*, fleet: Fleet, demand: Demand, parameters: ParameterSet) -> Json:
    """Work a plan out at once, part after part, exactly as the jobs do."""
    parts = [
        plan_part(fleet=fleet, demand=demand, proxies=proxies, parameters=parameters) for proxies in parts_of(fleet)
    ]
    return plan_answer(fleet=fleet, demand=demand, parts=parts, parameters=parameters)


def rank(demand: Demand, row: Row) -> tuple[Any, ...]:
    """The order of rows from different parts: the goal, then fewer machines, less money, more MB/s, the catalogue."""
    objective = {
        Goal.MINIMISE_COST: row["cents"],
        Goal.MAXIMISE_THROUGHPUT: -row["mb_s"],
        Goal.MAXIMISE_CAPACITY: -row["capacity_gb"],
    }[demand.goal]
    return (objective, row["machines"], row["cents"], -row["mb_s"], row["rank"])


def _first_of_pairs(groups: Groups, shapes: Shapes) -> Shapes:
    pairs = groups.proxy[shapes.group] * len(groups.fleet.nodes) + groups.storage[shapes.group]
    _, first = np.unique(pairs, return_index=True)
    return shapes.take(np.sort(first))


def thinned(front: Sequence[Row]) -> list[Row]:
    """Return a front of at most MOST_FRONT_ROWS rows: both ends and an even choice of what lies between."""
    kept = np.linspace(0, len(front) - 1, min(len(front), MOST_FRONT_ROWS)).round().astype(int)
    return [front[index] for index in kept]


def _wishes(demand: Demand) -> dict[str, Demand]:
    """Return the demands whose answers say how far an impossible one is from what is possible."""
    free = replace(demand, budget=UNLIMITED, throughput_mb_s=None)
    wishes = {
        "fastest": replace(free, goal=Goal.MAXIMISE_THROUGHPUT),
        "largest": replace(free, goal=Goal.MAXIMISE_CAPACITY, capacity_gb=None),
    }
    if demand.budget is not None:
        wishes["cheapest"] = replace(demand, goal=Goal.MINIMISE_COST, budget=None)
        wishes["most_for_the_budget"] = (
            replace(demand, goal=Goal.MAXIMISE_CAPACITY, capacity_gb=None)
            if demand.goal is Goal.MAXIMISE_THROUGHPUT
            else replace(demand, goal=Goal.MAXIMISE_THROUGHPUT, throughput_mb_s=None)
        )
    return wishes


def _nearest(groups: Groups) -> dict[str, list[Row]]:
    """Return what each wish finds among these groups: one row, or none."""
    wished = {name: replace(groups, demand=wish) for name, wish in _wishes(groups.demand).items()}
    return {name: rows_of(each, best_of_groups(each))[:1] for name, each in wished.items()}


def _nearest_of_parts(demand: Demand, parts: Sequence[Json]) -> dict[str, Row]:
    nearest = {}
    for name, wish in _wishes(demand).items():
        found = [row for part in parts for row in part["nearest"][name]]
        if found:
            nearest[name] = min(found, key=partial(rank, wish))
    return nearest


def _ceiling(demand: Demand, best_cents: int | None) -> int | None:
    """Return up to which price, in cents, the chart shows shapes; None where nothing meets a demand without budget."""
    if demand.budget is not None:
        return int(demand.budget * 150)
    return None if best_cents is None else int(best_cents * CEILING_OF_THE_CHART)


def _chart_point(row: Row, demand: Demand) -> Row:
    return {"mb_s": row["mb_s"], "cents": row["cents"], "text": hover_words(row, demand)}


def _is_under(row: Row, ceiling: int | None) -> bool:
    return ceiling is not None and row["cents"] <= ceiling
