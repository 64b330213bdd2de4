"""Everything that a model says about one scenario: figures with bands, percentiles, windows over time, and stations.

Outcomes are plain values, ready to be stored as JSON.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulation.bands import band_of
from simulation.bottlenecks import stations_of
from simulation.kernels.kv_store import (
    MOST_OPERATIONS,
    OUTCOME_METRICS,
    WINDOW_SECONDS,
    KvOutcome,
    simulate_scenario,
)
from simulation.kernels.predicting import metrics_with_kernels
from simulation.kernels.replications import interval_of
from simulation.kv_store import check_length, kv_run
from simulation.parameters import ParameterSet
from simulation.predict import METRICS_BY_WORKLOAD, Metric
from simulation.scenarios import Scenario, ScenarioError, required

PERCENTILES = (50, 90, 95, 99, 99.9)
BAND_OPERATIONS = 20_000
Json = dict[str, Any]


@dataclass(frozen=True)
class Effort:
    """How much is computed for one outcome.

    `operations`: about so many requests of a store are answered; `members`: of the ensemble, for the bands, 0 for none;
    `most_windows`: windows over time that are kept, neighbours taken together where there are more.
    """

    operations: int = MOST_OPERATIONS
    members: int = 16
    most_windows: int = 720


def scenario_outcome(scenario: Scenario, parameters: ParameterSet, *, seed: int, effort: Effort) -> Json:
    """Tell everything about a scenario. The same seed gives the same bits on any worker.

    Raises ScenarioError naming the first field that is missing or impossible where no figure can be told.
    """
    if required(scenario, "workload") == "kv_store":
        return _store_outcome(scenario, parameters, seed=seed, effort=effort)
    figures = _figures(scenario, parameters, _metrics(scenario))
    ensemble = _ensemble(parameters, effort)
    others = [_figures(scenario, member, _banded(scenario, figures)) for member in ensemble]
    return {
        "figures": _with_bands(figures, others, scenario=scenario, parameters=parameters, is_banded=bool(ensemble)),
        "latency_ms": {},
        "windows": None,
        **_stations(scenario, parameters),
    }


def mean_outcome(outcomes: Sequence[Json]) -> Json:
    """One outcome for independent replications: means with their 95 % intervals. Windows are the first one's."""
    first = outcomes[0]
    if len(outcomes) == 1:
        return first
    figures = {
        name: _mean_figure(figure, [each["figures"][name]["value"] for each in outcomes if name in each["figures"]])
        for name, figure in first["figures"].items()
    }
    latencies = {
        kind: {
            name: float(np.mean([each["latency_ms"][kind][name] for each in outcomes if kind in each["latency_ms"]]))
            for name in told
        }
        for kind, told in first["latency_ms"].items()
    }
    return {**first, "figures": figures, "latency_ms": latencies}


def _mean_figure(figure: Json, values: Sequence[Any]) -> Json:
    value = figure["value"]
    if isinstance(value, list):
        return {**figure, "value": [float(np.mean(ends)) for ends in zip(*values, strict=True)]}
    if isinstance(value, str) or len(values) < 2:
        return figure
    interval = interval_of(values)
    moved = interval.mean / value if value else 1.0
    ends = {end: None if figure[end] is None else figure[end] * moved for end in ("low", "high")}
    return {"value": interval.mean, **ends, "interval": interval.half_width}


def _store_outcome(scenario: Scenario, parameters: ParameterSet, *, seed: int, effort: Effort) -> Json:
    check_length(kv_run(scenario, parameters))
    outcome = simulate_scenario(scenario, parameters, seed=seed, operations=effort.operations)
    figures = {**_told(outcome), **_figures(scenario, parameters, _more_store_metrics(scenario, seed, effort))}
    ensemble = _ensemble(parameters, effort)
    others = [_told(simulate_scenario(scenario, member, seed=seed, operations=BAND_OPERATIONS)) for member in ensemble]
    return {
        "figures": _with_bands(figures, others, scenario=scenario, parameters=parameters, is_banded=bool(ensemble)),
        "latency_ms": _latencies(outcome),
        "windows": _windows(outcome, most=effort.most_windows),
        **_stations(scenario, parameters, throughput_ops=outcome.throughput_ops),
    }


