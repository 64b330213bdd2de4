"""Cancelling what was placed: a whole order or one piece of it. What was there is given back; billing ends at once."""

from collections import Counter
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from core.errors import RuleBroken
from orders.fulfilment.drivers import DRIVERS
from orders.fulfilment.moving import resources_move
from orders.fulfilment.runs import RELEASE_KIND, run_for
from orders.fulfilment.settling import order_settle, order_tell, resources_of_order
from orders.locks import locked_order
from orders.models import BillingOrder, Resource, ResourceState
from orders.moves import order_move
from orders.states import NOT_YET_PLACED, OrderState
from orders.stocking import pieces_give_stock_back


@transaction.atomic
def order_cancel_placed(*, order_id: int, account_id: int, user: User, now: datetime, why: str = "") -> BillingOrder:
    """Cancel a placed order with all its resources, those that are active included.

    Raises BillingOrder.DoesNotExist, and RuleBroken for a draft, which has its own way, or an order that has ended.
    """
    order = locked_order(order_id=order_id, account_id=account_id)
    if order.state in NOT_YET_PLACED:
        words = "This order is not placed yet, so nothing of it can be cancelled but the draft itself."
        raise RuleBroken("order_not_placed", words)
    order_move(order=order, to_state=OrderState.CANCELLED, user=user, now=now, why=why)
    _cancel(order, resources_of_order(order), actor=user.email, now=now, why=why)
    order_tell(order=order, now=now)
    return order


@transaction.atomic
def resource_cancel(*, resource_uuid: UUID, account_id: int, user: User, now: datetime, why: str = "") -> Resource:
    """Cancel one piece of a placed order; with its last one the order is cancelled.

    Raises Resource.DoesNotExist, and RuleBroken where it was cancelled before.
    """
    found = Resource.objects.select_related("container__order_item").get(uuid=resource_uuid, account_id=account_id)
    order = locked_order(order_id=found.container.order_item.order_id, account_id=account_id)
    one = Resource.objects.filter(pk=found.pk)
    if not _cancel(order, one, actor=user.email, now=now, why=why):
        raise RuleBroken("resource_already_cancelled", f"{found} is cancelled already.")
    order_settle(order=order, now=now, user=user)
    return one.select_related("container__order_item__order", "container__package", "container__location").get()


def resources_give_up(*, order: BillingOrder, user: User, now: datetime, why: str) -> None:
    """Cancel all resources of a locked order that will never be carried out, such as a rejected one."""
    _cancel(order, resources_of_order(order), actor=user.email, now=now, why=why)


def _cancel(order: BillingOrder, resources: QuerySet[Resource], *, actor: str, now: datetime, why: str) -> int:
    leaving_stock = Counter(
        resources.exclude(state=ResourceState.CANCELLED).order_by().values_list("container_id", flat=True)
    )
    count = resources_move(resources=resources, to_state=ResourceState.CANCELLED, now=now, actor=actor, why=why)
    pieces_give_stock_back(leaving_stock)
    to_give_back = resources.filter(cancelled_at=now, begun_at__isnull=False, released_at=None)
    for name, driver in DRIVERS.items():
        leaving = to_give_back.filter(driver=name)
        if driver.pieces_at_once:
            run_for(kind=RELEASE_KIND, order=order, driver=name, resources=leaving, now=now)
        else:
            gone = [
                resource.pk
                for resource in leaving
                if driver.cancel(resource=resource, start=1, now=now).state == ResourceState.CANCELLED
            ]
            Resource.objects.filter(pk__in=gone).update(released_at=now)
    return count
