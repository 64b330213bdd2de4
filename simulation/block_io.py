"""Random and sequential I/O on an array, as fio measures it: `queue_depth` I/Os outstanding and no time in between."""

from collections.abc import Callable, Mapping

from simulation.arrays import ArrayOutcome, HostIo, array_throughput, required_array, span_of
from simulation.drives import BYTES_PER_KIB
from simulation.parameters import ParameterSet
from simulation.scenarios import Scenario, choice, number, read_fraction, required, whole_number
from simulation.stations import StationUse

MOUNTS = ("data", "logs", "journal")
ACCESSES = ("random", "sequential")
LARGEST_BLOCK_KIB = 65536
DEEPEST_QUEUE = 65536


def block_outcome(scenario: Scenario, parameters: ParameterSet) -> ArrayOutcome:
    """Solve the scenario's array under the scenario's I/O."""
    array = required_array(scenario)
    mount = choice(required(scenario, "mount"), MOUNTS, field="mount")
    io = HostIo(
        kib=block_kib(scenario),
        queue_depth=whole_number(required(scenario, "queue_depth"), field="queue_depth", maximum=DEEPEST_QUEUE),
        read_fraction=read_fraction(scenario),
        sequential=choice(required(scenario, "access"), ACCESSES, field="access") == "sequential",
        span=span_of(array, mount=mount, parameters=parameters),
    )
    return array_throughput(array, io, parameters)


def block_kib(scenario: Scenario) -> float:
    """The size of one I/O in KiB."""
    return number(required(scenario, "block_kib"), field="block_kib", above=0, maximum=LARGEST_BLOCK_KIB)


def iops(scenario: Scenario, parameters: ParameterSet) -> float:
    """Host I/Os per second."""
    return block_outcome(scenario, parameters).iops


def throughput_mb_s(scenario: Scenario, parameters: ParameterSet) -> float:
    """Host data in MB/s (10^6 bytes)."""
    return iops(scenario, parameters) * block_kib(scenario) * BYTES_PER_KIB / 1e6


def latency_ms(scenario: Scenario, parameters: ParameterSet) -> float:
    """Mean time of one host I/O, by Little's law."""
    return block_outcome(scenario, parameters).latency_ms


def bottleneck(scenario: Scenario, parameters: ParameterSet) -> str:
    """What holds the host back: drives, controller, network volume, or a queue too shallow to keep them busy."""
    return block_outcome(scenario, parameters).bottleneck


def stations(scenario: Scenario, parameters: ParameterSet) -> StationUse:
    """How busy drives and controller are."""
    outcome = block_outcome(scenario, parameters)
    return StationUse(utilisation=outcome.utilisation, bottleneck=outcome.bottleneck)


METRICS: Mapping[str, Callable[[Scenario, ParameterSet], float | str]] = {
    "iops": iops,
    "throughput_mb_s": throughput_mb_s,
    "latency_ms": latency_ms,
    "bottleneck": bottleneck,
}
