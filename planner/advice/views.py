"""Pages of advice: choose a workload, ask, wait, read the answer, order it."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from accounts.roles import can
from core import clock
from core.errors import InputRefused, RuleBroken
from jobs.models import RunState
from orders.once import order_made_once
from planner.advice import pages, services
from planner.advice.forms import AdviceForm
from planner.advice.models import Advice
from planner.advice.registry import KINDS
from planner.advice.selectors import advice_summaries
from planner.owned import own_advice
from planner.run_pages import run_stop, run_take_up, word_to_load_again
from planner.sharing import open_shares_of

ADVICE_ON_A_PAGE = 25
LONGEST_ADDRESS = 2000
"""Characters of a question that an address may carry; of a longer one the lists start from the defaults."""


@require_GET
@account_required
def advice_list(request: AccountRequest) -> HttpResponse:
    """Choose a workload from pictures; below stands what was asked before."""
    summaries = advice_summaries(account_id=request.account.pk)
    page = Paginator(summaries, ADVICE_ON_A_PAGE).get_page(request.GET.get("page"))
    for line in page:
        line["title"] = KINDS[line["kind"]].title
    context = {"page": page, "kinds": KINDS.values(), "can_plan": can(request.role, "plan")}
    return render(request, "planner/advice_list.html", context)


@require_http_methods(["GET", "POST"])
@action_required("plan")
def advice_new(request: AccountRequest, kind_key: str) -> HttpResponse:
    """Ask: the sentence with blanks, filled in from the address; posting it starts the run."""
    if kind_key not in KINDS:
        raise Http404
    kind = KINDS[kind_key]
    context: dict[str, Any] = {"kind": kind, "kinds": KINDS.values()}
    if request.method == "GET":
        defaults = {field.name: field.default for field in kind.fields}
        form = AdviceForm(initial=defaults | request.GET.dict(), kind=kind, partner_id=request.account.partner_id)
        return render(request, "planner/advice_new.html", context | {"form": form})
    form = AdviceForm(request.POST, request.FILES, kind=kind, partner_id=request.account.partner_id)
    if form.is_valid():
        try:
            advice = services.advice_start(
                account=request.account, user=request.user, kind=kind, words=form.words, now=clock.now()
            )
            return redirect("advice-detail", advice_id=advice.pk)
        except InputRefused as refusal:
            form.add_violations(refusal)
    return render(request, "planner/advice_new.html", context | {"form": form}, status=422)


@require_GET
@account_required
def advice_detail(request: AccountRequest, advice_id: int) -> HttpResponse:
    """The answer, or how far it is."""
    advice = own_advice(request, advice_id)
    context: dict[str, Any] = {
        "advice": advice,
        "change_url": _change_url(advice),
        "can_order": can(request.role, "draft"),
        "can_plan": can(request.role, "plan"),
        "can_quote": can(request.role, "quote"),
    }
    if advice.run.state != RunState.DONE:
        return render(request, "planner/advice_waiting.html", context | pages.progress(advice))
    context["shares"] = open_shares_of(answer=advice, at=clock.now())
    return render(request, "planner/advice_answer.html", context | pages.answer(advice))


@require_GET
@account_required
def advice_progress(request: AccountRequest, advice_id: int) -> HttpResponse:
    """Answer a poll: the progress panel while the advice is worked out, then a word to load the page again."""
    advice = own_advice(request, advice_id)
    if advice.run.is_finished:
        return word_to_load_again()
    return render(request, "planner/advice_progress.html", {"advice": advice} | pages.progress(advice))


@require_GET
@account_required
def advice_csv(request: AccountRequest, advice_id: int) -> HttpResponse:
    """Give the best configuration, those that lost and the front as a table for spreadsheets."""
    advice = own_advice(request, advice_id)
    response = HttpResponse(pages.answer_csv(advice), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="advice-{advice.pk}.csv"'
    return response


@require_POST
@action_required("plan")
def advice_cancel(request: AccountRequest, advice_id: int) -> HttpResponse:
    run_stop(request, own_advice(request, advice_id).run)
    return redirect("advice-detail", advice_id=advice_id)


@require_POST
@action_required("plan")
def advice_retry(request: AccountRequest, advice_id: int) -> HttpResponse:
    run_take_up(request, own_advice(request, advice_id).run)
    return redirect("advice-detail", advice_id=advice_id)


@require_POST
@action_required("plan")
def advice_delete(request: AccountRequest, advice_id: int) -> HttpResponse:
    advice = own_advice(request, advice_id)
    try:
        services.advice_delete(advice_id=advice.pk, account=request.account)
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
        return redirect("advice-detail", advice_id=advice_id)
    messages.success(request, f"“{advice.words}” is deleted.")
    return redirect("advice-list")


@require_POST
@action_required("draft")
def advice_order(request: AccountRequest, advice_id: int) -> HttpResponse:
    """Order a configuration of the answer: a draft with an item for each role, ready to be placed."""
    advice = own_advice(request, advice_id)

    def order() -> int:
        return services.advice_order(
            advice_id=advice.pk, account=request.account, user=request.user, key=_chosen(request), now=clock.now()
        ).pk

    try:
        return redirect("order-detail", order_id=order_made_once(request, order))
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
        return redirect("advice-detail", advice_id=advice_id)


@require_POST
@action_required("quote")
def advice_quote(request: AccountRequest, advice_id: int) -> HttpResponse:
    """Have a configuration of the answer quoted: the order and its quote in one step."""
    advice = own_advice(request, advice_id)

    def quote() -> int:
        return services.advice_quote(
            advice_id=advice.pk, account=request.account, user=request.user, key=_chosen(request), now=clock.now()
        ).pk

    try:
        return redirect("quote-detail", quote_id=order_made_once(request, quote))
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
        return redirect("advice-detail", advice_id=advice_id)


def _chosen(request: AccountRequest) -> str:
    return request.POST.get("configuration", "")


def _change_url(advice: Advice) -> str:
    """Return the address of the question with this demand filled in, without its lists where they are long."""
    lists = {field.name for field in KINDS[advice.kind].fields if field.is_list}
    typed = {name: text for name, text in advice.demand.items() if text}
    query = urlencode(typed)
    if len(query) > LONGEST_ADDRESS:
        query = urlencode({name: text for name, text in typed.items() if name not in lists})
    return f"{reverse('advice-new', args=[advice.kind])}?{query}"
