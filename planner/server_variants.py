"""Plain servers with other uplinks and disks than those that their package comes with.

A package sells hundreds of layouts: each uplink with any number of equal drives of each kind under each RAID level. Of
all servers those layouts are planned with that no other one is as good as for no more money, and behind each uplink the
cheapest disks, as proxies hold no data. What each part costs by itself decides; what is left is checked and priced as
it is ordered, and what a rule of the catalogue refuses is not planned with.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from catalog.container_facts import DISK_SLOT
from catalog.models import Item
from catalog.pricing import Term
from planner.configurations import (
    CONTROLLER,
    MB_S_PER_GBPS,
    UPLINK,
    Part,
    gbps_words,
    uplink_gbps,
)
from planner.server_menus import Disks, Floats, Menu, disks_of
from planner.storage_limits import limits_mask
from simulation.arrays import Array

NETWORKS = re.compile(r"\b(public|private)\b", re.I)
ROUNDING = 0.25
"""Money: more than rounding every line of two servers to whole cents can turn round."""

Ints = NDArray[np.int64]
Speeds = Callable[[Array], tuple[float, float]]
"""What an array takes and gives of objects, in MB/s."""


@dataclass(frozen=True)
class ServerVariant:
    """A layout of a server: what follows the server's key name, its words, its parts, and the term that costs less."""

    slug: str
    words: str
    parts: tuple[Part, ...]
    term: Term


@dataclass(frozen=True)
class Layouts:
    """Every layout of one server as a row: disk by disk behind one uplink after the other.

    `needs` are what it takes, the less the better: money a month and once. `delivers` is what a storage node does with
    it, the more the better: room in GB, MB/s taken and given. `kind` is the place of its term,
    `limits` are those kept.
    """

    rest: tuple[Part, ...]
    usual: frozenset[Part]
    terms: tuple[Term, ...]
    uplinks: Sequence[Item]
    disks: Sequence[Disks]
    needs: Floats
    delivers: Floats
    kind: Ints
    limits: Ints

    def variant(self, row: int) -> ServerVariant | None:
        """Return the layout of a row; None where it is what the server comes with."""
        uplink, place = divmod(row, len(self.disks))
        disks, speed = self.disks[place], gbps_words(uplink_gbps(self.uplinks[uplink]) or 0)
        parts = (*self.rest, (UPLINK, self.uplinks[uplink]), *disks.parts)
        if self.usual == set(parts):
            return None
        slug = f"{speed.lower().replace(' ', '').replace('/s', 'ps')}+{disks.slug}"
        return ServerVariant(slug, f"{disks.words} and {speed}", parts, self.terms[self.kind[row]])

    @property
    def in_front(self) -> Ints:
        """The rows of the cheapest disks behind each uplink."""
        monthly = self.needs[:, 0].reshape(len(self.uplinks), len(self.disks))
        return monthly.argmin(axis=1) + np.arange(len(self.uplinks)) * len(self.disks)


def layouts_of(server: Sequence[Part], menu: Menu, *, processor_mb_s: tuple[float, float], speeds: Speeds) -> Layouts:
    """Return every layout of a server; `processor_mb_s` is what its processor takes and gives of objects."""
    items = dict(server)
    uplinks = _uplinks(menu, items[UPLINK]) if UPLINK in items else []
    disks = disks_of(menu, _slots_in(items, menu.slots)) if uplinks else []
    rest = [part for part in server if part[0] not in (UPLINK, CONTROLLER) and not DISK_SLOT.fullmatch(part[0])]
    of_uplinks = np.array([menu.cost([(UPLINK, item)]) for item in uplinks]).reshape(-1, 1, 2, len(menu.terms))
    of_disks = np.array([menu.cost(each.parts) for each in disks]).reshape(1, -1, 2, len(menu.terms))
    cost = (of_uplinks + of_disks + menu.cost(rest)).reshape(-1, 2, len(menu.terms))
    term = cost[:, 0].argmin(axis=1) if len(cost) else np.empty(0, dtype=np.int64)
    network = np.array([(uplink_gbps(item) or 0) * MB_S_PER_GBPS for item in uplinks]).repeat(len(disks))
    of_arrays = np.array([(each.array.usable_gb, *speeds(each.array)) for each in disks]).reshape(-1, 3)
    delivers = np.tile(of_arrays, (len(uplinks), 1))
    delivers[:, 1:] = np.minimum(np.minimum(delivers[:, 1:], network[:, None]), processor_mb_s)
    limits = [limits_mask(raid=each.array.layout.raid, drive_class=each.array.drive_class) for each in disks]
    return Layouts(
        rest=tuple(rest),
        usual=frozenset(server),
        terms=menu.terms,
        uplinks=uplinks,
        disks=disks,
        needs=np.take_along_axis(cost, term[:, None, None], axis=2)[:, :, 0],
        delivers=delivers,
        kind=term,
        limits=np.tile(np.array(limits, dtype=np.int64), len(uplinks)),
    )


def worth_planning(servers: Sequence[Layouts]) -> list[list[int]]:
    """Return for each server the rows of its layouts that no layout of any server dominates, cheapest first; the
    cheapest behind each uplink stand before them. Ties keep the first."""
    if not servers:
        return []
    needs, delivers = (np.concatenate([getattr(each, name) for each in servers]) for name in ("needs", "delivers"))
    kind, limits = (np.concatenate([getattr(each, name) for each in servers]) for name in ("kind", "limits"))
    kept: list[int] = []
    for row in np.lexsort((needs[:, 1], needs[:, 0])).tolist():
        is_cheaper = (needs[kept] <= needs[row] - ROUNDING) | (needs[kept] == needs[row])
        is_beaten = (
            np.all(is_cheaper, axis=1)
            & np.all(delivers[kept] >= delivers[row], axis=1)
            & (kind[kept] == kind[row])
            & (limits[kept] & limits[row] == limits[row])
        )
        if np.isfinite(needs[row]).all() and not is_beaten.any():
            kept.append(row)
    found, start = [], 0
    for each in servers:
        rows = [row - start for row in kept if start <= row < start + len(each.needs)]
        found.append(list(dict.fromkeys([*each.in_front.tolist(), *rows])))
        start += len(each.needs)
    return found


def _uplinks(menu: Menu, usual: Item) -> list[Item]:
    """Return the uplinks that reach the networks of the usual one, no slower; of equal ones the cheapest."""
    slowest, networks = uplink_gbps(usual) or 0, _networks(usual)
    known = [(gbps, item) for item in menu.uplinks if (gbps := uplink_gbps(item)) and _networks(item) == networks]
    return menu.cheapest(UPLINK, [(gbps, item) for gbps, item in known if gbps >= slowest])


def _networks(uplink: Item) -> frozenset[str]:
    return frozenset(word.lower() for word in NETWORKS.findall(uplink.description))


def _slots_in(server: Mapping[str, Item], slots: int) -> int:
    facts = {fact.name: fact.value for item in server.values() for fact in item.attributes.all()}
    told = facts.get("disk_slots", "")
    return min(slots, int(told)) if told.isdecimal() else slots
