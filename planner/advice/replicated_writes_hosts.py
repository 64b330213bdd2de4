"""Hosts whose flash answers writes once their peers have them: what is sold, how fast, and what stands behind."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from planner.advice.arrays import (
    CONTROLLER,
    SERVER,
    Drive,
    Level,
    array_of_drives,
    drives_of,
    levels_of,
    slots_of,
    without_needless,
)
from planner.advice.database_nodes import price_of
from planner.advice.market import LeftOut, Market, Part, Shop
from planner.advice.network_plans import speed_of
from planner.configurations import UPLINK
from simulation.arrays import Array, HostIo, array_throughput
from simulation.drives import BYTES_PER_KIB
from simulation.flash_cache import Bursts, rise_of
from simulation.parameters import ParameterSet
from simulation.replicated_write import iops as write_iops
from simulation.replicated_write import stations

SOLID, CARD = "ssd", "nvme"
HARD_WEARING = re.compile(r"\b10 ?DWPD\b", re.I)
PAIRS, SINGLE = "raid10", "none"
SLOWEST_GBPS = 1.0
DEEP_QUEUE = 128
"""I/Os that a cache keeps outstanding at the array while it drains."""
WORKERS = 8
SLACK = 1.0
"""Money by which the rounding of an order's lines may change which of two hosts is cheaper."""


@dataclass(frozen=True)
class WriteDemand:
    """Writes of `kib`, each kept on `copies` hosts. `base` and `burst_gb` are what one host writes, GB are 10^9 B."""

    kib: float
    iops: float
    copies: int
    data_gb: float
    base: float
    burst_gb: float
    burst_seconds: float
    every_seconds: float

    @property
    def gb_of_one(self) -> float:
        return self.kib * BYTES_PER_KIB / 1e9

    def bursts(self, fastest: float) -> Bursts:
        """Return the writes of a second as they come through flash and link that pass no more than `fastest`."""
        writes = self.burst_gb / self.gb_of_one
        wanted = max(self.base, writes / self.burst_seconds)
        rate = max(min(wanted, fastest), self.base)
        seconds = self.burst_seconds if rate == wanted else min(self.every_seconds, writes / rate)
        return Bursts(self.base, rate, seconds, self.every_seconds)


@dataclass(frozen=True)
class Host:
    """One host as it is ordered: cache drives first, then those of the array behind; `front` is what it answers."""

    shop: Shop
    server: Part
    uplink: Part
    level: Level
    cache: Drive
    caches: int
    behind: Array
    drive: Drive
    front: float
    limit: str
    drain: float

    @property
    def named(self) -> Mapping[str, Part]:
        return {SERVER: self.server, UPLINK: self.uplink, CONTROLLER: self.level.part}

    @property
    def disks(self) -> tuple[Part, ...]:
        return (self.cache.part,) * self.caches + (self.drive.part,) * self.behind.drives

    @property
    def gbps(self) -> float:
        return speed_of(self.uplink) or 0.0

    @property
    def monthly(self) -> float:
        return float(price_of(self.shop, self.named, self.disks).amount)

    def backlog_gb(self, demand: WriteDemand) -> float:
        """Return what a burst leaves waiting in the cache."""
        return rise_of(demand.bursts(self.front), drain=self.drain) * demand.gb_of_one

    def shortfall(self, demand: WriteDemand) -> float:
        """Return by what share it misses everything but the speed of its front, all together."""
        missed = (
            self.backlog_gb(demand) / self.cache.gigabytes - 1,
            demand.bursts(self.front).mean / self.drain - 1,
            1 - self.behind.usable_gb / demand.data_gb,
        )
        return sum(max(0.0, each) for each in missed)


@dataclass
class Speeds:
    """What flash, links and arrays pass, each worked out once."""

    demand: WriteDemand
    parameters: ParameterSet
    fronts: dict[tuple[Any, ...], tuple[float, str]] = field(default_factory=dict)
    drains: dict[tuple[Any, ...], float] = field(default_factory=dict)

    def front(self, cores: int, flash: str, link: str) -> tuple[float, str]:
        """Return the writes that a host answers each second, and what limits them."""
        key = (cores, flash, link)
        if key not in self.fronts:
            scenario = scenario_of(self.demand, cores=cores, flash=flash, link=link)
            self.fronts[key] = (
                write_iops(scenario, self.parameters),
                stations(scenario, self.parameters).bottleneck,
            )
        return self.fronts[key]

    def drain(self, array: Array) -> float:
        """Return the writes that the array behind takes each second."""
        key = (array.drive_class, array.drives, array.layout.raid)
        if key not in self.drains:
            io = HostIo(self.demand.kib, DEEP_QUEUE, read_fraction=0.0, sequential=False)
            self.drains[key] = array_throughput(array, io, self.parameters).iops
        return self.drains[key]


def scenario_of(demand: WriteDemand, *, cores: int, flash: str, link: str, kib: float | None = None) -> dict[str, Any]:
    """Return the scenario of the model: all cores and eight workers write, each to all peers."""
    return {
        "operation": "write",
        "io_kib": kib or demand.kib,
        "vcpus": cores,
        "flash": flash,
        "peers": demand.copies - 1,
        "link": link,
        "workers": WORKERS,
    }


