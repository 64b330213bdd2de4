"""The result of a simulation as it is kept, put together from the outcomes of its points."""

from collections.abc import Sequence
from typing import Any

from planner.simulations.fields import WORKLOADS
from planner.simulations.metrics import metrics_json
from planner.simulations.scenarios import with_value

Json = dict[str, Any]
NOTHING_TOLD: Json = {"figures": {}, "latency_ms": {}, "windows": None, "stations": [], "bottleneck": ""}


def swept_values(parameters: Json) -> list[Any]:
    """Return the values of the run's sweep; one None where nothing is swept."""
    return parameters["sweep"]["values"] if parameters["sweep"] else [None]


def scenario_with(parameters: Json, value: Any) -> Json:
    """Return the run's scenario with one of the swept values."""
    if parameters["sweep"] is None:
        return parameters["scenario"]
    return with_value(parameters["scenario"], parameters["sweep"]["field"], value)


def value_words(parameters: Json, value: Any) -> str:
    """Return a swept value for people, such as "8 clients"; nothing where nothing is swept."""
    if parameters["sweep"] is None:
        return ""
    field = WORKLOADS[parameters["scenario"]["workload"]].field(parameters["sweep"]["field"])
    return field.named(value) if field else str(value)


def refused_outcome(*, field: str, words: str) -> Json:
    """Return the outcome of a swept value that the model cannot take."""
    return {**NOTHING_TOLD, "problem": {"field": field, "words": words}}


def result_of(parameters: Json, outcomes: Sequence[Json]) -> Json:
    """Return the result from one outcome for each swept value, in their order."""
    workload = WORKLOADS[parameters["scenario"]["workload"]]
    names = dict.fromkeys(name for outcome in outcomes for name in outcome["figures"])
    return {
        "workload": workload.key,
        "parameter_set": parameters["parameter_set"],
        "scenario": parameters["scenario"],
        "primary": workload.primary,
        "metrics": metrics_json(names),
        "swept": _swept(parameters),
        "points": [
            {"value": value, "words": value_words(parameters, value), "problem": None, **outcome}
            for value, outcome in zip(swept_values(parameters), outcomes, strict=True)
        ],
        "replications": parameters["replications"],
    }


def _swept(parameters: Json) -> Json | None:
    if parameters["sweep"] is None:
        return None
    path = parameters["sweep"]["field"]
    field = WORKLOADS[parameters["scenario"]["workload"]].field(path)
    if field is None:
        return {"field": path, "label": path, "unit": ""}
    is_scaled = field.measure.factor != 1
    return {"field": path, "label": field.label, "unit": "" if is_scaled else field.measure.unit}
