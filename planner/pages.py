"""What the pages of a plan show: plain values from its run, for templates."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from core import units
from core.money import Money
from jobs.models import Run
from planner import charts
from planner.demand import Demand
from planner.demand_words import conditions_words, settings_words
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
    if not found.get("best"):
        problem = {"problem": found["problem"], "demand": demand, "left_out": found["left_out"]}
        return problem | {"panels": panels_of(found, demand)}
    best = found["best"]
    standing = here["row"] if here and "row" in here else None
    title, summary = charts.chart_words(demand=demand, answer=found)
    columns, rows = charts.front_table(demand=demand, front=found["front"], cloud=found["cloud"])
    return {
        "best": best,
        "demand": demand,
        "heading": heading(best, demand),
        "roles": drawing(best, demand, balancer_mb_s=found["balancer"]["mb_s"]),
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
        "simulated": validation_words(found),
        "copies_words": copies_words(demand),
        "conditions": conditions_words(demand),
        "writes_words": f"{float(demand.raw_per_usable):.3g} times",
        "panels": panels_of(found, demand),
    }


def heading(best: Row, demand: Demand) -> str:
    """Return the finding: "2 balancers, 5 proxies, 25 storage nodes: $7,488.00 a month"."""
    return f"{roles_words(best)}: {_cost(best, demand)} {demand.cost_words}"


def _cost(row: Row, demand: Demand) -> Money:
    """Return what a shape costs on the demand's basis."""
    return Money(dollars(row["cents"]), demand.currency)


def roles_words(row: Row) -> str:
    """Return the roles of a shape with their counts."""
    parts = [
        _counted(row["balancers"], "balancer", "balancers"),
        _counted(row["proxies"], "proxy", "proxies"),
        _counted(row["storage_nodes"], "storage node", "storage nodes"),
    ]
    return ", ".join(part for part in parts if part)


def drawing(row: Row, demand: Demand, *, balancer_mb_s: float) -> list[Json]:
    """Return the roles of the picture: balancers, proxies, storage nodes, with the one that sets the limit marked."""
    roles = [
        _role("proxies", "proxy", row["proxies"], row["proxy"], f"{row['nodes_per_proxy']} storage nodes behind each"),
        _role("storage", "storage node", row["storage_nodes"], row["storage"], copies_words(demand)),
    ]
    if row["balancers"]:
        note = f"each passes {units.throughput_words(balancer_mb_s)}"
        roles.insert(0, _role("balancers", "balancer", row["balancers"], demand.balancer, note))
    for role in roles:
        if row["limit"].startswith({"balancers": "balancers", "proxies": "proxy", "storage": "storage"}[role["key"]]):
            role["limits"] = f"limits: {row['limit']}"
    return roles


def copies_words(demand: Demand) -> str:
    """Return how often everything is kept: "three copies of everything"."""
    if demand.erasure_data is not None and demand.erasure_parity is not None:
        return f"erasure code {demand.erasure_data} + {demand.erasure_parity}"
    count = {1: "one copy", 2: "two copies", 3: "three copies"}.get(demand.replicas, f"{demand.replicas} copies")
    return f"{count} of everything"


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


def _role(key: str, noun: str, count: int, machine_type: str, note: str) -> Json:
    label = noun if count == 1 else "proxies" if noun == "proxy" else f"{noun}s"
    return {"key": key, "label": label, "count": count, "machine_type": machine_type, "note": note}


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}" if count else ""
