"""Two plans side by side: their answers in one table and their Pareto fronts on one scale."""

from typing import Any

from core.money import Money
from core.units import capacity_words, throughput_words
from planner.chart_parts import COLOURS, SYMBOLS, ChartPanel
from planner.demand import Demand
from planner.drawing import roles_words
from planner.models import Plan
from planner.pages import heading
from planner.phases.panels import validation_words
from planner.shapes import dollars
from planner.storage_limits import limits_words
from planner.words import hover_words

Json = dict[str, Any]
HEADROOM = 1.08
STAR = {"size": 17, "symbol": "star", "line": {"width": 2, "color": "#ffffff"}}


def comparison_of(one: Plan, other: Plan) -> Json:
    """Return what the page of two plans shows; both have an answer."""
    plans = (one, other)
    facts = [_facts(plan) for plan in plans]
    rows = [
        {"label": label, "cells": [fact[label] for fact in facts], "is_different": facts[0][label] != facts[1][label]}
        for label in facts[0]
    ]
    return {
        "plans": [{"plan": plan, "heading": heading(_best(plan), plan.asked)} for plan in plans],
        "rows": rows,
        "chart": _chart(plans) if _has_one_scale(plans) else None,
        "title": _difference_words(one, other),
    }


def _has_one_scale(plans: tuple[Plan, Plan]) -> bool:
    return len({(plan.asked.currency, plan.asked.cost_words) for plan in plans}) == 1


def _best(plan: Plan) -> Json:
    best: Json = (plan.run.result or {})["best"]
    return best


def _cost(plan: Plan) -> Money:
    return Money(dollars(_best(plan)["cents"]), plan.asked.currency)


def _facts(plan: Plan) -> dict[str, str]:
    best, asked = _best(plan), plan.asked
    simulated = validation_words(plan.run.result or {})
    return {
        "Asked": plan.words,
        "Location": str(plan.location),
        "Machines": roles_words(best),
        "Shape": best["shape"],
        "Cost": f"{_cost(plan)} {asked.cost_words}",
        "Predicted throughput": throughput_words(best["mb_s"]),
        "Simulated, 95 % interval": f"{simulated['low']} to {simulated['high']} MB/s" if simulated else "not simulated",
        "Usable capacity": capacity_words(best["capacity_gb"]),
        "What limits it": best["limit"],
        "Copies or parts kept": f"{float(asked.raw_per_usable):.2g} GB of disk for each GB",
        "Disks of storage nodes": limits_words(asked.raid, asked.drives) or "any",
        "Hours a month": f"{asked.hours_per_month.normalize():f}",
        "IT cost of a machine": str(Money(asked.it_cost_per_node, asked.currency)),
    }


def _difference_words(one: Plan, other: Plan) -> str:
    first, second = _cost(one), _cost(other)
    if one.asked.cost_words != other.asked.cost_words or first.currency != second.currency:
        return f"Plan {one.pk} and plan {other.pk} side by side"
    if first.amount == second.amount:
        return f"Plan {one.pk} and plan {other.pk} cost the same: {first} {one.asked.cost_words}"
    dear, cheap = (one, other) if first.amount > second.amount else (other, one)
    more = Money(abs(first.amount - second.amount), first.currency)
    return f"Plan {dear.pk} costs {more} {one.asked.cost_words} more than plan {cheap.pk}"


def _chart(plans: tuple[Plan, Plan]) -> ChartPanel:
    data: list[Json] = []
    rows: list[list[str]] = []
    for place, plan in enumerate(plans):
        found, asked = plan.run.result or {}, plan.asked
        best, front = found["best"], found["front"]
        data.append(_front_trace(plan, front, asked, colour=COLOURS[place], symbol=SYMBOLS[place]))
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"plan {plan.pk}",
                "x": [best["mb_s"]],
                "y": [best["cents"] / 100],
                "text": [hover_words(best, asked)],
                "hovertemplate": "%{text}<extra>the best of plan " + str(plan.pk) + "</extra>",
                "marker": {**STAR, "color": COLOURS[place]},
            }
        )
        rows += [
            [f"plan {plan.pk}", row["shape"], f"{row['mb_s']:,.1f}", f"{dollars(row['cents']):,}"] for row in front
        ]
    shown = [each for plan in plans for each in [*(plan.run.result or {})["front"], _best(plan)]]
    layout = {
        "showlegend": False,
        "hovermode": "closest",
        "xaxis": {
            "title": {"text": "Predicted throughput, MB/s of client traffic"},
            "range": [0, HEADROOM * max(row["mb_s"] for row in shown)],
        },
        "yaxis": {
            "title": {"text": f"Cost, {plans[0].asked.currency} {plans[0].asked.cost_words}"},
            "range": [0, HEADROOM * max(row["cents"] for row in shown) / 100],
            "tickformat": ",.0f",
            "automargin": True,
        },
        "annotations": [_label(plan, place) for place, plan in enumerate(plans)],
    }
    return ChartPanel(
        id="compare-chart",
        title="Cost against throughput, on the same scale",
        summary="Lines are the Pareto fronts of the two plans, stars their best shapes, on the same scale.",
        figure={"data": data, "layout": layout},
        columns=[
            {"label": "Plan"},
            {"label": "Configuration"},
            {"label": "Throughput", "unit": "MB/s", "is_number": True},
            {"label": "Cost", "unit": plans[0].asked.currency, "is_number": True},
        ],
        rows=rows,
    )


def _front_trace(plan: Plan, front: list[Json], asked: Demand, *, colour: str, symbol: str) -> Json:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": f"plan {plan.pk}",
        "x": [row["mb_s"] for row in front],
        "y": [row["cents"] / 100 for row in front],
        "text": [hover_words(row, asked) for row in front],
        "hovertemplate": "%{text}<extra>front of plan " + str(plan.pk) + "</extra>",
        "line": {"color": colour, "shape": "hv", "width": 1.5},
        "marker": {"color": colour, "size": 6, "symbol": symbol},
    }


def _label(plan: Plan, place: int) -> Json:
    best = _best(plan)
    return {
        "x": best["mb_s"], "y": best["cents"] / 100, "text": f"<b>plan {plan.pk}</b>", "showarrow": True,
        "arrowhead": 0, "arrowcolor": COLOURS[place], "ax": 46, "ay": 34 - 68 * place, "xanchor": "left",
        "font": {"color": COLOURS[place]}, "bgcolor": "rgba(255,255,255,0.85)",
    }  # fmt: skip
