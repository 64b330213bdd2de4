"""The states of an order and the moves between them: one table for code, docs and tests."""

from django.db import models


class OrderState(models.TextChoices):
    DRAFT = "draft", "Draft"
    QUOTED = "quoted", "Quoted"
    PLACED = "placed", "Placed"
    PENDING_APPROVAL = "pending_approval", "Pending approval"
    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"
    PROVISIONING = "provisioning", "Provisioning"
    ACTIVE = "active", "Active"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


ALLOWED_MOVES: dict[OrderState, frozenset[OrderState]] = {
    OrderState.DRAFT: frozenset({OrderState.QUOTED, OrderState.PLACED, OrderState.CANCELLED}),
    OrderState.QUOTED: frozenset({OrderState.DRAFT, OrderState.PLACED, OrderState.CANCELLED}),
    OrderState.PLACED: frozenset({OrderState.PENDING_APPROVAL, OrderState.APPROVED, OrderState.CANCELLED}),
    OrderState.PENDING_APPROVAL: frozenset({OrderState.APPROVED, OrderState.REJECTED, OrderState.CANCELLED}),
    OrderState.APPROVED: frozenset({OrderState.PROVISIONING, OrderState.CANCELLED}),
    OrderState.REJECTED: frozenset(),
    OrderState.PROVISIONING: frozenset({OrderState.ACTIVE, OrderState.FAILED, OrderState.CANCELLED}),
    OrderState.ACTIVE: frozenset({OrderState.CANCELLED}),
    OrderState.FAILED: frozenset({OrderState.PROVISIONING, OrderState.CANCELLED}),
    OrderState.CANCELLED: frozenset(),
}

NOT_YET_PLACED = frozenset({OrderState.DRAFT, OrderState.QUOTED})
"""States without a number, a buyer and a time of placing. A cancelled order may have been placed or not."""
ONCE_PLACED = frozenset(OrderState) - NOT_YET_PLACED - {OrderState.CANCELLED}
USUAL_WAY = (
    OrderState.DRAFT,
    OrderState.PLACED,
    OrderState.APPROVED,
    OrderState.PROVISIONING,
    OrderState.ACTIVE,
)
"""The states of an order that nobody had to quote, to approve or to repair."""


def is_allowed(move_from: str, move_to: str) -> bool:
    return OrderState(move_to) in ALLOWED_MOVES[OrderState(move_from)]


def states_ahead(state: str) -> tuple[OrderState, ...]:
    """Return the states that lie ahead on the usual way; none where the way has ended."""
    passed = {OrderState.QUOTED: OrderState.DRAFT, OrderState.PENDING_APPROVAL: OrderState.PLACED}
    at = passed.get(OrderState(state), OrderState(state))
    return USUAL_WAY[USUAL_WAY.index(at) + 1 :] if at in USUAL_WAY else ()
