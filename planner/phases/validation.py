"""Validation and refinement: the chosen cluster simulated with random numbers of its own, against what is needed.

Where the mean falls short, what was predicted for its group (or for the balancers, where they hold it back) is lowered
to what was simulated, and the optimisation runs again; at most MOST_ROUNDS times.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from planner.demand import Demand
from planner.fleet import Fleet
from planner.phases.networks import cluster_of, machine_named
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
    """Simulate the chosen cluster in some replications."""
    row = point["row"]
    network = cluster_of(
        fleet=fleet,
        demand=demand,
        proxy=machine_named(fleet, row["proxy"]),
        storage=machine_named(fleet, row["storage"]),
        nodes=row["nodes_per_proxy"],
        proxies=row["proxies"],
        balancers=row["balancers"],
        group_mb_s=row["mb_s"] / row["proxies"],
        parameters=parameters,
    )
    runs = [simulate(network, child) for child in np.random.SeedSequence(seed).spawn(REPLICATIONS_OF_A_PART)]
    return {
        "phase": "validation",
        "round": point["round"],
        "row": row,
        "mb_s": [round(run.mb_s, DECIMALS) for run in runs],
        "response_ms": [round(run.response_seconds * 1000, DECIMALS) for run in runs],
    }


def validated(parts: Sequence[Json], demand: Demand, *, interval_of: IntervalOf) -> Json:
    """Say what one round found: the 95 % interval, what is needed, and whether it is met."""
    values = [value for part in parts for value in part["mb_s"]]
    interval = interval_of(values)
    row = parts[0]["row"]
    needed = needed_of(demand, row)
    low, high = interval.mean - interval.half_width, interval.mean + interval.half_width
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
        "response_ms": round(float(np.mean([each for part in parts for each in part["response_ms"]])), DECIMALS),
        "replications": len(values),
        "verdict": verdict_of(mean=interval.mean, low=low, needed=needed),
    }


def needed_of(demand: Demand, row: Json) -> float:
    """Return the MB/s that a simulation must reach: the demand's, else a good enough share of what was said."""
    return demand.needed_mb_s or float(demand.meets_share) * row["mb_s"]


def verdict_of(*, mean: float, low: float, needed: float) -> str:
    """Return "meets", "on the line" where the interval holds what is needed, or "falls short"."""
    if low >= needed:
        return "meets"
    return "on the line" if mean >= needed else "falls short"


def correction_of(outcome: Json) -> Json:
    """Return what the optimisation is to believe from now on: a factor for one group, or for the balancers."""
    row = outcome["row"]
    factor = outcome["mean_mb_s"] / row["mb_s"]
    if row["limit"] == "balancers":
        return {"balancers": True, "factor": factor}
    return {"proxy": row["proxy"], "storage": row["storage"], "nodes": row["nodes_per_proxy"], "factor": factor}
