"""What the pages of a plan show: plain values from its run, for templates."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from core.money import Money
from jobs.models import Run
from planner import charts
from planner.answer_notes import figure_basis, measured_words, spares_panel, taken_to_be_so
from planner.demand import Demand
from planner.demand_words import conditions_words, settings_words
from planner.drawing import copies_words, drawing, equipment_of, equipped, roles_words
from planner.mixed_page import mix_panel, no_mix_words
from planner.models import Plan
from planner.phases.panels import panels_of, validation_words
from planner.phases.stages import PHASES
from planner.rows import Row
from planner.shapes import dollars

Json = dict[str, Any]


def progress(plan: Plan) -> Json:
    """Return how far the run has come, in words and per cent."""
    run = plan.run
    done = f"{run.progress_done} of {run.progress_total} parts"
    words = f"{run.progress_words}: {done}" if run.progress_words else f"Waiting for a worker: {done}"
    percent = 100 * run.progress_done // max(1, run.progress_total)
    return {"words": words, "percent": percent, "steps": _steps(run)}


def _steps(run: Run) -> list[Json]:
    """Return the phases as a line of steps; further rounds belong to the last one."""
    at = min(run.stage, len(PHASES) - 1)
    states = ["done" if stage < at else "current" if stage == at else "todo" for stage in range(len(PHASES))]
    names = [f"{name.capitalize()} and refinement" if name == "validation" else name.capitalize() for name in PHASES]
    return [{"label": name, "state": state} for name, state in zip(names, states, strict=True)]


def answer(plan: Plan, *, here: Json | None = None) -> Json:
    """Return everything the answer page shows; `here` is an order that exists, as planner.here tells it."""
    found, demand = plan.run.result or {}, plan.asked
    equipment = equipment_of(plan.run.parameters["fleet"])
    if not found.get("best"):
        problem = {"problem": found["problem"], "demand": demand, "left_out": found["left_out"]}
        return problem | {
            "panels": panels_of(found, demand),
            "mix": _mix(found, demand, equipment),
            "copies_words": copies_words(demand),
        }
    best = found["best"]
    standing = here["row"] if here and "row" in here else None
    title, summary = charts.chart_words(demand=demand, answer=found)
    columns, rows = charts.front_table(demand=demand, front=found["front"], cloud=found["cloud"])
    return {
        "best": best,
        "demand": demand,
        "heading": heading(best, demand),
        "roles": equipped(drawing(best, demand, balancer_mb_s=found["balancer"]["mb_s"]), equipment),
        "drawing_words": roles_words(best),
        "cost_per_mb_s": Money(dollars(best["cents"]) / Decimal(str(best["mb_s"])), demand.currency),
        "shortfall_percent": _percent_short(best, demand),
        "cost": _cost(best, demand),
        "runners_up": [{**row, "cost_words": str(_cost(row, demand))} for row in found["runners_up"]],
        "figure": charts.cost_against_throughput(demand=demand, answer=found, here=standing),
        "chart_title": title,
        "chart_summary": summary,
        "columns": columns,
        "rows": rows,
        "found": found,
        "left_out": found["left_out"],
        "figure_basis": figure_basis(plan.run.parameters, best, demand),
        "simulated": validation_words(found),
        "copies_words": copies_words(demand),
        "conditions": conditions_words(demand),
        "writes_words": f"{float(demand.raw_per_usable):.3g} times",
        "panels": panels_of(found, demand),
        "mix": _mix(found, demand, equipment),
        "no_mix_words": no_mix_words(found, demand),
        "taken": taken_to_be_so(plan.run.parameters["fleet"], best, demand),
        "spares": spares_panel(demand),
        "measured": measured_words(plan.run.parameters),
    }


def _mix(found: Json, demand: Demand, equipment: Mapping[str, str]) -> Json | None:
    panel = mix_panel(found, demand)
    return panel and panel | {"roles": equipped(panel["roles"], equipment)}


def heading(best: Row, demand: Demand) -> str:
    """Return the finding: "2 balancers, 5 proxies, 25 storage nodes: $7,488.00 a month"."""
    return f"{roles_words(best)}: {_cost(best, demand)} {demand.cost_words}"


def _cost(row: Row, demand: Demand) -> Money:
    """Return what a shape costs on the demand's basis."""
    return Money(dollars(row["cents"]), demand.currency)


def demand_query(demand: Demand, *, location: str, limits: Sequence[str]) -> dict[str, str]:
    """Return the demand as the words of an address, so that the question can be asked again, changed."""
    words = {
        "throughput": _exact(demand.throughput_mb_s, thousands="GB/s", ones="MB/s"),
        "capacity": _exact(demand.capacity_gb, thousands="TB", ones="GB"),
        "budget": f"{demand.budget:f}" if demand.budget else "",
    }
    return {
        "goal": demand.goal.value,
        **{name: words[name] for name in limits if words[name]},
        "read_share": f"{(demand.read_share * 100).normalize():f}",
        "meets_share": f"{(demand.meets_share * 100).normalize():f}",
        "it_cost_per_node": f"{demand.it_cost_per_node:f}",
        "hours_per_month": f"{demand.hours_per_month.normalize():f}",
        "balancer": demand.balancer,
        "balancers": "" if demand.balancers is None else str(demand.balancers),
        "location": location,
        "fill_limit": f"{(demand.fill_limit * 100).normalize():f}",
        **settings_words(demand),
    }


def _exact(value: Decimal | None, *, thousands: str, ones: str) -> str:
    """Return a quantity in words that read back as the same quantity."""
    if value is None:
        return ""
    return f"{(value / 1000).normalize():f} {thousands}" if value >= 1000 else f"{value.normalize():f} {ones}"


def _percent_short(best: Row, demand: Demand) -> str:
    if not best["shortfall_mb_s"] or not demand.throughput_mb_s:
        return ""
    return f"{100 * best['shortfall_mb_s'] / float(demand.throughput_mb_s):.1f}"
