"""Presets and solutions: start an order from what fits together already."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from accounts.roles import can
from catalog.pricing import HOURS_PER_MONTH, Term
from core.clock import now
from core.errors import RuleBroken
from orders import composing
from orders.blueprint_offers import BlueprintOffer, blueprint_offers, blueprint_page
from orders.drafts import Draft, draft_for
from orders.models import BillingOrder
from orders.once import order_made_once


@dataclass(frozen=True)
class Conditions:
    """Where, on which term and for which draft blueprints are looked at."""

    location: str
    term: Term
    draft: Draft | None

    @property
    def hours_per_month(self) -> Decimal:
        return self.draft.order.hours_per_month if self.draft else HOURS_PER_MONTH


@account_required
@require_safe
def blueprint_list(request: AccountRequest) -> HttpResponse:
    try:
        conditions = _conditions(request, request.GET)
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
        return redirect("order-detail", int(request.GET["order"]))
    page = blueprint_page(
        account=request.account,
        location_key=conditions.location,
        term=conditions.term,
        hours_per_month=conditions.hours_per_month,
        at=now(),
    )
    order_id = conditions.draft.order.pk if conditions.draft else None
    context: dict[str, Any] = {
        "count": len(page.offers),
        "kinds": [
            (kind, [(offer, offer.compose_url(order_id)) for offer in same])
            for kind, same in groupby(page.offers, key=lambda offer: offer.kind)
        ],
        "conditions": conditions,
        "places": page.places,
        "terms": list(Term),
        "may_add": can(request.role, "draft"),
    }
    return render(request, "orders/blueprints.html", context)


@require_POST
@action_required("draft")
def blueprint_order(request: AccountRequest) -> HttpResponse:
    """Put all machines of a blueprint into a draft, or into a new one."""
    try:
        conditions = _conditions(request, request.POST)
        order_id = _keep(request, conditions) if conditions.draft else _begin(request, conditions)
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
        return (
            redirect("order-detail", int(request.POST["order"]))
            if request.POST.get("order")
            else redirect("blueprint-list")
        )
    return redirect("order-detail", order_id)


def _begin(request: AccountRequest, conditions: Conditions) -> int:
    return order_made_once(request, lambda: _keep(request, conditions))


def _keep(request: AccountRequest, conditions: Conditions) -> int:
    offer = next(iter(_offers(request, conditions, key_name=request.POST.get("blueprint", "") or "-")), None)
    if offer is None:
        raise Http404
    if conditions.draft:
        order = composing.containers_add(
            order_id=conditions.draft.order.pk,
            account_id=request.account.pk,
            compositions=offer.compositions,
            now=now(),
        )
        messages.success(request, f"Added: {offer.name}.")
        return order.pk
    order = composing.order_compose(
        account=request.account,
        user=request.user,
        name=offer.name,
        hours_per_month=conditions.hours_per_month,
        compositions=offer.compositions,
        now=now(),
    )
    messages.success(request, f"A new draft begins with {offer.name}.")
    return order.pk


def _offers(request: AccountRequest, conditions: Conditions, *, key_name: str = "") -> list[BlueprintOffer]:
    return blueprint_offers(
        account=request.account,
        location_key=conditions.location,
        term=conditions.term,
        hours_per_month=conditions.hours_per_month,
        at=now(),
        key_name=key_name,
    )


def _conditions(request: AccountRequest, query: QueryDict) -> Conditions:
    word, order = query.get("term", ""), query.get("order", "")
    draft = None
    if order:
        if not (order.isascii() and order.isdigit() and len(order) < 19):
            raise Http404
        try:
            draft = draft_for(order_id=int(order), account_id=request.account.pk)
        except BillingOrder.DoesNotExist:
            raise Http404 from None
    location = query.get("location", draft.location_key if draft else "")
    return Conditions(location, Term(word) if word in list(Term) else Term.MONTHLY, draft)
