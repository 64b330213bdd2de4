"""Plans as JSON."""

from typing import Any

from django.urls import reverse
from rest_framework.serializers import Serializer

from api.v1.calls import names_of
from api.v1.plans.shapes import (
    Configuration,
    DemandShape,
    OptimisationRound,
    PlanAnswer,
    Profile,
    SampledPair,
    ValidationRound,
)
from api.v1.runs import failure_json, started_json
from api.v1.texts import time_text
from planner.models import Plan

Json = dict[str, Any]
CONFIGURATION_FIELDS = names_of(Configuration)
ANSWER_FIELDS = names_of(PlanAnswer)
DEMAND_FIELDS = names_of(DemandShape)
PHASE_SHAPES: dict[str, type[Serializer[Any]]] = {
    "profiling": Profile,
    "optimisation": OptimisationRound,
    "validation": ValidationRound,
}


def plan_line(summary: Json) -> Json:
    """Return a row of planner.selectors.plan_summaries."""
    return {
        "id": summary["pk"],
        "words": summary["words"],
        "state": summary["run__state"],
        "created_at": time_text(summary["created_at"]),
        "created_by": summary["created_by__email"],
        "best_shape": summary["best_shape"],
        "total_monthly_cost": summary["best_cost"],
        "currency": summary["currency"],
        "href": _href(summary["pk"]),
    }


def plan_started(plan: Plan) -> Json:
    return started_json(plan.run, number=plan.pk, href=_href(plan.pk))


def plan_json(plan: Plan) -> Json:
    run = plan.run
    return {
        **plan_started(plan),
        "words": plan.words,
        "demand": _demand(plan),
        "location": plan.location.key_name,
        "created_at": time_text(plan.created_at),
        "created_by": plan.created_by.email,
        "finished_at": time_text(run.finished_at),
        "answer": _answer(run.result) if run.result is not None else None,
        "failure": failure_json(run),
    }


def _answer(result: Json) -> Json:
    """Return the answer without what only the chart and the machinery need."""
    return {
        **{name: result[name] for name in ANSWER_FIELDS if name != "phases"},
        "best": _configuration(result["best"]) if result["best"] else None,
        "runners_up": [{**_configuration(row), "reason": row["reason"]} for row in result["runners_up"]],
        "front": [_configuration(row) for row in result["front"]],
        "phases": _phases(result["phases"]) if result.get("phases") else None,
    }


def _demand(plan: Plan) -> Json:
    """Return the demand; what an older version did not ask has its default."""
    demand = plan.asked.as_json()
    return {name: demand[name] for name in DEMAND_FIELDS}


def _phases(phases: Json) -> Json:
    sampling = phases["sampling"]
    return {
        "sampling": _sampling(sampling) if sampling else None,
        **{name: [_fields(shape, row) for row in phases[name]] for name, shape in PHASE_SHAPES.items()},
    }


def _sampling(sampling: Json) -> Json:
    kept = [_fields(SampledPair, row) for row in sampling["kept"]]
    return {"pairs": sampling["pairs"], "dominated": sampling["dominated"], "kept": kept}


def _fields(shape: type[Serializer[Any]], row: Json) -> Json:
    return {name: row[name] for name in names_of(shape)}


def _configuration(row: Json) -> Json:
    return {name: row[name] for name in CONFIGURATION_FIELDS}


def _href(plan_id: int) -> str:
    return reverse("api-plan", args=[plan_id])
