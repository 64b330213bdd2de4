"""Clusters of an object store such as Swift: groups of one proxy and N storage nodes behind balancers.

A group is a closed queueing network. A fixed number of client streams push work through the proxy, one station, to the
storage nodes, N balanced stations; a stream also needs time of its own for every megabyte. A job is one megabyte of
client traffic. A write sends every copy from the proxy to another storage node; a read fetches one copy. A storage
node works at the speed of its processor, its network or, where its drives are known, its data array: whatever is least.

`replicas` is a whole number of copies or, where data is cut into k parts with m parts of parity, (k + m) / k: a write
sends so many megabytes for each of the client's, a read fetches one in k parts. That encoding and decoding cost the
proxy nothing beyond passing that on is an assumption; nothing was measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from simulation.machines import Machine
from simulation.mva import FloatArray, closed_throughput, closed_throughput_within
from simulation.parameters import ParameterSet

PROXY_LIMITS = ("proxy network", "proxy processor", "proxy software")
STORAGE_NETWORK = "storage network"
STORAGE_PROCESSOR = "storage processor"
STORAGE_DISKS = "storage disks"
STORAGE_THROTTLING = "storage throttling"
STREAMS = "streams"
RESPONSE_TIME = "response time"
ASSUMPTION_MATTERS_FROM = 0.01
PLENTY = 1e9
"""Compute units that limit nothing."""
# One byte a second: finer differences are rounding noise, and would make a saturated curve seem to fall.
DECIMALS = 6


@dataclass(frozen=True)
class Mix:
    """The share of the client traffic that is read; the rest is written. 0 is a backup, 1 is a recovery."""

    read_fraction: float

    def __post_init__(self) -> None:
        if not 0 <= self.read_fraction <= 1:
            raise ValueError("read_fraction: must lie between 0 and 1")

    def copies_through_proxy(self, *, replicas: float) -> float:
        """Megabytes in the busier direction of the proxy's network for each megabyte of client traffic."""
        write_fraction = 1 - self.read_fraction
        leaving = replicas * write_fraction + self.read_fraction
        entering = write_fraction + self.read_fraction
        return max(leaving, entering)


WRITE = Mix(read_fraction=0.0)
READ = Mix(read_fraction=1.0)


@dataclass(frozen=True)
class GroupTable:
    """What every combination of proxy type (p), storage type (s) and number of storage nodes (n) passes.

    `throughput_mb_s` (p, s, n) is client traffic; `limits` names what binds first; `assumed` marks a figure that would
    move by more than 1 % if assumed network figures and compute units of its machine types did not limit them.
    """

    throughput_mb_s: FloatArray
    limits: NDArray[np.str_]
    assumed: NDArray[np.bool_]


@dataclass(frozen=True)
class GroupOutcome:
    """What one proxy with its storage nodes passes, what binds first, and if an assumed figure matters."""

    throughput_mb_s: float
    limit: str
    assumed: bool


def group_table(
    *,
    proxies: Sequence[Machine],
    storages: Sequence[Machine],
    nodes_per_proxy: Sequence[int],
    mix: Mix,
    parameters: ParameterSet,
    replicas: float = 3,
    most_seconds: float | None = None,
) -> GroupTable:
    """Throughput of all groups at once. Raises ValueError for a group without storage nodes or data without a copy.

    With `most_seconds` it is the most that a group passes while one megabyte takes at most that long on average, from
    the request to the last byte: fewer streams then work at once.
    """
    if replicas < 1 or min(nodes_per_proxy, default=1) < 1:
        raise ValueError("replicas and nodes_per_proxy: at least one is needed")
    nodes = np.asarray(nodes_per_proxy, dtype=np.float64)
    solve = partial(_solve, nodes=nodes, mix=mix, replicas=replicas, most_seconds=most_seconds, parameters=parameters)
    throughput, limits = solve(proxies=proxies, storages=storages)
    unlimited, _ = solve(proxies=_without_assumed(proxies), storages=_without_assumed(storages))
    return GroupTable(
        throughput_mb_s=throughput,
        limits=limits,
        assumed=unlimited > throughput * (1 + ASSUMPTION_MATTERS_FROM),
    )


def group_throughput(
    *, proxy: Machine, storage: Machine, nodes: int, mix: Mix, parameters: ParameterSet, replicas: float = 3
) -> GroupOutcome:
    """What one proxy with `nodes` storage nodes passes, in MB/s of client traffic."""
    table = group_table(
        proxies=[proxy],
        storages=[storage],
        nodes_per_proxy=[nodes],
        mix=mix,
        replicas=replicas,
        parameters=parameters,
    )
    return GroupOutcome(
        throughput_mb_s=float(table.throughput_mb_s[0, 0, 0]),
        limit=str(table.limits[0, 0, 0]),
        assumed=bool(table.assumed[0, 0, 0]),
    )


