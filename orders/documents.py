"""An order as one JSON document: what programs send and get, and what repairs are patches of.

    {"name": "…", "hours_per_month": "720", "promotion_code": "…",
     "items": [{"name": "…", "containers": [
        {"package": "KEY", "location": "KEY", "term": "hourly", "contract_months": 12, "quantity": 2,
         "host_names": "web-{n}",
         "parts": [{"category": "os", "item_id": 7, "count": 1}]}]}]}

A promotion code, a contract and host names are left out where there are none. The names in a violation's field are the
same: items[0].containers[1] stands at /items/0/containers/1.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from catalog.pricing import Term
from orders.asked import ContainerAsked, DraftAsked, ItemAsked, PartAsked
from orders.models import OrderLine
from orders.selectors import ContainerNode, OrderTree

Json = dict[str, Any]
INDEX = re.compile(r"\[(\d+)]")


@dataclass(frozen=True)
class PartRow:
    """One row of a container's parts, as its document lists them."""

    category_code: str
    item_id: int
    count: int

    @property
    def as_json(self) -> Json:
        return {"category": self.category_code, "item_id": self.item_id, "count": self.count}


def to_document(tree: OrderTree) -> Json:
    """Return the order as a document; items go by their ids, as key names may repeat."""
    order = tree.order
    return {
        "name": order.name,
        "hours_per_month": f"{order.hours_per_month.normalize():f}",
        **({"promotion_code": order.promotion_code} if order.promotion_code else {}),
        "items": [
            {"name": item.item.name, "containers": [_container(node) for node in item.containers]}
            for item in tree.items
        ],
    }


def from_document(document: Json) -> DraftAsked:
    """Return the order that a document of the same form describes; whether its names mean anything is asked later."""
    return DraftAsked(
        name=document["name"],
        hours_per_month=Decimal(document["hours_per_month"]),
        items=tuple(
            ItemAsked(
                field=f"items[{at}]",
                name=item["name"],
                containers=tuple(
                    _container_asked(container, field=f"items[{at}].containers[{number}]")
                    for number, container in enumerate(item["containers"])
                ),
            )
            for at, item in enumerate(document["items"])
        ),
        promotion_code=document.get("promotion_code", ""),
    )


def part_rows(lines: Iterable[OrderLine]) -> tuple[PartRow, ...]:
    """Return lines as rows of parts; equal ones of a category become one row."""
    counts: dict[tuple[str, int], int] = {}
    for line in lines:
        key = line.category_code, line.item_id
        counts[key] = counts.get(key, 0) + 1
    return tuple(PartRow(code, item_id, count) for (code, item_id), count in counts.items())


def pointer_to(field: str) -> str:
    """Return where in the document the thing at a field stands: items[0].containers[1] is /items/0/containers/1."""
    return "/" + INDEX.sub(r"/\1", field).replace(".", "/")


def _container(node: ContainerNode) -> Json:
    container = node.container
    return {
        "package": container.package.key_name,
        "location": container.location.key_name,
        "term": str(container.term),
        **({"contract_months": container.contract_months} if container.contract_months else {}),
        "quantity": container.quantity,
        **({"host_names": container.host_names} if container.host_names else {}),
        "parts": [row.as_json for row in part_rows(line.line for line in node.lines)],
    }


def _container_asked(container: Json, *, field: str) -> ContainerAsked:
    return ContainerAsked(
        field=field,
        package_key_name=container["package"],
        quantity=container["quantity"],
        parts=tuple(PartAsked(part["category"], part["item_id"], part["count"]) for part in container["parts"]),
        location_key_name=container["location"],
        term=Term(container["term"]),
        host_names=container.get("host_names", ""),
        contract_months=container.get("contract_months"),
    )
