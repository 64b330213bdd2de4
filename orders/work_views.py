"""The work list of the operator's staff: what to set up by hand, what to give back, what provisioners are late with."""

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Count, Window
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.decorators import staff_required
from accounts.models import User
from core.clock import now
from core.errors import RuleBroken
from orders.forms import WorkForm
from orders.fulfilment import by_hand
from orders.fulfilment.selectors import work_to_do
from orders.models import Resource

WORK_ON_A_PAGE = 25


@require_http_methods(["GET", "HEAD", "POST"])
@staff_required
def work_list(request: HttpRequest) -> HttpResponse:
    """Show what there is to do; a form of it does one thing and comes back."""
    if request.method == "POST":
        form = WorkForm(request.POST)
        if form.is_valid():
            _do(request, form)
        else:
            messages.error(request, "Nothing was done: the page did not say what to do with which resource.")
        return redirect(f"{request.path}?page={form.data.get('page') or 1}")
    return render(request, "orders/work_list.html", {"page": _page(request.GET.get("page", ""))})


def _page(asked: str) -> Page[Resource]:
    """Return a page of the work, which brings along how much there is in all; beyond the last one the first."""
    number = int(asked) if asked.isdecimal() and 0 < len(asked) < 7 else 1
    start = (max(number, 1) - 1) * WORK_ON_A_PAGE
    found = list(work_to_do().annotate(in_all=Window(Count("pk")))[start : start + WORK_ON_A_PAGE])
    if not found and start:
        return _page("1")
    rows: list[Resource] = list(found)
    paginator = Paginator(rows, WORK_ON_A_PAGE)
    paginator.count = found[0].in_all if found else 0
    return Page(rows, max(number, 1), paginator)


def _do(request: HttpRequest, form: WorkForm) -> None:
    user = cast(User, request.user)
    what: UUID = form.cleaned_data["resource"]
    try:
        match form.cleaned_data["action"]:
            case "take":
                done = by_hand.resource_take(resource_uuid=what, user=user, now=now())
                words = f"{done} is yours to set up."
            case "active":
                done = by_hand.resource_mark_active(
                    resource_uuid=what, user=user, now=now(), external_id=form.cleaned_data["external_id"]
                )
                words = f"{done} is active, known as {done.external_id}."
            case "failed":
                done = by_hand.resource_mark_failed(
                    resource_uuid=what, user=user, now=now(), reason=form.cleaned_data["reason"]
                )
                words = f"{done} has failed; the buyer reads why."
            case _:
                done = by_hand.resource_mark_released(resource_uuid=what, user=user, now=now())
                words = f"{done} is gone."
        messages.success(request, words)
    except Resource.DoesNotExist:
        messages.error(request, "There is no such resource.")
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