def group_seconds(
    *, proxy: Machine, storage: Machine, mix: Mix, parameters: ParameterSet, replicas: float = 3
) -> tuple[float, float]:
    """How long one megabyte of client traffic keeps a proxy busy, and its storage nodes in all."""
    service = group_service(proxy=proxy, storage=storage, mix=mix, parameters=parameters, replicas=replicas)
    return service.proxy_seconds, max(service.storage_seconds, service.lasting_seconds)


@dataclass(frozen=True)
class GroupService:
    """What one megabyte of client traffic asks of a proxy, and of its storage nodes in all, in seconds.

    `lasting_seconds` is what throttled storage nodes need over minutes; zero where nothing throttles them.
    """

    proxy_seconds: float
    storage_seconds: float
    lasting_seconds: float


def group_service(
    *, proxy: Machine, storage: Machine, mix: Mix, parameters: ParameterSet, replicas: float = 3
) -> GroupService:
    """The service demands of a group, for whoever simulates it event by event."""
    proxies = _proxies(proxies=[proxy], mix=mix, replicas=replicas, parameters=parameters)
    storages = _storages(storages=[storage], mix=mix, replicas=replicas, parameters=parameters)
    return GroupService(
        proxy_seconds=float(proxies.seconds[0]),
        storage_seconds=float(storages.seconds[0]),
        lasting_seconds=float(storages.lasting_seconds[0]),
    )


def balancer_mb_s(machine: Machine, parameters: ParameterSet) -> float:
    """What one balancer passes, in MB/s: its network or its processor, whichever is less.

    The processor's share per compute unit is known from one machine type; that it holds for others is an assumption.
    """
    processor = _lasting_compute_units(machine, parameters) * parameters.value(
        "object_store.balancer_mb_s_per_compute_unit"
    )
    return min(machine.network_mb_s, processor)


def processor_mb_s(compute_units: float, parameters: ParameterSet) -> tuple[float, float]:
    """What the processor of a storage node takes and gives of objects, in MB/s, whatever its network and disks."""
    write = compute_units * parameters.value("object_store.storage_write_mb_s_per_compute_unit")
    return write, write * parameters.value("object_store.storage_read_to_write_speed")


def storage_mb_s(machine: Machine, parameters: ParameterSet) -> tuple[float, float]:
    """What a storage node takes and gives of objects, in MB/s; unless it bursts, groups know no more of it."""
    write, read = processor_mb_s(machine.compute_units, parameters)
    return (
        min(write, machine.network_mb_s, machine.disk_write_mb_s or np.inf),
        min(read, machine.network_mb_s, machine.disk_read_mb_s or np.inf),
    )


def proxy_mb_s(machine: Machine, parameters: ParameterSet) -> float:
    """What a proxy passes in its busier direction, in MB/s: groups know no more of it."""
    processor = parameters.value("object_store.proxy_mb_s_per_compute_unit") * _lasting_compute_units(
        machine, parameters
    )
    return min(machine.network_mb_s, processor, parameters.value("object_store.proxy_software_mb_s"))


def cluster_mb_s(*, group_mb_s: float, groups: int, balancer_mb_s: float, balancers: int) -> float:
    """What equal groups behind equal balancers pass; no balancers means that nothing stands in front."""
    together = groups * group_mb_s
    return min(together, balancers * balancer_mb_s) if balancers else together


@dataclass(frozen=True)
class _Proxies:
    """Seconds that each proxy type needs for one megabyte of client traffic, and which part of it sets them."""

    seconds: FloatArray
    limit: NDArray[np.str_]


@dataclass(frozen=True)
class _Storages:
    """Seconds that the nodes of each storage type need in all for one megabyte of client traffic.

    `lasting_seconds` is the same over minutes, where a bursting machine is throttled; zero for the others.
    """

    seconds: FloatArray
    lasting_seconds: FloatArray
    limit: NDArray[np.str_]


