"""Plans as JSON."""

from typing import Any

from django.urls import reverse
from rest_framework.serializers import Serializer

from api.v1.calls import names_of
from api.v1.plans.shapes import (
    Configuration,
    DemandShape,
    Figures,
    MixedConfiguration,
    OptimisationRound,
    PlanAnswer,
    Profile,
    SampledPair,
    ValidationRound,
)
from api.v1.runs import failure_json, started_json
from api.v1.texts import time_text
from planner.demand import CostBasis
from planner.mixed import winning_mix
from planner.models import Plan

Json = dict[str, Any]
ANSWER_FIELDS = names_of(PlanAnswer)
MADE_HERE = ("phases", "mixed")
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
    best, mix = result["best"], winning_mix(result)
    return {
        **{name: result[name] for name in ANSWER_FIELDS if name not in MADE_HERE},
        "best": _figures(Configuration, best) if best else None,
        "mixed": _figures(MixedConfiguration, mix) if mix else None,
        "runners_up": [_runner_up(row) for row in result["runners_up"]],
        "front": [_figures(Configuration, row) for row in result["front"]],
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


def _runner_up(row: Json) -> Json:
    return {**_figures(Configuration, row), "reason": row["reason"], "change": row.get("change")}


def _figures(shape: type[Figures], row: Json) -> Json:
    """Return a configuration; older versions counted a month and did not keep what is owed once."""
    older = {"once_cost": None, "cost_basis": CostBasis.MONTHLY.value, "cost": row["total_monthly_cost"]}
    return _fields(shape, older | row)


def _href(plan_id: int) -> str:
    return reverse("api-plan", args=[plan_id])
