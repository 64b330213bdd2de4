"""Programs sign in with an API key: `Authorization: Api-Key rw_…`."""

from typing import Any, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from accounts.middleware import host_of, partner_of_request
from accounts.models import ApiKey, User
from accounts.requests import TenantRequest
from accounts.services import KEY_SCHEME, ProvenKey, api_key_verify
from core.clock import now


class ApiKeyAuthentication(BaseAuthentication):
    """Makes the request one of the key's user, for the key's account."""

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        keyword, _, text = request.headers.get("Authorization", "").partition(" ")
        if keyword.lower() != KEY_SCHEME.lower():
            return None
        tenant_request = cast(TenantRequest, request._request)
        proven = api_key_verify(text=text.strip(), host=host_of(tenant_request), now=now())
        if proven is None:
            raise AuthenticationFailed("This key is unknown or revoked.", code="api_key_refused")
        _act_for_account(tenant_request, proven)
        return proven.key.user, proven.key

    def authenticate_header(self, request: Request) -> str:
        return KEY_SCHEME


def _act_for_account(request: TenantRequest, proven: ProvenKey) -> None:
    if not proven.is_at_home:
        words = f"This key does not belong to {partner_of_request(request)}."
        raise PermissionDenied(words, code="wrong_partner")
    if proven.role is None:
        raise AuthenticationFailed("The user of this key has left the account.", code="api_key_refused")
    account = proven.key.account
    request.partner = account.partner
    request.account = account
    request.role = proven.role


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
