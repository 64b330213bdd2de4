"""Sliders: the best answer to a changed demand at once, from the curves that a plan keeps.

Curves are the groups of a proxy with its storage nodes that no other group dominates, whatever throughput, capacity,
budgets, IT cost and hours are asked. A plan keeps them as a table of their own, with the few machines that occur in
them, so that an answer takes neither the rest of the plan's answer nor the whole fleet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from planner.demand import Demand
from planner.dominance import undominated
from planner.fleet import Fleet
from planner.goals import best_of_groups
from planner.rows import Row, rows_of
from planner.shapes import Groups

Json = dict[str, Any]


def curves_of(groups: Groups) -> Json:
    """Return the curves of these groups as columns of plain JSON."""
    return _as_json(groups.take(undominated(groups)))


def joined_curves(parts: Sequence[Json], *, fleet: Fleet, demand: Demand) -> Json:
    """Return the curves of several parts of one plan as one, without what another part's curves dominate."""
    columns = {
        name: [value for part in parts for value in part[name]] for name in ("proxy", "storage", "nodes", "mb_s")
    }
    limits = list(dict.fromkeys(limit for part in parts for limit in part["limits"]))
    joined = {
        **columns,
        "limits": limits,
        "limit": [limits.index(part["limits"][number]) for part in parts for number in part["limit"]],
        "is_assumed": [value for part in parts for value in part["is_assumed"]],
        "lost_mb_s": [value for part in parts for value in (part["lost_mb_s"] or [0.0] * len(part["proxy"]))],
        "balancer_mb_s": parts[0]["balancer_mb_s"],
    }
    groups = groups_of_curves(joined, fleet=fleet, demand=demand)
    groups = groups.take(np.lexsort((groups.nodes, groups.storage, groups.proxy)))
    return _as_json(groups.take(undominated(groups)))


def slider_table(curves: Mapping[str, Any], *, fleet: Fleet, demand: Demand) -> Json:
    """Return what a plan keeps for its sliders: the curves, only the machines that occur in them, and the balancer.

    The curves count the machines of the table's own `fleet`; `places` says where each of them stands in the plan's.
    """
    places = sorted({*curves["proxy"], *curves["storage"]})
    numbers = {place: number for number, place in enumerate(places)}
    kept = replace(
        fleet,
        nodes=tuple(fleet.nodes[place] for place in places),
        balancers=(fleet.balancer(demand.balancer),),
        left_out=(),
    )
    return {
        **curves,
        "proxy": [numbers[place] for place in curves["proxy"]],
        "storage": [numbers[place] for place in curves["storage"]],
        "places": places,
        "fleet": kept.as_json(),
    }


def slider_answer(table: Mapping[str, Any], *, demand: Demand) -> Row | None:
    """Return the best shape for a demand that differs from the plan's in goal, limits, IT cost or hours; None where
    nothing meets it. The machines' prices follow the hours."""
    groups = groups_of_table(table, demand=demand)
    best = best_of_groups(groups)
    if not len(best):
        return None
    row = rows_of(groups, best.take(np.arange(1)))[0]
    proxy, storage, *counts = row["rank"]
    return {**row, "rank": [table["places"][proxy], table["places"][storage], *counts]}


def groups_of_table(table: Mapping[str, Any], *, demand: Demand) -> Groups:
    """Return the groups of a slider's table under a demand, with the table's own machines at the demand's hours."""
    fleet = Fleet.from_json(table["fleet"]).at_hours(demand.hours_per_month)
    return groups_of_curves(table, fleet=fleet, demand=demand)


def groups_of_curves(curves: Mapping[str, Any], *, fleet: Fleet, demand: Demand) -> Groups:
    """Return the groups of the curves under a demand, with the prices of the fleet."""
    storage, nodes = (np.asarray(curves[name], dtype=np.int64) for name in ("storage", "nodes"))
    local_mgb = np.array([round(priced.machine.local_storage_gb * 1000) for priced in fleet.nodes], dtype=np.int64)
    return Groups(
        fleet=fleet,
        demand=demand,
        proxy=np.asarray(curves["proxy"], dtype=np.int64),
        storage=storage,
        nodes=nodes,
        mb_s=np.asarray(curves["mb_s"], dtype=np.float64),
        limit=np.asarray(curves["limits"], dtype=np.str_)[np.asarray(curves["limit"], dtype=np.int64)],
        is_assumed=np.asarray(curves["is_assumed"], dtype=np.bool_),
        usable_mgb=local_mgb[storage] * nodes,
        balancer_mb_s=curves["balancer_mb_s"],
        lost_mb_s=np.asarray(curves["lost_mb_s"], dtype=np.float64) if curves["lost_mb_s"] else np.zeros(len(nodes)),
        lost_mgb=local_mgb[storage] * demand.spare_node,
    )


def _as_json(groups: Groups) -> Json:
    limits, limit = np.unique(groups.limit, return_inverse=True)
    lost = np.broadcast_to(groups.lost_mb_s, groups.mb_s.shape)
    return {
        "proxy": groups.proxy.tolist(),
        "storage": groups.storage.tolist(),
        "nodes": groups.nodes.tolist(),
        "mb_s": groups.mb_s.tolist(),
        "limits": limits.tolist(),
        "limit": limit.tolist(),
        "is_assumed": groups.is_assumed.astype(int).tolist(),
        "lost_mb_s": lost.tolist() if np.any(lost) else [],
        "balancer_mb_s": groups.balancer_mb_s,
    }
