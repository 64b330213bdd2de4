"""Every request learns under which partner, and for which account, it is made."""

from collections.abc import Callable
from typing import Any, cast
from urllib.parse import unquote

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import split_domain_port
from django.shortcuts import render

from accounts.models import Partner
from accounts.requests import TenantRequest
from accounts.selectors import partner_of_host, standing_chosen
from accounts.services import KEY_SCHEME, SESSION_ACCOUNT
from accounts.visits import visiting

NULL = "\0"
NEEDS_NO_PARTNER = frozenset({"healthz"})
NEEDS_NO_USER = frozenset({"brand-css", "quote-shared", "sign-in", "sign-out"})


class TenantMiddleware:
    """Sets what a TenantRequest says, once the address is known to lead somewhere."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request = cast(TenantRequest, request)
        request.account = None
        request.role = None
        request.standings = []
        request.serves_partner = False
        return self.get_response(request)

    def process_view(
        self, request: TenantRequest, view: Callable[..., HttpResponse], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        if _holds_null_character(request):
            raise Http404
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name in NEEDS_NO_PARTNER:
            return None
        if name in NEEDS_NO_USER:
            request.partner = partner_of_request(request)
            return None
        if _brings_key(request):
            # The door for programs finds key, user, role and partner in one question.
            request.partner = None
            return None
        return _recognise_user(request)


def partner_of_request(request: HttpRequest) -> Partner | None:
    """Return the partner of the host that the request was sent to, if the host is a partner's."""
    return partner_of_host(host_of(request))


def host_of(request: HttpRequest) -> str:
    """Return the host that the request was sent to, without its port."""
    return split_domain_port(request.get_host())[0]


def _holds_null_character(request: HttpRequest) -> bool:
    """Tell whether the address or a form holds what PostgreSQL takes in no text: then it means nothing that is stored.

    What programs send is checked where it is read, so that the refusal names the field.
    """
    if request.path_info.startswith("/api/"):
        return NULL in request.path_info
    sent = (text for name, values in request.POST.lists() for text in (name, *values))
    return any(NULL in text for text in (request.path_info, unquote(request.META.get("QUERY_STRING", "")), *sent))


def _brings_key(request: HttpRequest) -> bool:
    scheme = request.headers.get("Authorization", "").partition(" ")[0]
    return request.path_info.startswith("/api/") and scheme.lower() == KEY_SCHEME.lower()


def _recognise_user(request: TenantRequest) -> HttpResponse | None:
    """Find the account that a signed-in user acts for; refuse a user of other partners only."""
    host = host_of(request)
    with visiting(host) as visit:
        user = request.user
        if not user.is_authenticated:
            request.partner = partner_of_host(host)
            return None
        partner, standings, serves_partner = visit.tenancy(user=user)
    request.partner, request.standings, request.serves_partner = partner, standings, serves_partner
    if partner and not standings and not serves_partner and not user.is_staff:
        return _refuse_stranger(request, partner)
    chosen = standing_chosen(standings, request.session.get(SESSION_ACCOUNT))
    if chosen:
        request.account = chosen.account
        request.role = chosen.role
    return None


def _refuse_stranger(request: TenantRequest, partner: Partner) -> HttpResponse:
    words = f"You have no account with {partner.name}."
    if request.path_info.startswith("/api/"):
        return JsonResponse({"code": "wrong_partner", "message": words, "violations": []}, status=403)
    return render(request, "accounts/wrong_partner.html", {"words": words}, status=403)
