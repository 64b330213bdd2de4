"""Pages of resources: those of an account and of an order, how far they are, taking up again and cancelling."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from core.clock import now
from core.errors import RuleBroken
from orders.forms import CancelForm
from orders.fulfilment import beginning, cancelling
from orders.fulfilment.presenting import choices_of, consequences_of, counts_of_one, heading_of, panel_of
from orders.fulfilment.selectors import Counts, counts_of, progress_of, resource_of, resources_of
from orders.models import BillingOrder, Resource, ResourceState
from orders.selectors import orders_of
from orders.states import OrderState

RESOURCES_ON_A_PAGE = 50


@account_required
@require_safe
def resource_list(request: AccountRequest) -> HttpResponse:
    """All machines and volumes of the account."""
    counts = counts_of(account_id=request.account.pk)
    return _list(request, counts=counts, order=None)


@account_required
@require_safe
def order_resources(request: AccountRequest, order_id: int) -> HttpResponse:
    """The machines and volumes of one order, of all its containers or of one."""
    order = _own_order(request, order_id)
    progress = progress_of(order_id=order.pk, account_id=order.account_id)
    container = request.GET.get("container", "")
    counts = progress.by_container.get(int(container), Counts({})) if container.isdecimal() else progress.counts
    return _list(request, counts=counts, order=order)


@account_required
@require_safe
def order_fulfilment(request: AccountRequest, order_id: int) -> HttpResponse:
    """Answer a poll: how far the order is, and a word to load the page again once that has come to an end."""
    order = _own_order(request, order_id)
    panel = panel_of(order=order, role=request.role)
    response = (
        render(request, "orders/fulfilment.html", {"order": order, "fulfilment": panel}) if panel else HttpResponse()
    )
    if order.state != OrderState.PROVISIONING:
        response["HX-Refresh"] = "true"
    return response


@require_POST
@action_required("place")
def order_retry(request: AccountRequest, order_id: int) -> HttpResponse:
    def retry() -> str:
        beginning.order_retry(order_id=order_id, account_id=request.account.pk, user=request.user, now=now())
        return "What failed is taken up again."

    return _do(request, order_id, retry)


@require_http_methods(["GET", "HEAD", "POST"])
@action_required("place")
def order_cancel_placed(request: AccountRequest, order_id: int) -> HttpResponse:
    order = _own_order(request, order_id)
    form = CancelForm(request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        counts = progress_of(order_id=order.pk, account_id=order.account_id).counts
        context = {"order": order, "form": form, "consequences": consequences_of(counts)}
        return render(request, "orders/cancel_placed.html", context)

    def cancel() -> str:
        cancelling.order_cancel_placed(
            order_id=order_id, account_id=request.account.pk, user=request.user, now=now(), **form.cleaned_data
        )
        return f"{order} is cancelled. Nothing more is owed for it from now on."

    return _do(request, order_id, cancel)


@require_http_methods(["GET", "HEAD", "POST"])
@action_required("place")
def resource_cancel(request: AccountRequest, resource_uuid: UUID) -> HttpResponse:
    try:
        resource = resource_of(account_id=request.account.pk, resource_uuid=resource_uuid)
    except Resource.DoesNotExist:
        raise Http404 from None
    order, form = resource.order, CancelForm(request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        consequences = consequences_of(counts_of_one(resource))
        context = {"order": order, "resource": resource, "form": form, "consequences": consequences}
        return render(request, "orders/cancel_placed.html", context)

    def cancel() -> str:
        cancelling.resource_cancel(
            resource_uuid=resource.uuid,
            account_id=request.account.pk,
            user=request.user,
            now=now(),
            **form.cleaned_data,
        )
        return f"{resource} is cancelled. Nothing more is owed for it from now on."

    return _do(request, order.pk, cancel)


def _list(request: AccountRequest, *, counts: Counts, order: BillingOrder | None) -> HttpResponse:
    state, container = request.GET.get("state", ""), request.GET.get("container", "")
    if state and state not in ResourceState.values:
        raise Http404
    resources = resources_of(account_id=request.account.pk)
    if order:
        resources = resources.filter(container__order_item__order=order)
    if order and container.isdecimal():
        resources = resources.filter(container_id=int(container))
    if state:
        resources = resources.filter(state=state)
    paginator = Paginator(resources, RESOURCES_ON_A_PAGE)
    # The counts by state say how many there are, so the database need not count them again.
    paginator.count = counts.of(ResourceState(state)) if state else counts.of(*ResourceState)
    choices = choices_of(counts, chosen=state, container=container if order else "")
    context: dict[str, Any] = {
        "order": order,
        "heading": heading_of(counts, state=order.state if order else OrderState.ACTIVE) if counts.by_state else "",
        "choices": choices,
        "page": paginator.get_page(request.GET.get("page")),
        "query": next((f"{choice.query}&" for choice in choices if choice.is_chosen and choice.query), ""),
    }
    return render(request, "orders/resource_list.html", context)


def _do(request: AccountRequest, order_id: int, action: Callable[[], str]) -> HttpResponse:
    """Do one thing to what was placed, and show its order with the words of success or refusal."""
    try:
        messages.success(request, action())
    except (BillingOrder.DoesNotExist, Resource.DoesNotExist):
        raise Http404 from None
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
    return redirect("order-detail", order_id)


def _own_order(request: AccountRequest, order_id: int) -> BillingOrder:
    try:
        return orders_of(account_id=request.account.pk).get(pk=order_id)
    except BillingOrder.DoesNotExist:
        raise Http404 from None
