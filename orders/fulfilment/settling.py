"""The state of an order follows from those of its resources."""

from datetime import datetime

from django.db.models import Count, QuerySet

from accounts.models import User
from core.models import OutboxEvent
from orders.fulfilment.states import outcome_of
from orders.models import BillingOrder, Resource, ResourceState
from orders.models.resources import NOT_THERE_YET
from orders.moves import order_move
from orders.states import OrderState

ONCE_BEGUN = frozenset({OrderState.PROVISIONING, OrderState.ACTIVE, OrderState.FAILED})
BEFORE_THE_BEGINNING = frozenset({OrderState.PLACED, OrderState.PENDING_APPROVAL, OrderState.APPROVED})
REASONS_NAMED = 2


def resources_of_order(order: BillingOrder) -> QuerySet[Resource]:
    return Resource.objects.filter(container__order_item__order=order)


def order_settle(*, order: BillingOrder, now: datetime, user: User | None = None, why: str = "") -> None:
    """Move a locked order to what its resources make of it, where that is another state than its own.

    Before provisioning begins they can only make it cancelled, by being cancelled one after the other.
    """
    if order.state not in ONCE_BEGUN | BEFORE_THE_BEGINNING:
        return
    resources = resources_of_order(order)
    if resources.filter(state__in=NOT_THERE_YET).exists():
        return
    counts = dict(resources.order_by().values_list("state").annotate(Count("pk")))
    outcome = outcome_of(counts)
    if outcome == order.state or (order.state in BEFORE_THE_BEGINNING and outcome != OrderState.CANCELLED):
        return
    if order.state == OrderState.FAILED and outcome == OrderState.ACTIVE:
        order_move(order=order, to_state=OrderState.PROVISIONING, user=user, now=now, why="No failed piece is left.")
    order_move(order=order, to_state=outcome, user=user, now=now, why=why or _why(outcome, resources, counts))
    order_tell(order=order, now=now)


def order_tell(*, order: BillingOrder, now: datetime) -> None:
    """Write down, for the outside, what the order has become."""
    OutboxEvent.objects.create(
        account_id=order.account_id,
        kind=f"order.{order.state}",
        subject=order.subject,
        payload={"order_id": order.pk, "number": order.number},
        created_at=now,
    )


def _why(outcome: OrderState, resources: QuerySet[Resource], counts: dict[str, int]) -> str:
    if outcome == OrderState.CANCELLED:
        return "Every piece was cancelled."
    if outcome != OrderState.FAILED:
        return ""
    failed = resources.filter(state=ResourceState.FAILED)
    reasons = failed.order_by().values_list("reason", flat=True).distinct()[:REASONS_NAMED]
    there = sum(counts.values()) - counts.get(ResourceState.CANCELLED, 0)
    return f"{counts[ResourceState.FAILED]:,} of {there:,} failed: {' '.join(reasons)}"[:300]
