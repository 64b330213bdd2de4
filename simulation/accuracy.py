"""Predict a file of published measurements, entry by entry, and sum up how far the predictions are off."""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simulation.bands import band_of
from simulation.parameters import ParameterSet
from simulation.predict import Metrics, NoModel, Prediction, judge, predict
from simulation.scenarios import ScenarioError

Entry = Mapping[str, Any]
Json = dict[str, Any]


def accuracy_report(
    entries: Sequence[Entry], *, parameters: ParameterSet, metrics: Metrics, band_metrics: Metrics, members: int
) -> Json:
    """Predict every entry; `band_metrics` predict it again under so many members of the ensemble for the band."""
    ensemble = [parameters.with_values(member) for member in parameters.ensemble[:members]]
    rows = [
        _row(entry, parameters=parameters, metrics=metrics, band_metrics=band_metrics, ensemble=ensemble)
        for entry in entries
    ]
    return {"parameter_set": parameters.name, "entries": rows, "summary": _summary(entries, rows)}


def prediction_of(entry: Entry, parameters: ParameterSet, metrics: Metrics) -> Prediction | NoModel:
    """Predict an entry; a scenario that lacks what its metric needs has no model, and the reason names the field."""
    try:
        return predict(entry["scenario"], entry["metric"], parameters, entry.get("baseline"), metrics=metrics)
    except ScenarioError as error:
        return NoModel(str(error))


def _row(
    entry: Entry,
    *,
    parameters: ParameterSet,
    metrics: Metrics,
    band_metrics: Metrics,
    ensemble: Sequence[ParameterSet],
) -> Json:
    prediction = prediction_of(entry, parameters, metrics)
    judgement = judge(entry, prediction)
    row: Json = {
        "id": entry["id"],
        "published": entry.get("published"),
        "predicted": None,
        "low": None,
        "high": None,
        "error": judgement.error if judgement.error is None or math.isfinite(judgement.error) else None,
        "status": judgement.status,
    }
    if isinstance(prediction, NoModel):
        return {**row, "reason": prediction.reason}
    value = prediction.value
    row["predicted"] = list(value) if isinstance(value, tuple) else value
    if isinstance(value, int | float):
        row["low"], row["high"] = _band(entry, float(value), parameters, band_metrics, ensemble)
    return row


def _band(
    entry: Entry, value: float, parameters: ParameterSet, metrics: Metrics, ensemble: Sequence[ParameterSet]
) -> tuple[float, float]:
    predictions = [prediction_of(entry, member, metrics) for member in ensemble]
    numbers = [each.value for each in predictions if isinstance(each, Prediction)]
    others = [float(each) for each in numbers if isinstance(each, int | float)]
    return band_of(value, others, workload=str(entry["scenario"].get("workload")), parameters=parameters)


def _summary(entries: Sequence[Entry], rows: Sequence[Json]) -> Json:
    """By workload: how many entries, the median, mean and worst of the errors' sizes, and the share inside tolerance.

    An entry without a model counts as a miss, one without a published number not at all.
    """
    workloads = [str(entry["scenario"].get("workload")) for entry in entries]
    named = list(zip(workloads, rows, strict=True))
    summary = {name: _totals(row for workload, row in named if workload == name) for name in sorted(set(workloads))}
    return {**summary, "all": _totals(rows)}


def _totals(rows: Iterable[Json]) -> Json:
    judged = [row for row in rows if row["status"] != "no_published_number"]
    errors = [abs(row["error"]) for row in judged if row["error"] is not None]
    return {
        "entries": len(judged),
        "median": statistics.median(errors) if errors else None,
        "mean": statistics.fmean(errors) if errors else None,
        "worst": max(errors) if errors else None,
        "inside": sum(row["status"] == "ok" for row in judged) / len(judged) if judged else None,
    }
