"""Repairs of a composed container: for a broken rule the address on which it holds again, and what that changes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.errors import Violation
from orders.compose_address import Asked, Pick
from orders.composer import Composed
from orders.options import CategoryOptions

TAKES_THE_USUAL = frozenset({"category_required", "unpriced", "item_unknown"})
LEAVES_OUT = frozenset({"disk_slots", "conflicts", "category_unknown", "item_not_in_package", "item_not_in_category"})


@dataclass(frozen=True)
class Repair:
    """One click that settles a problem."""

    words: str
    url: str


def repair_of(violation: Violation, composed: Composed) -> Repair | None:
    """Return what would settle a problem, where one click can."""
    category = composed.options.category(violation.field)
    if category is None:
        return None
    if violation.code in TAKES_THE_USUAL and category.usual:
        picks = (Pick(category.usual.value),)
        return Repair(f"Take {category.usual.item.description}", _url(composed.asked, category, picks))
    if violation.code in LEAVES_OUT and not category.is_required:
        return Repair("Leave it out", _url(composed.asked, category, ()))
    if violation.code == "quantity_limit":
        return Repair(
            f"Keep {category.quantity_limit}", _url(composed.asked, category, _within_limit(composed, category))
        )
    return None


def repair_of_all(composed: Composed) -> Repair | None:
    """Return the click that takes the usual item wherever that settles something, where there are several such."""
    picks = dict(composed.asked.picks or {})
    settled = {violation.field for violation in composed.problems if violation.code in TAKES_THE_USUAL}
    usual = {
        category.category_code: category.usual
        for category in composed.options.categories
        if category.usual and category.category_code in settled
    }
    if len(usual) < 2:
        return None
    picks.update({code: (Pick(option.value),) for code, option in usual.items()})
    return Repair(f"Take the usual for these {len(usual)}", replace(composed.asked, picks=picks).url)


def _within_limit(composed: Composed, category: CategoryOptions) -> tuple[Pick, ...]:
    left = category.quantity_limit
    kept = []
    for row in composed.rows.get(category.category_code, ()):
        count = min(row.count, left)
        left -= count
        if count:
            kept.append(replace(row.pick, count=str(count)))
    return tuple(kept)


def _url(asked: Asked, category: CategoryOptions, picks: tuple[Pick, ...]) -> str:
    before: Mapping[str, tuple[Pick, ...]] = asked.picks or {}
    return replace(asked, picks={**before, category.category_code: picks}).url
