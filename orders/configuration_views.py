"""Pages of configurations: a link to one for others, the links of an account, and two of them side by side."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.decorators import account_required, action_required, open_to_link_holders
from accounts.requests import AccountRequest, PartnerRequest
from accounts.roles import can
from core.clock import now
from core.errors import RuleBroken
from core.paging import counted_page
from orders import sharing
from orders.comparing import compared, total_words
from orders.configuration_choices import choices_of
from orders.configurations import Configuration, NoConfiguration, configuration_of
from orders.forms import ShareForm
from orders.models import SharedConfiguration
from orders.shared_page import shared_page

LINKS_ON_A_PAGE = 25


@account_required
@require_safe
def configuration_list(request: AccountRequest) -> HttpResponse:
    """Show what the account has shared, each with its link while that leads somewhere."""
    shared = sharing.shared_configurations_of(account_id=request.account.pk)
    page = counted_page(shared, number=request.GET.get("page", ""), size=LINKS_ON_A_PAGE)
    rows = [
        {"shared": each, "state": sharing.shared_state(each, now=now()), "link": _link(request, each)} for each in page
    ]
    context = {"page": page, "rows": rows, "may_change": can(request.role, "quote")}
    return render(request, "orders/configuration_list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@action_required("quote")
def configuration_share(request: AccountRequest) -> HttpResponse:
    """Ask how long a link is to hold, and make it."""
    reference = request.POST.get("what", "") or request.GET.get("what", "")
    form = ShareForm(request.POST or None)
    if not reference:
        messages.info(request, "Open what is to be shared, and choose Share there.")
        return redirect("configuration-list")
    try:
        found = _configuration(request, reference)
        if request.method == "POST" and form.is_valid():
            sharing.configuration_share(
                account=request.account,
                name=found.name,
                asked=found.asked,
                document=found.document,
                user=request.user,
                now=now(),
                **form.cleaned_data,
            )
            messages.success(request, "Whoever has the link below sees this configuration and nothing else.")
            return redirect("configuration-list")
    except RuleBroken as refusal:
        return render(request, "orders/configuration_share.html", {"form": form, "refusal": refusal}, status=409)
    context = {"form": form, "found": found, "monthly": total_words(found.document, "monthly")}
    return render(request, "orders/configuration_share.html", context, status=422 if form.errors else 200)


@require_POST
@action_required("quote")
def configuration_revoke(request: AccountRequest, shared_id: int) -> HttpResponse:
    try:
        shared = sharing.configuration_revoke(
            shared_id=shared_id, account_id=request.account.pk, user=request.user, now=now()
        )
    except SharedConfiguration.DoesNotExist:
        raise Http404 from None
    messages.success(request, f"The link to “{shared}” leads nowhere any more.")
    return redirect("configuration-list")


@open_to_link_holders
@require_safe
def configuration_by_link(request: PartnerRequest, token: str) -> HttpResponse:
    """The configuration alone, for whoever has the link, signed in or not."""
    try:
        shared = sharing.shared_by_token(token=token, partner_id=request.partner.pk, at=now())
    except SharedConfiguration.DoesNotExist:
        raise Http404 from None
    may_compose = request.account is not None
    page = shared_page(shared, may_compose=may_compose)
    context = {"shared": shared, "page": page, "may_compose": may_compose, "reference": f"shared:{token}"}
    return render(request, "orders/configuration_shared.html", context)


@account_required
@require_safe
def order_compare(request: AccountRequest) -> HttpResponse:
    """Set two configurations side by side; without two of them show the choice of both."""
    asked = [_reference(request.GET.get(name, "")) for name in ("a", "b")]
    context: dict[str, Any] = {"a": asked[0], "b": asked[1]}
    found: list[Configuration] = []
    try:
        found = [_configuration(request, reference) for reference in asked if reference]
    except RuleBroken as refusal:
        context["refusal"] = refusal
    if len(found) == len(asked):
        one, other = found
        sections = compared(one.document, other.document)
        differences = sum(row.is_different for section in sections for row in section.rows)
        context |= {"one": one, "other": other, "sections": sections, "differences": differences}
    context["groups"] = choices_of(account_id=request.account.pk, chosen=found, at=now())
    return render(request, "orders/order_compare.html", context, status=409 if "refusal" in context else 200)


def _configuration(request: AccountRequest, reference: str) -> Configuration:
    try:
        return configuration_of(reference=reference, account=request.account, at=now())
    except NoConfiguration:
        raise Http404 from None


def _reference(word: str) -> str:
    """Return a reference as it was written; a bare number is that of an order."""
    return f"order:{word}" if word.isascii() and word.isdigit() else word


def _link(request: HttpRequest, shared: SharedConfiguration) -> str:
    return request.build_absolute_uri(reverse("configuration-shared", args=[shared.token]))