def _told(outcome: KvOutcome) -> Json:
    """The figures that a run can tell: none of the puts where nothing was put."""
    figures = {}
    for name, metric in OUTCOME_METRICS.items():
        try:
            figures[name] = metric(outcome)
        except ScenarioError:
            continue
    return figures


def _more_store_metrics(scenario: Scenario, seed: int, effort: Effort) -> Mapping[str, Metric]:
    """What takes runs of its own: the load under which a promise holds, where the scenario makes one."""
    if scenario.get("promise") is None:
        return {}
    metrics = metrics_with_kernels(seed=seed, operations=effort.operations)["kv_store"]
    return {name: metric for name, metric in metrics.items() if name not in OUTCOME_METRICS}


def _metrics(scenario: Scenario) -> Mapping[str, Metric]:
    """The metrics of the workload; of those with several names, the first one."""
    workload = scenario["workload"]
    if workload not in METRICS_BY_WORKLOAD:
        known = ", ".join(sorted({*METRICS_BY_WORKLOAD, "kv_store"}))
        raise ScenarioError("workload", f"must be one of {known}, not {workload!r}")
    first_names = {metric: name for name, metric in reversed(list(METRICS_BY_WORKLOAD[workload].items()))}
    return {name: metric for name, metric in METRICS_BY_WORKLOAD[workload].items() if first_names[metric] == name}


def _banded(scenario: Scenario, figures: Mapping[str, Any]) -> Mapping[str, Metric]:
    """The metrics that are measures: counts and words do not spread."""
    return {name: metric for name, metric in _metrics(scenario).items() if isinstance(figures.get(name), float)}


def _figures(scenario: Scenario, parameters: ParameterSet, metrics: Mapping[str, Metric]) -> Json:
    figures: Json = {}
    refusals: list[ScenarioError] = []
    for name, metric in metrics.items():
        try:
            figures[name] = metric(scenario, parameters)
        except ScenarioError as refusal:
            refusals.append(refusal)
    if refusals and not figures:
        raise refusals[0]
    return figures


def _ensemble(parameters: ParameterSet, effort: Effort) -> list[ParameterSet]:
    return [parameters.with_values(member) for member in parameters.ensemble[: effort.members]]


def _with_bands(
    figures: Json, others: Sequence[Json], *, scenario: Scenario, parameters: ParameterSet, is_banded: bool
) -> Json:
    found = {}
    for name, value in figures.items():
        low = high = None
        if is_banded and isinstance(value, float):
            seen = [each[name] for each in others if name in each]
            low, high = band_of(value, seen, workload=scenario["workload"], parameters=parameters)
        if low == high:
            low = high = None  # nothing in it is uncertain
        found[name] = {"value": list(value) if isinstance(value, tuple) else value, "low": low, "high": high}
    return found


def _latencies(outcome: KvOutcome) -> Json:
    found = {}
    for kind, puts in (("get", False), ("put", True)):
        if not (outcome.puts == puts).any():
            continue
        latencies = outcome.latencies_ms(puts=puts)
        percentiles = np.percentile(latencies, PERCENTILES)
        found[kind] = {"mean": float(latencies.mean())} | {
            f"p{percent:g}": float(value) for percent, value in zip(PERCENTILES, percentiles, strict=True)
        }
    return found


def _windows(outcome: KvOutcome, *, most: int) -> Json:
    windows = outcome.window_ops()
    together = math.ceil(len(windows) / most)
    whole = len(windows) // together
    means = windows[: whole * together].reshape(whole, together).mean(axis=1)
    return {"seconds": WINDOW_SECONDS * together, "throughput": means.tolist()}


def _stations(scenario: Scenario, parameters: ParameterSet, *, throughput_ops: float | None = None) -> Json:
    try:
        use = stations_of(scenario, parameters, throughput_ops=throughput_ops)
    except ScenarioError:
        return {"stations": [], "bottleneck": ""}  # such as a choice between machine types, which is no cluster yet
    stations = [{"name": name, "utilisation": share} for name, share in use.utilisation.items()]
    return {"stations": stations, "bottleneck": use.bottleneck}
