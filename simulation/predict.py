"""Predict published measurements from scenarios, and judge how far a prediction is off."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from simulation import block_io, build, document_store, object_store_metrics, replicated_write, small_workloads
from simulation.parameters import ParameterSet
from simulation.scenarios import Scenario, ScenarioError, required

Value = float | str | tuple[float, float]
Metric = Callable[[Scenario, ParameterSet], Any]
Metrics = Mapping[str, Mapping[str, Metric]]

METRICS_BY_WORKLOAD: Metrics = {
    "block_io": block_io.METRICS,
    "build": build.METRICS,
    "document_store": document_store.METRICS,
    "light_path": small_workloads.LIGHT_METRICS,
    "object_store": object_store_metrics.METRICS,
    "raid": small_workloads.RAID_METRICS,
    "replicated_write": replicated_write.METRICS,
}
"""What needs no kernel. The key-value store's metrics come from runs: simulation.kernels.predicting adds them."""

RATIOS = {
    ("block_io", "throughput_ratio"): ("throughput_mb_s", 1),
    ("build", "minutes_ratio"): ("minutes", 1),
    ("build", "speedup"): ("minutes", -1),
    ("build", "throughput_ratio"): ("minutes", -1),
    ("document_store", "throughput_ratio"): ("throughput_ops", 1),
    ("kv_store", "throughput_ratio"): ("throughput_ops", 1),
    ("object_store", "throughput_ratio"): ("throughput_mb_s", 1),
    ("raid", "throughput_ratio"): ("random_mb_s", 1),
    ("replicated_write", "throughput_ratio"): ("throughput_mb_s", 1),
}
"""Of which metric a ratio is the scenario over the baseline (1), or the baseline over the scenario (-1)."""

P99_FACTOR = 1.5
OTHER_TOLERANCE = 0.15

Status = Literal["ok", "miss", "no_model", "no_published_number"]


@dataclass(frozen=True)
class Prediction:
    """What the model says a metric is: a number in the metric's unit, a text answer, or a lowest and highest number."""

    value: Value


@dataclass(frozen=True)
class NoModel:
    """Nobody has modelled this workload or metric, or the scenario does not say what it needs; `reason` says which."""

    reason: str


@dataclass(frozen=True)
class Judgement:
    """A prediction beside the published figure. `error` is None for bounds, text answers and where nothing predicts."""

    error: float | None
    status: Status


def predict(
    scenario: Scenario,
    metric: str,
    parameters: ParameterSet,
    baseline: Scenario | None = None,
    *,
    metrics: Metrics = METRICS_BY_WORKLOAD,
) -> Prediction | NoModel:
    """Predict one metric of a scenario; a ratio compares the scenario with its baseline.

    Raises ScenarioError naming a field that the metric uses and that is missing or impossible.
    """
    workload = required(scenario, "workload")
    if workload not in metrics:
        return NoModel(f"no model of the workload {workload}")
    if (workload, metric) in RATIOS:
        return _predict_ratio(scenario, metric, parameters, baseline, metrics)
    if metric not in metrics[workload]:
        return NoModel(f"no model of {metric} for the workload {workload}")
    return Prediction(metrics[workload][metric](scenario, parameters))


def judge(entry: Mapping[str, Any], prediction: Prediction | NoModel) -> Judgement:
    """Compare a prediction with the published value of an entry: a number, a range, a bound or a text answer.

    Without a published number there is nothing to compare with, and no error.
    """
    if isinstance(prediction, NoModel):
        return Judgement(error=None, status="no_model")
    published, predicted = entry.get("published"), prediction.value
    if published is None:
        return Judgement(error=None, status="no_published_number")
    if isinstance(published, str) or isinstance(predicted, str):
        return Judgement(error=None, status=_status(published == predicted))
    below, above = tolerance(workload=entry["scenario"]["workload"], metric=entry["metric"])
    if isinstance(predicted, tuple):
        ends = zip(predicted, _range_of(published), strict=True)
        error = max((_relative_error(end, seen) for end, seen in ends), key=abs)
        return Judgement(error=error, status=_status(below <= error <= above))
    if isinstance(published, Mapping):
        return Judgement(error=None, status=_status(_within_bounds(predicted, published)))
    low, high = _range_of(published)
    nearest = min(max(predicted, low), high)
    error = _relative_error(predicted, nearest)
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


def _predict_ratio(
    scenario: Scenario, metric: str, parameters: ParameterSet, baseline: Scenario | None, metrics: Metrics
) -> Prediction | NoModel:
    if baseline is None:
        raise ScenarioError("baseline", "is missing")
    of, power = RATIOS[required(scenario, "workload"), metric]
    values = []
    for side in (scenario, baseline):
        prediction = predict(side, of, parameters, metrics=metrics)
        if isinstance(prediction, NoModel):
            return prediction
        if not isinstance(prediction.value, int | float):
            return NoModel(f"no model of a ratio of {of}")
        values.append(float(prediction.value))
    return Prediction((values[0] / values[1]) ** power)


def _range_of(published: Any) -> tuple[float, float]:
    low, high = published if isinstance(published, list | tuple) else (published, published)
    return low, high


def _relative_error(predicted: float, published: float) -> float:
    if predicted == published:
        return 0.0
    return predicted / published - 1 if published else math.inf


def _within_bounds(value: float, bounds: Mapping[str, float]) -> bool:
    return bounds.get("at_least", -math.inf) <= value <= bounds.get("at_most", math.inf)


def _status(right: bool) -> Status:
    return "ok" if right else "miss"
