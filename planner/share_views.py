"""Pages of answers for others: a link to the answer of a plan or of advice, and two plans side by side."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.decorators import account_required, action_required, open_to_link_holders
from accounts.requests import AccountRequest, PartnerRequest
from core import clock
from core.errors import RuleBroken
from planner import pages, plan_comparison, sharing
from planner.advice import pages as advice_pages
from planner.models import Advice, AnswerShare, Plan
from planner.owned import own_advice, own_plan


@require_POST
@action_required("quote")
def plan_share(request: AccountRequest, plan_id: int) -> HttpResponse:
    """Make a link to the plan's answer."""
    _share(request, own_plan(request, plan_id))
    return redirect("plan-detail", plan_id=plan_id)


@require_POST
@action_required("quote")
def plan_unshare(request: AccountRequest, plan_id: int) -> HttpResponse:
    """Take all links to the plan's answer back."""
    _unshare(request, own_plan(request, plan_id))
    return redirect("plan-detail", plan_id=plan_id)


@require_POST
@action_required("quote")
def advice_share(request: AccountRequest, advice_id: int) -> HttpResponse:
    """Make a link to the answer of a piece of advice."""
    _share(request, own_advice(request, advice_id))
    return redirect("advice-detail", advice_id=advice_id)


@require_POST
@action_required("quote")
def advice_unshare(request: AccountRequest, advice_id: int) -> HttpResponse:
    """Take all links to the answer of a piece of advice back."""
    _unshare(request, own_advice(request, advice_id))
    return redirect("advice-detail", advice_id=advice_id)


@open_to_link_holders
@require_safe
def answer_by_link(request: PartnerRequest, token: str) -> HttpResponse:
    """The answer alone, for whoever has the link, signed in or not."""
    try:
        share = sharing.share_by_token(token=token, partner_id=request.partner.pk, at=clock.now())
    except AnswerShare.DoesNotExist:
        raise Http404 from None
    if share.advice:
        context = {"share": share, "advice": share.advice} | advice_pages.answer(share.advice)
        return render(request, "planner/advice_shared.html", context)
    shown = pages.answer(share.plan) if share.plan and share.plan.run.result else {}
    return render(request, "planner/plan_shared.html", {"share": share, "plan": share.plan} | shown)


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
    return own_plan(request, int(word))


def _share(request: AccountRequest, answer: Plan | Advice) -> None:
    try:
        sharing.answer_share(answer=answer, user=request.user, now=clock.now())
    except RuleBroken as refusal:
        messages.warning(request, refusal.words)
    else:
        messages.success(request, "Whoever has the link below sees this answer and nothing else.")


def _unshare(request: AccountRequest, answer: Plan | Advice) -> None:
    sharing.answer_unshare(answer=answer, user=request.user, now=clock.now())
    messages.success(request, "The links to this answer lead nowhere any more.")
