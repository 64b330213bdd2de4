"""Database nodes that can be ordered, bare metal and virtual, and what a tier of so many of them does."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from core.money import Money
from planner.advice.arrays import (
    CONTROLLER,
    SERVER,
    ArrayChoice,
    Drive,
    arrays_of,
    drives_of,
    slots_of,
    without_needless,
)
from planner.advice.market import Part, Shop
from planner.configurations import MACHINE_TYPE, MB_S_PER_GBPS, MEMORY, UPLINK, bonded_gbps
from simulation.arrays import Array, ArrayOutcome, HostIo, array_throughput
from simulation.document_store import document_rates
from simulation.drives import NETWORK
from simulation.kv_store import fast_outcome, kv_run
from simulation.machines import NETWORK_PARAMETER_BY_IO_CLASS
from simulation.parameters import ParameterSet
from simulation.scenarios import ScenarioError

Store = Literal["document", "key_value"]
DOCUMENT, KEY_VALUE = "document", "key_value"
VOLUME = "volume"
PAIR, PAIRS = "raid1", "raid10"
FEWEST_DRIVES = {PAIR: 2, PAIRS: 4}
"""A database's drives are mirrored: parity makes each small write four I/Os, and no RAID loses a node with a drive."""
SLOWEST_UPLINK_MBPS = 100
SOLID = "ssd"
JOURNAL_DRIVES = 2
ANY_DURATION = 600
"""Seconds of a run that is never made: the fast answer does not depend on it."""


@dataclass(frozen=True)
class Load:
    """What a tier is asked to carry. `record_kib` is one document or value; `copies` of everything are kept."""

    store: str
    data_gb: float
    read_share: float
    clients: int
    record_kib: float
    copies: int

    @property
    def reads_per_write(self) -> float:
        return self.read_share / (1 - self.read_share)


@dataclass(frozen=True)
class NodeKind:
    """One machine that may be a node: what is ordered for it, what it costs a month by itself, what the models take.

    `pieces` are the choices of each shop: the machine, and for a virtual one its volume. `data_gb` is what its drives
    hold.
    """

    title: str
    pieces: tuple[tuple[str, Shop, Mapping[str, Part], tuple[Part, ...]], ...]
    monthly: Money
    node: Mapping[str, Any]
    data_gb: float
    variety: str

    @cached_property
    def physics(self) -> tuple[Any, ...]:
        """What decides about its speed: machines that are equal in it are as fast."""
        node = {name: value for name, value in self.node.items() if name not in ("array", "journal")}
        arrays = [self.node[name] for name in ("array", "journal") if name in self.node]
        shapes = tuple((each["drive_class"], each["drives"], each["raid"]) for each in arrays)
        return (*sorted(node.items()), *shapes)


