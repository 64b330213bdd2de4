"""A quote's frozen document: what was promised, in plain values that no later change of the catalogue reaches."""

from decimal import Decimal
from typing import Any

from core.money import Total
from orders.models import OrderLine
from orders.selectors import ContainerNode, ItemNode, OrderTree, tree_added_up
from orders.totals import Totals

Json = dict[str, Any]

LINE_FIELDS = (
    "category_code",
    "category_name",
    "key_name",
    "description",
    "source_price_id",
    "recurring_fee",
    "hourly_recurring_fee",
    "once_fee",
    "setup_fee",
    "one_time_fee",
    "labor_fee",
    "usage_rate",
    "usage_tiers",
    "usage_allowance",
    "regular_fee",
    "regular_monthly_amount",
    "promotion_months",
    "price_steps",
    "monthly_amount",
    "once_amount",
    "source",
    "basis",
)
CONTAINER_KEY = ("package", "location", "term", "contract_months", "quantity")
LINE_KEY = ("category_code", "key_name")
AMOUNTS = ("monthly_amount", "once_amount", "regular_monthly_amount", "usage_allowance")
OTHERS_PROMISED = ("description", "promotion_months", "usage_tiers")


def document_of(tree: OrderTree) -> Json:
    """Return the order's words, lines and totals as they stand, amounts as text."""
    return {
        "name": tree.order.name,
        "currency": tree.order.currency,
        "hours_per_month": _text(tree.order.hours_per_month),
        "items": [_item(node) for node in tree.items],
        "totals": _totals(tree.totals),
    }


def _item(node: ItemNode) -> Json:
    return {
        "name": node.item.name,
        "quantity": node.quantity,
        "containers": [_container(container) for container in node.containers],
        "totals": _totals(node.totals),
    }


def _container(node: ContainerNode) -> Json:
    container = node.container
    return {
        "package": container.package.key_name,
        "package_name": container.package.name,
        "location": container.location.key_name,
        "location_name": container.location.name,
        "term": str(container.term),
        "contract_months": container.contract_months,
        "quantity": container.quantity,
        "host_names": container.host_names,
        "lines": [text_of_line(line.line) for line in node.lines],
        "usage_units": {line.line.key_name: line.line.item.units for line in node.lines if line.line.usage_tiers},
        "totals": _totals(node.totals),
    }


def text_of_line(line: OrderLine) -> Json:
    """Return a line as a document keeps it, amounts as text."""
    values = {name: getattr(line, name) for name in LINE_FIELDS}
    return {name: _text(value) if isinstance(value, Decimal) else value for name, value in values.items()}


def _totals(totals: Totals) -> Json:
    sums: dict[str, Total] = {
        "monthly": totals.monthly,
        "once": totals.once,
        "over_12_months": totals.over_one_year,
        "over_36_months": totals.over_three_years,
    }
    return {name: total.known.text for name, total in sums.items()}


def _text(value: Decimal) -> str:
    return f"{value:f}"


def lines_of(document: Json) -> list[Json]:
    """Return all lines of a document, in its order."""
    return [line for item in document["items"] for container in item["containers"] for line in container["lines"]]


def tree_as_quoted(tree: OrderTree, *, document: Json) -> OrderTree | None:
    """Return an order with the amounts that a document promised, unstored; None where it has other lines by now."""
    now = document_of(tree)
    if (now["currency"], _keys(now)) != (document["currency"], _keys(document)):
        return None
    for node, quoted in zip(tree.lines, lines_of(document), strict=True):
        amounts = {name: _amount(quoted[name]) for name in AMOUNTS if name in quoted}
        for name, value in (amounts | {name: quoted[name] for name in OTHERS_PROMISED if name in quoted}).items():
            setattr(node.line, name, value)
    return tree_added_up(tree)


def _keys(document: Json) -> list[tuple[Any, ...]]:
    """Return for each line what it is of which container."""
    return [
        (*(container.get(name) for name in CONTAINER_KEY), *(line[name] for name in LINE_KEY))
        for item in document["items"]
        for container in item["containers"]
        for line in container["lines"]
    ]


def _amount(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
