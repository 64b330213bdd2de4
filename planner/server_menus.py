"""What packages sell for the layouts of their servers: uplinks, controllers and drives, with what each costs."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from accounts.models import Account
from catalog.container_facts import DISK_SLOT
from catalog.models import Item, Location, Package, PackageConfiguration
from catalog.pricing import Term
from catalog.services import ContainerAnswer, ContainerQuestion, containers_check
from planner.configurations import (
    CONTROLLER,
    FIRST_SLOT,
    LEVEL_WORDS,
    UPLINK,
    Part,
    drive_class_named_in,
    drive_gb_of,
    raid_named_in,
)
from simulation.arrays import Array
from simulation.raid import is_layout, layout_of

Floats = NDArray[np.float64]
LEVELS = {"none": (1,), "raid1": (2,), "raid5": (), "raid6": (), "raid10": ()}
"""RAID levels planned with, and with how many drives where that is fixed; RAID 0 is for what may be lost."""
FEWEST_DRIVES = 4
"""Drives under the other levels: 4, 8 and so on up to the slots of the chassis, and as many as it has slots."""


@dataclass(frozen=True)
class Menu:
    """What a package sells for the layout of its servers; `fees` of a part are what one costs a month and what it costs
    once, each on every one of the `terms`."""

    uplinks: tuple[Item, ...]
    controllers: tuple[Item, ...]
    drives: tuple[Item, ...]
    slots: int
    terms: tuple[Term, ...]
    fees: Mapping[tuple[str, int], Floats]

    def cost(self, parts: Sequence[Part]) -> Floats:
        """Return what these parts cost, as `fees` has it; infinite where one of them is not offered so."""
        keys = ((FIRST_SLOT if DISK_SLOT.fullmatch(code) else code, item.pk) for code, item in parts)
        return np.array([self.fees[key] for key in keys]).sum(axis=0)

    def cheapest(self, code: str, items: Sequence[tuple[object, Item]]) -> list[Item]:
        """Return of each kind the item that costs least a month; ties go to the first of the catalogue."""
        found: dict[object, Item] = {}
        for kind, item in sorted(items, key=lambda each: float(self.cost([(code, each[1])])[0].min())):
            found.setdefault(kind, item)
        return list(found.values())


@dataclass(frozen=True)
class Disks:
    """So many equal drives under what joins them."""

    controller: Item
    drive: Item
    array: Array

    @property
    def parts(self) -> list[Part]:
        return [(CONTROLLER, self.controller), *((f"disk{slot}", self.drive) for slot in range(self.array.drives))]

    @property
    def slug(self) -> str:
        """The disks in a key name: "4x600gb-sas15k+raid10"."""
        raid = "" if self.array.layout.raid == "none" else f"+{self.array.layout.raid}"
        kind = self.array.drive_class.replace("_", "").removesuffix("7k")
        return f"{self.array.drives}x{self.array.drive_gb:g}gb-{kind}{raid}"

    @property
    def words(self) -> str:
        raid = self.array.layout.raid
        drives = f"{self.array.drives} × {self.drive.description}"
        return self.drive.description if raid == "none" else f"{drives} in {LEVEL_WORDS[raid]}"


def menus_of(
    servers: Mapping[int, Sequence[Sequence[Part]]],
    *,
    account: Account,
    location: Location,
    at: datetime,
    hours_per_month: Decimal,
) -> Mapping[int, Menu]:
    """Return what each package sells for the layouts of these servers of it, with what the parts cost."""
    if not servers:
        return {}
    offered: dict[int, dict[str, list[Item]]] = defaultdict(lambda: defaultdict(list))
    codes = (UPLINK, CONTROLLER, FIRST_SLOT)
    links = Item.packages.through._default_manager.filter(
        package__in=servers, item__categories__category_code__in=codes
    )
    links = links.select_related("item").prefetch_related("item__attributes", "item__categories")
    for link in links.order_by("item_id").distinct():
        for category in link.item.categories.all():
            offered[link.package_id][category.category_code].append(link.item)
    packages = Package.objects.in_bulk(list(servers))
    questions = []
    for key, of_package in servers.items():
        parts = {
            (FIRST_SLOT if DISK_SLOT.fullmatch(code) else code, item)
            for code, item in [part for server in of_package for part in server]
            + [(code, item) for code in codes for item in offered[key][code]]
        }
        questions += [ContainerQuestion(packages[key], location, term.value, tuple(parts)) for term in Term]
    answers = containers_check(account=account, questions=questions, at=at, hours_per_month=hours_per_month)
    slots = _slots_of(servers)
    return {
        key: Menu(
            uplinks=tuple(offered[key][UPLINK]),
            controllers=tuple(offered[key][CONTROLLER]),
            drives=tuple(offered[key][FIRST_SLOT]),
            slots=slots[key],
            terms=tuple(Term),
            fees=_fees(answers[place * len(Term) : (place + 1) * len(Term)]),
        )
        for place, key in enumerate(servers)
    }


def disks_of(menu: Menu, slots: int) -> list[Disks]:
    """Return every number of equal drives under every level that a server with so many slots can have."""
    drives = [((drive_class_named_in(item.description), drive_gb_of(item)), item) for item in menu.drives]
    levels = [(raid_named_in(item.description), item) for item in menu.controllers]
    return [
        Disks(controller, drive, Array(drive_class, count, layout_of(raid=raid, drives=count), gigabytes))
        for drive in menu.cheapest(FIRST_SLOT, [each for each in drives if all(each[0])])
        for controller in menu.cheapest(CONTROLLER, [each for each in levels if each[0] in LEVELS])
        if (raid := raid_named_in(controller.description))
        and (drive_class := drive_class_named_in(drive.description))
        and (gigabytes := drive_gb_of(drive))
        for count in LEVELS[raid] or _counts(slots)
        if count <= slots and is_layout(raid, count)
    ]


def _counts(slots: int) -> list[int]:
    powers = [FEWEST_DRIVES << step for step in range(slots.bit_length()) if FEWEST_DRIVES << step <= slots]
    return sorted({*powers, slots} - set(range(FEWEST_DRIVES)))


def _slots_of(packages: Mapping[int, object]) -> Mapping[int, int]:
    found: dict[int, int] = defaultdict(int)
    rows = PackageConfiguration.objects.filter(package__in=packages).values_list(
        "package_id", "category__category_code"
    )
    for package, code in rows:
        found[package] += bool(DISK_SLOT.fullmatch(code))
    return found


def _fees(answers: Sequence[ContainerAnswer]) -> Mapping[tuple[str, int], Floats]:
    """Return what each part costs a month (first) and once, by the answers of the terms; infinite for what is open."""
    found: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
    for answer in answers:
        for line in answer.lines:
            amounts = (line.price.lasting_monthly, line.price.once)
            monthly, once = (math.inf if money is None else float(money.amount) for money in amounts)
            found[line.category_code, line.item.pk].append((monthly, once))
    return {key: np.array(by_term).T for key, by_term in found.items()}
