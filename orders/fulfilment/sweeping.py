"""What the ticker looks after: orders that nobody began, and resources whose run came to nothing."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from jobs.models import RunState
from orders.fulfilment.beginning import order_fulfil
from orders.fulfilment.moving import resources_move
from orders.fulfilment.settling import order_settle, resources_of_order
from orders.locks import locked_order
from orders.models import BillingOrder, CallbackReceipt, Resource, ResourceState
from orders.models.resources import NOT_THERE_YET
from orders.moves import THE_PRODUCT
from orders.states import OrderState

ORDERS_AT_ONCE = 20
RECEIPTS_KEPT = timedelta(days=1)
"""Much longer than a signature holds, so that no delivery can come again after its receipt is gone."""


def fulfilment_sweep(now: datetime) -> None:
    """Begin what may begin, and end what nobody works on any more."""
    needs_no_approval = Q(state=OrderState.PLACED, approval=None)
    waiting = BillingOrder.objects.filter(Q(state=OrderState.APPROVED) | needs_no_approval)
    for order in waiting.order_by("pk")[:ORDERS_AT_ONCE]:
        order_fulfil(order_id=order.pk, account_id=order.account_id, now=now)
    lost = Resource.objects.filter(state__in=NOT_THERE_YET, run__state__in=[RunState.FAILED, RunState.CANCELLED])
    orders = BillingOrder.objects.filter(items__containers__resources__in=lost).distinct()
    for order in orders.order_by("pk")[:ORDERS_AT_ONCE]:
        lost_fail(order_id=order.pk, account_id=order.account_id, now=now)
    CallbackReceipt.objects.filter(received_at__lt=now - RECEIPTS_KEPT).delete()


@transaction.atomic
def lost_fail(*, order_id: int, account_id: int, now: datetime) -> int:
    """Let the resources of an order fail whose run has ended without them; return how many did."""
    order = locked_order(order_id=order_id, account_id=account_id)
    lost = resources_of_order(order).filter(
        state__in=NOT_THERE_YET, run__state__in=[RunState.FAILED, RunState.CANCELLED]
    )
    failed = 0
    for reason in lost.order_by().values_list("run__reason", flat=True).distinct():
        failed += resources_move(
            resources=lost.filter(run__reason=reason),
            to_state=ResourceState.FAILED,
            now=now,
            actor=THE_PRODUCT,
            why=f"Provisioning broke off. {reason}".strip(),
        )
    order_settle(order=order, now=now)
    return failed
