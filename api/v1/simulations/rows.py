"""Simulations as JSON."""

from typing import Any

from django.urls import reverse

from api.v1.runs import failure_json, started_json
from api.v1.texts import time_text
from planner.models import Simulation

Json = dict[str, Any]


def simulation_line(summary: Json) -> Json:
    """Return a row of planner.simulations.history.simulation_summaries."""
    return {
        "id": summary["pk"],
        "name": summary["name"],
        "workload": summary["workload"],
        "state": summary["run__state"],
        "created_at": time_text(summary["created_at"]),
        "created_by": summary["created_by__email"],
        "href": _href(summary["pk"]),
    }


def simulation_started(simulation: Simulation) -> Json:
    return started_json(simulation.run, number=simulation.pk, href=_href(simulation.pk))


def simulation_json(simulation: Simulation) -> Json:
    run = simulation.run
    return {
        **simulation_started(simulation),
        "name": simulation.name,
        "workload": simulation.workload,
        "scenario": simulation.scenario,
        "sweep": simulation.sweep,
        "replications": simulation.replications,
        "seed": run.seed,
        "parameter_set": simulation.parameter_set,
        "created_at": time_text(simulation.created_at),
        "created_by": simulation.created_by.email,
        "finished_at": time_text(run.finished_at),
        "result": run.result,
        "failure": failure_json(run),
    }


def _href(simulation_id: int) -> str:
    return reverse("api-simulation", args=[simulation_id])
