"""Mixed fleets: several storage types behind one kind of proxy, beside the best uniform shape.

What finds the mix is handed in, for it takes a solver that only workers load. The mix found is priced to the cent here,
one order line for each machine type, as an order prices it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from planner.demand import CostBasis, Demand, Goal
from planner.fleet import Fleet, PricedMachine
from planner.front import worth_looking_at
from planner.rows import Row, money_of
from planner.shapes import Fees, Groups, dollars, exact, owed_cents

Json = dict[str, Any]
Pieces = tuple[Mapping[int, int], Mapping[int, int]]
"""Proxies and storage nodes: how many of each machine, by its place in the fleet."""
Counted = tuple[PricedMachine, int]
MixSolver = Callable[[Json], tuple[Sequence[int], int, bool] | None]
"""Takes the figures of groups behind one proxy; returns how many of each, and of balancers, and whether that
is proven to be the best. None: nothing meets."""
SLACKS = (0.0, 0.01)
"""A solver keeps limits to a millionth, and an order rounds by line: what just misses is sought again, 0.01 MB/s, 10 MB
and ten cents inside them."""
NEARLY = 1.0
"""MB/s, GB or money by which a mix may be worse than the best so far and is still looked at: more than all rounding."""
GOALS = {Goal.MINIMISE_COST: "cost", Goal.MAXIMISE_THROUGHPUT: "throughput", Goal.MAXIMISE_CAPACITY: "held"}


def best_mixed(groups: Groups, *, solve: MixSolver) -> Json | None:
    """Return the best fleet of one kind of proxy with any mix of storage types behind balancers; None where none meets
    the demand, or where the demand fixes what a mix cannot keep: the number of balancers, or spares.

    A mix has at least two proxies, so that something can differ; one proxy alone is a uniform shape.
    """
    demand = groups.demand
    if is_mix_ruled_out(demand):
        return None
    groups = groups.take(worth_looking_at(groups))
    best: Json | None = None
    for proxy in np.unique(groups.proxy):
        mix = _best_behind(groups, int(proxy), solve, so_far=best)
        if mix and (best is None or _rank(demand, mix) < _rank(demand, best)):
            best = mix
    return best


def is_mix_ruled_out(demand: Demand) -> bool:
    """Say whether the demand fixes what a mix cannot keep, so that none is looked for."""
    spares = demand.spare_proxy or demand.spare_node or demand.spare_balancer
    return demand.balancers is not None or spares or demand.budget_once is not None


def best_of_mixes(demand: Demand, mixes: Iterable[Json | None], *, best: Row | None) -> Json | None:
    """Return the best mix of several parts of a plan, with whether it beats the best uniform shape."""
    found = [mix for mix in mixes if mix is not None]
    if not found:
        return None
    mix = min(found, key=partial(_rank, demand))
    return mix | {"beats_uniform": best is None or _rank(demand, mix)[0] < _rank(demand, best)[0]}


def winning_mix(answer: Json) -> Json | None:
    """Return the mix of a plan's answer where it beats every uniform shape; answers of older versions have none."""
    mix: Json | None = answer.get("mixed")
    return mix if mix and mix["beats_uniform"] else None


def _best_behind(groups: Groups, proxy: int, solve: MixSolver, *, so_far: Json | None) -> Json | None:
    """Return the best mix behind one kind of proxy; None also where a solver finds none as good as the best so far."""
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
    limits = _limits(demand, so_far)
    for slack in SLACKS:
        answer = solve(
            question
            | {
                "needed_mb_s": limits["needed_mb_s"] + slack,
                "needed_held": limits["needed_held"] + slack,
                "most_cost": limits["most_cost"] - spares - 1000 * slack,
            }
        )
        if answer is None:
            return None
        if mix := _row(groups, rows, np.asarray(answer[0], dtype=np.int64), answer[1]):
            return mix | {"is_proven": answer[2]}
    return None


def _limits(demand: Demand, so_far: Json | None) -> dict[str, float]:
    """Return what a mix must reach and may cost: as the demand says, and hardly less good than the best so far."""
    limits = {
        "needed_mb_s": demand.needed_mb_s,
        "needed_held": demand.needed_mgb / 1000,
        "most_cost": np.inf if demand.budget is None else float(demand.budget) * 100,
    }
    if so_far is None:
        return limits
    if demand.goal is Goal.MINIMISE_COST:
        return limits | {"most_cost": min(limits["most_cost"], so_far["cents"] + 100 * NEARLY)}
    if demand.goal is Goal.MAXIMISE_THROUGHPUT:
        return limits | {"needed_mb_s": so_far["mb_s"] - NEARLY}
    held = so_far["capacity_gb"] * float(demand.raw_per_usable / Fraction(demand.fill_limit))
    return limits | {"needed_held": held - NEARLY}


