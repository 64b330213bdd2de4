"""Mixed fleets: several storage types behind one kind of proxy, beside the best uniform shape.

What finds the mix is handed in, for it takes a solver that only workers load. The mix found is priced to the cent here,
one order line for each machine type, as an order prices it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from planner.demand import CostBasis, Demand, Goal
from planner.front import worth_looking_at
from planner.rows import Row
from planner.shapes import Groups, dollars, exact, owed_cents

Json = dict[str, Any]
MixSolver = Callable[[Json], tuple[Sequence[int], int, bool] | None]
"""Takes the figures of groups behind one proxy; returns how many of each, and of balancers, and whether that
is proven to be the best. None: nothing meets."""
SLACKS = (0.0, 0.01)
"""A solver keeps limits to a millionth, and an order rounds by line: what just misses is sought again, 0.01 MB/s, 10 MB
and ten cents inside them."""
GOALS = {Goal.MINIMISE_COST: "cost", Goal.MAXIMISE_THROUGHPUT: "throughput", Goal.MAXIMISE_CAPACITY: "held"}


def best_mixed(groups: Groups, *, solve: MixSolver) -> Json | None:
    """Return the best fleet of one kind of proxy with any mix of storage types behind balancers; None where none meets
    the demand, or where the demand fixes what a mix cannot keep: the number of balancers, or spares.

    A mix has at least two proxies, so that something can differ; one proxy alone is a uniform shape.
    """
    demand = groups.demand
    spares = demand.spare_proxy or demand.spare_node or demand.spare_balancer
    if demand.balancers is not None or spares or demand.budget_once is not None:
        return None
    groups = groups.take(worth_looking_at(groups))
    found = [mix for proxy in np.unique(groups.proxy) if (mix := _best_behind(groups, int(proxy), solve)) is not None]
    return min(found, key=partial(_rank, demand)) if found else None


def best_of_mixes(demand: Demand, mixes: Iterable[Json | None], *, best: Row | None) -> Json | None:
    """Return the best mix of several parts of a plan, with whether it beats the best uniform shape."""
    found = [mix for mix in mixes if mix is not None]
    if not found:
        return None
    mix = min(found, key=partial(_rank, demand))
    return mix | {"beats_uniform": best is None or _rank(demand, mix)[0] < _rank(demand, best)[0]}


def _best_behind(groups: Groups, proxy: int, solve: MixSolver) -> Json | None:
    rows = np.flatnonzero((groups.proxy == proxy) & (groups.usable_mgb > 0) & (groups.mb_s > 0))
    if not len(rows):
        return None
    demand, one = groups.demand, np.ones(len(rows), dtype=np.int64)
    it_cents = float(demand.it_cost_per_node) * 100
    unit = groups.fees.cents(groups.proxy[rows], 1000 * one) + groups.fees.cents(
        groups.storage[rows], 1000 * groups.nodes[rows]
    )
    balancer = groups.balancer_fees.cents(np.zeros(1, dtype=np.int64), np.array([1000]))[0]
    spares = int(owed_cents(exact(demand.spares_cost), np.array(1)))
    it_months = 1 if demand.cost_basis is CostBasis.MONTHLY else demand.months
    question = {
        "goal": GOALS[demand.goal],
        "cost": unit / 1000 + (1 + groups.nodes[rows]) * it_cents * it_months,
        "mb_s": groups.mb_s[rows],
        "held": groups.usable_mgb[rows] / 1000,
        "nodes": groups.nodes[rows].astype(np.float64),
        "balancer_cost": balancer / 1000 + it_cents * it_months,
        "balancer_mb_s": groups.balancer_mb_s,
        "needed_nodes": float(demand.fewest_storage_nodes),
    }
    most_cost = np.inf if demand.budget is None else float(demand.budget) * 100 - spares
    for slack in SLACKS:
        answer = solve(
            question
            | {
                "needed_mb_s": demand.needed_mb_s + slack,
                "needed_held": demand.needed_mgb / 1000 + slack,
                "most_cost": most_cost - 1000 * slack,
            }
        )
        if answer and (mix := _row(groups, rows, np.asarray(answer[0], dtype=np.int64), answer[1])):
            return mix | {"is_proven": answer[2]}
    return None


def _row(groups: Groups, rows: np.ndarray, counts: np.ndarray, balancers: int) -> Json | None:
    """Price the mix as it is ordered and look again whether it meets the demand: a cent over the budget is over."""
    demand, fleet = groups.demand, groups.fleet
    used = [(int(rows[index]), int(counts[index])) for index in np.flatnonzero(counts)]
    proxies = sum(count for _, count in used)
    nodes: dict[int, int] = defaultdict(int)
    for row, count in used:
        nodes[int(groups.storage[row])] += count * int(groups.nodes[row])
    pieces = np.array([proxies, *nodes.values()], dtype=np.int64)
    machines = np.array([int(groups.proxy[used[0][0]]), *nodes], dtype=np.int64)
    total = int(pieces.sum()) + balancers
    it_months = 1 if demand.cost_basis is CostBasis.MONTHLY else demand.months
    cents = int(groups.fees.cents(machines, pieces).sum())
    cents += int(groups.balancer_fees.cents(np.zeros(1, dtype=np.int64), np.array([balancers]))[0])
    cents += it_months * int(owed_cents(exact(demand.it_cost_per_node), np.array(total)))
    cents += int(owed_cents(exact(demand.spares_cost), np.array(1)))
    passed = sum(count * float(groups.mb_s[row]) for row, count in used)
    mb_s = min(passed, balancers * groups.balancer_mb_s)
    held_mgb = sum(count * int(groups.usable_mgb[row]) for row, count in used)
    is_met = mb_s >= demand.needed_mb_s and held_mgb >= demand.needed_mgb
    if not is_met or (demand.budget is not None and cents > demand.budget * 100):
        return None
    proxy = fleet.nodes[int(machines[0])].key_name
    parts = [f"{count} {fleet.nodes[index].key_name}" for index, count in nodes.items()]
    return {
        "shape": f"{proxies} {proxy} + {' + '.join(parts)}",
        "proxy": proxy,
        "proxies": proxies,
        "groups": [
            {"storage": fleet.nodes[int(groups.storage[row])].key_name, "nodes_per_proxy": int(groups.nodes[row]),
             "proxies": count}
            for row, count in used
        ],
        "storages": {fleet.nodes[index].key_name: count for index, count in nodes.items()},
        "balancers": balancers,
        "machines": total,
        "mb_s": mb_s,
        "capacity_gb": held_mgb / (1000 * float(demand.raw_per_usable / Fraction(demand.fill_limit))),
        "cost": str(dollars(cents)),
        "cents": cents,
        "is_mixed": len(nodes) > 1,
    }  # fmt: skip


def _rank(demand: Demand, row: Json) -> tuple[Any, ...]:
    objective = {
        Goal.MINIMISE_COST: row["cents"],
        Goal.MAXIMISE_THROUGHPUT: -row["mb_s"],
        Goal.MAXIMISE_CAPACITY: -row["capacity_gb"],
    }[demand.goal]
    return objective, row["machines"], row["cents"], -row["mb_s"]
