"""A plan in parts that can be worked out anywhere, and the answer put together from them.

A part looks at some of the proxies with every storage type; everything in it is plain JSON, so that it can be stored as
the result of a job's point and come out the same from the command line.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np

from planner.demand import Demand, Goal
from planner.fleet import Fleet
from planner.front import FrontRows, cloud_of, front_of, front_of_rows
from planner.goals import best_of_groups
from planner.mixed import MixSolver, best_mixed, best_of_mixes
from planner.rows import Row, rows_of
from planner.shapes import Groups, Shapes, groups_of
from planner.sliders import curves_of, joined_curves, slider_table
from planner.storage_limits import weaker_limits
from planner.words import disks_wish, hover_words, problem_of, reason_lost
from simulation import ranking
from simulation.object_store import balancer_mb_s
from simulation.parameters import ParameterSet

RUNNERS_UP = 10
CEILING_OF_THE_CHART = 2.5
"""The chart shows shapes up to this many times the price of the best one."""
MOST_PARTS = 8
PROXIES_OF_A_PART = 8
"""A part of fewer takes longer to hand out than to work out."""
MOST_PAIRS = 400
"""Pairs of machine types of which a part tells the best shape; of more, the best ones."""
MOST_FRONT_ROWS = 400
"""Rows kept of a long Pareto front, evenly: more than a chart can show, and far less than a huge cloud's front has."""
UNLIMITED = Decimal(10**15)
"""A budget above whatever the largest cluster costs."""

Json = dict[str, Any]


def parts_of(fleet: Fleet) -> list[list[int]]:
    """Share the proxies out into parts of nearly equal size: of about PROXIES_OF_A_PART, but at most MOST_PARTS."""
    proxies = fleet.proxies
    count = min(MOST_PARTS, math.ceil(len(proxies) / PROXIES_OF_A_PART))
    return [proxies[start::count] for start in range(count)]


def plan_part(
    *,
    fleet: Fleet,
    demand: Demand,
    proxies: Sequence[int],
    parameters: ParameterSet,
    corrections: Sequence[Json] = (),
    front_rows: FrontRows = ranking.front_rows,
    solve_mix: MixSolver | None = None,
) -> Json:
    """Work out one part: the best shape of each pair, the front, the chart's cloud, and what would be nearest.

    `corrections` are factors by which a group, or the balancers, pass less than the fast answer says. With a solver
    the best mix of storage types is looked for too.
    """

    def groups_under(asked: Demand) -> Groups:
        groups = groups_of(fleet=fleet, demand=asked, parameters=parameters, proxies=proxies)
        return corrected(groups, corrections)

    groups = groups_under(demand)
    best = best_of_groups(groups)
    nearest = {} if len(best) else _nearest(groups, groups_under)
    ceiling = _ceiling(demand, int(best.cents[0]) if len(best) else None)
    front, considered = front_of(groups, ceiling_cents=ceiling, front_rows=front_rows)
    return {
        "best": rows_of(groups, _first_of_pairs(groups, best)),
        "front": rows_of(groups, front),
        "cloud": [_chart_point(row, demand) for row in rows_of(groups, cloud_of(groups, ceiling_cents=ceiling))],
        "nearest": nearest,
        "considered": considered,
        "groups": len(groups),
        "curves": curves_of(groups),
        "mixed": best_mixed(groups, solve=solve_mix) if solve_mix else None,
    }


def plan_answer(*, fleet: Fleet, demand: Demand, parts: Sequence[Json], parameters: ParameterSet) -> Json:
    """Put the parts together: the best configuration, the next ten with why each lost, the front and the chart."""
    rows = ranked_rows(demand, parts)
    best = rows[0] if rows else None
    ceiling = _ceiling(demand, best["cents"] if best else None)
    front = front_of_rows(row for part in parts for row in part["front"] if _is_under(row, ceiling))
    balancer = fleet.balancer(demand.balancer)
    curves = joined_curves([part["curves"] for part in parts], fleet=fleet, demand=demand)
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
        "slider": slider_table(curves, fleet=fleet, demand=demand),
        "mixed": best_of_mixes(demand, (part.get("mixed") for part in parts), best=best),
    }