def _row(groups: Groups, rows: np.ndarray, counts: np.ndarray, balancers: int) -> Json | None:
    """Price the mix as it is ordered and look again whether it meets the demand: a cent over the budget is over."""
    demand, fleet = groups.demand, groups.fleet
    used = [(int(rows[index]), int(counts[index])) for index in np.flatnonzero(counts)]
    nodes: dict[int, int] = defaultdict(int)
    for row, count in used:
        nodes[int(groups.storage[row])] += count * int(groups.nodes[row])
    proxy, proxies = int(groups.proxy[used[0][0]]), sum(count for _, count in used)
    pieces = {proxy: proxies}, nodes
    money = _money_of(groups, pieces, balancers)
    passed = sum(count * float(groups.mb_s[row]) for row, count in used)
    mb_s = min(passed, balancers * groups.balancer_mb_s)
    held_mgb = sum(count * int(groups.usable_mgb[row]) for row, count in used)
    is_met = mb_s >= demand.needed_mb_s and held_mgb >= demand.needed_mgb
    if not is_met or (demand.budget is not None and money["cents"] > demand.budget * 100):
        return None
    sizes = sorted({int(groups.nodes[row]) for row, _ in used})
    return {
        "shape": _shape_words(fleet, pieces, sizes),
        "proxy": fleet.nodes[proxy].key_name,
        "proxies": proxies,
        "groups": [
            {"storage": fleet.nodes[int(groups.storage[row])].key_name, "nodes_per_proxy": int(groups.nodes[row]),
             "proxies": count}
            for row, count in used
        ],
        "storages": {fleet.nodes[index].key_name: count for index, count in nodes.items()},
        "storage_nodes": sum(nodes.values()),
        "balancers": balancers,
        "machines": _machines(pieces, balancers),
        "mb_s": mb_s,
        "shortfall_mb_s": demand.shortfall_of(mb_s),
        "capacity_gb": held_mgb / (1000 * float(demand.raw_per_usable / Fraction(demand.fill_limit))),
        **money,
        "limit": "balancers" if mb_s < passed else ", ".join(sorted({str(groups.limit[row]) for row, _ in used})),
        "is_assumed": any(bool(groups.is_assumed[row]) for row, _ in used),
        "is_mixed": len(nodes) > 1,
    }  # fmt: skip


def _shape_words(fleet: Fleet, pieces: Pieces, sizes: Sequence[int]) -> str:
    """Name the mix; where one storage type stands in groups of several sizes the sizes tell it from uniform shapes."""
    (proxy, proxies), nodes = next(iter(pieces[0].items())), pieces[1]
    parts = [f"{count} {fleet.nodes[index].key_name}" for index, count in nodes.items()]
    words = f"{proxies} {fleet.nodes[proxy].key_name} + {' + '.join(parts)}"
    return words if len(nodes) > 1 or len(sizes) == 1 else f"{words} in groups of {' and '.join(map(str, sizes))}"


def _machines(pieces: Pieces, balancers: int) -> int:
    return sum(count for role in pieces for count in role.values()) + balancers


def _money_of(groups: Groups, pieces: Pieces, balancers: int) -> Json:
    """Return what the mix costs a month, once, and on the demand's basis, each machine type of a role a line apart."""
    demand, fleet = groups.demand, groups.fleet
    a_month = replace(demand, cost_basis=CostBasis.MONTHLY)
    nodes = [(fleet.nodes[index], count) for role in pieces for index, count in role.items()]
    in_front = [(fleet.balancer(demand.balancer), balancers)]
    it_cents = int(owed_cents(exact(demand.it_cost_per_node), np.array(_machines(pieces, balancers))))
    it_months = 1 if demand.cost_basis is CostBasis.MONTHLY else demand.months
    cents = _owed([*nodes, *in_front], demand) + it_months * it_cents
    cents += int(owed_cents(exact(demand.spares_cost), np.array(1)))
    return {
        **money_of(node_cents=_owed(nodes, a_month), balancer_cents=_owed(in_front, a_month), it_cents=it_cents),
        "once_cost": str(dollars(_owed_once([*nodes, *in_front], demand))),
        "cost_basis": demand.cost_basis.value,
        "cost": str(dollars(cents)),
        "cents": cents,
    }


def _owed(machines: Sequence[Counted], demand: Demand) -> int:
    fees, counts = Fees([machine for machine, _ in machines], demand), np.array([count for _, count in machines])
    return int(fees.cents(np.arange(len(machines)), counts).sum())


def _owed_once(machines: Sequence[Counted], demand: Demand) -> int:
    fees, counts = Fees([machine for machine, _ in machines], demand), np.array([count for _, count in machines])
    return int(fees.once_cents(np.arange(len(machines)), counts).sum())


def _rank(demand: Demand, row: Json) -> tuple[Any, ...]:
    objective = {
        Goal.MINIMISE_COST: row["cents"],
        Goal.MAXIMISE_THROUGHPUT: -row["mb_s"],
        Goal.MAXIMISE_CAPACITY: -row["capacity_gb"],
    }[demand.goal]
    return objective, row["machines"], row["cents"], -row["mb_s"]
