"""Pages of plans for others: a link to an answer, and two plans side by side."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.decorators import account_required, action_required, open_to_link_holders
from accounts.requests import AccountRequest, PartnerRequest
from core import clock
from core.errors import RuleBroken
from planner import pages, plan_comparison, plan_sharing
from planner.models import Plan, PlanShare
from planner.selectors import plan_of


@require_POST
@action_required("quote")
def plan_share(request: AccountRequest, plan_id: int) -> HttpResponse:
    """Make a link to the plan's answer."""
    try:
        plan_sharing.plan_share(plan_id=plan_id, account_id=request.account.pk, user=request.user, now=clock.now())
    except Plan.DoesNotExist:
        raise Http404 from None
    except RuleBroken as refusal:
        messages.warning(request, refusal.words)
    else:
        messages.success(request, "Whoever has the link below sees this answer and nothing else.")
    return redirect("plan-detail", plan_id=plan_id)


@require_POST
@action_required("quote")
def plan_unshare(request: AccountRequest, plan_id: int) -> HttpResponse:
    """Take all links to the plan back."""
    try:
        plan_sharing.plan_unshare(plan_id=plan_id, account_id=request.account.pk, user=request.user, now=clock.now())
    except Plan.DoesNotExist:
        raise Http404 from None
    messages.success(request, "The links to this plan lead nowhere any more.")
    return redirect("plan-detail", plan_id=plan_id)


@open_to_link_holders
@require_safe
def plan_by_link(request: PartnerRequest, token: str) -> HttpResponse:
    """The answer alone, for whoever has the link, signed in or not."""
    try:
        share = plan_sharing.plan_by_token(token=token, partner_id=request.partner.pk, at=clock.now())
    except PlanShare.DoesNotExist:
        raise Http404 from None
    context = {"share": share, "plan": share.plan} | (pages.answer(share.plan) if share.plan.run.result else {})
    return render(request, "planner/plan_shared.html", context)


@account_required
@require_safe
def plan_compare(request: AccountRequest) -> HttpResponse:
    """Show two plans of the account side by side on the same scale; the address says which."""
    found = [_plan_in(request, name) for name in ("a", "b")]
    plans = [plan for plan in found if plan and (plan.run.result or {}).get("best")]
    if len(plans) != 2:
        messages.warning(request, "Choose two plans that found a configuration.")
        return redirect("plan-list")
    context: dict[str, Any] = plan_comparison.comparison_of(*plans)
    return render(request, "planner/plan_compare.html", context)


def _plan_in(request: AccountRequest, name: str) -> Plan | None:
    word = request.GET.get(name, "")
    if not (word.isascii() and word.isdecimal() and len(word) < 18):
        return None
    try:
        return plan_of(account_id=request.account.pk, plan_id=int(word))
    except Plan.DoesNotExist:
        raise Http404 from None
