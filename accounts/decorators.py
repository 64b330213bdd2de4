"""Doors of views: who must be signed in, and as what."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django_htmx.http import HttpResponseClientRedirect

from accounts.requests import AccountRequest, PartnerRequest, TenantRequest
from accounts.roles import allowed_words, can, role_words

READING = frozenset({"GET", "HEAD"})
P = ParamSpec("P")
AccountView = Callable[Concatenate[AccountRequest, P], HttpResponse]
AnyView = Callable[Concatenate[HttpRequest, P], HttpResponse]
PartnerView = Callable[Concatenate[PartnerRequest, P], HttpResponse]


def account_required(view: AccountView[P]) -> AnyView[P]:
    """Let only signed-in users in who act for an account; the others are shown the way to one."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        tenant_request = cast(TenantRequest, request)
        if not tenant_request.user.is_authenticated:
            return _to_sign_in(tenant_request)
        if tenant_request.account is None:
            return render(request, "accounts/no_account.html", status=403)
        return view(cast(AccountRequest, request), *args, **kwargs)

    return guarded


def action_required(action: str, *, to_read: str | None = None) -> Callable[[AccountView[P]], AnyView[P]]:
    """Let only those in whose role in the account allows this action of accounts/roles.py, such as "place".

    `to_read` is the action that looking takes, where more people may look than may change something.
    """

    def decorate(view: AccountView[P]) -> AnyView[P]:
        @wraps(view)
        def guarded(request: AccountRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            needed = to_read if to_read and request.method in READING else action
            if not can(request.role, needed):
                words = (
                    f"In {request.account.name} you are {role_words(request.role)}. This takes {allowed_words(needed)}."
                )
                raise PermissionDenied(words)
            return view(request, *args, **kwargs)

        return account_required(guarded)

    return decorate


def staff_required(view: AnyView[P]) -> AnyView[P]:
    """Let only the operator's own people in."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        tenant_request = cast(TenantRequest, request)
        if not tenant_request.user.is_authenticated:
            return _to_sign_in(tenant_request)
        if not tenant_request.user.is_staff:
            raise PermissionDenied("This page is for the operator's staff.")
        return view(request, *args, **kwargs)

    return guarded


def open_to_link_holders(view: PartnerView[P]) -> AnyView[P]:
    """Let everybody in who has the link, signed in or not: under a partner's address, and kept by nobody between."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        partner_request = cast(PartnerRequest, request)
        if partner_request.partner is None:
            raise Http404
        response = view(partner_request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex"
        return response

    return cache_control(no_store=True, private=True)(guarded)


def _to_sign_in(request: TenantRequest) -> HttpResponse:
    if request.htmx:
        # A fragment must not swap a whole sign-in page into a part of the page it stands in.
        page = request.htmx.current_url_abs_path or "/"
        return HttpResponseClientRedirect(redirect_to_login(page).url)
    return redirect_to_login(request.get_full_path())
