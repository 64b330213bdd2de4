"""What the items of a configuration say about the machine that they make, and what they leave unsaid."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.container_facts import DISK_SLOT
from catalog.models import BlueprintRole, Item, Package
from orders.models import OrderContainer

Part = tuple[str, Item]
"""A category code and the item chosen for it; items are read with their attributes."""

SERVER, MACHINE_TYPE, MEMORY, UPLINK, CONTROLLER = "server", "machine_type", "ram", "port_speed", "disk_controller"
FIRST_SLOT = "disk0"
MB_S_PER_GBPS = 125
DRIVE_WORDS = (
    (re.compile(r"\bnvme\b", re.I), "nvme", ""),
    (re.compile(r"\bssd\b", re.I), "ssd", ""),
    (re.compile(r"\bsas\b.*\b15k\b", re.I), "sas_15k", ""),
    (re.compile(r"\bsas\b.*\b10k\b", re.I), "sas_10k", ""),
    (re.compile(r"\bsata\b", re.I), "sata_7k", "SATA drives are taken to turn 7,200 times a minute."),
)
RAID_LEVEL = re.compile(r"^RAID (0|1|5|6|10|50)\b", re.I)
NO_RAID = re.compile(r"^non-raid\b", re.I)
BONDED = re.compile(r"\bredundant\b", re.I)
LEVEL_WORDS = {
    "none": "no RAID", "raid0": "RAID 0", "raid1": "RAID 1", "raid5": "RAID 5", "raid6": "RAID 6", "raid10": "RAID 10",
    "raid50": "RAID 50",
}  # fmt: skip


@dataclass(frozen=True)
class DriveGroup:
    """Equal drives of a machine; class and size are None where the catalogue does not say them."""

    drive_class: str | None
    drive_gb: float | None
    count: int
    description: str


@dataclass(frozen=True)
class Configuration:
    """One machine as it is ordered. What the catalogue does not say is None; `notes` say what is taken to be so.

    `drives` begins with the group of most capacity, where the data lies.
    """

    title: str
    quantity: int
    platform: str | None
    cores: int | None
    compute_units: float | None
    ram_gb: float | None
    network_gbps: float | None
    machine_type: str | None
    drives: tuple[DriveGroup, ...]
    raid: str | None
    notes: tuple[str, ...]

    @property
    def array(self) -> dict[str, Any] | None:
        """The array of a scenario that the data drives make; None where its drives or its level are not known."""
        if not self.drives or self.raid is None or self.drives[0].drive_class is None:
            return None
        data = self.drives[0]
        array = {"drive_class": data.drive_class, "drives": data.count, "raid": self.raid}
        return array if data.drive_gb is None else {**array, "drive_gb": data.drive_gb}

    @property
    def equipment_words(self) -> str:
        """The drives, what joins them, and the uplink: "4 × 600 GB SAS (15K RPM) in RAID 10, 1 Gb/s"."""
        level = f" in {LEVEL_WORDS[self.raid]}" if self.raid not in (None, "none") else ""
        drives = [f"{each.count} × {each.description}" if each.count > 1 else each.description for each in self.drives]
        uplink = [] if self.network_gbps is None else [gbps_words(self.network_gbps)]
        return ", ".join([*([" and ".join(drives) + level] if drives else []), *uplink])


def parts_of_container(container: OrderContainer) -> list[Part]:
    """Return what an order's container holds, in two queries."""
    lines = container.lines.select_related("item").prefetch_related("item__attributes")
    return [(line.category_code, line.item) for line in lines]


def parts_of_role(role: BlueprintRole) -> list[Part]:
    """Return what a blueprint's role names, and the package's defaults for what it leaves open."""
    rows = role.parts.select_related("category", "item").prefetch_related("item__attributes")
    named = [(row.category.category_code, row.item) for row in rows]
    codes = {code for code, _ in named}
    return named + [part for part in parts_of_package(role.package) if part[0] not in codes]


def parts_of_package(package: Package) -> list[Part]:
    """Return the default items of the categories that a package requires."""
    rows = package.configuration.filter(is_required=True, default_item__isnull=False)
    rows = rows.select_related("category", "default_item").prefetch_related("default_item__attributes")
    return [(row.category.category_code, row.default_item) for row in rows if row.default_item]