def hosts_of(
    market: Market, demand: WriteDemand, parameters: ParameterSet, can_be_ordered: Callable[[Host], bool]
) -> Iterator[Host]:
    """Give, for each server, kind of flash and uplink, the cheapest hosts that take the bursts and hold the data.

    Where none does, the one that misses least.
    """
    speeds = Speeds(demand, parameters)
    for shop in market.shops:
        for server in _servers(shop):
            for uplink in uplinks_of(shop):
                for flash in ("sata_mlc_ssd", "sata_emlc_ssd", "pcie_flash"):
                    hosts = list(_hosts(shop, server, uplink, flash, speeds))
                    yield from _worth_showing(hosts, demand, can_be_ordered)


def _worth_showing(hosts: list[Host], demand: WriteDemand, can_be_ordered: Callable[[Host], bool]) -> Iterator[Host]:
    ranked = sorted(((host.shortfall(demand), host.monthly, place) for place, host in enumerate(hosts)))
    known: tuple[float, float] | None = None
    for short, cost, place in ranked:
        if known and (short > known[0] or cost > known[1] + SLACK):
            return
        if can_be_ordered(hosts[place]):
            known = known or (short, cost)
            yield hosts[place]


def _hosts(shop: Shop, server: Part, uplink: Part, flash: str, speeds: Speeds) -> Iterator[Host]:
    slots = slots_of(shop, server)
    for cache in drives_of(shop):
        if flash_of(cache) != flash:
            continue
        for level in levels_of(shop):
            for drive in drives_of(shop):
                if drive.drive_class in (SOLID, CARD):
                    continue
                for count in counts_of(level.raid, slots):
                    yield host_of(shop, server, uplink, level, cache, drive, count, speeds)


def counts_of(raid: str, slots: int) -> range:
    """Return how many drives may stand behind: one beside one of flash, or pairs beside a pair of it."""
    if raid == SINGLE:
        return range(1, 2) if slots >= 2 else range(0)
    return range(2, slots - 1, 2) if raid == PAIRS else range(0)


def host_of(
    shop: Shop, server: Part, uplink: Part, level: Level, cache: Drive, drive: Drive, count: int, speeds: Speeds
) -> Host:
    """Return a host with so many drives behind its flash: two of them are a mirror, more are striped mirrors."""
    raid = "raid1" if level.raid == PAIRS and count == 2 else level.raid
    behind = array_of_drives(drive.drive_class, count, raid, drive.gigabytes)
    front, limit = speeds.front(int(server.number("cores") or 1), flash_of(cache) or "", link_of(uplink))
    return Host(
        shop=shop,
        server=server,
        uplink=uplink,
        level=level,
        cache=cache,
        caches=1 if level.raid == SINGLE else 2,
        behind=behind,
        drive=drive,
        front=front,
        limit=limit,
        drain=speeds.drain(behind),
    )


def flash_of(drive: Drive) -> str | None:
    """Return the kind of flash as the models know it; a drive that bears ten full writes a day is enterprise MLC."""
    if drive.drive_class == CARD:
        return "pcie_flash"
    if drive.drive_class != SOLID:
        return None
    return "sata_emlc_ssd" if HARD_WEARING.search(drive.part.description) else "sata_mlc_ssd"


def _servers(shop: Shop) -> list[Part]:
    servers = [part for part in shop.offered(SERVER) if part.number("cores")]
    return without_needless(shop, servers, [(part.number("cores"), slots_of(shop, part)) for part in servers])


def uplinks_of(shop: Shop) -> list[Part]:
    """Return the cheapest uplink of each speed from 1 Gb/s on; a private one is enough between hosts."""
    known = [part for part in shop.offered(UPLINK) if is_fast(part)]
    return without_needless(shop, known, [link_of(part) for part in known])


def link_of(uplink: Part) -> str:
    """Return the link as the models name it: "10gbe", or "ib_40g" where its description says InfiniBand."""
    gbps = round(speed_of(uplink) or 0.0)
    return f"ib_{gbps}g" if is_infiniband(uplink) else f"{gbps}gbe"


def is_infiniband(uplink: Part) -> bool:
    return "infiniband" in uplink.description.casefold()


def is_fast(uplink: Part) -> bool:
    """Tell whether the models know such a link: whole gigabits a second."""
    speed = speed_of(uplink) or 0.0
    return SLOWEST_GBPS <= speed < 1000 and math.isclose(speed, round(speed))


def left_out(market: Market) -> Iterator[LeftOut]:
    """Give the links that are too slow or not sold."""
    for shop in market.shops:
        for uplink in shop.offered(UPLINK):
            if not is_fast(uplink):
                reason = "Its speed is not told, or is below 1 Gb/s."
                yield LeftOut(f"{uplink.description} ({shop.package_name})", reason)
    if not any(is_infiniband(part) for shop in market.shops for part in shop.offered(UPLINK)):
        yield LeftOut("InfiniBand", "It is not sold here; the chart shows what it would do.")
