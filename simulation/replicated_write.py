"""Write-back acceleration: a write is answered when the local flash and every peer over the link have it.

A closed network of the host's processors, its flash and its link. A peer's flash works in step with the local one, so
it delays an answer but does not add to what the busiest station has to do.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from simulation.drives import BYTES_PER_KIB, transfer_seconds
from simulation.mva import closed_throughput
from simulation.parameters import ParameterSet
from simulation.scenarios import Scenario, ScenarioError, choice, number, read_fraction, required, whole_number
from simulation.stations import StationUse, use_at_rate

FLASHES = ("sata_emlc_ssd", "sata_mlc_ssd", "pcie_flash")
ETHERNET = re.compile(r"([1-9]\d{0,2})gbe")
INFINIBAND = re.compile(r"ib_([1-9]\d{0,2})g")
MOST_PEERS = 64
MB_S_PER_GBPS = 125.0


@dataclass(frozen=True)
class WriteNetwork:
    """What one I/O asks of the processors, the flash and the link, and the round trip that it waits besides."""

    demands: Mapping[str, float]
    servers: Mapping[str, int]
    round_trip_seconds: float


def write_network(scenario: Scenario, parameters: ParameterSet) -> WriteNetwork:
    """Turn a scenario into a network. Raises ScenarioError naming a field that is missing or impossible."""
    kib = io_kib(scenario)
    reads = read_fraction(scenario)
    vcpus = whole_number(required(scenario, "vcpus"), field="vcpus", maximum=1024)
    flash = choice(required(scenario, "flash"), FLASHES, field="flash")
    flash_seconds = reads * _read_seconds(flash, kib, parameters) + (1 - reads) * _write_seconds(flash, kib, parameters)
    link_seconds, round_trip_seconds = _link(scenario, kib, parameters) if reads < 1 else (0.0, 0.0)
    return WriteNetwork(
        demands={
            "processors": parameters.value("replicated_write.cpu_us") / 1e6,
            "flash": flash_seconds,
            "link": (1 - reads) * link_seconds,
        },
        servers={"processors": vcpus, "flash": 1, "link": 1},
        round_trip_seconds=(1 - reads) * round_trip_seconds,
    )


def iops(scenario: Scenario, parameters: ParameterSet) -> float:
    """Writes (or reads) per second that the virtual machine gets."""
    network = write_network(scenario, parameters)
    result = closed_throughput(
        demands=np.array([list(network.demands.values())]),
        multiplicity=np.array([[float(count) for count in network.servers.values()]]),
        think_seconds=network.round_trip_seconds,
        customers=outstanding(scenario, parameters),
    )
    return float(result.throughput[0])


def stations(scenario: Scenario, parameters: ParameterSet) -> StationUse:
    """How busy processors, flash and link are."""
    network = write_network(scenario, parameters)
    rate = iops(scenario, parameters)
    return use_at_rate(rate, demands=network.demands, servers=network.servers, otherwise="workers")


def throughput_mb_s(scenario: Scenario, parameters: ParameterSet) -> float:
    """Data of the virtual machine in MB/s (10^6 bytes), one copy counted."""
    return iops(scenario, parameters) * io_kib(scenario) * BYTES_PER_KIB / 1e6


def latency_ms(scenario: Scenario, parameters: ParameterSet) -> float:
    """Mean time of one I/O, by Little's law."""
    return 1e3 * outstanding(scenario, parameters) / iops(scenario, parameters)


def io_kib(scenario: Scenario) -> float:
    """The size of one I/O in KiB."""
    return number(required(scenario, "io_kib"), field="io_kib", above=0, maximum=65536)


def outstanding(scenario: Scenario, parameters: ParameterSet) -> int:
    """How many I/Os all workers together keep outstanding."""
    workers = whole_number(required(scenario, "workers"), field="workers", maximum=1024)
    return round(workers * parameters.value("replicated_write.outstanding_per_worker"))


def _write_seconds(flash: str, kib: float, parameters: ParameterSet) -> float:
    buffered = min(kib, parameters.value("flash.buffered_kib"))
    return (
        parameters.value(f"flash.{flash}.write_us") / 1e6
        + transfer_seconds(kib=buffered, mb_s=parameters.value(f"flash.{flash}.buffered_mb_s"))
        + transfer_seconds(kib=kib - buffered, mb_s=parameters.value(f"flash.{flash}.sustained_mb_s"))
    )


def _read_seconds(flash: str, kib: float, parameters: ParameterSet) -> float:
    transfer = transfer_seconds(kib=kib, mb_s=parameters.value(f"flash.{flash}.read_mb_s"))
    return parameters.value(f"flash.{flash}.read_us") / 1e6 + transfer


def _link(scenario: Scenario, kib: float, parameters: ParameterSet) -> tuple[float, float]:
    """Seconds that a write keeps the link busy with all its copies, and the round trip that it waits."""
    peers = whole_number(required(scenario, "peers"), field="peers", minimum=0, maximum=MOST_PEERS)
    if peers == 0:
        return 0.0, 0.0
    name = required(scenario, "link")
    ethernet, infiniband = (kind.fullmatch(str(name)) for kind in (ETHERNET, INFINIBAND))
    if ethernet:
        kind, gbps = "ethernet", float(ethernet[1])
    elif infiniband:
        kind, gbps = "infiniband", float(infiniband[1])
    else:
        raise ScenarioError("link", f"must be 1gbe, 10gbe, ib_10g or another speed in that form, not {name!r}")
    mb_s = gbps * MB_S_PER_GBPS * parameters.value(f"link.{kind}.payload_share")
    return peers * transfer_seconds(kib=kib, mb_s=mb_s), parameters.value(f"link.{kind}.round_trip_us") / 1e6


METRICS: Mapping[str, Callable[[Scenario, ParameterSet], float | str]] = {
    "iops": iops,
    "throughput_mb_s": throughput_mb_s,
    "latency_ms": latency_ms,
}
