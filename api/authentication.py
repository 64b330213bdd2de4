"""Programs sign in with an API key: `Authorization: Api-Key rw_…`."""

from typing import Any, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from accounts.models import ApiKey, User
from accounts.requests import TenantRequest
from accounts.selectors import role_in
from accounts.services import api_key_verify
from core.clock import now

KEYWORD = "Api-Key"


class ApiKeyAuthentication(BaseAuthentication):
    """Makes the request one of the key's user, for the key's account."""

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        keyword, _, text = request.headers.get("Authorization", "").partition(" ")
        if keyword.lower() != KEYWORD.lower():
            return None
        key = api_key_verify(text=text.strip(), now=now())
        if key is None:
            raise AuthenticationFailed("This key is unknown or revoked.", code="api_key_refused")
        _act_for_account(cast(TenantRequest, request._request), key)
        return key.user, key

    def authenticate_header(self, request: Request) -> str:
        return KEYWORD


def _act_for_account(request: TenantRequest, key: ApiKey) -> None:
    if request.partner and request.partner.pk != key.account.partner_id:
        raise PermissionDenied(f"This key does not belong to {request.partner.name}.", code="wrong_partner")
    role = role_in(user_id=key.user_id, account_id=key.account_id)
    if role is None:
        raise AuthenticationFailed("The user of this key has left the account.", code="api_key_refused")
    request.account = key.account
    request.role = role


class ApiKeyScheme(OpenApiAuthenticationExtension):
    """How the API description names the key."""

    target_class = ApiKeyAuthentication
    name = "apiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "A key from the page “Keys”, written as `Api-Key rw_…`.",
        }
