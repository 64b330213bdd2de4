"""Presets and solutions: start an order from what fits together already."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from accounts.roles import can
from catalog.models import Blueprint
from catalog.pricing import HOURS_PER_MONTH, Term
from core.clock import now
from core.errors import InputRefused, RuleBroken, Violation
from orders import composing
from orders.blueprint_offers import BlueprintOffer, blueprint_page
from orders.blueprint_ordering import BlueprintAsked, BlueprintLook, blueprint_look
from orders.blueprint_sizes import node_groups, sharing_words, size_fields, sizes_typed
from orders.configurations import blueprint_reference
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

    @property
    def query(self) -> str:
        """What an address says of them."""
        order = {"order": str(self.draft.order.pk)} if self.draft else {}
        return "?" + urlencode({"location": self.location, "term": self.term.value} | order)


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
            (kind, [(offer, offer.compose_url(order_id), _reference(offer, conditions)) for offer in same])
            for kind, same in groupby(page.offers, key=lambda offer: offer.kind)
        ],
        "conditions": conditions,
        "places": page.places,
        "terms": list(Term),
        "may_add": can(request.role, "draft"),
        "may_share": can(request.role, "quote"),
    }
    return render(request, "orders/blueprints.html", context)


@account_required
@require_safe
def blueprint_detail(request: AccountRequest, key_name: str) -> HttpResponse:
    """One blueprint: how many machines of each kind, where its services stand, what it costs."""
    try:
        conditions = _conditions(request, request.GET)
        look, problems = _look(request, conditions, key_name, request.GET)
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
        return redirect("order-detail", int(request.GET["order"]))
    except Blueprint.DoesNotExist:
        raise Http404 from None
    always, apart = size_fields(look.offer, typed=_texts(request.GET), problems=problems)
    context: dict[str, Any] = {
        "offer": look.offer,
        "always": always,
        "apart": apart,
        "sharing": sharing_words(look.offer),
        "groups": node_groups(look.offer),
        "problems": [problem for problem in problems if problem not in look.offer.violations],
        "conditions": conditions,
        "places": look.page.places,
        "terms": list(Term),
        "may_add": can(request.role, "draft"),
        "may_share": can(request.role, "quote"),
        "reference": _reference(look.offer, conditions),
    }
    return render(request, "orders/blueprint_detail.html", context)


@require_POST
@action_required("draft")
def blueprint_order(request: AccountRequest) -> HttpResponse:
    """Put all machines of a blueprint into a draft, or into a new one."""
    try:
        conditions = _conditions(request, request.POST)
        order_id = _keep(request, conditions) if conditions.draft else _begin(request, conditions)
    except InputRefused:
        # Nothing was made; the blueprint's own page names every problem beside its field.
        typed = request.POST.copy()
        typed.pop("csrfmiddlewaretoken", None)
        key_name = typed.pop("blueprint")[-1]
        return redirect(f"{reverse('blueprint', args=[key_name])}?{typed.urlencode()}")
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
        return (
            redirect("order-detail", int(request.POST["order"]))
            if request.POST.get("order")
            else redirect("blueprint-list")
        )
    return redirect("order-detail", order_id)


def _reference(offer: BlueprintOffer, conditions: Conditions) -> str:
    return blueprint_reference(offer, location_key=conditions.location, term=conditions.term)


def _begin(request: AccountRequest, conditions: Conditions) -> int:
    return order_made_once(request, lambda: _keep(request, conditions))


def _keep(request: AccountRequest, conditions: Conditions) -> int:
    try:
        look, problems = _look(request, conditions, request.POST.get("blueprint", "") or "-", request.POST)
    except Blueprint.DoesNotExist:
        raise Http404 from None
    if problems:
        raise InputRefused(tuple(problems))
    if conditions.draft:
        order = composing.containers_add(
            order_id=conditions.draft.order.pk,
            account_id=request.account.pk,
            compositions=look.offer.compositions,
            now=now(),
        )
        messages.success(request, f"Added: {look.offer.name}.")
        return order.pk
    order = composing.order_compose(
        account=request.account,
        user=request.user,
        name=look.offer.name,
        hours_per_month=conditions.hours_per_month,
        compositions=look.offer.compositions,
        now=now(),
    )
    messages.success(request, f"A new draft begins with {look.offer.name}.")
    return order.pk


def _look(
    request: AccountRequest, conditions: Conditions, key_name: str, query: QueryDict
) -> tuple[BlueprintLook, list[Violation]]:
    """Return a blueprint with the numbers of machines that were typed, and what is wrong with them.

    A role that is not sold in the location is no problem here: the page says where it can be had.
    """
    roles, unread = sizes_typed(_texts(query))
    asked = BlueprintAsked(
        key_name=key_name,
        location_key=conditions.location,
        term=conditions.term,
        hours_per_month=conditions.hours_per_month,
        roles=roles,
    )
    look = blueprint_look(account=request.account, asked=asked, at=now())
    return look, [*unread, *(problem for problem in look.problems if problem.code != "location_not_sold")]


def _texts(query: QueryDict) -> dict[str, str]:
    return {name: str(value) for name, value in query.items()}


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
