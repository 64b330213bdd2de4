"""What a container measures: the processors, cores, storage space and disk slots of its chosen items."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from catalog.models import ItemPrice

RESTRICTED_BY = {
    "processors": ItemPrice.Restriction.PROCESSORS.value,
    "cores": ItemPrice.Restriction.CORES.value,
    "storage_space_gb": ItemPrice.Restriction.STORAGE.value,
}
SIZES = (*RESTRICTED_BY, "disk_slots")
Sizes = Mapping[str, int]


def whole_sizes(rows: Iterable[Sequence[Any]]) -> defaultdict[int, dict[str, int]]:
    """Put item, name and value of attributes together by item, leaving out what is no whole number."""
    sizes: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for item_id, name, value in rows:
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
