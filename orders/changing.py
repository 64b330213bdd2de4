"""Changing a draft: its name and quantities, its containers, its prices, and giving it up."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from accounts.models import User
from core.errors import InputRefused, Violation
from orders.checking import PriceChange, check_tree
from orders.drafting import name_problems, quantity_problems
from orders.host_names import host_name_problems, tidy
from orders.locks import locked_order
from orders.models import BillingOrder, OrderContainer
from orders.moves import order_move, require_draft
from orders.repricing import prices_write
from orders.selectors import order_tree
from orders.states import OrderState


@transaction.atomic
def order_change(
    *,
    order_id: int,
    account_id: int,
    name: str,
    quantities: Mapping[int, int],
    now: datetime,
    host_names: Mapping[int, str] | None = None,
    promotion_code: str | None = None,
) -> tuple[PriceChange, ...]:
    """Give a draft its name and its containers their quantities and host names, and price it as of now.

    Both go by container id; a container without new host names keeps its own, and so does the draft its promotion code.
    Returns the lines whose amounts changed; raises InputRefused with every problem.
    """
    order = _locked_draft(order_id=order_id, account_id=account_id)
    containers = OrderContainer.objects.filter(order_item__order=order).in_bulk(list(quantities))
    problems = name_problems(name)
    for container_id, quantity in quantities.items():
        problems += quantity_problems(quantity, field=f"quantity-{container_id}")
        if container_id not in containers:
            words = "This part of the order is no longer there. Look at the order again."
            problems.append(Violation("container_unknown", f"quantity-{container_id}", words))
    for container_id, typed in (host_names or {}).items():
        problems += host_name_problems(typed, field=f"host-names-{container_id}")
    if problems:
        raise InputRefused(tuple(problems))
    order.name = name.strip()
    if promotion_code is not None:
        order.promotion_code = promotion_code.strip().upper()
    order.save(update_fields=["name", "promotion_code"])
    for container in containers.values():
        container.quantity = quantities[container.pk]
        container.host_names = tidy((host_names or {}).get(container.pk, container.host_names))
    OrderContainer.objects.bulk_update(containers.values(), ["quantity", "host_names"])
    return _reprice(order, now=now)


@transaction.atomic
def container_remove(*, order_id: int, container_id: int, account_id: int, now: datetime) -> BillingOrder:
    """Take a container out of a draft, with its item when that is left empty; raises OrderContainer.DoesNotExist."""
    order = _locked_draft(order_id=order_id, account_id=account_id)
    container = OrderContainer.objects.select_related("order_item").get(pk=container_id, order_item__order=order)
    item = container.order_item
    container.delete()
    if not item.containers.exists():
        item.delete()
    return order


@transaction.atomic
def order_refresh_prices(*, order_id: int, account_id: int, now: datetime) -> tuple[PriceChange, ...]:
    """Show a draft at the prices of now, in the account's currency; returns the lines whose amounts changed."""
    order = _locked_draft(order_id=order_id, account_id=account_id)
    return _reprice(order, now=now)


@transaction.atomic
def order_cancel(*, order_id: int, account_id: int, user: User, now: datetime, why: str = "") -> BillingOrder:
    """Give a draft up; it stays to be read."""
    order = _locked_draft(order_id=order_id, account_id=account_id)
    order_move(order=order, to_state=OrderState.CANCELLED, user=user, now=now, why=why)
    return order


def _locked_draft(*, order_id: int, account_id: int) -> BillingOrder:
    order = locked_order(order_id=order_id, account_id=account_id)
    require_draft(order)
    return order


def _reprice(order: BillingOrder, *, now: datetime) -> tuple[PriceChange, ...]:
    if order.currency != order.account.currency:
        order.currency = order.account.currency
        order.save(update_fields=["currency"])
    check = check_tree(tree=order_tree(order_id=order.pk, account_id=order.account_id), now=now)
    prices_write(check.lines)
    return check.price_changes


@transaction.atomic
def order_tag(*, order_id: int, account_id: int, tags: list[str]) -> BillingOrder:
    """Give an order, in whatever state, the words by which its account sums spend; nothing owed depends on them."""
    order = locked_order(order_id=order_id, account_id=account_id)
    order.tags = tags
    order.save(update_fields=["tags"])
    return order
