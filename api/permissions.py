"""Who may call the API: somebody who acts for an account, in a role and with a key that allow what the call does."""

from typing import cast

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.models import ApiKey, Scope
from accounts.requests import TenantRequest
from accounts.roles import can


class HasAccount(BasePermission):
    """Asks for an account, and for a role that allows the view's action; a key that changes something may write.

    A view says in `to_read` and `to_change` which action of accounts/roles.py its calls are.
    """

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
            return can(tenant_request.role, getattr(view, "to_read", "read"))
        return _may_write(request) and can(tenant_request.role, getattr(view, "to_change", "draft"))


class IsOperator(BasePermission):
    """Asks for the operator's own people, whichever account they act for; a key that changes something may write."""

    message = "This call is for the operator's staff."
    code = "not_allowed"

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not (request.user.is_authenticated and request.user.is_staff):
            return False
        return request.method in SAFE_METHODS or _may_write(request)


def _may_write(request: Request) -> bool:
    key = request.auth
    return not isinstance(key, ApiKey) or key.scope == Scope.WRITE