@dataclass
class Tiers:
    """What tiers of nodes do under one load; what was worked out once is remembered."""

    load: Load
    parameters: ParameterSet
    known: dict[tuple[Any, ...], tuple[float, str] | None] = field(default_factory=dict)
    arrays: dict[tuple[Any, ...], ArrayOutcome] = field(default_factory=dict)

    def rate(self, kind: NodeKind, shards: int) -> tuple[float, str] | None:
        """Return operations per second and what limits them; None for a tier that the models refuse."""
        key = (kind.physics, shards)
        if key not in self.known:
            try:
                self.known[key] = self._solved(kind, shards, self.parameters)
            except ScenarioError:
                self.known[key] = None
        return self.known[key]

    def others(self, kind: NodeKind, shards: int) -> list[float]:
        """Return the rates by the other fitted parameters."""
        members = [self.parameters.with_values(member) for member in self.parameters.ensemble]
        return [Tiers(self.load, member)._solved(kind, shards, member)[0] for member in members]

    def _solved(self, kind: NodeKind, shards: int, parameters: ParameterSet) -> tuple[float, str]:
        load = self.load
        if load.store == KEY_VALUE:
            outcome = fast_outcome(kv_run(self._key_value_scenario(kind, shards), parameters).network)
            return outcome.throughput_ops, outcome.bottleneck
        scenario = {
            "clients": max(1, round(load.clients / shards)),
            "reads_per_update": load.reads_per_write,
            "document_kib": load.record_kib,
            "dataset_gb": load.data_gb / shards,
            "node": kind.node,
        }
        rates = document_rates(scenario, parameters, solve=self._solve)
        limit = max(rates.utilisation, key=lambda name: rates.utilisation[name])
        return shards * rates.mean_ops, limit

    def _key_value_scenario(self, kind: NodeKind, nodes: int) -> dict[str, Any]:
        load = self.load
        size = load.record_kib * 1024
        return {
            "nodes": nodes,
            "replicas": load.copies,
            "acks": load.copies // 2 + 1,
            "clients": load.clients,
            "gets_per_put": load.reads_per_write,
            "keys": max(1, round(load.data_gb * 1e9 / size)),
            "value_bytes": {"distribution": "constant", "bytes": size},
            "duration_seconds": ANY_DURATION,
            "node": kind.node,
        }

    def _solve(self, array: Array, io: HostIo, parameters: ParameterSet) -> ArrayOutcome:
        key = (array.drive_class, array.drives, array.layout.raid, io)
        if key not in self.arrays:
            self.arrays[key] = array_throughput(array, io, parameters)
        return self.arrays[key]


def machines_of(load: Load, shards: int) -> int:
    """Return how many machines a tier of so many parts has: a document store keeps each part on `copies` of them."""
    return shards if load.store == KEY_VALUE else shards * load.copies


def held_gb(load: Load, kind: NodeKind, shards: int) -> float:
    """Return how much data a tier holds, each copy counted once."""
    return kind.data_gb * machines_of(load, shards) / load.copies


def bare_metal_kinds(shop: Shop, *, with_journal: bool, without_journal: bool) -> Iterator[NodeKind]:
    """Give every server with every memory, uplink and mirrored array, the journal beside the data or on two SSDs."""
    if not all(shop.offered(code) for code in (SERVER, MEMORY, UPLINK, CONTROLLER)):
        return
    for server in _servers(shop):
        for array in arrays_of(shop, slots=slots_of(shop, server)):
            if array.level.raid == PAIR and array.count > 2:
                continue
            is_whole = array.count >= FEWEST_DRIVES.get(array.level.raid, math.inf)
            if without_journal and is_whole:
                yield from _bare_metal(shop, server, array, None)
            for journal in _journals(shop, server, array) if with_journal else []:
                yield from _bare_metal(shop, server, array, journal)


def _servers(shop: Shop) -> list[Part]:
    servers = [part for part in shop.offered(SERVER) if part.number("cores")]
    return without_needless(shop, servers, [(part.number("cores"), slots_of(shop, part)) for part in servers])


def _journals(shop: Shop, server: Part, array: ArrayChoice) -> list[Drive]:
    """Return the smallest SSD, where two of them still find a slot beside an array of RAID 10."""
    drives = [drive for drive in drives_of(shop) if drive.drive_class == SOLID]
    fits = array.count + JOURNAL_DRIVES <= slots_of(shop, server)
    if not drives or not fits or array.level.raid != PAIRS:
        return []
    return [min(drives, key=lambda drive: (drive.gigabytes, drive.part.monthly.amount))]


def _bare_metal(shop: Shop, server: Part, array: ArrayChoice, journal: Drive | None) -> Iterator[NodeKind]:
    disks = ((journal.part,) * JOURNAL_DRIVES if journal else ()) + (array.drive.part,) * array.count
    memories = [part for part in shop.offered(MEMORY) if part.number("memory_gb")]
    for memory in without_needless(shop, memories, [part.number("memory_gb") for part in memories]):
        for uplink in uplinks_of(shop):
            named = {SERVER: server, MEMORY: memory, UPLINK: uplink, CONTROLLER: array.level.part}
            beside = f", journal on {JOURNAL_DRIVES} × {journal.part.description}" if journal else ""
            yield NodeKind(
                title=f"{server.description}, {memory.description}, {array.words}{beside}, {_speed(uplink)}",
                pieces=(("nodes", shop, named, disks),),
                monthly=price_of(shop, named, disks),
                node=bare_metal_node(server, memory, uplink, array, journal),
                data_gb=array.array.usable_gb,
                variety=f"bare metal {array.drive.drive_class} {'journal' if journal else ''}",
            )


