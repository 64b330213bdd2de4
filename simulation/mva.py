"""Exact mean value analysis (MVA) of closed queueing networks with one class of customers.

Reiser and Lavenberg, "Mean-Value Analysis of Closed Multichain Queueing Networks", Journal of the ACM 27 (1980).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class MvaResult:
    """What a batch of closed networks delivers.

    `throughput` (batch,) is in jobs per second, `residence` (batch, stations) in seconds that a job spends at all the
    stations of a group, `utilisation` (batch, stations) the busy share of each one of them.
    """

    throughput: FloatArray
    residence: FloatArray
    utilisation: FloatArray


def closed_throughput(
    *, demands: FloatArray, multiplicity: FloatArray, think_seconds: FloatArray | float, customers: int
) -> MvaResult:
    """Solve a batch of closed networks of queueing stations (FIFO or processor sharing) and one delay.

    `demands` (batch, stations) is the service in seconds that a job asks of a group in all; `multiplicity`, of the same
    shape, is the number of identical stations among which the group spreads it evenly. Identical stations have equal
    queues, so one queue stands for all of them and the cost does not grow with their number. `think_seconds` is the
    time between two jobs of a customer. Raises ValueError for impossible values.
    """
    if customers < 1:
        raise ValueError("customers: at least one is needed")
    if np.any(demands < 0) or np.any(multiplicity < 1) or np.any(np.asarray(think_seconds) < 0):
        raise ValueError("demands and think_seconds must not be negative, multiplicity must be at least one")
    demand_each = demands / multiplicity
    if len(demands) == 1:
        throughput, residence = _of_one_network(demand_each, multiplicity, think_seconds, customers)
    else:
        *_, (throughput, residence) = _populations(demand_each, multiplicity, think_seconds, customers)
    return MvaResult(throughput=throughput, residence=residence, utilisation=throughput[:, None] * demand_each)


def _of_one_network(
    demand_each: FloatArray, multiplicity: FloatArray, think_seconds: FloatArray | float, customers: int
) -> tuple[FloatArray, FloatArray]:
    """Return the last of `_populations` for a batch of one, where plain numbers take a sixth of the time."""
    demands, counts = demand_each[0].tolist(), multiplicity[0].tolist()
    think = float(np.broadcast_to(think_seconds, 1)[0])
    throughput, residences, queues = 0.0, [0.0] * len(demands), [0.0] * len(demands)
    for population in range(1, customers + 1):
        residences = [demand * (1.0 + queue) for demand, queue in zip(demands, queues, strict=True)]
        total = 0.0
        for count, residence in zip(counts, residences, strict=True):
            total += count * residence
        throughput = population / (think + total)
        queues = [throughput * residence for residence in residences]
    return np.array([throughput]), multiplicity * np.array([residences])


def closed_throughput_within(
    *,
    demands: FloatArray,
    multiplicity: FloatArray,
    think_seconds: FloatArray | float,
    customers: int,
    most_seconds: float,
) -> FloatArray:
    """Return the throughput of the most customers, up to `customers`, whose whole round, think time included, takes at
    most `most_seconds` on average; 0 where even one customer takes longer. Arguments as of `closed_throughput`."""
    most = np.zeros(demands.shape[0])
    populations = _populations(demands / multiplicity, multiplicity, think_seconds, customers)
    for population, (throughput, _) in enumerate(populations, start=1):
        most = np.where(population <= most_seconds * throughput, throughput, most)
    return most


def _populations(
    demand_each: FloatArray, multiplicity: FloatArray, think_seconds: FloatArray | float, customers: int
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield throughput and residence of one customer, of two, and so on: each follows from the one before."""
    queue_each = np.zeros_like(demand_each)
    for population in range(1, customers + 1):
        residence_each = demand_each * (1.0 + queue_each)
        residence = multiplicity * residence_each
        throughput = population / (think_seconds + residence.sum(axis=1))
        queue_each = throughput[:, None] * residence_each
        yield throughput, residence
