"""A draft seen from the composer: where a container goes, and what a container of it looks like as an address."""

from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef

from core.json_rows import JsonRows
from orders.compose_address import Asked
from orders.host_names import host_names_of
from orders.models import BillingOrder, OrderContainer
from orders.moves import require_draft
from orders.selectors import orders_of


@dataclass(frozen=True)
class Draft:
    """A draft that a container is composed for: its items' names, the host names of its other containers, its place."""

    order: BillingOrder
    item_names: tuple[str, ...]
    other_host_names: frozenset[str]
    location_key: str = ""
    """Where the last container stands, and so probably the next one; "" in an empty draft."""


def draft_for(*, order_id: int, account_id: int, changed_container_id: int | None = None) -> Draft:
    """Return the draft, in one query; raises BillingOrder.DoesNotExist, and RuleBroken for an order that is none."""
    containers = OrderContainer.objects.filter(order_item__order=OuterRef("pk"))
    rows = JsonRows(
        containers.order_by("order_item__sequence", "order_item_id", "sequence", "pk"),
        *("pk", "order_item__name", "host_names", "quantity", "location__key_name"),
    )
    order: Any = orders_of(account_id=account_id).annotate(container_rows=rows).get(pk=order_id)
    require_draft(order)
    item_names: dict[str, None] = {}
    host_names: set[str] = set()
    places = [""]
    for container_id, item_name, typed, quantity, location_key in order.container_rows:
        item_names[item_name] = None
        places.append(location_key)
        if container_id != changed_container_id:
            host_names.update(host_names_of(typed, quantity=quantity))
    return Draft(order, tuple(item_names), frozenset(host_names), places[-1])


def container_of(*, order_id: int, container_id: int, account_id: int) -> OrderContainer:
    """Return a container of the account's order; raises OrderContainer.DoesNotExist."""
    containers = OrderContainer.objects.select_related("order_item", "package", "location")
    return containers.get(pk=container_id, order_item__order_id=order_id, order_item__order__account_id=account_id)


def asked_for(container: OrderContainer) -> Asked:
    """Return the address that composes this container again; an item goes by its key name and its id."""
    lines = container.lines.order_by("pk").values_list("category_code", "key_name", "item_id")
    asked = Asked(
        package=container.package.key_name,
        location=container.location.key_name,
        term=container.term,
        quantity=str(container.quantity),
        name=container.order_item.name,
        hosts=container.host_names,
        contract=str(container.contract_months or ""),
    )
    return asked.with_choices((code, f"{key_name}~{item_id}") for code, key_name, item_id in lines)
