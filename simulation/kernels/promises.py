"""The largest load under which a store keeps a latency promise such as "99 of 100 answers within 20 ms".

Requests arrive at random at the rate that is tried, whether or not earlier ones were answered: a slow moment delays all
that arrive in it, and none is left out because its client was still waiting (coordinated omission).
"""

from dataclasses import replace

import numpy as np

from simulation.kernels.kv_store import simulate
from simulation.kv_store import KvRun, capacity_ops
from simulation.promises import Promise

HALVINGS = 8
FEWEST_REQUESTS = 100_000
MOST_REQUESTS = 1_000_000
SLOW_MOMENTS = 100
"""Where volumes slow down together, a run sees about so many moments, as far as its requests allow."""


def sustainable_ops(run: KvRun, promise: Promise, *, seed: int) -> float:
    """The most requests per second that keep the promise; 0 where even a hundredth of the capacity breaks it."""
    high = capacity_ops(run.network)
    if not keeps(run, promise, rate=high / 100, seed=seed):
        return 0.0
    low = high / 100
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if keeps(run, promise, rate=middle, seed=seed) else (low, middle)
    return low


def keeps(run: KvRun, promise: Promise, *, rate: float, seed: int) -> bool:
    """Whether the promise holds at that rate of arrivals."""
    latencies = open_latencies_ms(run, rate=rate, seed=seed)
    return float(np.percentile(latencies, promise.percent)) <= promise.within_ms


def open_latencies_ms(run: KvRun, *, rate: float, seed: int) -> np.ndarray:
    """The latencies of requests that arrive at random at that rate."""
    seconds = _seconds(run, rate=rate)
    network = run.network._replace(arrivals_per_second=rate, warm_up_seconds=0.1 * seconds, end_seconds=1.1 * seconds)
    return simulate(replace(run, network=network), seed=seed).latency_seconds * 1e3


def _seconds(run: KvRun, *, rate: float) -> float:
    slow_moments = SLOW_MOMENTS * run.slowdown_seconds if run.slowdown_deviation > 0 else 0.0
    return max(FEWEST_REQUESTS / rate, min(slow_moments, MOST_REQUESTS / rate))
