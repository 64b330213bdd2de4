"""Document stores such as MongoDB 2.2: clients read and update large documents of one node, as fast as it answers.

A closed network of what a document passes: the processors, the network in either direction, the write lock, the data
array for what memory does not hold and for what is written back, and the journal. The mean counts the write-back and
the shared slowdown of network volumes, the peak is what the node delivers while neither is there. While the database
writes back, for a share of that time everything else stands still.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from simulation.arrays import Array, ArrayOutcome, HostIo, array_throughput
from simulation.drives import BYTES_PER_KIB, NETWORK
from simulation.mva import closed_throughput
from simulation.nodes import Node, node_of, ram_hit_fraction
from simulation.parameters import ParameterSet
from simulation.scenarios import Scenario, number, required, whole_number
from simulation.stations import StationUse, busiest_station

MOST_CLIENTS = 65536
SolveArray = Callable[[Array, HostIo, ParameterSet], ArrayOutcome]
# Equally likely slowdowns that stand for the whole distribution: the normal's quantiles at 1/12, 3/12 … 11/12.
SLOWDOWN_QUANTILES = (-1.3830, -0.6745, -0.2104, 0.2104, 0.6745, 1.3830)


@dataclass(frozen=True)
class DocumentRates:
    """Operations per second, reads and updates together: over time, and at the best of times.

    `utilisation` is the busy share of each station over time.
    """

    mean_ops: float
    peak_ops: float
    updates_fraction: float
    utilisation: Mapping[str, float]


def document_rates(
    scenario: Scenario, parameters: ParameterSet, *, solve: SolveArray = array_throughput
) -> DocumentRates:
    """Solve the node. Raises ScenarioError naming a field that is missing or impossible.

    Whoever solves many nodes may pass a `solve` that remembers what equal arrays do.
    """
    clients = whole_number(required(scenario, "clients"), field="clients", maximum=MOST_CLIENTS)
    reads_per_update = number(required(scenario, "reads_per_update"), field="reads_per_update")
    kib = number(required(scenario, "document_kib"), field="document_kib", above=0, maximum=65536)
    dataset_gb = number(required(scenario, "dataset_gb"), field="dataset_gb", above=0)
    node = node_of(scenario, parameters)
    updates = 1 / (1 + reads_per_update)
    miss = 1 - ram_hit_fraction(ram_gb=node.ram_gb, data_gb=dataset_gb, parameters=parameters)

    def iops(array: Array, *, reads: bool, sequential: bool) -> float:
        io = HostIo(kib=kib, queue_depth=clients, read_fraction=float(reads), sequential=sequential)
        return solve(array, io, parameters).iops

    reading = miss / iops(node.array, reads=True, sequential=False)
    writing = updates / iops(node.array, reads=False, sequential=False)
    logging = updates / iops(node.journal or node.array, reads=False, sequential=True)
    data_slows = node.array.drive_class == NETWORK
    journal_slows = (node.journal or node.array).drive_class == NETWORK

    def flow(*, slowdown: float, writes_back: bool) -> _Flow:
        slower = slowdown if data_slows else 1.0
        back = writing * slower if writes_back else 0.0
        return _closed_flow(
            demands=_demands(
                node=node,
                kib=kib,
                updates=updates,
                data_seconds=reading * slower + back,
                journal_seconds=logging * (slowdown if journal_slows else 1.0),
                parameters=parameters,
            ),
            processors=node.processors,
            still_seconds=parameters.value("document_store.still_share") * back,
            clients=clients,
        )

    deviation = parameters.value("network_volume.slowdown_deviation")
    slowdowns = [float(np.exp(deviation * each)) for each in SLOWDOWN_QUANTILES]
    if not (data_slows or journal_slows):
        slowdowns = [1.0]
    flows = [flow(slowdown=slowdown, writes_back=True) for slowdown in slowdowns]
    return DocumentRates(
        mean_ops=float(np.mean([each.ops for each in flows])),
        peak_ops=flow(slowdown=min(slowdowns), writes_back=False).ops,
        updates_fraction=updates,
        utilisation={name: float(np.mean([each.busy[name] for each in flows])) for name in flows[0].busy},
    )


@dataclass(frozen=True)
class _Flow:
    """What the node does under one slowdown: operations per second, and the busy share of each station."""

    ops: float
    busy: Mapping[str, float]


def _demands(
    *,
    node: Node,
    kib: float,
    updates: float,
    data_seconds: float,
    journal_seconds: float,
    parameters: ParameterSet,
) -> dict[str, float]:
    """Seconds of one mean operation at each station; a journal on the data array counts there."""
    transfer = kib * BYTES_PER_KIB / 1e6 / node.network_mb_s
    processor = parameters.value("document_store.processor_ms_per_mib") / 1e3 * kib / 1024 / node.processor_speed
    demands = {
        "processors": processor,
        "network out": (1 - updates) * transfer,
        "network in": updates * transfer,
        "write lock": updates * parameters.value("document_store.lock_share") * processor,
    }
    if node.journal is None:
        return {**demands, "data drives": data_seconds + journal_seconds}
    return {**demands, "data drives": data_seconds, "journal drives": journal_seconds}


def _closed_flow(*, demands: Mapping[str, float], processors: int, still_seconds: float, clients: int) -> _Flow:
    servers = {name: processors if name == "processors" else 1 for name in demands}
    result = closed_throughput(
        demands=np.array([list(demands.values())]),
        multiplicity=np.array([[float(count) for count in servers.values()]]),
        think_seconds=0.0,
        customers=clients,
    )
    ops = 1 / (1 / float(result.throughput[0]) + still_seconds)
    return _Flow(ops=ops, busy={name: ops * demand / servers[name] for name, demand in demands.items()})


def throughput_ops(scenario: Scenario, parameters: ParameterSet) -> float:
    """Reads and updates per second over time."""
    return document_rates(scenario, parameters).mean_ops


def throughput_ops_peak(scenario: Scenario, parameters: ParameterSet) -> float:
    """Reads and updates per second at the best of times."""
    return document_rates(scenario, parameters).peak_ops


def reads_per_second(scenario: Scenario, parameters: ParameterSet) -> float:
    """Reads per second over time."""
    rates = document_rates(scenario, parameters)
    return rates.mean_ops * (1 - rates.updates_fraction)


def reads_per_second_peak(scenario: Scenario, parameters: ParameterSet) -> float:
    """Reads per second at the best of times."""
    rates = document_rates(scenario, parameters)
    return rates.peak_ops * (1 - rates.updates_fraction)


def updates_per_second(scenario: Scenario, parameters: ParameterSet) -> float:
    """Updates per second over time."""
    rates = document_rates(scenario, parameters)
    return rates.mean_ops * rates.updates_fraction


def updates_per_second_peak(scenario: Scenario, parameters: ParameterSet) -> float:
    """Updates per second at the best of times."""
    rates = document_rates(scenario, parameters)
    return rates.peak_ops * rates.updates_fraction


def stations(scenario: Scenario, parameters: ParameterSet) -> StationUse:
    """How busy processors, network, write lock and drives are over time."""
    utilisation = document_rates(scenario, parameters).utilisation
    return StationUse(utilisation=utilisation, bottleneck=busiest_station(utilisation, otherwise="clients"))


METRICS: Mapping[str, Callable[[Scenario, ParameterSet], float | str]] = {
    "throughput_ops": throughput_ops,
    "throughput_ops_mean": throughput_ops,
    "throughput_ops_peak": throughput_ops_peak,
    "reads_per_second": reads_per_second,
    "reads_per_second_mean": reads_per_second,
    "reads_per_second_peak": reads_per_second_peak,
    "updates_per_second": updates_per_second,
    "updates_per_second_mean": updates_per_second,
    "updates_per_second_peak": updates_per_second_peak,
}
