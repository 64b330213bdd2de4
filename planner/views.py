"""Pages of plans: the question, its progress, and the answer."""

import csv
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from accounts.roles import can
from core import clock
from core.errors import RuleBroken
from jobs.models import RunState
from orders.once import order_made_once
from planner import again, pages, services
from planner.drawing import equipment_cells, equipment_of
from planner.forms import DEFAULTS, LIMITS, PROPOSED, PlanForm
from planner.here import here_of
from planner.mixed import winning_mix
from planner.mixed_page import csv_cells
from planner.models import Plan
from planner.owned import own_plan
from planner.phases.stages import PHASES
from planner.run_pages import run_stop, run_take_up, word_to_load_again
from planner.selectors import plan_order_of, plan_summaries, plans_to_compare
from planner.sharing import open_shares_of
from planner.slider_views import sliders_of

PLANS_ON_A_PAGE = 25
RECENT_PLANS = 5
MOST_TO_COMPARE_WITH = 20
STAGES = {str(stage) for stage in range(len(PHASES))}
MOST_STAGES = 32_767
"""No plan comes that far."""
MOST_DIGITS = 9
"""Of a number of balancers: more than any plan has."""
CSV_COLUMNS = (
    "shape", "proxy", "proxies", "storage", "storage_nodes", "nodes_per_proxy", "balancers", "machines", "mb_s",
    "shortfall_mb_s", "capacity_gb", "monthly_cost", "balancer_monthly_cost", "it_monthly_cost", "total_monthly_cost",
    "once_cost", "cost_basis", "cost", "limit", "is_assumed", "change", "proxy_equipment", "storage_equipment",
)  # fmt: skip


@require_http_methods(["GET", "POST"])
@action_required("plan")
def plan_new(request: AccountRequest) -> HttpResponse:
    """Ask: the sentence with blanks, filled in from the address; posting it starts the plan."""
    if request.method == "GET":
        form = PlanForm(initial=PROPOSED | request.GET.dict(), currency=request.account.currency)
        return render(request, "planner/plan_new.html", {"form": form})
    form = PlanForm(DEFAULTS | request.POST.dict(), currency=request.account.currency)
    if form.is_valid():
        try:
            plan = services.plan_start(
                account=request.account,
                user=request.user,
                demand=form.demand,
                location=form.locations[form.cleaned_data["location"]],
                now=clock.now(),
            )
            return redirect("plan-detail", plan_id=plan.pk)
        except RuleBroken as refusal:
            form.add_violations(refusal)
    return render(request, "planner/plan_new.html", {"form": form}, status=422)


@require_GET
@account_required
def plan_list(request: AccountRequest) -> HttpResponse:
    plans = Paginator(plan_summaries(account_id=request.account.pk), PLANS_ON_A_PAGE)
    return render(request, "planner/plan_list.html", {"page": plans.get_page(request.GET.get("page"))})


@require_GET
@account_required
def plan_recent(request: AccountRequest) -> HttpResponse:
    plans = plan_summaries(account_id=request.account.pk)[:RECENT_PLANS]
    return render(request, "planner/plan_recent.html", {"plans": plans})


@require_GET
@account_required
def plan_of_order(request: AccountRequest, order_id: int) -> HttpResponse:
    """Say on an order's page from which plan it came; nothing where it came from none."""
    origin = plan_order_of(account_id=request.account.pk, order_id=order_id)
    return render(request, "planner/plan_of_order.html", {"origin": origin})


@require_GET
@account_required
def plan_detail(request: AccountRequest, plan_id: int) -> HttpResponse:
    plan = own_plan(request, plan_id)
    context: dict[str, Any] = {
        "plan": plan,
        "change_url": _change_url(plan),
        "can_order": can(request.role, "draft"),
        "can_plan": can(request.role, "plan"),
        "can_quote": can(request.role, "quote"),
    }
    if plan.run.state != RunState.DONE:
        return render(request, "planner/plan_waiting.html", context | pages.progress(plan))
    here = here_of(plan=plan, account_id=request.account.pk, order=request.GET.get("order", ""))
    context |= {
        "shares": open_shares_of(answer=plan, at=clock.now()),
        "others": plans_to_compare(plan)[:MOST_TO_COMPARE_WITH],
        "here": here,
        "sliders": sliders_of(plan) if (plan.run.result or {}).get("slider") else [],
    }
    return render(request, "planner/plan_answer.html", context | pages.answer(plan, here=here))


