"""The published metrics of the object store, computed for one scenario."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from simulation.machines import Machine, MachineType, machine_of_type
from simulation.object_store import (
    READ,
    WRITE,
    GroupOutcome,
    Mix,
    balancer_mb_s,
    cluster_mb_s,
    group_seconds,
    group_table,
    group_throughput,
)
from simulation.parameters import ParameterSet
from simulation.scenarios import Scenario, ScenarioError, machine_types, one_machine_type, required, whole_number
from simulation.stations import StationUse

NODES_SAMPLED = (5, 10, 15, 20, 30, 40, 50, 60, 70, 80)
SATURATED_BELOW_GAIN = 0.05
FEWEST_STORAGE_NODES = 5
HOURS_PER_MONTH = 720
MIX_BY_OPERATION = {"write": WRITE, "read": READ}


@dataclass(frozen=True)
class PricedGroup:
    """One proxy and its storage nodes at list prices: what they cost for the hours asked and what they pass."""

    proxy: str
    storage: str
    nodes: int
    cost: Decimal
    throughput_mb_s: float

    @property
    def cost_per_mb_s(self) -> Decimal:
        """Dollars for each MB/s: the figure that groups are compared by."""
        return self.cost / Decimal(self.throughput_mb_s)


@dataclass(frozen=True)
class _Cluster:
    """The cluster of a scenario as the object store's physics takes it."""

    proxy: Machine
    storage: Machine
    nodes: int
    proxies: int
    mix: Mix
    replicas: int
    balancer_mb_s: float
    balancers: int


def _cluster(scenario: Scenario, parameters: ParameterSet) -> _Cluster:
    nodes = whole_number(required(scenario, "storage_per_proxy"), field="storage_per_proxy")
    proxies = whole_number(required(scenario, "proxies"), field="proxies")
    if nodes * proxies < FEWEST_STORAGE_NODES:
        raise ScenarioError("storage_per_proxy", f"a cloud needs at least {FEWEST_STORAGE_NODES} storage nodes")
    proxy = one_machine_type(required(scenario, "proxy"), field="proxy")
    storage = one_machine_type(required(scenario, "storage"), field="storage")
    each_balancer, balancers = _balancers(scenario, parameters)
    return _Cluster(
        proxy=machine_of_type(proxy, parameters=parameters),
        storage=machine_of_type(storage, parameters=parameters),
        nodes=nodes,
        proxies=proxies,
        mix=_mix(scenario),
        replicas=_replicas(scenario),
        balancer_mb_s=each_balancer,
        balancers=balancers,
    )


def _group(cluster: _Cluster, parameters: ParameterSet) -> GroupOutcome:
    return group_throughput(
        proxy=cluster.proxy,
        storage=cluster.storage,
        nodes=cluster.nodes,
        mix=cluster.mix,
        replicas=cluster.replicas,
        parameters=parameters,
    )


def throughput_mb_s(scenario: Scenario, parameters: ParameterSet) -> float:
    """Client traffic of the whole cluster in MB/s, balancers included."""
    cluster = _cluster(scenario, parameters)
    return cluster_mb_s(
        group_mb_s=_group(cluster, parameters).throughput_mb_s,
        groups=cluster.proxies,
        balancer_mb_s=cluster.balancer_mb_s,
        balancers=cluster.balancers,
    )


def stations(scenario: Scenario, parameters: ParameterSet) -> StationUse:
    """How busy balancers, proxies and storage nodes are; the bottleneck says which part of a machine it is."""
    cluster = _cluster(scenario, parameters)
    group = _group(cluster, parameters)
    whole = throughput_mb_s(scenario, parameters)
    proxy_seconds, storage_seconds = group_seconds(
        proxy=cluster.proxy, storage=cluster.storage, mix=cluster.mix, replicas=cluster.replicas, parameters=parameters
    )
    each = whole / cluster.proxies
    busy = {
        "proxies": min(1.0, each * proxy_seconds),
        "storage nodes": min(1.0, each * storage_seconds / cluster.nodes),
    }
    if not cluster.balancers:
        return StationUse(utilisation=busy, bottleneck=group.limit)
    passing = whole / (cluster.balancers * cluster.balancer_mb_s)
    holds = whole < cluster.proxies * group.throughput_mb_s
    return StationUse(utilisation={"balancers": passing, **busy}, bottleneck="balancers" if holds else group.limit)


def saturation_storage_nodes(scenario: Scenario, parameters: ParameterSet) -> int:
    """The number of storage nodes after which the next step gains less than 5 %."""
    curve = throughput_curve(scenario, parameters)
    for nodes, here, following in zip(NODES_SAMPLED, curve, curve[1:], strict=False):
        if following < here * (1 + SATURATED_BELOW_GAIN):
            return nodes
    return NODES_SAMPLED[-1]


