"""Profiling: how the best groups of the sampling grow, from one group to 2, 4, 8 … past what the demand asks.

Each count is simulated event by event, several times with random numbers of its own, and a law is fitted to what came
out. Balancers are left out here: their ceiling is a line of the chart. What validation simulates of the same groups
joins their profile, and the law is fitted again.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from planner.demand import Demand
from planner.fleet import Fleet
from planner.phases.networks import cluster_of
from simulation.clusters import ClusterNetwork
from simulation.parameters import ParameterSet

MOST_PROFILED = 4
"""Pairs that are profiled: those of the cheapest MB/s."""
MOST_GROUPS_PROFILED = 64
FEWEST_GROUPS_PROFILED = 4
REPLICATIONS = 4
JOBS = 20_000
REFIT_SEED = 1
"""Of the bootstrap of a law that is fitted again: the same points give the same band."""
DECIMALS = 3

Json = dict[str, Any]
Simulate = Callable[[ClusterNetwork, np.random.SeedSequence], float]
Fit = Callable[..., Any]


def profiling_points(samples: Json, demand: Demand) -> list[Json]:
    """Return a point for each pair that is profiled: its best N, and the counts."""
    return [
        {
            "phase": "profiling",
            "proxy_index": row["proxy_index"],
            "storage_index": row["storage_index"],
            "nodes": row["best_nodes"],
            "group_mb_s": row["best_mb_s"],
            "needed": needed_count(row, demand),
            "counts": counts_past(needed_count(row, demand)),
        }
        for row in samples["kept"][:MOST_PROFILED]
    ]


def needed_count(row: Json, demand: Demand) -> int:
    """Return how many groups the demand asks for, or how many the budget buys where there is one."""
    if demand.budget is not None:
        return max(1, int(demand.budget * 100) // max(1, row["best_cents"]))
    for_throughput = -(-demand.needed_mb_s // row["best_mb_s"])
    return max(1, int(for_throughput), -(-demand.needed_mgb // row["best_mgb"]))


def counts_past(needed: int) -> list[int]:
    """Return 1, 2, 4, 8 … up to the first count that reaches `needed`, within what is profiled at all."""
    counts = [1]
    while counts[-1] < FEWEST_GROUPS_PROFILED or counts[-1] < min(needed, MOST_GROUPS_PROFILED):
        counts.append(2 * counts[-1])
    return counts


def profile_pair(
    *,
    point: Json,
    fleet: Fleet,
    demand: Demand,
    parameters: ParameterSet,
    seed: int,
    simulate: Simulate,
    fit: Fit,
    say: Callable[[str], None],
) -> Json:
    """Simulate one pair's groups at each count and fit the laws of growth."""
    proxy, storage = fleet.nodes[point["proxy_index"]], fleet.nodes[point["storage_index"]]
    counts = point["counts"]
    measured: list[list[float]] = []
    for count, child in zip(counts, np.random.SeedSequence(seed).spawn(len(counts)), strict=True):
        say(f"Profiling {proxy.key_name} with {point['nodes']} × {storage.key_name}, c = {count} of {counts[-1]}")
        network = cluster_of(
            fleet=fleet,
            demand=demand,
            proxy=proxy,
            storage=storage,
            storage_nodes=count * point["nodes"],
            proxies=count,
            balancers=0,
            group_mb_s=point["group_mb_s"],
            parameters=parameters,
        )
        measured.append([round(simulate(network, each), DECIMALS) for each in child.spawn(REPLICATIONS)])
    at = _seen_at(counts, point["needed"])
    found = fit(*_pairs(counts, measured), at=at, seed=seed)
    return {
        "phase": "profiling",
        "proxy": proxy.key_name,
        "storage": storage.key_name,
        **{name: point[name] for name in ("nodes", "group_mb_s", "needed", "counts")},
        "mb_s": measured,
        **_law(found, at),
    }


def corrections_of(profiles: Sequence[Json]) -> list[Json]:
    """Return what the optimisation is to believe of groups that, as many as needed (or as many as were profiled), pass
    less than the fast answer says by more than chance: what even the upper end of the law's band does not reach."""
    corrections = []
    for profile in profiles:
        count = min(profile["needed"], profile["counts"][-1])
        factor = float(np.interp(count, profile["at"], profile["high"])) / (count * profile["group_mb_s"])
        if factor < 1:
            corrections.append({**{name: profile[name] for name in ("proxy", "storage", "nodes")}, "factor": factor})
    return corrections


def profiles_joined(profiles: Sequence[Json], outcomes: Sequence[Json], demand: Demand, *, fit: Fit) -> list[Json]:
    """Return the profiles, the law of each fitted again with the validated points of its groups.

    A cluster that its balancers held back tells nothing of its groups; nor does one with a proxy or a storage node out
    of work, which is no whole number of groups.
    """
    if demand.spare_proxy or demand.spare_node:
        return list(profiles)
    joined = []
    for profile in profiles:
        points = [
            {"round": outcome["round"], "count": outcome["row"]["proxies"], "mb_s": outcome["mb_s"]}
            for outcome in outcomes
            if outcome["row"]["limit"] != "balancers" and is_profile_of(profile, outcome["row"])
        ]
        joined.append(_refitted(profile, points, fit) if points else profile)
    return joined


def is_profile_of(profile: Json, row: Json) -> bool:
    """Say whether a shape is made of the groups of a profile."""
    return (profile["proxy"], profile["storage"], profile["nodes"]) == (
        row["proxy"],
        row["storage"],
        row["nodes_per_proxy"],
    )


def _refitted(profile: Json, points: Sequence[Json], fit: Fit) -> Json:
    counts = [*profile["counts"], *(point["count"] for point in points)]
    measured = [*profile["mb_s"], *(point["mb_s"] for point in points)]
    at = sorted({*profile["at"], *(point["count"] for point in points)})
    found = fit(*_pairs(counts, measured), at=at, seed=REFIT_SEED)
    return {**profile, "validated": list(points), **_law(found, at)}


def _pairs(counts: Sequence[int], measured: Sequence[Sequence[float]]) -> tuple[list[int], list[float]]:
    """Return every figure with its count, as two columns."""
    pairs = [(count, value) for count, values in zip(counts, measured, strict=True) for value in values]
    return [count for count, _ in pairs], [value for _, value in pairs]


def _law(found: Any, at: list[int]) -> Json:
    return {
        "law": found.law,
        "rate": round(found.rate, DECIMALS),
        "contention": round(found.contention, 6),
        "coherence": round(found.coherence, 9),
        "peak_count": found.peak_count,
        "aicc": {law: round(value, DECIMALS) for law, value in found.aicc.items()},
        "at": at,
        **{name: np.round(getattr(found, name), DECIMALS).tolist() for name in ("middle", "low", "high")},
    }


def _seen_at(counts: Sequence[int], needed: int) -> list[int]:
    """The counts at which the fitted law is drawn."""
    drawn = (round(each) for each in np.linspace(1, counts[-1], 17))
    return sorted({*counts, min(needed, counts[-1]), *drawn})
