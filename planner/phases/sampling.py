"""Sampling: one proxy with N storage nodes, for every pair of machines on the declared grid, and what that costs.

A pair is saturated where the next step of the grid gains less than 5 %. Its best N is the one of least money for each
MB/s. A pair is dominated where another one has both cheaper MB/s and cheaper GB; dominated pairs are not profiled. The
optimisation tries them all the same, because counts are whole and a small cloud can favour them.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from planner.demand import Demand
from planner.fleet import PricedMachine
from planner.shapes import Floats, Groups, Ints, shapes_of
from simulation.object_store_metrics import SATURATED_BELOW_GAIN

MOST_KEPT = 12
"""Pairs whose curves a part keeps: those of the cheapest MB/s among the ones that nothing dominates."""
MOST_SHOWN = 20

Json = dict[str, Any]


def sample_part(groups: Groups, *, proxies: int) -> Json:
    """Sample the groups of some proxies: the curves of pairs worth profiling, and why the others are not."""
    groups = groups.take(np.lexsort((groups.nodes, groups.storage, groups.proxy)))
    cents = _cents_of_one(groups)
    fit = (groups.usable_mgb > 0) & (groups.mb_s > 0)
    firsts = _firsts(groups)
    unfit = _unfit(groups, firsts[~fit[firsts]], proxies=proxies)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate, per_gb = cents / groups.mb_s, cents / groups.usable_mgb
    best = _least_of_pairs(groups, rate, np.flatnonzero(fit))
    kept, beaten = _not_dominated(best, rate, per_gb)
    shown = kept[:MOST_KEPT]
    return {
        "phase": "sampling",
        "pairs": proxies * len(groups.fleet.nodes),
        "only_store": len(groups.fleet.nodes) - len(groups.fleet.proxies),
        "unfit": unfit,
        "dominated": len(beaten),
        "kept": [_curve(groups, cents, int(index)) for index in shown],
        "beaten": [
            {**_summary(groups, cents, int(index)), "beaten_by": _name(groups, int(by))}
            for index, by in beaten[:MOST_SHOWN]
        ],
        "not_shown": len(kept) - len(shown),
    }


def samples_joined(parts: Sequence[Json]) -> Json:
    """Put the parts of the sampling together: what nothing of any part dominates stays, cheapest MB/s first."""
    kept: list[Json] = []
    beaten = [row for part in parts for row in part["beaten"]]
    newly_beaten = 0
    for row in sorted((row for part in parts for row in part["kept"]), key=_rates):
        if kept and _rates(row)[1] >= _rates(kept[-1])[1]:
            newly_beaten += 1
            beaten.append({**_without_curve(row), "beaten_by": f"{kept[-1]['proxy']} with {kept[-1]['storage']}"})
        else:
            kept.append(row)
    return {
        "pairs": sum(part["pairs"] for part in parts),
        "only_store": parts[0].get("only_store", 0),
        "unfit": _unfit_joined(row for part in parts for row in part["unfit"]),
        "dominated": sum(part["dominated"] for part in parts) + newly_beaten,
        "kept": kept[:MOST_KEPT],
        "beaten": sorted(beaten, key=_rates)[:MOST_SHOWN],
        "not_shown": sum(part["not_shown"] for part in parts) + max(0, len(kept) - MOST_KEPT),
        "saturated_below_gain": SATURATED_BELOW_GAIN,
    }


def _cents_of_one(groups: Groups) -> Ints:
    every = np.arange(len(groups))
    return shapes_of(groups, group=every, c=np.ones_like(every), balancers=np.zeros_like(every)).cents


def _firsts(groups: Groups) -> Ints:
    """The place of each pair's first group; groups are sorted by pair."""
    if not len(groups):
        return np.empty(0, dtype=np.int64)
    is_new = (groups.proxy[1:] != groups.proxy[:-1]) | (groups.storage[1:] != groups.storage[:-1])
    return np.flatnonzero(np.concatenate([[True], is_new]))


