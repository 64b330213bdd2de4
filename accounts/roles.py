"""Who may do what in an account: one table for pages and programs."""

from accounts.models import Role

RANK = {role.value: rank for rank, role in enumerate(Role)}
LEAST_ROLE_FOR = {
    "read": Role.VIEWER,
    "plan": Role.BUYER,
    "draft": Role.BUYER,
    "place": Role.BUYER,
    "approve": Role.APPROVER,
    "manage": Role.OWNER,
}


def is_at_least(role: str | None, least: str) -> bool:
    """Tell whether the role may do what `least` may; no role at all may do nothing."""
    return role is not None and RANK[role] >= RANK[least]


def can(role: str | None, action: str) -> bool:
    """Tell whether the role allows the action: read, plan, draft, place, approve or manage."""
    return is_at_least(role, LEAST_ROLE_FOR[action])
