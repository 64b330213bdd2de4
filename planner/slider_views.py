"""Sliders of a plan's answer: the best shape for a changed demand at once, from a table that the plan keeps for it."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from accounts.decorators import account_required
from accounts.requests import AccountRequest
from core.errors import InputRefused, Violation
from core.money import Money
from planner import pages
from planner.demand import NEEDED, Demand, demand_from_words
from planner.drawing import roles_words
from planner.forms import LIMITS
from planner.models import Plan
from planner.selectors import slider_of_plan
from planner.shapes import dollars
from planner.sliders import slider_answer

Json = dict[str, Any]

MOST_TIMES = 4
"""A slider goes up to so many times what the plan was asked."""
STEPS = 200
FIELDS = {
    "throughput": ("Throughput", "MB/s", "throughput_mb_s"),
    "capacity": ("Usable capacity", "GB", "capacity_gb"),
    "budget": ("Budget", "", "budget"),
    "it_cost_per_node": ("IT cost of a machine", "a month", "it_cost_per_node"),
    "hours_per_month": ("Hours", "a month", "hours_per_month"),
}
"""What can be slid: the label, the unit behind it, and the field of the demand."""
HOURS = (1, 744)
LEAST_IT_COST = Decimal(100)
"""The slider of IT cost goes at least so far."""


@require_safe
@account_required
def plan_slide(request: AccountRequest, plan_id: int) -> HttpResponse:
    """Answer a changed demand; alone for htmx, as a page of its own for whoever has no scripts."""
    try:
        plan, table, best_cents = slider_of_plan(account_id=request.account.pk, plan_id=plan_id)
    except Plan.DoesNotExist:
        raise Http404 from None
    if table is None:
        return redirect("plan-detail", plan_id=plan.pk)
    found = slid(plan, table=table, best_cents=best_cents, typed=request.GET)
    context = {"plan": plan, "sliders": sliders_of(plan, typed=request.GET)} | found
    template = "plan_slid.html" if request.headers.get("HX-Request") else "plan_slide.html"
    return render(request, f"planner/{template}", context, status=422 if context.get("violations") else 200)


def sliders_of(plan: Plan, *, typed: Mapping[str, str] | None = None) -> list[Json]:
    """Return the sliders of a plan with their ranges, at what was typed or else at what the plan was asked."""
    return [_slider(plan.asked, name, (typed or {}).get(name)) for name in _names(plan.asked)]


def slid(plan: Plan, *, table: Json, best_cents: int | None, typed: Mapping[str, str]) -> Json:
    """Return the best shape for the changed demand beside the plan's own, or what is wrong with what was typed."""
    try:
        demand = changed(plan.asked, typed)
    except InputRefused as refusal:
        return {"violations": refusal.violations}
    row = slider_answer(table, demand=demand)
    query = pages.demand_query(demand, location=plan.location.key_name, limits=LIMITS)
    found: Json = {"slid_demand": demand, "plan_url": f"{reverse('plan-new')}?{urlencode(query)}"}
    if row is None:
        return found
    more = row["cents"] - best_cents if best_cents is not None else 0
    return found | {
        "row": row,
        "row_words": roles_words(row),
        "cost": Money(dollars(row["cents"]), demand.currency),
        "more": Money(dollars(abs(more)), demand.currency),
        "is_more": more > 0,
        "is_same": more == 0,
    }


def changed(asked: Demand, typed: Mapping[str, str]) -> Demand:
    """Return the demand with what was typed in place of its own; raises InputRefused naming every wrong field."""
    words = {"goal": asked.goal.value}
    for name in _names(asked):
        text = typed.get(name, "").strip() or f"{getattr(asked, FIELDS[name][2]):f}"
        unit = FIELDS[name][1] if name in ("throughput", "capacity") else ""
        words[name] = f"{text} {unit}".strip()
    read = demand_from_words(words, currency=asked.currency)
    if read.hours_per_month > HOURS[1]:
        raise InputRefused((Violation("out_of_range", "hours_per_month", "A month has at most 744 hours."),))
    return replace(asked, **{FIELDS[name][2]: getattr(read, FIELDS[name][2]) for name in _names(asked)})


def _names(asked: Demand) -> list[str]:
    return [*NEEDED[asked.goal], "it_cost_per_node", "hours_per_month"]


def _slider(asked: Demand, name: str, typed: str | None) -> Json:
    label, unit, field = FIELDS[name]
    value: Decimal = getattr(asked, field)
    low, high = Decimal(0), max(MOST_TIMES * value, LEAST_IT_COST)
    if name == "hours_per_month":
        low, high = Decimal(HOURS[0]), Decimal(HOURS[1])
    elif name in LIMITS:
        high = MOST_TIMES * value
        low = (high / STEPS).normalize()
    if name == "budget":
        unit = f"{asked.currency} {asked.cost_words}"
    step = Decimal(1) if name == "hours_per_month" else (high / STEPS).normalize()
    return {
        "name": name,
        "label": label,
        "unit": f"{asked.currency} {unit}" if name == "it_cost_per_node" else unit,
        "value": typed if typed is not None else f"{value.normalize():f}",
        "low": f"{low:f}",
        "high": f"{high.normalize():f}",
        "step": f"{step:f}",
    }
