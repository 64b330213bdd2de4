"""Who may call the API: a member of an account, and for changes one whose role and key allow them."""

from typing import cast

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.models import ApiKey, Scope
from accounts.requests import TenantRequest
from accounts.roles import can


class HasAccount(BasePermission):
    """Reading takes an account; changing also takes a buyer's role and, where a key is used, one that may write."""

    message = "Sign in, or use a key, for an account in which you may do this."
    code = "not_allowed"

    def has_permission(self, request: Request, view: APIView) -> bool:
        # The user is found by asking; only then is it known for which account the request is made.
        if not request.user.is_authenticated:
            return False
        tenant_request = cast(TenantRequest, request._request)
        if tenant_request.account is None:
            return False
        if request.method in SAFE_METHODS:
            return True
        key = request.auth
        key_may_write = not isinstance(key, ApiKey) or key.scope == Scope.WRITE
        return key_may_write and can(tenant_request.role, "draft")
