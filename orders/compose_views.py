"""The composer: one container configured by hand. Its address is all it remembers."""

from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from accounts.roles import can
from catalog.browsing import package_listings
from catalog.models import Package
from catalog.shelves import shelf_of
from core.clock import now
from core.errors import RuleBroken
from orders import composing
from orders.compose_address import Asked, asked_in
from orders.compose_page import page_of
from orders.composer import Composed, NotSoldAnywhere, compose
from orders.composing import Composition
from orders.configurations import composed_reference
from orders.drafts import Draft, asked_for, container_of, draft_for
from orders.models import BillingOrder, OrderContainer
from orders.once import order_made_once


@require_http_methods(["GET", "HEAD", "POST"])
@account_required
def compose_page(request: AccountRequest) -> HttpResponse:
    """Show what the address describes; posting the form leads to the address of what was typed."""
    if request.method == "POST":
        return redirect(asked_in(request.POST).url)
    asked = asked_in(request.GET)
    try:
        draft = _draft(request, asked)
    except RuleBroken as refusal:
        return _to_order(request, asked, refusal)
    if asked.container and draft and not asked.package:
        asked = _from_container(request, asked)
    if not asked.package:
        return _start(request, asked, draft)
    return _composer(request, asked, draft)


@require_POST
@action_required("draft")
def compose_add(request: AccountRequest) -> HttpResponse:
    """Put what was composed into its draft, or into a new one, and show the draft."""
    asked = asked_in(request.POST)
    try:
        draft = _draft(request, asked)
    except RuleBroken as refusal:
        return _to_order(request, asked, refusal)
    composed = _composed(request, asked, draft)
    if composed.composition is None:
        return _composer(request, asked, draft, composed=composed, status=422)
    try:
        order_id = _kept(request, composed, composed.composition, draft)
    except OrderContainer.DoesNotExist:
        raise Http404 from None
    except RuleBroken as refusal:
        return _composer(request, asked, draft, composed=composed, refusal=refusal, status=409)
    if request.POST.get("then") == "another":
        return redirect(Asked(order=str(order_id)).url)
    return redirect("order-detail", order_id)


def _start(request: AccountRequest, asked: Asked, draft: Draft | None) -> HttpResponse:
    """Ask what the container is to be."""
    listings = package_listings(account=request.account, at=now())
    starts = [
        (package, replace(asked, package=package.key_name).url) for package in listings if package.location_key_names
    ]
    return render(request, "orders/compose_start.html", {"starts": starts, "asked": asked, "draft": draft})


def _composer(
    request: AccountRequest,
    asked: Asked,
    draft: Draft | None,
    *,
    composed: Composed | None = None,
    refusal: RuleBroken | None = None,
    status: int = 200,
) -> HttpResponse:
    composed = composed or _composed(request, asked, draft)
    context = page_of(composed) | {
        "draft": draft,
        "refusal": refusal,
        "may_add": can(request.role, "draft"),
        "may_share": can(request.role, "quote"),
        "reference": composed_reference(composed.asked),
        "start_url": Asked(order=asked.order, container=asked.container).url,
    }
    if not request.htmx:
        return render(request, "orders/compose.html", context, status=status)
    response = render(request, "orders/compose_parts.html", context)
    response["HX-Push-Url" if _is_new_choice(request, composed) else "HX-Replace-Url"] = composed.asked.url
    return response


def _is_new_choice(request: AccountRequest, composed: Composed) -> bool:
    """Tell whether more than a search changed: then Back undoes it."""
    before = request.htmx.current_url_abs_path or ""
    return "?" not in before or replace(composed.asked, searches=None).url not in before


def _composed(request: AccountRequest, asked: Asked, draft: Draft | None) -> Composed:
    try:
        shelf = shelf_of(key_name=asked.package)
        return compose(asked=asked, shelf=shelf, account=request.account, draft=draft, at=now())
    except (Package.DoesNotExist, NotSoldAnywhere):
        raise Http404 from None


def _to_order(request: AccountRequest, asked: Asked, refusal: RuleBroken) -> HttpResponse:
    """Show the order that is no draft any more, and say why nothing can be added to it."""
    messages.error(request, refusal.words)
    return redirect("order-detail", _number(asked.order))


def _kept(request: AccountRequest, composed: Composed, composition: Composition, draft: Draft | None) -> int:
    """Store the container; a form that begins a draft or adds to one, and is sent twice, does so once."""
    if composed.asked.container:
        return _keep(request, composed, composition, draft)
    return order_made_once(request, lambda: _keep(request, composed, composition, draft))


def _keep(request: AccountRequest, composed: Composed, composition: Composition, draft: Draft | None) -> int:
    """Store the container where the address says; return the order's id."""
    compositions, account_id = [composition], request.account.pk
    words = f"{composed.quantity:,} × {composition.item_name}: {composed.totals.monthly} a month."
    if draft is None:
        order = composing.order_compose(
            account=request.account,
            user=request.user,
            name=composition.item_name,
            hours_per_month=composed.hours_per_month,
            compositions=compositions,
            now=now(),
            promotion_code=composed.promotion_code,
        )
        messages.success(request, f"A new draft begins with {words}")
        return order.pk
    order_id = draft.order.pk
    if composed.asked.container:
        composing.container_change(
            order_id=order_id,
            container_id=_number(composed.asked.container),
            account_id=account_id,
            composition=composition,
            now=now(),
        )
        messages.success(request, f"Changed: {words}")
    else:
        composing.containers_add(order_id=order_id, account_id=account_id, compositions=compositions, now=now())
        messages.success(request, f"Added: {words}")
    return order_id


def _draft(request: AccountRequest, asked: Asked) -> Draft | None:
    if not asked.order:
        return None
    try:
        return draft_for(
            order_id=_number(asked.order),
            account_id=request.account.pk,
            changed_container_id=_number(asked.container) if asked.container else None,
        )
    except BillingOrder.DoesNotExist:
        raise Http404 from None


def _from_container(request: AccountRequest, asked: Asked) -> Asked:
    try:
        container = container_of(
            order_id=_number(asked.order), container_id=_number(asked.container), account_id=request.account.pk
        )
    except OrderContainer.DoesNotExist:
        raise Http404 from None
    return replace(asked_for(container), order=asked.order, container=asked.container)


def _number(word: str) -> int:
    """Read an id in an address; what is none leads nowhere."""
    if not (word.isascii() and word.isdigit() and len(word) < 19):
        raise Http404
    return int(word)
