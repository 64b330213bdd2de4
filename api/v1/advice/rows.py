"""Advice as JSON."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse

from api.v1.advice import shapes
from api.v1.calls import names_of
from api.v1.runs import failure_json, started_json
from api.v1.texts import time_text
from planner.advice.asking import choices_of
from planner.advice.kinds import Kind
from planner.advice.models import Advice

Json = dict[str, Any]


def advice_line(summary: Json) -> Json:
    """Return a row of planner.advice.selectors.advice_summaries."""
    return {
        "id": summary["pk"],
        "kind": summary["kind"],
        "words": summary["words"],
        "state": summary["run__state"],
        "created_at": time_text(summary["created_at"]),
        "created_by": summary["created_by__email"],
        "best": summary["best_title"],
        "monthly_cost": summary["best_cost"],
        "metered_cost": summary["best_metered"],
        "currency": summary["currency"],
        "href": _href(summary["pk"]),
    }


def advice_started(advice: Advice) -> Json:
    return started_json(advice.run, number=advice.pk, href=_href(advice.pk))


def advice_json(advice: Advice) -> Json:
    run = advice.run
    return {
        **advice_started(advice),
        "kind": advice.kind,
        "words": advice.words,
        "demand": advice.demand,
        "location": advice.location.key_name if advice.location else None,
        "created_at": time_text(advice.created_at),
        "created_by": advice.created_by.email,
        "finished_at": time_text(run.finished_at),
        "answer": _answer(run.result) if run.result is not None else None,
        "failure": failure_json(run),
    }


def kinds_json(kinds: Iterable[Kind], *, partner_id: int) -> Json:
    """Return every kind of advice with its fields, and what an account of the partner may say there."""
    return {"kinds": [_kind(kind, partner_id=partner_id) for kind in kinds]}


def _kind(kind: Kind, *, partner_id: int) -> Json:
    blanks = [
        {
            "name": field.name,
            "label": field.label,
            "default": field.default,
            "help": field.help,
            "choices": [value for value, _ in choices_of(field, partner_id=partner_id)],
            "is_optional": field.is_optional,
        }
        for field in kind.fields
    ]
    return {"key": kind.key, "title": kind.title, "question": kind.question, "blanks": blanks}


def _answer(result: Json) -> Json:
    """Return the answer without what only the chart and the pictures need."""
    problem = result["problem"]
    return {
        **_only(result, shapes.AdviceAnswer),
        "best": _configuration(result["best"]),
        "runners_up": [
            {**_only(_with_metered(row), shapes.AdviceThatLost), **(_configuration(row) or {})}
            for row in result["runners_up"]
        ],
        "front": [_only(_with_metered(point), shapes.AdvicePoint) for point in result["front"]],
        "problem": {**problem, "nearest": _configuration(problem["nearest"])} if problem else None,
    }


def _configuration(row: Json | None) -> Json | None:
    if row is None:
        return None
    roles = [_only(role, shapes.AdviceRole) for role in row["roles"]]
    return {**_only(_with_metered(row), shapes.AdviceConfiguration), "roles": roles}


def _with_metered(row: Json) -> Json:
    """Return a row that tells its metered cost: answers from before it was kept have none."""
    return {"metered_cost": "0.00", **row}


def _only(row: Json, shape: type[Any]) -> Json:
    return {name: row[name] for name in names_of(shape)}


def _href(advice_id: int) -> str:
    return reverse("api-advice-one", args=[advice_id])
