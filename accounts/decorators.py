"""Doors of views: who must be signed in, and as what."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import Role
from accounts.requests import AccountRequest, TenantRequest
from accounts.roles import is_at_least

P = ParamSpec("P")
AccountView = Callable[Concatenate[AccountRequest, P], HttpResponse]
AnyView = Callable[Concatenate[HttpRequest, P], HttpResponse]


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


def role_required(least: str) -> Callable[[AccountView[P]], AnyView[P]]:
    """Let only members in whose role is at least this one, such as "buyer"."""

    def decorate(view: AccountView[P]) -> AnyView[P]:
        @wraps(view)
        def guarded(request: AccountRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not is_at_least(request.role, least):
                label = Role(request.role).label.lower()
                words = f"Your role in {request.account.name} is {label}. This takes {least}."
                raise PermissionDenied(words)
            return view(request, *args, **kwargs)

        return account_required(guarded)

    return decorate


def _to_sign_in(request: TenantRequest) -> HttpResponse:
    if request.htmx:
        # A fragment must not swap a whole sign-in page into a part of the page it stands in.
        page = request.htmx.current_url_abs_path or "/"
        return HttpResponseClientRedirect(redirect_to_login(page).url)
    return redirect_to_login(request.get_full_path())
