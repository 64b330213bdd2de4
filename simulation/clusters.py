"""A whole object-store cluster as events see it: balancers, proxies with their streams, storage nodes shared by all.

The fast answer takes a cluster as so many equal groups that know nothing of each other. Here every proxy keeps its own
streams, but each megabyte goes to any storage node of the cluster, and all traffic passes the balancers.
"""

import math
from dataclasses import dataclass, replace

MOST_STATIONS = 3000
"""A larger cluster is simulated by an even share of it: equal parts of a large cluster hardly differ."""


@dataclass(frozen=True)
class ClusterNetwork:
    """A cluster of `proxies` with `streams` each, `storage_nodes` in all, behind `balancers` (0: none).

    Seconds are what one megabyte of client traffic asks of one balancer, one proxy, its storage nodes in all, and of
    the stream itself; `ceiling_mb_s` is what throttling lets through over minutes, whatever the queues do.
    """

    proxies: int
    storage_nodes: int
    balancers: int
    streams: int
    balancer_seconds: float
    proxy_seconds: float
    storage_seconds: float
    think_seconds: float
    ceiling_mb_s: float = math.inf

    def __post_init__(self) -> None:
        if min(self.proxies, self.storage_nodes, self.streams) < 1 or self.balancers < 0:
            raise ValueError("proxies, storage_nodes and streams: at least one is needed")
        seconds = (self.proxy_seconds, self.storage_seconds, self.think_seconds)
        if min(seconds) <= 0 or (self.balancers and self.balancer_seconds <= 0):
            raise ValueError("balancer_seconds, proxy_seconds, storage_seconds and think_seconds must be above zero")

    @property
    def stations(self) -> int:
        """Balancers, proxies and storage nodes in all."""
        return self.balancers + self.proxies + self.storage_nodes

    @property
    def customers(self) -> int:
        """Streams of all proxies."""
        return self.proxies * self.streams

    def mean_response_seconds(self, mb_s: float) -> float:
        """How long one megabyte takes on average at that throughput, by Little's law."""
        return max(0.0, self.customers / mb_s - self.think_seconds)


def share_of(network: ClusterNetwork) -> tuple[ClusterNetwork, float]:
    """Return what is simulated of a cluster, and how many times as large the whole is: 1 where it is all of it.

    Balancers of a share work faster or slower, so that they pass the same for each proxy as in the whole.
    """
    if network.stations <= MOST_STATIONS:
        return network, 1.0
    per_proxy = network.storage_nodes / network.proxies
    proxies = max(1, int(MOST_STATIONS / (1 + per_proxy + network.balancers / network.proxies)))
    scale = network.proxies / proxies
    balancers = math.ceil(network.balancers / scale)
    slower = balancers / (network.balancers / scale) if network.balancers else 1.0
    return (
        replace(
            network,
            proxies=proxies,
            storage_nodes=max(1, round(proxies * per_proxy)),
            balancers=balancers,
            balancer_seconds=network.balancer_seconds * slower,
            ceiling_mb_s=network.ceiling_mb_s / scale,
        ),
        scale,
    )
