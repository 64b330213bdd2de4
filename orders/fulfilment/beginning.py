"""Beginning: an order that may be carried out starts provisioning, and a failed one starts again."""

from datetime import datetime
from functools import partial

from django.db import transaction

from accounts.models import User
from core.errors import RuleBroken
from orders.fulfilment.creating import resources_create
from orders.fulfilment.drivers import DRIVERS
from orders.fulfilment.moving import resources_move
from orders.fulfilment.runs import PROVISION_KIND, run_for
from orders.fulfilment.settling import resources_of_order
from orders.locks import locked_order
from orders.models import Approval, BillingOrder, ResourceState
from orders.moves import THE_PRODUCT, order_move
from orders.states import OrderState


def order_fulfil_on_commit(*, order: BillingOrder, now: datetime) -> None:
    """Have the order begun once the present transaction is committed; should that fail, the ticker begins it."""
    begin = partial(order_fulfil, order_id=order.pk, account_id=order.account_id, now=now)
    transaction.on_commit(begin, robust=True)


@transaction.atomic
def order_fulfil(*, order_id: int, account_id: int, now: datetime) -> BillingOrder:
    """Begin provisioning where nothing stands in the way; an order that waits for approval or has begun stays as it is.

    An order that needs no approval is approved by this.
    """
    order = locked_order(order_id=order_id, account_id=account_id)
    if order.state == OrderState.PLACED and not Approval.objects.filter(order=order).exists():
        why = "No approval was needed."
        order_move(order=order, to_state=OrderState.APPROVED, user=None, now=now, why=why)
    if order.state != OrderState.APPROVED:
        return order
    resources_create(order=order, now=now)
    order_move(order=order, to_state=OrderState.PROVISIONING, user=None, now=now)
    _start(order, now=now)
    return order


@transaction.atomic
def order_retry(*, order_id: int, account_id: int, user: User, now: datetime) -> BillingOrder:
    """Provision again what failed, and only that.

    Raises BillingOrder.DoesNotExist, and RuleBroken where nothing failed.
    """
    order = locked_order(order_id=order_id, account_id=account_id)
    if order.state != OrderState.FAILED:
        words = f"{order} is {order.get_state_display().lower()}. Only a failed order is taken up again."
        raise RuleBroken("order_not_failed", words)
    failed = resources_of_order(order).filter(state=ResourceState.FAILED)
    count = resources_move(
        resources=failed, to_state=ResourceState.ORDERED, now=now, actor=user.email, why="Taken up again."
    )
    order_move(
        order=order, to_state=OrderState.PROVISIONING, user=user, now=now, why=f"{count:,} failed, taken up again."
    )
    _start(order, now=now)
    return order


def _start(order: BillingOrder, *, now: datetime) -> None:
    """Give what is ordered to workers, and to people what people do: that is theirs at once."""
    ordered = resources_of_order(order).filter(state=ResourceState.ORDERED)
    for name, driver in DRIVERS.items():
        resources = ordered.filter(driver=name)
        if driver.pieces_at_once:
            run_for(kind=PROVISION_KIND, order=order, driver=name, resources=resources, now=now)
        else:
            resources_move(resources=resources, to_state=ResourceState.PROVISIONING, now=now, actor=THE_PRODUCT)
