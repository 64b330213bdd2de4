"""Repairs of an order: what the catalogue would change in its containers, as patches of the order's document."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from catalog.containers import CategoryChange, ContainerRepair
from catalog.models import Location
from core.errors import Repair, Violation
from orders.documents import PartRow, pointer_to

Json = dict[str, Any]
NO_CHANGE = ContainerRepair()


@dataclass(frozen=True)
class OrderRepair:
    """The repair of one violation. `field` is the container that it changes, `rows` are its parts in the document."""

    field: str
    rows: tuple[PartRow, ...]
    change: ContainerRepair = NO_CHANGE
    host_names: str | None = None
    is_left_out: bool = False
    """Whether the field is the promotion code, which is left out."""

    @property
    def words(self) -> str:
        if self.is_left_out:
            return "Leave the promotion code out"
        if self.host_names is None:
            return self.change.words
        named = f"Name them {self.host_names}" if len(self.host_names) <= 60 else "Number them on"
        return f"{self.change.words}; {named[0].lower()}{named[1:]}" if self.change.words else named


def told(violation: Violation, repair: OrderRepair | None) -> Violation:
    """Return the violation with its repair, where it has one."""
    return replace(violation, repair=Repair(repair.words, patch_of([repair]))) if repair else violation


def whole_repair(repairs: Iterable[OrderRepair | None]) -> Repair | None:
    """Return the repair that does what all of these do, each change once; None where there is nothing to do."""
    known = [repair for repair in repairs if repair]
    if not known:
        return None
    words = "; ".join(dict.fromkeys(repair.words for repair in known))
    return Repair(words, patch_of(known))


def patch_of(repairs: Iterable[OrderRepair]) -> tuple[Json, ...]:
    """Return a JSON Patch that makes all these changes. Each change is made once, however many ask for it."""
    together: dict[str, OrderRepair] = {}
    for repair in repairs:
        known = together.get(repair.field)
        together[repair.field] = _merged(known, repair) if known else repair
    return tuple(operation for repair in together.values() for operation in _operations(repair))


def _merged(one: OrderRepair, other: OrderRepair) -> OrderRepair:
    changes = {change.category_code: change for change in (*one.change.changes, *other.change.changes)}
    change = ContainerRepair(
        changes=tuple(changes.values()),
        location=other.change.location or one.change.location,
        quantity=other.change.quantity or one.change.quantity,
    )
    names = one.host_names if other.host_names is None else other.host_names
    return replace(one, change=change, host_names=names)


def _operations(repair: OrderRepair) -> Iterable[Json]:
    at = pointer_to(repair.field)
    if repair.is_left_out:
        yield {"op": "remove", "path": at}
        return
    location: Location | None = repair.change.location
    if location is not None:
        yield {"op": "add", "path": f"{at}/location", "value": location.key_name}
    if repair.change.quantity is not None:
        yield {"op": "add", "path": f"{at}/quantity", "value": repair.change.quantity}
    if repair.host_names is not None:
        yield {"op": "add", "path": f"{at}/host_names", "value": repair.host_names}
    yield from _part_operations(f"{at}/parts", repair.rows, repair.change.changes)


def _part_operations(at: str, rows: Sequence[PartRow], changes: Sequence[CategoryChange]) -> Iterable[Json]:
    """Change rows in place, add new ones behind them, at last remove from behind: so every place stays true."""
    left = list(rows)
    removed: list[int] = []
    added: list[PartRow] = []
    for change in changes:
        code = change.category_code
        new = [PartRow(code, item_id, count) for item_id, count in Counter(i.pk for i in change.after).items()]
        old = [index for index, row in enumerate(left) if row.category_code == code]
        wanted = {row.item_id: row for row in new}
        for index in old:
            row = left[index]
            kept = wanted.get(row.item_id)
            if kept is not None:
                wanted.pop(row.item_id)
                if kept.count != row.count:
                    yield _tested(at, index, code)
                    yield {"op": "add", "path": f"{at}/{index}/count", "value": kept.count}
                continue
            fresh = next((each for each in new if each.item_id in wanted and not _stands(left, each)), None)
            yield _tested(at, index, code)
            if fresh is None:
                removed.append(index)
            else:
                wanted.pop(fresh.item_id)
                left[index] = fresh
                yield {"op": "replace", "path": f"{at}/{index}", "value": fresh.as_json}
        added += [row for row in new if row.item_id in wanted]
    for row in added:
        yield {"op": "add", "path": f"{at}/-", "value": row.as_json}
    for index in sorted(removed, reverse=True):
        yield {"op": "remove", "path": f"{at}/{index}"}


def _stands(rows: Sequence[PartRow], row: PartRow) -> bool:
    return any((each.category_code, each.item_id) == (row.category_code, row.item_id) for each in rows)


def _tested(at: str, index: int, category_code: str) -> Json:
    """Make sure that the document is the one for which the repair was worked out."""
    return {"op": "test", "path": f"{at}/{index}/category", "value": category_code}
