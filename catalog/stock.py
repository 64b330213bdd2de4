"""Stock of limited items: taken when an order is placed, given back when it is given up."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F

from catalog.models import Stock
from core.errors import RuleBroken, Violation


@dataclass(frozen=True)
class StockNeed:
    """So many of an item in a location. The field says where in the order they stand, for the words of a refusal."""

    item_id: int
    location_id: int
    quantity: int
    description: str
    location_name: str
    field: str = ""


@transaction.atomic
def stock_take(needs: Iterable[StockNeed]) -> None:
    """Take all of it, or nothing: raises RuleBroken("stock_short") that names everything there is not enough of.

    Each row goes down by one conditional update, so that two buyers can never both have the last one; rows are taken in
    the order of their items and locations, so that two orders cannot wait for each other. An item without a row at a
    location never runs out.
    """
    wanted = _together(needs)
    limited = _limited(wanted)
    short = []
    for key in sorted(wanted.keys() & limited):
        need = wanted[key]
        enough = Stock.objects.filter(
            item_id=need.item_id, location_id=need.location_id, quantity_left__gte=need.quantity
        )
        if not enough.update(quantity_left=F("quantity_left") - need.quantity):
            short.append(_violation(need))
    if short:
        words = " ".join(violation.words for violation in short)
        raise RuleBroken("stock_short", words, violations=tuple(short))


@transaction.atomic
def stock_give_back(needs: Iterable[StockNeed]) -> None:
    """Put back what a given-up order had taken."""
    wanted = _together(needs)
    for key in sorted(wanted.keys() & _limited(wanted)):
        item_id, location_id = key
        rows = Stock.objects.filter(item_id=item_id, location_id=location_id)
        rows.update(quantity_left=F("quantity_left") + wanted[key].quantity)


def _together(needs: Iterable[StockNeed]) -> dict[tuple[int, int], StockNeed]:
    """Add up what is needed of one item in one location; the field is that of the first."""
    found: dict[tuple[int, int], StockNeed] = {}
    for need in needs:
        key = need.item_id, need.location_id
        known = found.get(key)
        quantity = need.quantity + (known.quantity if known else 0)
        found[key] = StockNeed(*key, quantity, need.description, need.location_name, (known or need).field)
    return found


def _limited(wanted: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return which items are counted at all in these locations; a row that says none are left counts too."""
    item_ids, location_ids = {item for item, _ in wanted}, {location for _, location in wanted}
    rows = Stock.objects.filter(item_id__in=item_ids, location_id__in=location_ids)
    return set(rows.values_list("item_id", "location_id"))


def _violation(need: StockNeed) -> Violation:
    left = Stock.objects.values_list("quantity_left", flat=True).get(item_id=need.item_id, location_id=need.location_id)
    words = (
        f"{need.description}: {left:,} left in {need.location_name}, {need.quantity:,} asked for. "
        "Order fewer, or choose another item or location."
    )
    return Violation("stock_short", need.field, words)