def plan_now(
    *,
    fleet: Fleet,
    demand: Demand,
    parameters: ParameterSet,
    corrections: Sequence[Json] = (),
    solve_mix: MixSolver | None = None,
) -> Json:
    """Work a plan out at once, part after part, as the jobs do; they hand in a solver of mixes.

    `corrections` are what simulations of an earlier answer taught, as `plan_part` takes them.
    """
    parts = [
        plan_part(
            fleet=fleet,
            demand=demand,
            proxies=proxies,
            parameters=parameters,
            corrections=corrections,
            solve_mix=solve_mix,
        )
        for proxies in parts_of(fleet)
    ]
    return plan_answer(fleet=fleet, demand=demand, parts=parts, parameters=parameters)


def ranked_rows(demand: Demand, parts: Sequence[Json]) -> list[Row]:
    """Return the best shape of every pair of all parts, best first."""
    return sorted((row for part in parts for row in part["best"]), key=partial(rank, demand))


def best_row(demand: Demand, parts: Sequence[Json]) -> Row | None:
    """Return the best shape of all parts; None where nothing meets the demand."""
    return min((row for part in parts for row in part["best"]), key=partial(rank, demand), default=None)


def corrected(groups: Groups, corrections: Sequence[Json]) -> Groups:
    """Return groups that pass what was simulated: each correction lowers one group, with what it lacks while a spare
    is out of work, or all balancers."""
    for correction in corrections:
        if correction.get("balancers"):
            groups = replace(groups, balancer_mb_s=groups.balancer_mb_s * correction["factor"])
            continue
        keys = [machine.key_name for machine in groups.fleet.nodes]
        is_meant = (groups.nodes == correction["nodes"]) & (groups.proxy == keys.index(correction["proxy"]))
        is_meant &= groups.storage == keys.index(correction["storage"])
        factor = np.where(is_meant, correction["factor"], 1.0)
        groups = replace(groups, mb_s=groups.mb_s * factor, lost_mb_s=groups.lost_mb_s * factor)
    return groups


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
    return shapes.take(np.sort(first)[:MOST_PAIRS])


def thinned(front: Sequence[Row]) -> list[Row]:
    """Return a front of at most MOST_FRONT_ROWS rows: both ends and an even choice of what lies between."""
    kept = np.linspace(0, len(front) - 1, min(len(front), MOST_FRONT_ROWS)).round().astype(int)
    return [front[index] for index in kept]


def _wishes(demand: Demand) -> dict[str, Demand]:
    """Return the demands whose answers say how far an impossible one is from what is possible."""
    free = replace(demand, budget=UNLIMITED, budget_once=None, throughput_mb_s=None)
    wishes = {
        "fastest": replace(free, goal=Goal.MAXIMISE_THROUGHPUT),
        "largest": replace(free, goal=Goal.MAXIMISE_CAPACITY, capacity_gb=None),
    }
    if demand.budget_once is not None:
        wishes["with_more_once"] = replace(demand, budget_once=None)
    if demand.budget is not None:
        wishes["cheapest"] = replace(demand, goal=Goal.MINIMISE_COST, budget=None)
        wishes["most_for_the_budget"] = (
            replace(demand, goal=Goal.MAXIMISE_CAPACITY, capacity_gb=None)
            if demand.goal is Goal.MAXIMISE_THROUGHPUT
            else replace(demand, goal=Goal.MAXIMISE_THROUGHPUT, throughput_mb_s=None)
        )
    for raid, drives in weaker_limits(demand.raid, demand.drives):
        wishes[disks_wish(raid, drives)] = replace(demand, raid=raid, drives=drives)
    return wishes


def _nearest(groups: Groups, groups_under: Callable[[Demand], Groups]) -> dict[str, list[Row]]:
    """Return what each wish finds: one row, or none. Those that ask for other disks look among other groups."""
    asked = groups.demand
    wished = {
        name: replace(groups, demand=wish)
        if (wish.raid, wish.drives) == (asked.raid, asked.drives)
        else groups_under(wish)
        for name, wish in _wishes(asked).items()
    }
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
    return {"mb_s": row["mb_s"], "cents": row["cents"], "shape": row["shape"], "text": hover_words(row, demand)}


def _is_under(row: Row, ceiling: int | None) -> bool:
    return ceiling is not None and row["cents"] <= ceiling
