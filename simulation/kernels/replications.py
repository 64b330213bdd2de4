"""Independent replications: the same run with random numbers of its own each, and how sure their mean is."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from simulation.closed_network import ClosedNetwork
from simulation.kernels.closed import run_closed, run_closed_latencies
from simulation.mva import FloatArray


@dataclass(frozen=True)
class Interval:
    """The mean of replications and the half width that holds the true mean in 19 of 20 cases."""

    mean: float
    half_width: float

    def holds(self, value: float) -> bool:
        """Whether the value lies inside."""
        return abs(value - self.mean) <= self.half_width


@dataclass(frozen=True)
class ClosedRun:
    """One replication: jobs per second, the number of events, and where asked for each job's latency."""

    throughput: float
    events: int
    latency_seconds: FloatArray


def interval_of(values: Sequence[float]) -> Interval:
    """The 95 % interval of a mean from independent values, at least two."""
    spread = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Interval(mean=float(np.mean(values)), half_width=float(student.ppf(0.975, len(values) - 1)) * spread)


def replicate(run: Callable[[np.random.SeedSequence], float], *, seed: int, count: int) -> Interval:
    """The interval of what `run` measures; each replication has a child of the seed."""
    return interval_of([run(child) for child in np.random.SeedSequence(seed).spawn(count)])


def simulate_closed(
    network: ClosedNetwork,
    *,
    seed: int | np.random.SeedSequence,
    jobs: int,
    warm_up_jobs: int,
    with_latencies: bool = False,
) -> ClosedRun:
    """Run a network until `jobs` have gone round after the warm-up."""
    rng = np.random.default_rng(seed)
    stations = _stations(network)
    if not with_latencies:
        seconds, events = run_closed(rng, *stations, network.think_seconds, network.customers, warm_up_jobs, jobs)
        return ClosedRun(throughput=jobs / seconds, events=events, latency_seconds=np.empty(0))
    finished, latencies = np.empty(jobs), np.empty(jobs)
    seconds, events = run_closed_latencies(
        rng, *stations, network.think_seconds, network.customers, warm_up_jobs, finished, latencies
    )
    return ClosedRun(throughput=jobs / seconds, events=events, latency_seconds=latencies)


def _stations(network: ClosedNetwork) -> tuple[np.ndarray, ...]:
    members = np.array(network.members)
    groups = np.repeat(np.arange(len(members)), members)
    shapes = np.array(network.shapes or (0.0,) * len(members))
    return (
        np.concatenate([[0], np.cumsum(members)]),
        groups,
        np.array(network.kinds, dtype=np.int64)[groups],
        np.array(network.service_seconds, dtype=np.float64)[groups],
        shapes[groups],
    )
