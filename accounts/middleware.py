"""Every request learns under which partner, and for which account, it is made."""

from collections.abc import Callable
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import split_domain_port
from django.shortcuts import render

from accounts.models import Partner
from accounts.requests import TenantRequest
from accounts.selectors import membership_chosen, memberships_of, partner_of_host
from accounts.services import SESSION_ACCOUNT

NEEDS_NO_PARTNER = frozenset({"healthz"})
NEEDS_NO_USER = frozenset({"brand-css", "sign-in", "sign-out"})


class TenantMiddleware:
    """Sets `partner`, `account`, `role` and `memberships` once the address is known to lead somewhere."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request = cast(TenantRequest, request)
        request.account = None
        request.role = None
        request.memberships = []
        return self.get_response(request)

    def process_view(
        self, request: TenantRequest, view: Callable[..., HttpResponse], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name in NEEDS_NO_PARTNER:
            return None
        request.partner = partner_of_request(request)
        if name in NEEDS_NO_USER:
            return None
        return _recognise_user(request)


def partner_of_request(request: HttpRequest) -> Partner | None:
    """Return the partner of the host that the request was sent to, if the host is a partner's."""
    host, _ = split_domain_port(request.get_host())
    return partner_of_host(host)


def _recognise_user(request: TenantRequest) -> HttpResponse | None:
    """Find the account that a signed-in user acts for; refuse a user of other partners only."""
    user = request.user
    if not user.is_authenticated:
        return None
    partner = request.partner
    memberships = list(memberships_of(user_id=user.pk, partner_id=partner.pk if partner else None))
    if partner and not memberships and not user.is_staff:
        return _refuse_stranger(request, partner)
    chosen = membership_chosen(memberships, request.session.get(SESSION_ACCOUNT))
    request.memberships = memberships
    if chosen:
        request.account = chosen.account
        request.role = chosen.role
    return None


def _refuse_stranger(request: TenantRequest, partner: Partner) -> HttpResponse:
    words = f"You have no account with {partner.name}."
    if request.path_info.startswith("/api/"):
        return JsonResponse({"code": "wrong_partner", "message": words, "violations": []}, status=403)
    return render(request, "accounts/wrong_partner.html", {"words": words}, status=403)