def bare_metal_node(
    server: Part, memory: Part, uplink: Part, array: ArrayChoice, journal: Drive | None
) -> dict[str, Any]:
    """Return the node as the models take it."""
    node: dict[str, Any] = {
        "platform": "bare_metal",
        "cores": int(server.number("cores") or 1),
        "ram_gb": memory.number("memory_gb"),
        "network_gbps": _gbps(uplink),
        "array": {"drive_class": array.drive.drive_class, "drives": array.count, "raid": array.level.raid},
    }
    if journal:
        node["journal"] = {"drive_class": journal.drive_class, "drives": JOURNAL_DRIVES, "raid": "raid1"}
    return node


def uplinks_of(shop: Shop) -> list[Part]:
    """Return the cheapest uplink of each speed that is not a mere trickle."""
    known = [part for part in shop.offered(UPLINK) if (part.number("uplink_mbps") or 0) >= SLOWEST_UPLINK_MBPS]
    return without_needless(shop, known, [_gbps(part) for part in known])


def _gbps(uplink: Part) -> float:
    return bonded_gbps(uplink.number("uplink_mbps") or 0, uplink.description)


def _speed(uplink: Part) -> str:
    return f"{_gbps(uplink):g} Gb/s"


def virtual_kinds(shop: Shop, volumes: Shop, parameters: ParameterSet) -> Iterator[NodeKind]:
    """Give every machine type with every volume of the same place; a machine that is throttled is none of them."""
    for machine in shop.offered(MACHINE_TYPE):
        network = network_mb_s(machine, parameters)
        units, memory = machine.number("compute_units"), machine.number("memory_gb")
        if not (network and units and memory) or machine.facts.get("bursts") == "true":
            continue
        for volume in volumes.offered(VOLUME):
            gigabytes = volume.number("capacity_gb") or volume.number("capacity")
            if not gigabytes:
                continue
            yield NodeKind(
                title=f"{machine.item.key_name} with a volume of {gigabytes:,.0f} GB",
                pieces=(("nodes", shop, {MACHINE_TYPE: machine}, ()), ("volumes", volumes, {VOLUME: volume}, ())),
                monthly=price_of(shop, {MACHINE_TYPE: machine}, ()) + price_of(volumes, {VOLUME: volume}, ()),
                node={
                    "platform": "virtual",
                    "compute_units": units,
                    "ram_gb": memory,
                    "network_gbps": network / MB_S_PER_GBPS,
                    "array": {"drive_class": NETWORK, "drives": 1, "raid": "none"},
                },
                data_gb=gigabytes,
                variety=f"virtual {machine.item.key_name}",
            )


def network_mb_s(machine: Part, parameters: ParameterSet) -> float | None:
    """Return what a machine type's network passes: the published rate, or what its I/O class is taken to mean."""
    published = machine.number("network_mb_s")
    name = NETWORK_PARAMETER_BY_IO_CLASS.get(machine.facts.get("io_class", ""))
    return published or (parameters.value(name) if name else None)


def price_of(shop: Shop, named: Mapping[str, Part], disks: tuple[Part, ...]) -> Money:
    """Return what one machine comes to, as far as its parts have a price by themselves: to rank by, not to charge."""
    parts = [*{**shop.usual, **named, **dict(zip(shop.slots, disks, strict=False))}.values()]
    return sum((part.monthly for part in parts[1:]), start=parts[0].monthly)
