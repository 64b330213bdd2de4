"""Bringing the prices of a catalogue up to date: closed and replaced, never edited."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from catalog.layout import PriceRow
from catalog.models import Item, ItemCategory, ItemPrice, LocationGroup
from catalog.tallying import BATCH, Tally, create_rows

IGNORED = {"source"}
"""Other words for where a price comes from do not make it another price."""


@dataclass
class PriceChanges:
    """What a loading has to do to the prices, and the counts that it tells."""

    opened: list[tuple[ItemPrice, PriceRow]] = field(default_factory=list)
    ended: list[ItemPrice] = field(default_factory=list)
    never_valid: list[int] = field(default_factory=list)
    added: int = 0
    changed: int = 0


def prices_load(
    *,
    rows: Iterable[PriceRow],
    items: Mapping[str, Item],
    categories: Mapping[str, ItemCategory],
    currency: str,
    source: str,
    now: datetime,
    tally: Tally,
) -> None:
    """Open the prices that are new, replace those that differ from what the newest one says, and end those that end.

    A price that equals the row is left, open or closed: staff may have closed it, and that stands until the row itself
    changes. A price that no row mentions is left too.
    """
    newest = _newest_by_key(source)
    codes = _codes_by_price(source)
    groups = {group.external_id: group for group in LocationGroup.objects.all()}
    changes = PriceChanges()
    for row in rows:
        old = newest.get((row.item, row.external_id))
        values = _values(row, groups, currency)
        if old is None:
            changes.added += 1
            _open(changes, row, values, item=items[row.item], begins=row.valid_from or now)
        elif not _says_the_same(old, values, codes.get(old.pk, set()), row):
            begins = max(now, row.valid_from or now)
            changes.changed += 1
            _end(changes, old, at=begins)
            if row.valid_to is None or row.valid_to > begins:
                _open(changes, row, values, item=items[row.item], begins=begins)
        elif row.valid_to and old.valid_to is None:
            _end(changes, old, at=max(row.valid_to, now))
    _write(changes, categories, tally)
    tally.added["prices"] += changes.added
    tally.changed["prices"] += changes.changed
    tally.closed["prices"] += len(changes.ended)


def _open(changes: PriceChanges, row: PriceRow, values: Mapping[str, Any], *, item: Item, begins: datetime) -> None:
    price = ItemPrice(item=item, external_id=row.external_id, valid_from=begins, valid_to=row.valid_to, **values)
    changes.opened.append((price, row))


def _end(changes: PriceChanges, price: ItemPrice, *, at: datetime) -> None:
    if price.valid_from >= at:
        changes.never_valid.append(price.pk)
    elif price.valid_to is None or price.valid_to > at:
        price.valid_to = at
        changes.ended.append(price)


def _write(changes: PriceChanges, categories: Mapping[str, ItemCategory], tally: Tally) -> None:
    for start in range(0, len(changes.never_valid), BATCH):
        ItemPrice.objects.filter(pk__in=changes.never_valid[start : start + BATCH]).delete()
    ends: dict[datetime | None, list[int]] = defaultdict(list)
    for price in changes.ended:
        ends[price.valid_to].append(price.pk)
    for valid_to, pks in ends.items():
        for start in range(0, len(pks), BATCH):
            ItemPrice.objects.filter(pk__in=pks[start : start + BATCH]).update(valid_to=valid_to)
    create_rows(rows=[price for price, _ in changes.opened], model=ItemPrice, kind="prices", progress=tally.progress)
    through = ItemPrice.categories.through
    links = [
        through(itemprice_id=price.pk, itemcategory_id=categories[code].pk)
        for price, row in changes.opened
        for code in dict.fromkeys(row.categories)
    ]
    through._default_manager.bulk_create(links, batch_size=BATCH)


def _newest_by_key(source: str) -> dict[tuple[str, str], ItemPrice]:
    prices = ItemPrice.objects.filter(item__source=source).select_related("item")
    return {(price.item.external_id, price.external_id): price for price in prices.order_by("pk")}


def _codes_by_price(source: str) -> dict[int, set[str]]:
    """Return the categories of each price that names any."""
    codes: dict[int, set[str]] = defaultdict(set)
    links = ItemPrice.categories.through._default_manager.filter(itemprice__item__source=source)
    for price_id, code in links.values_list("itemprice_id", "itemcategory__category_code"):
        codes[price_id].add(code)
    return codes


def _values(row: PriceRow, groups: Mapping[int, LocationGroup], currency: str) -> dict[str, Any]:
    return {
        **dict(row.fees),
        "currency": currency,
        "location_group_id": groups[row.location_group].pk if row.location_group is not None else None,
        "restriction": row.restriction,
        "restriction_minimum": row.restriction_minimum,
        "restriction_maximum": row.restriction_maximum,
        "term_months": row.term_months,
        "tier": row.tier,
        "source": row.source,
        "basis": row.basis,
    }


def _says_the_same(price: ItemPrice, values: Mapping[str, Any], codes: set[str], row: PriceRow) -> bool:
    return codes == set(row.categories) and all(
        getattr(price, name) == value for name, value in values.items() if name not in IGNORED
    )
