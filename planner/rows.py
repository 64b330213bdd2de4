"""Shapes as rows of JSON: counts, figures with money as text, what binds, and how it is known."""

from dataclasses import replace
from typing import Any

import numpy as np

from planner.demand import CostBasis, Goal
from planner.shapes import Groups, Shapes, dollars, shapes_of

Row = dict[str, Any]


def rows_of(groups: Groups, shapes: Shapes) -> list[Row]:
    """Return one row for each shape, in their order.

    Monthly costs are those of a month; `cost` and `cents` are on the demand's basis, and `once_cost` is what ordering
    owes once. MB/s and GB are what the cluster promises under the demand's switches.
    """
    bound_by = _bound_by(groups, shapes)
    a_month = _a_month_of(groups, shapes)
    passed, cents = groups.passed(shapes.group, shapes.c), shapes.cents
    return [
        _row(
            groups,
            shapes,
            a_month,
            index,
            cents=int(cents[index]),
            bound_by=bound_by[index],
            passed=float(passed[index]),
        )
        for index in range(len(shapes))
    ]


def _a_month_of(groups: Groups, shapes: Shapes) -> Shapes:
    """Return the same shapes as they cost a month, whatever the demand counts as their cost."""
    if groups.demand.cost_basis is CostBasis.MONTHLY:
        return shapes
    monthly = replace(groups, demand=replace(groups.demand, cost_basis=CostBasis.MONTHLY))
    return shapes_of(monthly, group=shapes.group, c=shapes.c, balancers=shapes.balancers)


def _row(
    groups: Groups, shapes: Shapes, a_month: Shapes, index: int, *, cents: int, bound_by: str, passed: float
) -> Row:
    group, c = int(shapes.group[index]), int(shapes.c[index])
    nodes = int(groups.nodes[group])
    proxy = groups.fleet.nodes[int(groups.proxy[group])].key_name
    storage = groups.fleet.nodes[int(groups.storage[group])].key_name
    is_behind_balancers = bool(shapes.mb_s[index] < passed)
    return {
        "shape": f"{c} {proxy} + {c * nodes} {storage}",
        "proxy": proxy,
        "storage": storage,
        "nodes_per_proxy": nodes,
        "proxies": c,
        "storage_nodes": c * nodes,
        "balancers": int(shapes.balancers[index]),
        "machines": int(shapes.machines[index]),
        "mb_s": float(shapes.mb_s[index]),
        "shortfall_mb_s": groups.demand.shortfall_of(float(shapes.mb_s[index])),
        "capacity_gb": float(shapes.capacity_gb[index]),
        **money_of(
            node_cents=int(a_month.node_cents[index]),
            balancer_cents=int(a_month.balancer_cents[index]),
            it_cents=int(a_month.it_cents[index]),
        ),
        "once_cost": str(dollars(int(shapes.once_cents[index]))),
        "cost_basis": groups.demand.cost_basis.value,
        "cost": str(dollars(cents)),
        "cents": cents,
        "limit": "balancers" if is_behind_balancers else str(groups.limit[group]),
        "is_assumed": bool(groups.is_assumed[group]),
        "bound_by": bound_by,
        "rank": [int(groups.proxy[group]), int(groups.storage[group]), nodes, c],
    }


def money_of(*, node_cents: int, balancer_cents: int, it_cents: int) -> Row:
    """Return the monthly costs of a shape: its nodes, its balancers, IT cost, and all of it."""
    total = node_cents + balancer_cents + it_cents
    return {
        "monthly_cost": str(dollars(node_cents)),
        "balancer_monthly_cost": str(dollars(balancer_cents)),
        "it_monthly_cost": str(dollars(it_cents)),
        "total_monthly_cost": str(dollars(total)),
        "cents": total,
    }


def _bound_by(groups: Groups, shapes: Shapes) -> list[str]:
    """Say which limit of the demand keeps each shape from being smaller, or from being larger."""
    demand = groups.demand
    if demand.goal is not Goal.MINIMISE_COST:
        return ["budget"] * len(shapes)
    one_less = shapes.c - 1
    holds = one_less >= groups.least_count[shapes.group]
    passes = groups.passed(shapes.group, one_less) >= demand.needed_mb_s
    words = np.where(one_less < 1, "the smallest group", np.where(~holds & passes, "capacity", "throughput"))
    return [str(word) for word in np.where(~holds & ~passes & (one_less >= 1), "throughput and capacity", words)]
