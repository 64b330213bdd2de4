"""Arrays of drives behind a controller: the description, and the closed queueing network that it makes.

A host read is one I/O on one of the D drives; a host write becomes the I/Os of its RAID level. Each drive I/O also
passes the controller. Its write-back cache answers a write before the drives have it, so that writes queue at the
drives as deep as the cache allows whatever the host's own queue depth is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulation.drives import DRIVE_CLASSES, NETWORK, ROTATING, Access, drive_seconds, transfer_seconds
from simulation.mva import closed_throughput
from simulation.parameters import ParameterSet
from simulation.raid import Layout, layout_of
from simulation.scenarios import ScenarioError, choice, number, required, required_in, whole_number
from simulation.stations import busiest_station

DRIVES, CONTROLLER, NETWORK_VOLUME, QUEUE_DEPTH = "drives", "controller", "network volume", "queue depth"
MOST_DRIVES = 1024


@dataclass(frozen=True)
class Array:
    """An array as it is ordered: drives of one class under one RAID level. `drive_gb` may be unknown."""

    drive_class: str
    drives: int
    layout: Layout
    drive_gb: float | None

    @property
    def usable_gb(self) -> float:
        """Capacity that holds data. Raises ScenarioError where the drives' size is unknown."""
        if self.drive_gb is None:
            raise ScenarioError("array.drive_gb", "is missing")
        return self.drives * self.drive_gb * self.layout.usable_fraction


@dataclass(frozen=True)
class HostIo:
    """What a host asks of an array: I/Os of one size, `queue_depth` of them outstanding at any time."""

    kib: float
    queue_depth: int
    read_fraction: float
    sequential: bool
    span: float = 1.0


@dataclass(frozen=True)
class ArrayOutcome:
    """What an array delivers to its host; `utilisation` by station, `bottleneck` the one that holds it back."""

    iops: float
    latency_ms: float
    utilisation: Mapping[str, float]
    bottleneck: str


def array_of(value: Any, *, field: str = "array") -> Array:
    """Read an array from a scenario. Raises ScenarioError naming what is missing or impossible."""
    if not isinstance(value, Mapping):
        raise ScenarioError(field, "must describe an array")
    drive_class = choice(required_in(value, "drive_class", field), DRIVE_CLASSES, field=f"{field}.drive_class")
    drives = whole_number(required_in(value, "drives", field), field=f"{field}.drives", maximum=MOST_DRIVES)
    raid = required_in(value, "raid", field)
    try:
        layout = layout_of(raid=raid, drives=drives)
    except ScenarioError as error:
        raise ScenarioError(f"{field}.{error.field}", error.reason) from None
    gigabytes = value.get("drive_gb")
    return Array(
        drive_class=drive_class,
        drives=drives,
        layout=layout,
        drive_gb=None if gigabytes is None else number(gigabytes, field=f"{field}.drive_gb", above=0),
    )


def span_of(array: Array, *, mount: str, parameters: ParameterSet) -> float:
    """The share of the drives' surface that a mount lies on: a small directory keeps the arm close."""
    if mount != "logs" or array.drive_class not in ROTATING:
        return 1.0
    return min(1.0, parameters.value("block_io.small_directory_gb") / array.usable_gb)


def array_throughput(array: Array, io: HostIo, parameters: ParameterSet) -> ArrayOutcome:
    """Solve the array's closed network: drives, controller, and the host's queue depth.

    The drives see what the host waits for and what the cache holds; the host waits for the drives when it reads and for
    the controller alone when it writes. Either can be what limits.
    """
    if array.drive_class == NETWORK:
        return _network_volume(io, parameters)
    cached = (1 - io.read_fraction) * parameters.value("controller.cached_writes")
    breadth = _breadth(array, io, parameters)
    behind, control = _demands(array, io, (io.queue_depth + cached) * breadth, parameters)
    strips = strips_of(io, parameters)
    seen, _ = _demands(array, io, io.queue_depth * strips, parameters)
    iops = min(
        _closed_iops(array, sum(behind), control, breadth=breadth, customers=round(io.queue_depth + cached)),
        _closed_iops(array, seen[0], control, breadth=strips, customers=io.queue_depth),
    )
    return _outcome(iops, io, {DRIVES: iops * sum(behind) / array.drives, CONTROLLER: iops * control})