def parts_of_machine(item: Item, package: Package) -> list[Part]:
    """Return a machine type or server with the package's defaults for everything else."""
    codes = item.categories.filter(category_code__in=[SERVER, MACHINE_TYPE]).values_list("category_code", flat=True)
    return [(code, item) for code in codes] + [part for part in parts_of_package(package) if part[0] not in codes]


def configuration_of(*, title: str, quantity: int, parts: Sequence[Part]) -> Configuration:
    """Put together what the items of one machine say."""
    facts = {code: {fact.name: fact.value for fact in item.attributes.all()} for code, item in parts}
    items = dict(parts)
    notes: list[str] = []
    machine = {**facts.get(SERVER, {}), **facts.get(MACHINE_TYPE, {})}
    drives = _drives(parts, notes)
    return Configuration(
        title=title,
        quantity=quantity,
        platform="virtual" if MACHINE_TYPE in items else "bare_metal" if SERVER in items else None,
        cores=_whole(machine.get("cores")),
        compute_units=_number(machine.get("compute_units")),
        ram_gb=_number(facts.get(MEMORY, {}).get("memory_gb") or machine.get("memory_gb")),
        network_gbps=_network(items.get(UPLINK), machine, notes),
        machine_type=items[MACHINE_TYPE].key_name if MACHINE_TYPE in items else None,
        drives=drives,
        raid=raid_named_in(items[CONTROLLER].description) if CONTROLLER in items else None,
        notes=tuple(dict.fromkeys(notes)),
    )


def _drives(parts: Sequence[Part], notes: list[str]) -> tuple[DriveGroup, ...]:
    counts = Counter(item.pk for code, item in parts if DISK_SLOT.fullmatch(code))
    items = {item.pk: item for code, item in parts if DISK_SLOT.fullmatch(code)}
    groups = [_drive_group(item, counts[pk], notes) for pk, item in items.items()]
    return tuple(sorted(groups, key=lambda group: -(group.drive_gb or 0) * group.count))


def _drive_group(item: Item, count: int, notes: list[str]) -> DriveGroup:
    gigabytes = drive_gb_of(item)
    for words, drive_class, note in DRIVE_WORDS:
        if words.search(item.description):
            if note:
                notes.append(note)
            return DriveGroup(drive_class, gigabytes, count, item.description)
    return DriveGroup(None, gigabytes, count, item.description)


def drive_class_named_in(description: str) -> str | None:
    """Return the class of a drive as the models know it; None where its description does not say it."""
    return next((drive_class for words, drive_class, _ in DRIVE_WORDS if words.search(description)), None)


def raid_named_in(description: str) -> str | None:
    """Return the RAID level that a controller makes; None where its description does not say it."""
    level = RAID_LEVEL.match(description)
    if level:
        return f"raid{level[1]}"
    return "none" if NO_RAID.match(description) else None


def uplink_gbps(uplink: Item) -> float | None:
    """Return what an uplink carries, both cables of a redundant one together; None where the catalogue says nothing."""
    mbps = _fact(uplink, "uplink_mbps")
    return None if mbps is None else bonded_gbps(mbps, uplink.description)


def bonded_gbps(mbps: float, description: str) -> float:
    """Return what an uplink of such a speed carries: a redundant one is a bonded pair and carries twice its speed."""
    return mbps / 1000 * (2 if BONDED.search(description) else 1)


def drive_gb_of(drive: Item) -> float | None:
    """Return the size of a drive; None where the catalogue does not say it."""
    return _fact(drive, "capacity_gb")


def gbps_words(gbps: float) -> str:
    return f"{gbps:g} Gb/s" if gbps >= 1 else f"{gbps * 1000:g} Mb/s"


def _network(uplink: Item | None, machine: Mapping[str, str], notes: list[str]) -> float | None:
    if uplink is None:
        mb_s = _number(machine.get("network_mb_s"))
        return None if mb_s is None else mb_s / MB_S_PER_GBPS
    gbps = uplink_gbps(uplink)
    if gbps is not None and BONDED.search(uplink.description):
        notes.append("A redundant uplink is a bonded pair and is taken to carry twice its speed.")
    return gbps


def _fact(item: Item, name: str) -> float | None:
    return next((_number(fact.value) for fact in item.attributes.all() if fact.name == name), None)


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if 0 < number < math.inf else None


def _whole(value: str | None) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number == int(number) else None
