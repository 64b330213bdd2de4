"""Steps that tests of fulfilment take: place an order, begin it, and let workers do what waits for them."""

from collections import Counter
from datetime import UTC, datetime
from decimal import Decimal

from accounts.models import Account, User
from core.models import AuditEntry
from jobs.working import work_once
from orders import tasks
from orders.fulfilment.beginning import order_fulfil
from orders.fulfilment.moving import resources_move
from orders.fulfilment.settling import order_settle
from orders.models import BillingOrder, Resource, ResourceState
from orders.placing import order_place
from orders.tests.factories import NOW, Shop, make_draft, make_item, role

WORKERS_KNOW = [tasks]
"""Kinds of runs are registered by the modules that workers import."""


def place(order: BillingOrder, user: User, *, now: datetime = NOW) -> BillingOrder:
    return order_place(order_id=order.pk, account_id=order.account_id, user=user, now=now, shown_monthly=None)


def begin(order: BillingOrder, *, now: datetime = NOW) -> BillingOrder:
    return order_fulfil(order_id=order.pk, account_id=order.account_id, now=now)


def activate(order: BillingOrder, *, at: datetime) -> None:
    """Let all machines of a placed order be active from a moment on, as their drivers would say it."""
    begin(order, now=at)
    machines_move(order, ResourceState.PROVISIONING, at=at)
    machines_move(order, ResourceState.ACTIVE, at=at)


def machines_move(order: BillingOrder, to_state: ResourceState, *, at: datetime, below: int | None = None) -> None:
    """Let the machines of an order, or those of the first indexes, become something at a moment."""
    machines = Resource.objects.filter(container__order_item__order=order)
    chosen = machines if below is None else machines.filter(index__lt=below)
    resources_move(resources=chosen, to_state=to_state, now=at, actor="driver of the test")
    order.refresh_from_db()
    order_settle(order=order, now=at)


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


def make_servers_with_traffic(*, shop: Shop, account: Account, user: User) -> list[Resource]:
    """Return two servers active since 1 May 2026, with traffic at 0.10 for each GB beyond 250 a month."""
    traffic = make_item(shop.package, shop.items["debian"].categories.get(), "traffic", hourly="0")
    traffic.prices.update(usage_rate=Decimal("0.10"))
    traffic.capacity, traffic.units = Decimal(250), "GB"
    traffic.save()
    draft = make_draft(shop=shop, account=account, user=user, roles=[role("servers", 2, "m1.small", "traffic")])
    activate(place(draft, user), at=datetime(2026, 5, 1, tzinfo=UTC))
    return list(Resource.objects.order_by("index"))