def throughput_curve(scenario: Scenario, parameters: ParameterSet) -> list[float]:
    """MB/s of one proxy with each of the numbers of storage nodes that are sampled."""
    proxy = one_machine_type(required(scenario, "proxy"), field="proxy")
    storage = one_machine_type(required(scenario, "storage"), field="storage")
    groups = _priced_groups([proxy], [storage], hours=0, scenario=scenario, parameters=parameters)
    return [group.throughput_mb_s for group in groups]


def cheapest_storage_nodes(scenario: Scenario, parameters: ParameterSet) -> int:
    """The number of storage nodes with the least dollars per MB/s, for one proxy type and one storage type."""
    one_machine_type(required(scenario, "storage"), field="storage")
    one_machine_type(required(scenario, "proxy"), field="proxy")
    return _cheapest(priced_groups(scenario, parameters)).nodes


def cheapest_storage_and_nodes(scenario: Scenario, parameters: ParameterSet) -> str:
    """The storage type and number of nodes with the least dollars per MB/s for one proxy type, as `type:nodes`."""
    one_machine_type(required(scenario, "proxy"), field="proxy")
    best = _cheapest(priced_groups(scenario, parameters))
    return f"{best.storage}:{best.nodes}"


def cheapest_proxy_and_storage(scenario: Scenario, parameters: ParameterSet) -> str:
    """The pair of types with the least dollars per MB/s at its best number of nodes, as `proxy:storage`."""
    best = _cheapest(priced_groups(scenario, parameters))
    return f"{best.proxy}:{best.storage}"


def priced_groups(scenario: Scenario, parameters: ParameterSet) -> list[PricedGroup]:
    """Every pair of the scenario's types with every sampled number of nodes, at list price for its hours."""
    return _priced_groups(
        machine_types(required(scenario, "proxy"), field="proxy"),
        machine_types(required(scenario, "storage"), field="storage"),
        hours=whole_number(scenario.get("hours", HOURS_PER_MONTH), field="hours"),
        scenario=scenario,
        parameters=parameters,
    )


def raw_per_usable(scenario: Scenario, parameters: ParameterSet) -> int:
    """Gigabytes of disk for each gigabyte that can be stored: every copy takes its room."""
    return _replicas(scenario)


METRICS: Mapping[str, Callable[[Scenario, ParameterSet], float | str]] = {
    "throughput_mb_s": throughput_mb_s,
    "saturation_storage_nodes": saturation_storage_nodes,
    "cheapest_storage_nodes": cheapest_storage_nodes,
    "cheapest_storage_and_nodes": cheapest_storage_and_nodes,
    "cheapest_proxy_and_storage": cheapest_proxy_and_storage,
    "raw_per_usable": raw_per_usable,
}


def _priced_groups(
    proxies: Sequence[MachineType],
    storages: Sequence[MachineType],
    *,
    hours: int,
    scenario: Scenario,
    parameters: ParameterSet,
) -> list[PricedGroup]:
    table = group_table(
        proxies=[machine_of_type(proxy, parameters=parameters) for proxy in proxies],
        storages=[machine_of_type(storage, parameters=parameters) for storage in storages],
        nodes_per_proxy=NODES_SAMPLED,
        mix=_mix(scenario),
        replicas=_replicas(scenario),
        parameters=parameters,
    )
    return [
        PricedGroup(
            proxy=proxy.key_name,
            storage=storage.key_name,
            nodes=nodes,
            cost=(proxy.price_per_hour + nodes * storage.price_per_hour) * hours,
            throughput_mb_s=float(table.throughput_mb_s[p, s, n]),
        )
        for p, proxy in enumerate(proxies)
        for s, storage in enumerate(storages)
        for n, nodes in enumerate(NODES_SAMPLED)
    ]


def _cheapest(groups: Sequence[PricedGroup]) -> PricedGroup:
    return min(groups, key=lambda group: (group.cost_per_mb_s, group.nodes))


def _mix(scenario: Scenario) -> Mix:
    operation = required(scenario, "operation")
    if operation not in MIX_BY_OPERATION:
        raise ScenarioError("operation", f"must be one of {', '.join(MIX_BY_OPERATION)}, not {operation!r}")
    return MIX_BY_OPERATION[operation]


def _replicas(scenario: Scenario) -> int:
    return whole_number(required(scenario, "replicas"), field="replicas")


def _balancers(scenario: Scenario, parameters: ParameterSet) -> tuple[float, int]:
    balancer = scenario.get("load_balancer")
    if balancer is None:
        return 0.0, 0
    if not isinstance(balancer, Mapping):
        raise ScenarioError("load_balancer", "must say its type and count")
    machine_type = one_machine_type(balancer.get("type"), field="load_balancer.type")
    count = whole_number(balancer.get("count"), field="load_balancer.count")
    return balancer_mb_s(machine_of_type(machine_type, parameters=parameters), parameters), count
