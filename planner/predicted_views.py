"""Fragments that pages of the rooms below fetch: what a configuration is predicted to do, and what that costs."""

from collections.abc import Sequence

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.decorators import account_required
from accounts.requests import AccountRequest
from catalog.forms import ConditionsForm
from catalog.models import Package
from catalog.pricing import HOURS_PER_MONTH, Term
from catalog.shelves import shelf_of
from core import clock
from core.errors import RuleBroken
from orders.compose_address import Asked, asked_in
from orders.composer import NotSoldAnywhere, compose
from orders.drafts import Draft, draft_for
from orders.models import BillingOrder
from orders.selectors import order_tree
from planner.measurements.calibrating import learnt_of
from planner.predicted import TEST_WORDS
from planner.predicted_reading import PredictedRow, row_of_composed, rows_of_order, rows_of_package, table_of


@require_safe
@account_required
def predicted_of_order(request: AccountRequest, order_id: int) -> HttpResponse:
    """Show what each container of an order is predicted to do; nothing for an order that is not the account's."""
    try:
        tree = order_tree(order_id=order_id, account_id=request.account.pk)
        rows = rows_of_order(tree, learnt=learnt_of(account_id=request.account.pk))
    except BillingOrder.DoesNotExist:
        rows = []
    return render(request, "planner/predicted_order.html", _context(rows))


@require_safe
@account_required
def predicted_of_package(request: AccountRequest, key_name: str) -> HttpResponse:
    """Show what the presets or machine types of a package are predicted to do, under the conditions in the address."""
    try:
        shelf = shelf_of(key_name=key_name)
    except Package.DoesNotExist:
        raise Http404 from None
    form = ConditionsForm(request.GET, places=shelf.places)
    form.is_valid()
    asked = form.cleaned_data
    place = shelf.place(asked.get("location"))
    if place is None:
        raise Http404
    rows = rows_of_package(
        shelf=shelf,
        account=request.account,
        place=place,
        term=Term(asked.get("term") or Term.MONTHLY),
        hours_per_month=asked.get("hours") or HOURS_PER_MONTH,
        at=clock.now(),
        learnt=learnt_of(account_id=request.account.pk),
    )
    return render(request, "planner/predicted_table.html", _context(rows) | {"table": table_of(rows)})


@require_safe
@account_required
def predicted_of_composed(request: AccountRequest) -> HttpResponse:
    """Show what the configuration in the composer's address is predicted to do."""
    asked = asked_in(request.GET)
    if not asked.package:
        return HttpResponse()
    try:
        shelf = shelf_of(key_name=asked.package)
        draft = _draft(request, asked)
        composed = compose(asked=asked, shelf=shelf, account=request.account, draft=draft, at=clock.now())
    except (Package.DoesNotExist, NotSoldAnywhere):
        raise Http404 from None
    row = row_of_composed(composed, learnt=learnt_of(account_id=request.account.pk))
    return render(request, "planner/predicted_list.html", _context([row]) | {"row": row})


def _context(rows: Sequence[PredictedRow]) -> dict[str, object]:
    notes = list(dict.fromkeys(note for row in rows for note in row.predicted.notes))
    has_array = any(row.predicted.arrays for row in rows)
    return {"rows": rows, "notes": notes, "test_words": TEST_WORDS if has_array else ""}


def _draft(request: AccountRequest, asked: Asked) -> Draft | None:
    """Return the draft that is composed for; its hours are its own."""
    if not asked.order:
        return None
    if not (asked.order.isascii() and asked.order.isdigit() and len(asked.order) < 19):
        raise Http404
    try:
        return draft_for(order_id=int(asked.order), account_id=request.account.pk)
    except (BillingOrder.DoesNotExist, RuleBroken):
        raise Http404 from None