@require_GET
@account_required
def plan_progress(request: AccountRequest, plan_id: int) -> HttpResponse:
    """Answer a poll: the progress panel while the plan is worked out, then a word to load the page again."""
    plan = own_plan(request, plan_id)
    if plan.run.is_finished:
        return word_to_load_again()
    return render(request, "planner/plan_progress.html", {"plan": plan} | pages.progress(plan))


@require_POST
@action_required("plan")
def plan_cancel(request: AccountRequest, plan_id: int) -> HttpResponse:
    run_stop(request, own_plan(request, plan_id).run)
    return redirect("plan-detail", plan_id=plan_id)


@require_POST
@action_required("plan")
def plan_retry(request: AccountRequest, plan_id: int) -> HttpResponse:
    run_take_up(request, own_plan(request, plan_id).run)
    return redirect("plan-detail", plan_id=plan_id)


@require_POST
@action_required("draft")
def plan_order(request: AccountRequest, plan_id: int) -> HttpResponse:
    """Order this plan: a draft with an item for each role, ready to be placed."""
    plan = own_plan(request, plan_id)

    def order() -> int:
        made = services.plan_order(
            plan_id=plan.pk,
            account=request.account,
            user=request.user,
            shape=request.POST.get("shape", ""),
            balancers=_balancers_sent(request),
            now=clock.now(),
        )
        return made.pk

    try:
        order_id = order_made_once(request, order)
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
        return redirect("plan-detail", plan_id=plan_id)
    return redirect("order-detail", order_id=order_id)


@require_POST
@action_required("quote")
def plan_quote(request: AccountRequest, plan_id: int) -> HttpResponse:
    """Quote this plan in one step: the order for it, and the promise of its prices."""
    plan = own_plan(request, plan_id)

    def quote() -> int:
        made = services.plan_quote(
            plan_id=plan.pk,
            account=request.account,
            user=request.user,
            shape=request.POST.get("shape", ""),
            balancers=_balancers_sent(request),
            now=clock.now(),
        )
        return made.pk

    try:
        quote_id = order_made_once(request, quote)
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
        return redirect("plan-detail", plan_id=plan_id)
    return redirect("quote-detail", quote_id=quote_id)


@require_POST
@action_required("plan")
def plan_again(request: AccountRequest, plan_id: int) -> HttpResponse:
    """Work this plan out again from one of its phases on, as a plan of its own."""
    own_plan(request, plan_id)
    stage = request.POST.get("stage", "")
    try:
        plan = again.plan_again(
            plan_id=plan_id,
            account=request.account,
            user=request.user,
            stage=int(stage) if stage in STAGES else MOST_STAGES,
            now=clock.now(),
        )
    except RuleBroken as refusal:
        messages.warning(request, refusal.words)
        return redirect("plan-detail", plan_id=plan_id)
    return redirect("plan-detail", plan_id=plan.pk)


@require_GET
@account_required
def plan_csv(request: AccountRequest, plan_id: int) -> HttpResponse:
    """Give the best shape, the next ten, the Pareto front and the mix that beats them as a table for spreadsheets."""
    plan = own_plan(request, plan_id)
    answer = plan.run.result or {}
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="plan-{plan.pk}.csv"'
    writer = csv.DictWriter(response, ("rank", *CSV_COLUMNS), extrasaction="ignore")
    writer.writeheader()
    equipment = equipment_of(plan.run.parameters["fleet"]) if answer else {}
    writer.writerows(row | equipment_cells(row, equipment) for row in _csv_rows(answer))
    return response


def _csv_rows(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if answer.get("best"):
        yield {**answer["best"], "rank": "best"}
        for place, row in enumerate(answer["runners_up"], start=2):
            yield {**row, "change": (row.get("change") or {}).get("words", ""), "rank": str(place)}
        yield from ({**row, "rank": "front"} for row in answer["front"])
    if mix := winning_mix(answer):
        yield {**csv_cells(mix), "rank": "mixed"}


def _balancers_sent(request: AccountRequest) -> int | None:
    """Return behind how many balancers the shape is meant; raises RuleBroken where that is no number."""
    text = request.POST.get("balancers", "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        words = "That is no number of balancers. Choose a configuration that the plan shows."
        raise RuleBroken("balancers_not_a_number", words, field="balancers")
    return int(text)


def _change_url(plan: Plan) -> str:
    """Return the address of the question with this plan's demand filled in."""
    query = pages.demand_query(plan.asked, location=plan.location.key_name, limits=LIMITS)
    return f"{reverse('plan-new')}?{urlencode(query)}"
