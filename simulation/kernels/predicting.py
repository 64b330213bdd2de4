"""Predictions with the kernels: the key-value store's figures come from runs, everything else from numpy."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from simulation.kernels.kv_store import MOST_OPERATIONS, OUTCOME_METRICS, KvOutcome, simulate_scenario
from simulation.kernels.promises import sustainable_ops
from simulation.kernels.replications import Interval, interval_of
from simulation.kv_store import kv_run
from simulation.parameters import ParameterSet
from simulation.predict import METRICS_BY_WORKLOAD, Metric, Metrics
from simulation.promises import promise_of
from simulation.scenarios import Scenario, ScenarioError, required

SEED = 20121217
Figures = Mapping[str, Any]


class KvFigures:
    """The figures of key-value runs, each run made once however many of its metrics are asked for."""

    def __init__(self, *, seed: int = SEED, operations: int = MOST_OPERATIONS) -> None:
        self.seed = seed
        self.operations = operations
        self._known: dict[tuple[str, int], tuple[ParameterSet, Figures]] = {}

    def of(self, scenario: Scenario, parameters: ParameterSet) -> Figures:
        """All figures of one scenario under one parameter set; a figure that the run cannot tell is its refusal."""
        key = (json.dumps(scenario, sort_keys=True), id(parameters))
        if key not in self._known:
            outcome = simulate_scenario(scenario, parameters, seed=self.seed, operations=self.operations)
            # The set is kept beside its figures, so that its identity cannot come to mean another set.
            self._known[key] = (parameters, {name: _told(outcome, name) for name in OUTCOME_METRICS})
        return self._known[key][1]


def _told(outcome: KvOutcome, name: str) -> Any:
    try:
        return OUTCOME_METRICS[name](outcome)
    except ScenarioError as refusal:
        return refusal


def metrics_with_kernels(*, seed: int = SEED, operations: int = MOST_OPERATIONS) -> Metrics:
    """The metrics of every workload; runs use `seed` and answer about `operations` requests."""
    figures = KvFigures(seed=seed, operations=operations)
    told = {name: _metric(figures, name) for name in OUTCOME_METRICS}
    return {**METRICS_BY_WORKLOAD, "kv_store": {**told, "sustainable_ops": _sustainable(seed)}}


def _sustainable(seed: int) -> Metric:
    """The most requests per second under which the scenario's promise holds."""

    def metric(scenario: Scenario, parameters: ParameterSet) -> float:
        return sustainable_ops(kv_run(scenario, parameters), promise_of(scenario), seed=seed)

    return metric


def _metric(figures: KvFigures, name: str) -> Metric:
    def metric(scenario: Scenario, parameters: ParameterSet) -> Any:
        figure = figures.of(scenario, parameters)[name]
        if isinstance(figure, ScenarioError):
            raise figure
        return figure

    return metric


def scenario_figures(scenario: Scenario, parameters: ParameterSet, *, seed: int = SEED) -> dict[str, Any]:
    """Every metric that the scenario says enough for.

    Raises ScenarioError naming the first field that is missing or impossible where no metric can be told.
    """
    workload = required(scenario, "workload")
    metrics = metrics_with_kernels(seed=seed)
    if workload not in metrics:
        raise ScenarioError("workload", f"must be one of {', '.join(sorted(metrics))}, not {workload!r}")
    figures: dict[str, Any] = {}
    refusals: list[ScenarioError] = []
    for name, metric in metrics[workload].items():
        try:
            figures[name] = metric(scenario, parameters)
        except ScenarioError as error:
            refusals.append(error)
    if refusals and not figures:
        raise refusals[0]
    return figures


def replicated_figures(
    scenario: Scenario, parameters: ParameterSet, *, seed: int, count: int
) -> tuple[dict[str, Any], dict[str, Interval]]:
    """The figures of the first of `count` independent replications, and of all the 95 % interval of each number's mean.

    Replications differ in their random numbers alone, so that only what is run event by event spreads.
    """
    seeds = [int(child.generate_state(1, np.uint64)[0]) for child in np.random.SeedSequence(seed).spawn(count)]
    runs = [scenario_figures(scenario, parameters, seed=each) for each in seeds]
    everywhere = [
        name for name, value in runs[0].items() if isinstance(value, float) and all(name in run for run in runs)
    ]
    return runs[0], {name: interval_of([run[name] for run in runs]) for name in everywhere}
