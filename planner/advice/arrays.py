"""Arrays of drives that can be ordered: which drives, levels and numbers a shop offers, without what is needless."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from planner.advice.market import LeftOut, Part, Shop
from planner.configurations import CONTROLLER as CONTROLLER
from planner.configurations import FIRST_SLOT as FIRST_SLOT
from planner.configurations import LEVEL_WORDS as LEVEL_WORDS
from planner.configurations import SERVER as SERVER
from planner.configurations import drive_class_named_in, raid_named_in
from simulation.arrays import Array
from simulation.raid import is_layout as is_layout
from simulation.raid import layout_of


@dataclass(frozen=True)
class Drive:
    """A drive that is offered: its class as the models know it, and its size."""

    part: Part
    drive_class: str
    gigabytes: float


@dataclass(frozen=True)
class Level:
    """A controller that is offered, with the RAID level that it makes."""

    part: Part
    raid: str


@dataclass(frozen=True)
class ArrayChoice:
    """So many equal drives of a shop under a level; `array` is the same for the models."""

    drive: Drive
    level: Level
    count: int

    @property
    def array(self) -> Array:
        return array_of_drives(self.drive.drive_class, self.count, self.level.raid, self.drive.gigabytes)

    @property
    def words(self) -> str:
        """The array in words: "RAID 10 of 4 × 600 GB SAS (15K RPM)"."""
        drives = f"{self.count} × {self.drive.part.description}"
        return drives if self.level.raid == "none" else f"{LEVEL_WORDS[self.level.raid]} of {drives}"


@lru_cache(maxsize=4096)
def array_of_drives(drive_class: str, count: int, raid: str, gigabytes: float) -> Array:
    """Return an array for the models; raises ScenarioError for an impossible one."""
    return Array(drive_class, count, layout_of(raid=raid, drives=count), gigabytes)


def drives_of(shop: Shop) -> list[Drive]:
    """Return the drives whose class and size are told; of equal ones the cheapest."""
    found = _known_drives(shop)
    parts = without_needless(
        shop, [each.part for each in found], [(each.drive_class, each.gigabytes) for each in found]
    )
    return [drive for drive in found if drive.part in parts]


def _known_drives(shop: Shop) -> list[Drive]:
    found = []
    for part in shop.offered(FIRST_SLOT):
        drive_class = drive_class_named_in(part.description)
        gigabytes = part.number("capacity_gb")
        if drive_class and gigabytes:
            found.append(Drive(part, drive_class, gigabytes))
    return found


def levels_of(shop: Shop) -> list[Level]:
    """Return the controllers whose RAID level is told; of equal ones the cheapest."""
    found = _known_levels(shop)
    parts = without_needless(shop, [each.part for each in found], [each.raid for each in found])
    return [each for each in found if each.part in parts]


def _known_levels(shop: Shop) -> list[Level]:
    found = []
    for part in shop.offered(CONTROLLER):
        raid = raid_named_in(part.description)
        if raid:
            found.append(Level(part, raid))
    return found


def unknown_disks(shop: Shop) -> Iterator[LeftOut]:
    """Give the drives and controllers of which the catalogue does not say enough."""
    known = {drive.part.item.item_id for drive in _known_drives(shop)}
    for part in shop.offered(FIRST_SLOT):
        if part.item.item_id not in known:
            yield LeftOut(f"{part.description} ({shop.package_name})", "Its kind or its size is not told.")
    known = {level.part.item.item_id for level in _known_levels(shop)}
    for part in shop.offered(CONTROLLER):
        if part.item.item_id not in known:
            yield LeftOut(f"{part.description} ({shop.package_name})", "Its RAID level is not told.")


def slots_of(shop: Shop, server: Part) -> int:
    """Return how many disks a server takes: what its chassis says, or all that the package has slots for."""
    return min(server.item.sizes.get("disk_slots", len(shop.slots)), len(shop.slots))


def arrays_of(shop: Shop, *, slots: int) -> Iterator[ArrayChoice]:
    """Give every array of equal drives that fits into the slots; without RAID a drive stands alone."""
    for drive in drives_of(shop):
        for level in levels_of(shop):
            for count in range(1, 2 if level.raid == "none" else slots + 1):
                if is_layout(level.raid, count):
                    yield ArrayChoice(drive, level, count)


def without_needless(shop: Shop, parts: Sequence[Part], kinds: Sequence[Hashable]) -> list[Part]:
    """Return the cheapest part of each kind, and every part that a rule names or of which only so many are left: its
    equals may be allowed where it is not.

    Ties go to the part that stands first in the catalogue.
    """
    special = shop.ruled_items | shop.container.stock.keys()
    cheapest: dict[Hashable, Part] = {}
    for part, kind in zip(parts, kinds, strict=True):
        if part.item.item_id in special:
            continue
        known = cheapest.get(kind)
        if known is None or _cost(part) < _cost(known):
            cheapest[kind] = part
    kept = {part.item.item_id for part in cheapest.values()} | special
    return [part for part in parts if part.item.item_id in kept]


def _cost(part: Part) -> tuple[object, int]:
    return part.monthly.amount, part.item.item_id
