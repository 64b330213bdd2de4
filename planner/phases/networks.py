"""Shapes of a plan as clusters that can be simulated event by event, from the same physics as the fast answer."""

import math

from planner.demand import Demand
from planner.fleet import Fleet, PricedMachine
from simulation.clusters import ClusterNetwork
from simulation.object_store import Mix, balancer_mb_s, group_service
from simulation.parameters import ParameterSet

ROUNDING = 1e-4
"""Figures of groups are rounded to the byte: a whole number of streams may come out so much smaller."""


def cluster_of(
    *,
    fleet: Fleet,
    demand: Demand,
    proxy: PricedMachine,
    storage: PricedMachine,
    storage_nodes: int,
    proxies: int,
    balancers: int,
    group_mb_s: float,
    parameters: ParameterSet,
) -> ClusterNetwork:
    """Return what works at once: proxies and storage nodes in all, behind balancers; 0 of these: nothing in front.

    Where the demand promises a latency only as many streams work at once as keep it at `group_mb_s` for each proxy, by
    Little's law, and one more would break it; at least one does.
    """
    service = group_service(
        proxy=proxy.machine,
        storage=storage.machine,
        mix=Mix(read_fraction=float(demand.read_share)),
        replicas=float(demand.raw_per_usable),
        parameters=parameters,
    )
    streams = round(parameters.value("object_store.streams_per_proxy"))
    if demand.latency_ms is not None:
        streams = max(1, min(streams, math.floor(group_mb_s * float(demand.latency_ms) / 1000 + ROUNDING)))
    return ClusterNetwork(
        proxies=proxies,
        storage_nodes=storage_nodes,
        balancers=balancers,
        streams=streams,
        balancer_seconds=1 / balancer_mb_s(fleet.balancer(demand.balancer).machine, parameters),
        proxy_seconds=service.proxy_seconds,
        storage_seconds=service.storage_seconds,
        think_seconds=1 / parameters.value("object_store.stream_mb_s"),
        ceiling_mb_s=storage_nodes / service.lasting_seconds if service.lasting_seconds else math.inf,
    )


def machine_named(fleet: Fleet, key_name: str) -> PricedMachine:
    """Return a node of the fleet by its key name."""
    return next(machine for machine in fleet.nodes if machine.key_name == key_name)
