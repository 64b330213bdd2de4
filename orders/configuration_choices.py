"""What can be set side by side, to choose from: orders, their parts, presets, and what was shared."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from catalog.models import Blueprint
from orders.configurations import Configuration
from orders.models import OrderContainer
from orders.selectors import orders_of
from orders.sharing import shared_configurations_of

MOST_OF_A_KIND = 100


@dataclass(frozen=True)
class Choice:
    """One configuration by its reference and its name."""

    reference: str
    name: str


Groups = list[tuple[str, list[Choice]]]
"""Headings with what stands under each."""


def choices_of(*, account_id: int, chosen: Iterable[Configuration], at: datetime) -> Groups:
    """Return the choices by their kinds, the newest first; what is chosen already and is none of them comes first."""
    orders = orders_of(account_id=account_id)[:MOST_OF_A_KIND]
    containers = (
        OrderContainer.objects.filter(order_item__order__account_id=account_id)
        .select_related("order_item__order")
        .order_by("-order_item__order_id", "order_item__sequence", "sequence", "pk")[:MOST_OF_A_KIND]
    )
    shared = shared_configurations_of(account_id=account_id).filter(expires_at__gt=at, revoked_at=None)
    groups = [
        ("Orders", [Choice(f"order:{order.pk}", f"{order}: {order.name}") for order in orders]),
        ("Parts of orders", [Choice(f"container:{each.pk}", _part_words(each)) for each in containers]),
        ("Shared", [Choice(f"shared:{each.token}", str(each)) for each in shared[:MOST_OF_A_KIND]]),
        ("Presets and solutions", [Choice(f"blueprint:{key}", name) for key, name in _blueprints()]),
    ]
    known = {choice.reference for _, choices in groups for choice in choices}
    others = {each.reference: Choice(each.reference, each.name) for each in chosen if each.reference not in known}
    return [(heading, choices) for heading, choices in [("Chosen", [*others.values()]), *groups] if choices]


def _part_words(container: OrderContainer) -> str:
    item = container.order_item
    return f"{container.quantity:,} × {item.name} of {item.order}"


def _blueprints() -> Iterable[tuple[str, str]]:
    return Blueprint.objects.order_by("name").values_list("key_name", "name")[:MOST_OF_A_KIND]
