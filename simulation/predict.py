"""Predict published measurements from scenarios, and judge how far a prediction is off."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from simulation import object_store_metrics
from simulation.parameters import ParameterSet
from simulation.scenarios import Scenario, ScenarioError, required

METRICS_BY_WORKLOAD = {"object_store": object_store_metrics.METRICS}
RATIO = "throughput_ratio"
RATIO_OF = {"object_store": "throughput_mb_s"}
P99_FACTOR = 1.5
OTHER_TOLERANCE = 0.15

Status = Literal["ok", "miss", "no_model"]


@dataclass(frozen=True)
class Prediction:
    """What the model says a metric is: a number in the metric's unit, or a text answer."""

    value: float | str


@dataclass(frozen=True)
class NoModel:
    """Nobody has modelled this workload or metric; `reason` says which."""

    reason: str


@dataclass(frozen=True)
class Judgement:
    """A prediction beside the published figure. `error` is None for bounds, text answers and where nothing predicts."""

    error: float | None
    status: Status


def predict(
    scenario: Scenario, metric: str, parameters: ParameterSet, baseline: Scenario | None = None
) -> Prediction | NoModel:
    """Predict one metric of a scenario; a ratio is the scenario over its baseline.

    Raises ScenarioError naming a field that the metric uses and that is missing or impossible.
    """
    workload = required(scenario, "workload")
    if workload not in METRICS_BY_WORKLOAD:
        return NoModel(f"no model of the workload {workload}")
    if metric == RATIO:
        return _predict_ratio(scenario, parameters, baseline)
    if metric not in METRICS_BY_WORKLOAD[workload]:
        return NoModel(f"no model of {metric} for the workload {workload}")
    return Prediction(METRICS_BY_WORKLOAD[workload][metric](scenario, parameters))


def judge(entry: Mapping[str, Any], prediction: Prediction | NoModel) -> Judgement:
    """Compare a prediction with the published value of an entry: a number, a range, a bound or a text answer."""
    if isinstance(prediction, NoModel):
        return Judgement(error=None, status="no_model")
    published, predicted = entry["published"], prediction.value
    if isinstance(published, str) or isinstance(predicted, str):
        return Judgement(error=None, status=_status(published == predicted))
    if isinstance(published, Mapping):
        return Judgement(error=None, status=_status(_within_bounds(predicted, published)))
    low, high = published if isinstance(published, list) else (published, published)
    nearest = min(max(predicted, low), high)
    error = _relative_error(predicted, nearest)
    below, above = tolerance(workload=entry["scenario"]["workload"], metric=entry["metric"])
    return Judgement(error=error, status=_status(below <= error <= above))


def tolerance(*, workload: str, metric: str) -> tuple[float, float]:
    """The least and greatest error that still counts as right."""
    if metric.endswith("_p99_ms"):
        return 1 / P99_FACTOR - 1, P99_FACTOR - 1
    if workload == "object_store" and metric.endswith("_storage_nodes"):
        return 0.0, 0.0
    allowed = OTHER_TOLERANCE
    if workload == "block_io":
        allowed = 0.20
    elif workload == "build":
        allowed = 0.05
    elif workload == "object_store" and metric == "throughput_mb_s":
        allowed = 0.10
    elif workload == "kv_store" and metric.endswith(("_mean_ms", "_median_ms")):
        allowed = 0.25
    return -allowed, allowed


def _predict_ratio(scenario: Scenario, parameters: ParameterSet, baseline: Scenario | None) -> Prediction | NoModel:
    if baseline is None:
        raise ScenarioError("baseline", "is missing")
    values = []
    for side in (scenario, baseline):
        prediction = predict(side, RATIO_OF[required(scenario, "workload")], parameters)
        if isinstance(prediction, NoModel):
            return prediction
        values.append(float(prediction.value))
    return Prediction(values[0] / values[1])


def _relative_error(predicted: float, published: float) -> float:
    if predicted == published:
        return 0.0
    return predicted / published - 1 if published else math.inf


def _within_bounds(value: float, bounds: Mapping[str, float]) -> bool:
    return bounds.get("at_least", -math.inf) <= value <= bounds.get("at_most", math.inf)


def _status(right: bool) -> Status:
    return "ok" if right else "miss"
