"""Turning the body of a call into the order that it describes, with everything that is wrong with its shape."""

from collections.abc import Iterator
from typing import Any

from api.v1.orders.shapes import CONTAINER_FIELDS, OrderAsked
from api.v1.reading import read_leniently
from catalog.pricing import Term
from core.errors import Violation
from orders.asked import ContainerAsked, DraftAsked, ItemAsked, PartAsked

NEEDED_IN_A_CONTAINER = ("package", "parts")


def draft_in(body: Any) -> tuple[DraftAsked, list[Violation]]:
    """Return the order that a body describes, as far as it can be read, and what keeps it from being read."""
    values, problems = read_leniently(OrderAsked(), body)
    if not values:
        return DraftAsked(name=None, hours_per_month=None, items=()), problems
    items = values.get("items") or []
    for number, item in enumerate(items):
        problems += _problems_of_item(item or {}, field=f"items[{number}]")
    problems += _problems_of_conditions(values)
    asked = DraftAsked(
        name=values.get("name"),
        hours_per_month=values.get("hours_per_month"),
        items=tuple(_item(item or {}, f"items[{number}]", problems) for number, item in enumerate(items)),
        location_key_name=values.get("location"),
        term=_term(values.get("term")),
        promotion_code=values.get("promotion_code") or "",
    )
    return asked, problems


def _problems_of_item(item: dict[str, Any], *, field: str) -> Iterator[Violation]:
    if "containers" in item:
        for name in CONTAINER_FIELDS:
            if name in item:
                words = f"{field}.{name}: This item lists its containers, so it belongs into one of them."
                yield Violation("belongs_in_container", f"{field}.{name}", words)
        containers = [(each, f"{field}.containers[{number}]") for number, each in enumerate(item["containers"] or [])]
    else:
        containers = [(item, field)] if item else []
    for container, at in containers:
        for name in NEEDED_IN_A_CONTAINER:
            if container is not None and name not in container:
                yield Violation("required", f"{at}.{name}", f"{at}.{name}: This field is required.")
        for number, part in enumerate((container or {}).get("parts") or []):
            yield from _problems_of_part(part, field=f"{at}.parts[{number}]")


def _problems_of_part(part: dict[str, Any] | None, *, field: str) -> Iterator[Violation]:
    if part is None:
        return
    if not part.keys() & {"item", "item_id"}:
        words = f"{field}.item: Name the item by its key name, or by its id as item_id."
        yield Violation("required", f"{field}.item", words)
    if part.keys() >= {"item", "item_id"}:
        yield Violation("item_named_twice", f"{field}.item_id", f"{field}.item_id: Give item or item_id, not both.")


def _problems_of_conditions(values: dict[str, Any]) -> Iterator[Violation]:
    """Ask for the order's location and term wherever a container has none of its own."""
    items = [item for item in values.get("items") or [] if item is not None]
    containers = [each for item in items for each in _containers_in(item)]
    for name, words in (("location", "Say where"), ("term", "Say on which term")):
        if name not in values and not (containers and all(name in each for each in containers)):
            words = f"{name}: {words}, for the whole order or in each of its containers."
            yield Violation("required", name, words)


def _containers_in(item: dict[str, Any]) -> list[dict[str, Any]]:
    if "containers" not in item:
        return [item]
    return [each for each in item["containers"] or [] if each is not None]


def _item(item: dict[str, Any], field: str, problems: list[Violation]) -> ItemAsked:
    containers = [(item, field)]
    if "containers" in item:
        listed = [None] if item["containers"] is None else item["containers"]
        containers = [(each or {}, f"{field}.containers[{number}]") for number, each in enumerate(listed)]
    return ItemAsked(
        field=field,
        name=item.get("name"),
        containers=tuple(_container(values, at, problems) for values, at in containers),
    )


def _container(values: dict[str, Any], field: str, problems: list[Violation]) -> ContainerAsked:
    return ContainerAsked(
        field=field,
        package_key_name=values.get("package"),
        quantity=values.get("quantity", 1),
        parts=tuple(_part(part or {}) for part in values.get("parts") or []),
        location_key_name=values.get("location"),
        term=_term(values.get("term")),
        host_names=values.get("host_names") or "",
        contract_months=values.get("contract_months"),
        is_readable=not any(f"{problem.field}.".startswith(f"{field}.") for problem in problems),
    )


def _part(values: dict[str, Any]) -> PartAsked:
    return PartAsked(
        category_code=values.get("category"),
        item=values.get("item") or values.get("item_id"),
        count=values.get("count"),
    )


def _term(word: str | None) -> Term | None:
    return None if word is None else Term(word)
