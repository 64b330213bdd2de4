"""Replicated key-value stores such as Riak: from nodes and clients to a queueing network, and its fast answer.

The kernels run the network event by event; here approximate mean value analysis of the same demands gives what a slider
needs: the mean throughput without bursts and slowdowns.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulation.arrays import Array
from simulation.drives import NETWORK, Access, drive_seconds
from simulation.nodes import array_write_mb_s, node_of, ram_hit_fraction
from simulation.parameters import ParameterSet
from simulation.promises import promise_of
from simulation.quorum_network import DETERMINISTIC, EXPONENTIAL, QuorumNetwork
from simulation.scenarios import Scenario, ScenarioError, choice, number, required, required_in, whole_number
from simulation.stations import StationUse, use_at_rate

DISTRIBUTIONS = ("exponential", "constant")
MOST_NODES = 4096
MOST_CLIENTS = 65536
WARM_UP_FRACTION = 0.05
LONGEST_WARM_UP_SECONDS = 60.0
HALVINGS = 50
SHORTEST_RUN_SECONDS = 30.0
MOST_REQUESTS = 10_000_000
"""A run that must answer more, however short it is made, would hold its worker for longer than others can wait."""


@dataclass(frozen=True)
class KvRun:
    """A network of a key-value store, and how much its volumes slow down together (zero for drives of its own)."""

    network: QuorumNetwork
    slowdown_deviation: float
    slowdown_seconds: float


@dataclass(frozen=True)
class FastOutcome:
    """The mean answer of the queueing network: requests per second, and the busy share of each kind of station."""

    throughput_ops: float
    utilisation: Mapping[str, float]
    bottleneck: str


def kv_run(scenario: Scenario, parameters: ParameterSet) -> KvRun:
    """Turn a scenario into a network. Raises ScenarioError naming a field that is missing or impossible."""
    nodes = whole_number(required(scenario, "nodes"), field="nodes", maximum=MOST_NODES)
    replicas = whole_number(required(scenario, "replicas"), field="replicas", maximum=nodes)
    acks = whole_number(required(scenario, "acks"), field="acks", maximum=replicas)
    clients = whole_number(required(scenario, "clients"), field="clients", maximum=MOST_CLIENTS)
    gets_per_put = number(required(scenario, "gets_per_put"), field="gets_per_put")
    keys = whole_number(required(scenario, "keys"), field="keys")
    kind, smallest, above = _value_bytes(required(scenario, "value_bytes"))
    duration = number(required(scenario, "duration_seconds"), field="duration_seconds", above=0)
    node = node_of(scenario, parameters)
    if scenario.get("promise") is not None:
        promise_of(scenario)

    data_gb = keys * (smallest + above) * replicas / nodes / 1e9
    miss = 1 - ram_hit_fraction(ram_gb=node.ram_gb, data_gb=data_gb, parameters=parameters)
    get_seconds = parameters.value("kv_store.get_processor_ms") / 1e3 / node.processor_speed
    flush_mb = parameters.value("kv_store.flush_mb")
    flush_seconds = flush_mb * parameters.value("kv_store.flush_work") / array_write_mb_s(node.array, parameters)
    flushes = parameters.value("kv_store.flushes_per_compaction")
    reading, writing = _disk_seconds(node.array, (smallest + above) / 1024, parameters)
    is_network = node.array.drive_class == NETWORK
    network = QuorumNetwork(
        nodes=nodes,
        replicas=replicas,
        acks=acks,
        clients=clients,
        think_seconds=parameters.value("kv_store.client_ms") / 1e3,
        put_fraction=1 / (1 + gets_per_put),
        smallest_bytes=smallest,
        mean_bytes_above=above,
        bytes_kind=kind,
        processors=node.processors,
        coordinator_seconds=parameters.value("kv_store.coordinator_ms") / 1e3 / node.processor_speed,
        replica_get_seconds=get_seconds,
        replica_put_seconds=get_seconds * parameters.value("kv_store.put_work"),
        disks=1 if is_network else node.array.drives,
        miss_fraction=miss,
        get_disk_seconds=reading,
        put_disk_seconds=miss * reading + parameters.value("kv_store.put_accesses") * writing,
        card_seconds_per_byte=1e-6 / node.network_mb_s,
        flush_bytes=flush_mb * 1e6,
        flush_seconds=flush_seconds,
        flushes_per_compaction=round(flushes),
        compaction_seconds=flushes * flush_seconds * parameters.value("kv_store.compaction_work"),
        warm_up_seconds=min(LONGEST_WARM_UP_SECONDS, WARM_UP_FRACTION * duration),
        end_seconds=duration,
    )
    return KvRun(
        network=network,
        slowdown_deviation=parameters.value("network_volume.slowdown_deviation") if is_network else 0.0,
        slowdown_seconds=parameters.value("network_volume.slowdown_seconds"),
    )


def check_length(run: KvRun) -> None:
    """Refuse a store so fast that its shortest run answers too many requests. Raises ScenarioError naming clients."""
    network = run.network
    seconds = min(network.end_seconds, network.warm_up_seconds + SHORTEST_RUN_SECONDS)
    requests = fast_outcome(network).throughput_ops * seconds
    if requests > MOST_REQUESTS:
        words = f"about {requests:,.0f} requests would have to be answered one by one; the most is {MOST_REQUESTS:,}"
        raise ScenarioError("clients", f"{words}. Ask with fewer clients")


def fast_outcome(network: QuorumNetwork) -> FastOutcome:
    """Solve the network by approximate mean value analysis (Schweitzer), a request waiting for its k-th of n answers.

    The wait at a station is that of exponential service; the throughput that makes thinking and waiting account for all
    clients is found by halving an interval.
    """
    demands = station_demands(network)
    servers = _servers(network)
    others = (network.clients - 1) / network.clients
    # The k-th of n independent exponential times is on average this many times one of them.
    waits = sum(1 / (network.replicas - done) for done in range(network.acks)) / network.replicas

    def customers(rate: float) -> float:
        busy = {name: rate * demand / servers[name] for name, demand in demands.items()}
        copies = sum(demands[name] / (1 - busy[name] * others) for name in demands)
        coordinator = network.coordinator_seconds
        return rate * (network.think_seconds + coordinator + (copies - coordinator) * waits)

    low, high = 0.0, most_ops(network)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if customers(middle) < network.clients else (low, middle)
    utilisation = {name: low * demand / servers[name] for name, demand in demands.items()}
    return FastOutcome(
        throughput_ops=low,
        utilisation=utilisation,
        bottleneck=max(utilisation, key=lambda name: utilisation[name]),
    )


def kv_stations(network: QuorumNetwork, *, throughput_ops: float) -> StationUse:
    """How busy processors, disks and network cards are at a throughput, such as that of a run."""
    demands, servers = station_demands(network), _servers(network)
    return use_at_rate(throughput_ops, demands=demands, servers=servers, otherwise="clients")


def station_demands(network: QuorumNetwork) -> dict[str, float]:
    """Seconds of work of one mean request at all stations of a kind, every copy counted."""
    puts, gets = network.put_fraction, 1 - network.put_fraction
    processor = gets * network.replica_get_seconds + puts * network.replica_put_seconds
    disk = gets * network.miss_fraction * network.get_disk_seconds + puts * network.put_disk_seconds
    size = network.smallest_bytes + network.mean_bytes_above
    return {
        "processors": network.coordinator_seconds + network.replicas * processor,
        "disks": network.replicas * disk,
        "network": (network.replicas + gets) * size * network.card_seconds_per_byte,
    }


def most_ops(network: QuorumNetwork) -> float:
    """The operational bound of a closed network: its capacity, and that no client asks before it has thought."""
    return min(capacity_ops(network), network.clients / network.think_seconds)


def capacity_ops(network: QuorumNetwork) -> float:
    """Requests per second at which the busiest kind of station is always busy, whoever asks."""
    servers = _servers(network)
    return min(servers[name] / demand for name, demand in station_demands(network).items() if demand > 0)


def _servers(network: QuorumNetwork) -> dict[str, int]:
    return {
        "processors": network.nodes * network.processors,
        "disks": network.nodes * network.disks,
        "network": network.nodes,
    }


def _disk_seconds(array: Array, kib: float, parameters: ParameterSet) -> tuple[float, float]:
    """What one value costs the drives to read and to write; all drives of a write counted on one."""
    reading = drive_seconds(array.drive_class, Access(kib=kib, writes=False), parameters)
    writing = drive_seconds(array.drive_class, Access(kib=kib, writes=True), parameters)
    return reading, writing if array.drive_class == NETWORK else writing * array.layout.write_penalty


def _value_bytes(value: Any) -> tuple[int, float, float]:
    if not isinstance(value, Mapping):
        raise ScenarioError("value_bytes", "must say its distribution")
    distribution = choice(
        required_in(value, "distribution", "value_bytes"), DISTRIBUTIONS, field="value_bytes.distribution"
    )
    if distribution == "constant":
        return (
            DETERMINISTIC,
            number(required_in(value, "bytes", "value_bytes"), field="value_bytes.bytes", above=0),
            0.0,
        )
    smallest = number(required_in(value, "minimum", "value_bytes"), field="value_bytes.minimum")
    above = number(
        required_in(value, "mean_above_minimum", "value_bytes"), field="value_bytes.mean_above_minimum", above=0
    )
    return EXPONENTIAL, smallest, above
