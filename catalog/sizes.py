"""What a container measures: the processors, cores, storage space and disk slots of its chosen items."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from catalog.models import ItemAttribute, ItemPrice

RESTRICTED_BY = {
    "processors": ItemPrice.Restriction.PROCESSORS.value,
    "cores": ItemPrice.Restriction.CORES.value,
    "storage_space_gb": ItemPrice.Restriction.STORAGE.value,
}
SIZES = (*RESTRICTED_BY, "disk_slots")
Sizes = Mapping[str, int]


def sizes_by_item(*, item_ids: Iterable[int]) -> defaultdict[int, dict[str, int]]:
    """Return the sizes that are whole numbers for each item, in one query."""
    sizes: defaultdict[int, dict[str, int]] = defaultdict(dict)
    rows = ItemAttribute.objects.filter(item_id__in=list(item_ids), name__in=SIZES)
    for item_id, name, value in rows.values_list("item_id", "name", "value"):
        if value.isascii() and value.isdigit():
            sizes[item_id][name] = int(value)
    return sizes


def capacities_of(sizes: Iterable[Sizes]) -> tuple[tuple[str, int], ...]:
    """Return what the chosen items of one container come to, as prices restrict it."""
    totals: dict[str, int] = defaultdict(int)
    for item in sizes:
        for name, restriction in RESTRICTED_BY.items():
            if name in item:
                totals[restriction] += item[name]
    return tuple(sorted(totals.items()))
