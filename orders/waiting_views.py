"""The fragment of the home page that says what waits for somebody."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.decorators import account_required
from accounts.requests import AccountRequest
from core.clock import now
from orders.waiting import waiting_for


@account_required
@require_safe
def order_waiting(request: AccountRequest) -> HttpResponse:
    """What to decide, what ends soon and what is under way; the first few of each."""
    waiting = waiting_for(account_id=request.account.pk, user=request.user, role=request.role, now=now())
    return render(request, "orders/waiting.html", {"waiting": waiting})
