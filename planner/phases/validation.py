"""Validation and refinement: the chosen cluster simulated with random numbers of its own, against what is needed.

One proxy, storage node or balancer is out of work where the demand asks for a spare of its kind. Where the mean falls
short, or a request takes longer than promised, what was predicted for the shape's group (or for the balancers, where
they hold it back) is lowered to what was simulated, and the optimisation runs again; at most MOST_ROUNDS times.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from planner.demand import Demand
from planner.fleet import Fleet
from planner.phases.networks import cluster_of, machine_named
from planner.phases.profiling import is_profile_of
from planner.rows import Row
from simulation.clusters import ClusterNetwork
from simulation.parameters import ParameterSet

MOST_ROUNDS = 5
PARTS = 4
MORE_PARTS = 8
"""Parts that are added where the interval of the first ones holds just what is needed."""
REPLICATIONS_OF_A_PART = 2
ROW_FIELDS = ("shape", "proxy", "storage", "nodes_per_proxy", "proxies", "balancers", "mb_s", "limit")
DECIMALS = 3

Json = dict[str, Any]
Simulate = Callable[[ClusterNetwork, np.random.SeedSequence], Any]
IntervalOf = Callable[[Sequence[float]], Any]


def validation_points(best: Row, *, number: int, count: int = PARTS) -> list[Json]:
    """Return the points that simulate a shape, some replications each."""
    row = {name: best[name] for name in ROW_FIELDS}
    return [{"phase": "validation", "round": number, "row": row} for _ in range(count)]


def validate_part(
    *, point: Json, fleet: Fleet, demand: Demand, parameters: ParameterSet, seed: int, simulate: Simulate
) -> Json:
    """Simulate the chosen cluster in some replications, each spare that the demand asks for out of work.

    `response_ms` is how long one megabyte takes on average from the request to the last byte, as a latency is promised:
    the stream's own time is part of it.
    """
    row = point["row"]
    proxies = row["proxies"] - demand.spare_proxy
    network = cluster_of(
        fleet=fleet,
        demand=demand,
        proxy=machine_named(fleet, row["proxy"]),
        storage=machine_named(fleet, row["storage"]),
        storage_nodes=row["proxies"] * row["nodes_per_proxy"] - demand.spare_node,
        proxies=proxies,
        balancers=max(0, row["balancers"] - demand.spare_balancer),
        group_mb_s=row["mb_s"] / proxies,
        parameters=parameters,
    )
    runs = [simulate(network, child) for child in np.random.SeedSequence(seed).spawn(REPLICATIONS_OF_A_PART)]
    return {
        "phase": "validation",
        "round": point["round"],
        "row": row,
        "mb_s": [round(run.mb_s, DECIMALS) for run in runs],
        "response_ms": [round(1000 * (run.response_seconds + network.think_seconds), DECIMALS) for run in runs],
    }


def validated(parts: Sequence[Json], demand: Demand, *, interval_of: IntervalOf) -> Json:
    """Say what one round found: the 95 % interval, what is needed, and whether it is met."""
    values = [value for part in parts for value in part["mb_s"]]
    interval = interval_of(values)
    row = parts[0]["row"]
    needed = needed_of(demand, row)
    low, high = interval.mean - interval.half_width, interval.mean + interval.half_width
    response_ms = round(float(np.mean([each for part in parts for each in part["response_ms"]])), DECIMALS)
    is_late = demand.latency_ms is not None and response_ms > demand.latency_ms
    return {
        "round": parts[0]["round"],
        "shape": row["shape"],
        "row": row,
        "predicted_mb_s": row["mb_s"],
        "needed_mb_s": needed,
        "mean_mb_s": round(interval.mean, DECIMALS),
        "low_mb_s": round(low, DECIMALS),
        "high_mb_s": round(high, DECIMALS),
        "mb_s": values,
        "response_ms": response_ms,
        "latency_ms": None if demand.latency_ms is None else str(demand.latency_ms),
        "is_late": is_late,
        "replications": len(values),
        "verdict": verdict_of(mean=interval.mean, low=low, needed=needed, is_late=is_late),
    }


def needed_of(demand: Demand, row: Json) -> float:
    """Return the MB/s that a simulation must reach: the demand's, else a good enough share of what was said."""
    return demand.needed_mb_s or float(demand.meets_share) * row["mb_s"]


def verdict_of(*, mean: float, low: float, needed: float, is_late: bool = False) -> str:
    """Return "meets", "on the line" where the interval holds what is needed, or "falls short", also where requests take
    longer than promised."""
    if is_late:
        return "falls short"
    if low >= needed:
        return "meets"
    return "on the line" if mean >= needed else "falls short"


def correction_of(outcome: Json, profiles: Sequence[Json] = ()) -> Json | None:
    """Return what the optimisation is to believe from now on: a factor for one group, or for the balancers.

    It is what was simulated over what was predicted. Where the group was profiled and its law is fitted again with this
    outcome, the factor is that of the law at so many groups, or of the simulation, whichever is lower. None where as
    much passes as predicted and requests take too long all the same: then one stream of each proxy is too many, and no
    other number of groups answers sooner.
    """
    row = outcome["row"]
    laws = [_passed_by_law(profile, row["proxies"]) for profile in profiles if _holds(profile, outcome)]
    factor = min([outcome["mean_mb_s"], *laws]) / row["mb_s"]
    if factor >= 1:
        return None
    if row["limit"] == "balancers":
        return {"balancers": True, "factor": factor}
    return {"proxy": row["proxy"], "storage": row["storage"], "nodes": row["nodes_per_proxy"], "factor": factor}


def _holds(profile: Json, outcome: Json) -> bool:
    """Say whether the outcome of this round joined the profile."""
    rounds = [point["round"] for point in profile.get("validated", ())]
    return is_profile_of(profile, outcome["row"]) and outcome["round"] in rounds


def _passed_by_law(profile: Json, count: int) -> float:
    return float(profile["middle"][profile["at"].index(count)])
