"""What the pages of simulations show: plain values for templates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.figure_words import value_words
from planner.models import Simulation
from planner.simulation_results import best_point
from planner.simulations.fields import WORKLOADS, Workload
from planner.simulations.scenarios import value_at
from planner.simulations.sweeps import values_words

Json = dict[str, Any]
LONGEST_SHORT_NAME = 28


@dataclass(frozen=True)
class Figure:
    """One figure at a glance, in words."""

    label: str
    value: str
    unit: str
    note: str
    is_main: bool


def progress(simulation: Simulation) -> Json:
    """Return how far the run has come, in words and per cent."""
    run = simulation.run
    done = f"{run.progress_done} of {run.progress_total} turns"
    words = f"Simulating {run.progress_words}: {done}" if run.progress_words else f"Waiting for a worker: {done}"
    return {"words": words, "percent": 100 * run.progress_done // max(1, run.progress_total)}


def configuration_rows(simulation: Simulation) -> list[tuple[str, str]]:
    """Return the scenario for people: label and value of each field it holds, the swept one with all its values."""
    workload = WORKLOADS[simulation.workload]
    rows = []
    for field in workload.fields:
        value = value_at(simulation.scenario, field.path)
        if simulation.sweep and simulation.sweep["field"] == field.path:
            rows.append((field.label, values_words(simulation.sweep["values"], field)))
        elif value is not None:
            rows.append((field.label, field.label_of(value)))
    return rows


def differences(first: Simulation, second: Simulation) -> list[tuple[str, str, str]]:
    """Return what two simulations were asked differently: label, and the value of each."""
    ours, theirs = dict(configuration_rows(first)), dict(configuration_rows(second))
    labels = dict.fromkeys((*ours, *theirs))
    return [
        (label, ours.get(label, "–"), theirs.get(label, "–"))
        for label in labels
        if ours.get(label) != theirs.get(label)
    ]


def heading(result: Json) -> str:
    """Return the finding: "3,069 IOPS, limited by drives", or "At best 6,004 IOPS with 8 drives, limited by drives"."""
    best = best_point(result)
    if best is None or result["primary"] not in best["figures"]:
        return "The model takes none of these values"
    metric = result["metrics"][result["primary"]]
    words = f"{figure_words(best['figures'][result['primary']])} {metric['unit']}".strip()
    if result["swept"]:
        words = f"At best {words} with {best['words']}"
    return f"{words}, limited by {best['bottleneck']}" if best["bottleneck"] else words


def figures_at_a_glance(result: Json) -> list[Figure]:
    """Return the figures of the one point, or of the best one of a sweep, the main figure first."""
    best = best_point(result)
    if best is None:
        return []
    names = sorted(best["figures"], key=lambda name: name != result["primary"])
    return [_figure(name, best["figures"][name], result) for name in names if name in result["metrics"]]


def figure_words(figure: Mapping[str, Any]) -> str:
    """Return a figure's value for people."""
    return value_words(figure["value"])


def points_table(result: Json) -> tuple[list[Json], list[list[str]]]:
    """Return the columns and rows of all points: what was swept, every figure, and the bottleneck."""
    metrics = result["metrics"]
    columns: list[Json] = [{"label": result["swept"]["label"] if result["swept"] else "Run"}]
    columns += [
        {"label": words["label"], "unit": words["unit"], "is_number": True}
        for name, words in metrics.items()
        if name != "bottleneck"
    ]
    columns.append({"label": "Bottleneck"})
    return columns, [_row(_value_words(point, result), point, metrics) for point in result["points"]]


def form_words(simulation: Simulation) -> dict[str, str]:
    """Return the question as the words of an address, so that it can be asked again, changed."""
    workload: Workload = WORKLOADS[simulation.workload]
    words = {"workload": workload.key}
    for field in workload.fields:
        value = value_at(simulation.scenario, field.path)
        words[field.path] = "" if value is None else field.words(value)
    if simulation.sweep and (swept := workload.field(simulation.sweep["field"])):
        words["sweep_field"] = swept.path
        words["sweep_values"] = ", ".join(swept.words(value) for value in simulation.sweep["values"])
    if simulation.replications > 1:
        words["replications"] = str(simulation.replications)
    return words


def _figure(name: str, figure: Mapping[str, Any], result: Json) -> Figure:
    metric = result["metrics"][name]
    notes = []
    if figure.get("low") is not None:
        notes.append(f"{value_words(figure['low'])} to {value_words(figure['high'])}")
    if figure.get("interval") is not None:
        notes.append(f"mean of {result['replications']} runs ± {value_words(figure['interval'])}")
    return Figure(metric["label"], figure_words(figure), metric["unit"], "; ".join(notes), name == result["primary"])


def _value_words(point: Json, result: Json) -> str:
    """Return a swept value under a column that already says what it is of."""
    field = WORKLOADS[result["workload"]].field(result["swept"]["field"]) if result["swept"] else None
    return field.label_of(point["value"]) if field else point["words"] or "as asked"


def _row(name: str, point: Json, metrics: Json) -> list[str]:
    if point["problem"]:
        words = f"not possible: {point['problem']['words']}"
        return [name, *["–"] * (len(metrics) - ("bottleneck" in metrics)), words]
    cells = [
        figure_words(point["figures"][name]) if name in point["figures"] else "–"
        for name in metrics
        if name != "bottleneck"
    ]
    return [name, *cells, point["bottleneck"] or "–"]


def short_name(simulation: Simulation) -> str:
    """Return a name short enough for a line in a chart: what tells bare metal from virtual comes first."""
    name = simulation.name.partition(": ")[2] or simulation.name
    return name if len(name) <= LONGEST_SHORT_NAME else f"{name[: LONGEST_SHORT_NAME - 1]}…"