def _solve(
    *,
    proxies: Sequence[Machine],
    storages: Sequence[Machine],
    nodes: FloatArray,
    mix: Mix,
    replicas: float,
    most_seconds: float | None,
    parameters: ParameterSet,
) -> tuple[FloatArray, NDArray[np.str_]]:
    proxy = _proxies(proxies=proxies, mix=mix, replicas=replicas, parameters=parameters)
    storage = _storages(storages=storages, mix=mix, replicas=replicas, parameters=parameters)
    streams = round(parameters.value("object_store.streams_per_proxy"))
    think_seconds = 1 / parameters.value("object_store.stream_mb_s")

    shape = (len(proxies), len(storages), len(nodes))
    proxy_seconds, storage_seconds, lasting_seconds, many_nodes = np.broadcast_arrays(
        proxy.seconds[:, None, None],
        storage.seconds[None, :, None],
        storage.lasting_seconds[None, :, None],
        nodes[None, None, :],
    )

    demands = np.stack([proxy_seconds.ravel(), storage_seconds.ravel()], axis=1)
    multiplicity = np.stack([np.ones(proxy_seconds.size), many_nodes.ravel()], axis=1)
    network = closed_throughput(
        demands=demands, multiplicity=multiplicity, think_seconds=think_seconds, customers=streams
    ).throughput.reshape(shape)
    # Credits last for minutes and even out what single requests do, so throttling is a ceiling and not a queue.
    with np.errstate(divide="ignore"):
        throttled = many_nodes / lasting_seconds
    bounds = np.stack(
        [
            1 / proxy_seconds,
            many_nodes / storage_seconds,
            throttled,
            streams / (think_seconds + proxy_seconds + storage_seconds),
        ]
    )
    names = np.stack(
        np.broadcast_arrays(
            proxy.limit[:, None, None],
            storage.limit[None, :, None],
            np.full(shape, STORAGE_THROTTLING),
            np.full(shape, STREAMS),
        )
    )
    limits = np.take_along_axis(names, bounds.argmin(axis=0)[None], axis=0)[0]
    passed = np.minimum(network.round(DECIMALS), bounds.min(axis=0))
    if most_seconds is None:
        return passed, limits
    within = closed_throughput_within(
        demands=demands,
        multiplicity=multiplicity,
        think_seconds=think_seconds,
        customers=streams,
        most_seconds=most_seconds,
    ).reshape(shape)
    is_late = within.round(DECIMALS) < passed
    return np.where(is_late, within.round(DECIMALS), passed), np.where(is_late, RESPONSE_TIME, limits)


def _proxies(*, proxies: Sequence[Machine], mix: Mix, replicas: float, parameters: ParameterSet) -> _Proxies:
    per_unit = parameters.value("object_store.proxy_mb_s_per_compute_unit")
    speeds = np.array(
        [
            [machine.network_mb_s for machine in proxies],
            [per_unit * _lasting_compute_units(machine, parameters) for machine in proxies],
            [parameters.value("object_store.proxy_software_mb_s")] * len(proxies),
        ],
        dtype=np.float64,
    )
    return _Proxies(
        seconds=mix.copies_through_proxy(replicas=replicas) / speeds.min(axis=0),
        limit=np.array(PROXY_LIMITS)[speeds.argmin(axis=0)],
    )


def _storages(*, storages: Sequence[Machine], mix: Mix, replicas: float, parameters: ParameterSet) -> _Storages:
    write_per_unit = parameters.value("object_store.storage_write_mb_s_per_compute_unit")
    read_per_unit = write_per_unit * parameters.value("object_store.storage_read_to_write_speed")
    copies_written = replicas * (1 - mix.read_fraction)
    copies_read = mix.read_fraction

    units = np.array([machine.compute_units for machine in storages], dtype=np.float64)
    lasting_units = np.array([_lasting_compute_units(machine, parameters) for machine in storages], dtype=np.float64)
    bursts = np.array([machine.bursts for machine in storages], dtype=np.bool_)
    network = np.array([machine.network_mb_s for machine in storages], dtype=np.float64)

    writing = np.array([machine.disk_write_mb_s or np.inf for machine in storages], dtype=np.float64)
    reading = np.array([machine.disk_read_mb_s or np.inf for machine in storages], dtype=np.float64)

    processor_seconds = (copies_written / write_per_unit + copies_read / read_per_unit) / units
    network_seconds = (copies_written + copies_read) / network
    disk_seconds = copies_written / writing + copies_read / reading
    seconds = copies_written / np.minimum(np.minimum(write_per_unit * units, network), writing) + copies_read / (
        np.minimum(np.minimum(read_per_unit * units, network), reading)
    )
    outside = np.where(disk_seconds > network_seconds, STORAGE_DISKS, STORAGE_NETWORK)
    return _Storages(
        seconds=seconds,
        lasting_seconds=np.where(bursts, processor_seconds * units / lasting_units, 0.0),
        limit=np.where(seconds > processor_seconds, outside, STORAGE_PROCESSOR),
    )


def _lasting_compute_units(machine: Machine, parameters: ParameterSet) -> float:
    share = parameters.value("machine.burst_sustained_fraction") if machine.bursts else 1.0
    return machine.compute_units * share


def _without_assumed(machines: Sequence[Machine]) -> list[Machine]:
    return [
        replace(
            machine,
            network_mb_s=np.inf if machine.network_is_assumed else machine.network_mb_s,
            compute_units=PLENTY if machine.compute_units_are_assumed else machine.compute_units,
        )
        for machine in machines
    ]
