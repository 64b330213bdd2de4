"""Steps that tests of fulfilment take: place an order, begin it, and let workers do what waits for them."""

from collections import Counter
from datetime import datetime

from accounts.models import User
from core.models import AuditEntry
from jobs.working import work_once
from orders import tasks
from orders.fulfilment.beginning import order_fulfil
from orders.models import BillingOrder, Resource
from orders.placing import order_place
from orders.tests.factories import NOW

WORKERS_KNOW = [tasks]
"""Kinds of runs are registered by the modules that workers import."""


def place(order: BillingOrder, user: User, *, now: datetime = NOW) -> BillingOrder:
    return order_place(order_id=order.pk, account_id=order.account_id, user=user, now=now, shown_monthly=None)


def begin(order: BillingOrder, *, now: datetime = NOW) -> BillingOrder:
    return order_fulfil(order_id=order.pk, account_id=order.account_id, now=now)


def work_all() -> int:
    """Do everything that waits for workers, here and now; return how many points that were."""
    turns = 0
    while work_once():
        turns += 1
    return turns


def states(order: BillingOrder) -> dict[str, int]:
    """Return how many resources of the order are in each state."""
    found = Resource.objects.filter(container__order_item__order=order)
    return dict(Counter(found.values_list("state", flat=True)))


def order_moves(order: BillingOrder) -> list[str]:
    return list(AuditEntry.objects.filter(subject=order.subject).values_list("to_state", flat=True))


def moves_of(resource: Resource) -> list[tuple[str, str]]:
    """Return the audited moves of a resource, the first one first."""
    return list(AuditEntry.objects.filter(subject=resource.subject).values_list("from_state", "to_state"))
