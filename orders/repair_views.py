"""Repairing a draft with one click: one problem of it, or all that can be settled."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.decorators import action_required
from accounts.requests import AccountRequest
from core.clock import now
from core.errors import RuleBroken
from orders import repairing
from orders.models import BillingOrder
from orders.views import order_refused


@require_POST
@action_required("draft")
def order_repair(request: AccountRequest, order_id: int) -> HttpResponse:
    """Settle the problems that are named by code and field, or all of them where none is."""
    named = {(code, field) for code, _, field in (each.partition(" ") for each in request.POST.getlist("problem"))}
    try:
        left = repairing.order_repair(order_id=order_id, account_id=request.account.pk, now=now(), only=named or None)
    except BillingOrder.DoesNotExist:
        raise Http404 from None
    except RuleBroken as refusal:
        return order_refused(request, order_id, refusal)
    count = len(left.violations)
    rest = f"{count} thing{'s are' if count > 1 else ' is'} left to settle." if count else "Nothing is in the way now."
    messages.success(request, f"Repaired, at the prices of now. {rest}")
    return redirect("order-detail", order_id)
