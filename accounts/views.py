"""Pages of accounts: home, sign-in, brand, the choice of an account, and keys."""

from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.decorators import account_required
from accounts.demo import DEMO_PASSWORD, demo_sign_ins_at
from accounts.forms import AccountSwitchForm, ApiKeyForm, SignInForm
from accounts.models import ApiKey
from accounts.requests import AccountRequest, TenantRequest
from accounts.roles import can
from accounts.selectors import api_keys_of
from accounts.services import account_choose, api_key_create, api_key_revoke
from core.clock import now
from core.errors import RuleBroken


@method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")
class SignIn(LoginView):
    """Sign in with e-mail and password, under the brand of the host."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        partner = cast(TenantRequest, self.request).partner
        demo = {"demo_sign_ins": demo_sign_ins_at(partner), "demo_password": DEMO_PASSWORD}
        return super().get_context_data(**demo, **kwargs)


@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    has_account = cast(TenantRequest, request).account is not None
    return render(request, "accounts/home.html" if has_account else "accounts/no_account.html")


@require_safe
@cache_control(public=True, max_age=300)
def brand_css(request: HttpRequest) -> HttpResponse:
    """The colours of the host's partner; a host of no partner keeps those of the style sheet."""
    # Rendered without the request, which would ask for the user and make the sheet depend on the cookie.
    sheet = render_to_string("accounts/brand.css", {"partner": cast(TenantRequest, request).partner})
    response = HttpResponse(sheet, content_type="text/css; charset=utf-8")
    patch_vary_headers(response, ["Host"])
    return response


@require_POST
@login_required
def account_switch(request: HttpRequest) -> HttpResponse:
    tenant_request = cast(AccountRequest, request)
    form = AccountSwitchForm(request.POST)
    if not form.is_valid():
        raise Http404
    try:
        account_choose(
            session=request.session, standings=tenant_request.standings, account_id=form.cleaned_data["account_id"]
        )
    except RuleBroken as refusal:
        raise Http404(refusal.words) from None
    return redirect("home")


@require_http_methods(["GET", "HEAD", "POST"])
@account_required
@never_cache
def api_key_list(request: AccountRequest) -> HttpResponse:
    """List the keys; make one and show its text this once."""
    form = ApiKeyForm(request.POST or None)
    new_key_text = None
    if request.method == "POST" and form.is_valid():
        try:
            _, new_key_text = api_key_create(
                account_id=request.account.pk, user_id=request.user.pk, now=now(), **form.cleaned_data
            )
            form = ApiKeyForm()
        except RuleBroken as refusal:
            form.add_error(refusal.violations[0].field or None, refusal.words)
    keys = _keys_in_sight(request)
    return render(request, "accounts/api_keys.html", {"form": form, "keys": keys, "new_key_text": new_key_text})


@require_POST
@account_required
def api_key_revoke_view(request: AccountRequest, key_id: int) -> HttpResponse:
    key = get_object_or_404(_keys_in_sight(request), pk=key_id)
    api_key_revoke(key_id=key.pk, now=now())
    return redirect("api-key-list")


def _keys_in_sight(request: AccountRequest) -> QuerySet[ApiKey]:
    return api_keys_of(account=request.account, user_id=request.user.pk, sees_all=can(request.role, "manage"))
