"""Making the resources of an order, each known by a UUID of its own from then on."""

import uuid
from collections.abc import Iterator
from datetime import datetime

from core.bulk import insert_alike
from orders.host_names import host_names_of
from orders.models import BillingOrder, OrderContainer, Resource


def resources_create(*, order: BillingOrder, now: datetime) -> int:
    """Write a resource for each machine or volume of a locked order, unless it has them; return how many were made."""
    containers = OrderContainer.objects.filter(order_item__order=order, resources__isnull=True)
    return sum(
        insert_alike(
            alike=Resource(
                account_id=order.account_id, container=container, driver=container.package.driver, ordered_at=now
            ),
            varying=("uuid", "index", "host_name"),
            rows=_pieces(container),
        )
        for container in containers.select_related("package")
    )


def _pieces(container: OrderContainer) -> Iterator[tuple[uuid.UUID, int, str]]:
    names = host_names_of(container.host_names, quantity=container.quantity)
    for index in range(container.quantity):
        yield uuid.uuid4(), index, names[index] if index < len(names) else ""
