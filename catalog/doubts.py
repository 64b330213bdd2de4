"""What a catalogue says that may be taken in more than one way: it is taken, and told."""

from collections import defaultdict
from collections.abc import Iterator

from catalog.cells import RowNote
from catalog.layout import CatalogData, PriceRow
from catalog.models import LocationGroup


def doubts_about(data: CatalogData) -> list[RowNote]:
    """Return a note for each group that nobody lists, each data centre in several groups, and each tie of prices.

    Asks for the groups as they are stored, so it comes after them.
    """
    return [*_unknown_groups(data), *_several_groups(data), *_ties(data)]


def _unknown_groups(data: CatalogData) -> Iterator[RowNote]:
    inactive = set(LocationGroup.objects.filter(is_active=False, name="").values_list("external_id", flat=True))
    prices: dict[int, list[PriceRow]] = defaultdict(list)
    for price in data.prices:
        if price.location_group in inactive:
            prices[price.location_group].append(price)
    for group, rows in sorted(prices.items()):
        words = (
            f"Location group {group} is in no list and has no data centre. It is taken inactive: its {len(rows)} "
            "prices count nowhere until a list names it."
        )
        yield RowNote(data.path, None, rows[0].place, "group_unknown", words)


def _several_groups(data: CatalogData) -> Iterator[RowNote]:
    priced = {price.location_group for price in data.prices}
    for location in data.locations:
        if len(location.groups) > 1:
            groups = ", ".join(
                f"{group}{'' if group in priced else ' (no prices)'}" for group in sorted(location.groups)
            )
            words = (
                f"{location.name} is in the groups {groups}. Where an item has prices in several, the lowest counts."
            )
            yield RowNote(data.path, None, f"locations.{location.key_name}", "several_groups", words)


def _ties(data: CatalogData) -> Iterator[RowNote]:
    alike: dict[tuple[object, ...], list[PriceRow]] = defaultdict(list)
    for price in data.prices:
        capacity = (price.restriction, price.restriction_minimum, price.restriction_maximum)
        conditions = (*capacity, price.term_months, price.tier)
        validity = (price.valid_from, price.valid_to, frozenset(price.categories))
        alike[price.item, price.location_group, *conditions, *validity].append(price)
    names = {item.external_id: item.description for item in data.items}
    for rows in alike.values():
        if len(rows) > 1:
            first = rows[0]
            where = f"in group {first.location_group}" if first.location_group else "as standard"
            words = (
                f"{names.get(first.item, first.item)} has the prices {', '.join(row.external_id for row in rows)} "
                f"{where} under the same conditions. The one offered on the term counts, then the highest fee, then "
                "the lowest id."
            )
            yield RowNote(data.path, None, first.place, "tie", words)