def _closed_iops(array: Array, drives: float, control: float, *, breadth: float, customers: int) -> float:
    """Solve the network of host I/Os that each occupy `breadth` drives at once: so many fewer stations there are."""
    stations = max(1.0, array.drives / breadth)
    result = closed_throughput(
        demands=np.array([[drives * stations / array.drives, control]]),
        multiplicity=np.array([[stations, 1.0]]),
        think_seconds=0.0,
        customers=customers,
    )
    return float(result.throughput[0])


def _breadth(array: Array, io: HostIo, parameters: ParameterSet) -> float:
    """How many times the drive I/Os of a small host I/O this one makes, all at once."""
    strips = strips_of(io, parameters)
    if io.sequential:
        return strips
    reads, writes = io.read_fraction, 1 - io.read_fraction
    ios = reads * strips + writes * array.layout.write_ios(strips=strips)
    return ios / (reads + writes * array.layout.write_penalty)


def _demands(
    array: Array, io: HostIo, outstanding: float, parameters: ParameterSet
) -> tuple[tuple[float, float], float]:
    """Seconds of one mean host I/O at all drives, for reading and for writing, and at the controller.

    `outstanding` drive I/Os wait at all drives together.
    """
    reads, writes = io.read_fraction, 1 - io.read_fraction
    reading, writing = _drive_demands(array, io, outstanding / array.drives, parameters)
    read_control, write_control = _controller_demands(array, io, parameters)
    return (reads * reading, writes * writing), reads * read_control + writes * write_control


def strips_of(io: HostIo, parameters: ParameterSet) -> float:
    """How many strips, each on another drive, a host I/O covers; one for a small one."""
    return max(1.0, io.kib / parameters.value("controller.strip_kib"))


def _drive_demands(array: Array, io: HostIo, queue: float, parameters: ParameterSet) -> tuple[float, float]:
    strips = strips_of(io, parameters)

    def seconds(*, writes: bool, ios: float, kib: float) -> float:
        access = Access(kib=kib / ios, writes=writes, sequential=io.sequential, queue=max(1.0, queue), span=io.span)
        return ios * drive_seconds(array.drive_class, access, parameters)

    read = seconds(writes=False, ios=strips, kib=io.kib)
    if io.sequential:
        return read, seconds(writes=True, ios=strips, kib=io.kib) / array.layout.usable_fraction
    ios = array.layout.write_ios(strips=strips)
    return read, seconds(writes=True, ios=ios, kib=io.kib * ios / strips)


def _controller_demands(array: Array, io: HostIo, parameters: ParameterSet) -> tuple[float, float]:
    strips = strips_of(io, parameters)
    name = "controller.nvme_io_us" if array.drive_class == "nvme" else "controller.io_us"
    each = parameters.value(name) / 1e6
    transfer = transfer_seconds(kib=io.kib, mb_s=parameters.value("controller.mb_s"))
    ios = strips / array.layout.usable_fraction if io.sequential else array.layout.controller_ios(strips=strips)
    write = each * ios * parameters.value("drive.write_factor") + transfer * ios / strips
    return each * strips + transfer, write


def _network_volume(io: HostIo, parameters: ParameterSet) -> ArrayOutcome:
    access = Access(kib=io.kib, writes=io.read_fraction < 1, sequential=io.sequential)
    seconds = drive_seconds(NETWORK, access, parameters)
    iops = min(1 / seconds, io.queue_depth / (seconds + parameters.value("network_volume.round_trip_ms") / 1e3))
    return _outcome(iops, io, {NETWORK_VOLUME: iops * seconds})


def _outcome(iops: float, io: HostIo, utilisation: Mapping[str, float]) -> ArrayOutcome:
    return ArrayOutcome(
        iops=iops,
        latency_ms=1e3 * io.queue_depth / iops,
        utilisation=utilisation,
        bottleneck=busiest_station(utilisation, otherwise=QUEUE_DEPTH),
    )


def required_array(scenario: Mapping[str, Any]) -> Array:
    """The array of a scenario that must have one."""
    return array_of(required(scenario, "array"))