def _least_of_pairs(groups: Groups, rate: Floats, places: Ints) -> Ints:
    """The place of each pair's group of least money for each MB/s, cheapest pair first."""
    order = places[np.lexsort((groups.nodes[places], rate[places], groups.storage[places], groups.proxy[places]))]
    proxy, storage = groups.proxy[order], groups.storage[order]
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (proxy[1:] != proxy[:-1]) | (storage[1:] != storage[:-1])
    best = order[is_first]
    return best[np.argsort(rate[best], kind="stable")]


def _not_dominated(best: Ints, rate: Floats, per_gb: Floats) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the places of pairs that nothing dominates, and the others with what beats them."""
    kept: list[int] = []
    beaten: list[tuple[int, int]] = []
    for place in best[np.lexsort((per_gb[best], rate[best]))].tolist():
        if kept and per_gb[place] >= per_gb[kept[-1]]:
            beaten.append((place, kept[-1]))
        else:
            kept.append(place)
    return kept, beaten


def _curve(groups: Groups, cents: Ints, place: int) -> Json:
    """A pair with its whole curve over the grid."""
    is_pair = (groups.proxy == groups.proxy[place]) & (groups.storage == groups.storage[place])
    mb_s = groups.mb_s[is_pair]
    nodes = groups.nodes[is_pair]
    small_steps = np.flatnonzero(mb_s[1:] < mb_s[:-1] * (1 + SATURATED_BELOW_GAIN))
    return {
        **_summary(groups, cents, place),
        "proxy_index": int(groups.proxy[place]),
        "storage_index": int(groups.storage[place]),
        "nodes": nodes.tolist(),
        "mb_s": mb_s.round(3).tolist(),
        "cents": cents[is_pair].tolist(),
        "saturated_at": int(nodes[small_steps[0]]) if len(small_steps) else None,
    }


def _summary(groups: Groups, cents: Ints, place: int) -> Json:
    return {
        "proxy": groups.fleet.nodes[int(groups.proxy[place])].key_name,
        "storage": groups.fleet.nodes[int(groups.storage[place])].key_name,
        "best_nodes": int(groups.nodes[place]),
        "best_mb_s": float(groups.mb_s[place]),
        "best_cents": int(cents[place]),
        "best_mgb": int(groups.usable_mgb[place]),
        "limit": str(groups.limit[place]),
        "is_assumed": bool(groups.is_assumed[place]),
    }


def _name(groups: Groups, place: int) -> str:
    proxy, storage = (groups.fleet.nodes[int(axis[place])].key_name for axis in (groups.proxy, groups.storage))
    return f"{proxy} with {storage}"


def _unfit(groups: Groups, firsts: Ints, *, proxies: int) -> list[Json]:
    """Return the storage nodes that are good for nothing: those that hold nothing, or have not the disks asked for,
    have no groups at all unless none has."""
    known = set(groups.storage.tolist())
    counts: dict[tuple[str, str], int] = {
        (machine.key_name, _holds_nothing(machine, groups.demand)): proxies
        for place, machine in enumerate(groups.fleet.nodes)
        if place not in known
    }
    for place in firsts.tolist():
        machine = groups.fleet.nodes[int(groups.storage[place])]
        reason = _holds_nothing(machine, groups.demand) if groups.usable_mgb[place] <= 0 else "passes nothing"
        counts[machine.key_name, reason] = counts.get((machine.key_name, reason), 0) + 1
    return [{"storage": storage, "reason": reason, "pairs": pairs} for (storage, reason), pairs in counts.items()]


def _holds_nothing(machine: PricedMachine, demand: Demand) -> str:
    return machine.unfit_reason(demand) if machine.machine.local_storage_gb > 0 else "no local storage"


def _unfit_joined(rows: Iterable[Json]) -> list[Json]:
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        key = (row["storage"], row["reason"])
        counts[key] = counts.get(key, 0) + row["pairs"]
    return [
        {"storage": storage, "reason": reason, "pairs": pairs} for (storage, reason), pairs in sorted(counts.items())
    ]


def _rates(row: Json) -> tuple[float, float]:
    return row["best_cents"] / row["best_mb_s"], row["best_cents"] / row["best_mgb"]


def _without_curve(row: Json) -> Json:
    return {name: value for name, value in row.items() if name not in ("nodes", "mb_s", "cents")}
