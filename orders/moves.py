"""Moving an order from state to state: the one function that does it, and who may no longer."""

from datetime import UTC, datetime

from accounts.models import User
from core.errors import RuleBroken
from core.models import AuditEntry
from orders.models import BillingOrder
from orders.states import OrderState, is_allowed

THE_PRODUCT = "Rackwright"


def order_move(*, order: BillingOrder, to_state: OrderState, user: User | None, now: datetime, why: str = "") -> None:
    """Save the order in its new state and write down who moved it; a move outside the table raises RuleBroken.

    Without a user the product itself moved it, as provisioning does.

    The caller holds the lock and has set what the new state implies, such as the time of placing.
    """
    if not is_allowed(order.state, to_state):
        words = f"{order} is {order.get_state_display().lower()} and cannot become {to_state.label.lower()}."
        raise RuleBroken("move_not_allowed", words)
    from_state = order.state
    order.state = to_state
    order.save()
    move_record(order=order, from_state=from_state, user=user, now=now, why=why)


def move_record(*, order: BillingOrder, from_state: str, user: User | None, now: datetime, why: str = "") -> None:
    """Write the audit entry of a move that has just been made; a new order comes from no state."""
    AuditEntry.objects.create(
        account_id=order.account_id,
        subject=order.subject,
        actor=user.email if user else THE_PRODUCT,
        from_state=from_state,
        to_state=order.state,
        why=why,
        at=now,
    )


def require_draft(order: BillingOrder) -> None:
    """Raise RuleBroken, in words that say who was first, unless the order can still be changed and placed."""
    if order.state == OrderState.DRAFT:
        return
    if order.placed_by and order.placed_at:
        words = f"{order.placed_by.display_name} placed this order on {time_words(order.placed_at)} as {order}."
        raise RuleBroken("order_already_placed", words)
    if order.state == OrderState.QUOTED:
        words = "This order is quoted. Accept the quote to place it, or withdraw the quote to change it."
        raise RuleBroken("order_quoted", words)
    words = f"This order is {order.get_state_display().lower()}. Only a draft can be changed or placed."
    raise RuleBroken("order_not_draft", words)


def time_words(at: datetime) -> str:
    """Return a time for people: 21 November 2026 at 12:03 UTC."""
    return f"{at.astimezone(UTC):%-d %B %Y at %H:%M} UTC"
