"""Discrete events of a whole object-store cluster, and what it passes.

Every stream belongs to one proxy and one balancer, as a connection does; from there a megabyte goes to any node.
Service and thinking times are exponential, as the fast answer takes them.
"""

import math
from dataclasses import dataclass

import numpy as np

from simulation.clusters import ClusterNetwork, share_of
from simulation.kernels.compiling import compiled
from simulation.kernels.quorum import IntArray
from simulation.mva import FloatArray

JOBS = 100_000
"""Megabytes that a replication counts: their mean is then known to about two parts in a thousand."""
WARM_UP_ROUNDS = 4
"""So many rounds of every stream pass before anything is counted."""


@dataclass(frozen=True)
class ClusterRun:
    """One replication: what the cluster passes, and how long one megabyte takes on average."""

    mb_s: float
    response_seconds: float


@compiled
def push(times: FloatArray, stations: IntArray, size: int, time: float, station: int) -> None:
    """Put a completion into the heap of `size` others, the earliest first."""
    place = size
    while place > 0 and times[(place - 1) >> 1] > time:
        parent = (place - 1) >> 1
        times[place] = times[parent]
        stations[place] = stations[parent]
        place = parent
    times[place] = time
    stations[place] = station


@compiled
def replace_first(times: FloatArray, stations: IntArray, size: int, time: float, station: int) -> None:
    """Put a completion into the heap of `size` in the place of the earliest one."""
    place = 0
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and times[child + 1] < times[child]:
            child += 1
        if times[child] >= time:
            break
        times[place] = times[child]
        stations[place] = stations[child]
        place = child
    times[place] = time
    stations[place] = station


@compiled
def run_cluster(
    rng: np.random.Generator,
    balancers: int,
    proxies: int,
    storage_nodes: int,
    streams: int,
    balancer_seconds: float,
    proxy_seconds: float,
    storage_seconds: float,
    think_seconds: float,
    warm_up_jobs: int,
    jobs: int,
) -> float:
    """Run until `jobs` megabytes have passed after the warm-up; returns the seconds that took."""
    customers = proxies * streams
    count = balancers + proxies + storage_nodes
    mean = np.empty(count)
    mean[:balancers] = balancer_seconds
    mean[balancers : balancers + proxies] = proxy_seconds
    mean[balancers + proxies :] = storage_seconds
    first = np.full(count, -1)
    last = np.full(count, -1)
    behind = np.full(customers, -1)
    times = np.empty(count)
    busy = np.empty(count, dtype=np.int64)
    size = 0
    thinkers = np.arange(customers)
    thinking = customers
    thought = rng.standard_exponential() * think_seconds / thinking
    now = 0.0
    began = 0.0
    done = 0
    while done < warm_up_jobs + jobs:
        if size == 0 or thought < times[0]:
            now = thought
            place = int(rng.random() * thinking)
            customer = thinkers[place]
            thinking -= 1
            thinkers[place] = thinkers[thinking]
            target = customer % balancers if balancers > 0 else customer % proxies
        else:
            now = times[0]
            station = busy[0]
            customer = first[station]
            first[station] = behind[customer]
            if first[station] >= 0:
                ready = now + rng.standard_exponential() * mean[station]
                replace_first(times, busy, size, ready, station)
            else:
                size -= 1
                replace_first(times, busy, size, times[size], busy[size])
            if station < balancers:
                target = balancers + customer % proxies
            elif station < balancers + proxies:
                target = balancers + proxies + int(rng.random() * storage_nodes)
            else:
                target = -1
                thinkers[thinking] = customer
                thinking += 1
                done += 1
                if done == warm_up_jobs:
                    began = now
        if thought <= now or target < 0:
            # Exponential times forget, so the next of all thinkers may be drawn anew.
            thought = now + rng.standard_exponential() * think_seconds / thinking if thinking > 0 else math.inf
        if target >= 0:
            behind[customer] = -1
            if first[target] < 0:
                first[target] = customer
                push(times, busy, size, now + rng.standard_exponential() * mean[target], target)
                size += 1
            else:
                behind[last[target]] = customer
            last[target] = customer
    return now - began


def simulate_cluster(network: ClusterNetwork, *, seed: int | np.random.SeedSequence, jobs: int = JOBS) -> ClusterRun:
    """Run a cluster, or an even share of a very large one, and say what the whole passes in MB/s."""
    share, scale = share_of(network)
    seconds = run_cluster(
        np.random.default_rng(seed),
        share.balancers,
        share.proxies,
        share.storage_nodes,
        share.streams,
        share.balancer_seconds,
        share.proxy_seconds,
        share.storage_seconds,
        share.think_seconds,
        WARM_UP_ROUNDS * share.customers,
        jobs,
    )
    mb_s = min(jobs / seconds, share.ceiling_mb_s)
    return ClusterRun(mb_s=mb_s * scale, response_seconds=share.mean_response_seconds(mb_s))
