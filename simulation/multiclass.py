"""Mean value analysis of closed networks with several classes of customers, exact and approximate.

Exact: Reiser and Lavenberg (1980), over all populations up to the asked one, so for few classes with few customers.
Approximate: Bard and Schweitzer, a fixed point that does not depend on the number of customers.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from simulation.mva import FloatArray

MOST_POPULATIONS = 200_000
MOST_ROUNDS = 100_000
PRECISION = 1e-12


@dataclass(frozen=True)
class ClassesResult:
    """What a network delivers: `throughput` (classes,) in jobs per second, `queue` (classes, stations) in customers."""

    throughput: FloatArray
    queue: FloatArray

    def utilisation(self, demands: FloatArray) -> FloatArray:
        """The busy share of each station under the demands that were solved."""
        return np.asarray(self.throughput @ demands, dtype=np.float64)


def exact_classes(*, demands: FloatArray, think_seconds: FloatArray, customers: tuple[int, ...]) -> ClassesResult:
    """Solve exactly; `demands` (classes, stations) and `think_seconds` (classes,) in seconds a job.

    Raises ValueError for impossible values, and where the populations are too many to walk.
    """
    _check(demands, think_seconds, customers)
    if np.prod([count + 1.0 for count in customers]) > MOST_POPULATIONS:
        raise ValueError("customers: too many populations for the exact answer; use approximate_classes")
    classes, stations = demands.shape
    queues = {(0,) * classes: np.zeros(stations)}
    throughput, queue = np.zeros(classes), np.zeros((classes, stations))
    # In this order every population comes after those that have one customer less.
    for population in product(*(range(count + 1) for count in customers)):
        throughput, queue = np.zeros(classes), np.zeros((classes, stations))
        for each in range(classes):
            if population[each] == 0:
                continue
            fewer = tuple(count - (other == each) for other, count in enumerate(population))
            residence = demands[each] * (1 + queues[fewer])
            throughput[each] = population[each] / (think_seconds[each] + residence.sum())
            queue[each] = throughput[each] * residence
        queues[population] = queue.sum(axis=0)
    return ClassesResult(throughput=throughput, queue=queue)


def approximate_classes(*, demands: FloatArray, think_seconds: FloatArray, customers: tuple[int, ...]) -> ClassesResult:
    """Solve approximately, within a few per cent of the exact answer. Raises ValueError for impossible values."""
    _check(demands, think_seconds, customers)
    counts = np.array(customers, dtype=np.float64)
    queue = np.repeat(counts[:, None] / demands.shape[1], demands.shape[1], axis=1)
    present = counts > 0
    throughput = np.zeros(len(customers))
    for _ in range(MOST_ROUNDS):
        own = np.divide(queue, counts[:, None], out=np.zeros_like(queue), where=present[:, None])
        residence = demands * (1 + queue.sum(axis=0) - own)
        throughput = np.where(present, counts / (think_seconds + residence.sum(axis=1)), 0.0)
        following = throughput[:, None] * residence
        moved = float(np.abs(following - queue).max())
        queue = following
        if moved < PRECISION * max(1.0, float(counts.max())):
            break
    return ClassesResult(throughput=throughput, queue=queue)


def _check(demands: FloatArray, think_seconds: FloatArray, customers: tuple[int, ...]) -> None:
    if len(customers) != demands.shape[0] or len(think_seconds) != demands.shape[0]:
        raise ValueError("customers and think_seconds: one is needed for each class")
    if min(customers) < 0 or sum(customers) == 0:
        raise ValueError("customers: none may be negative, and at least one is needed")
    if np.any(demands < 0) or np.any(think_seconds < 0) or np.any(demands.sum(axis=1) <= 0):
        raise ValueError("demands and think_seconds must not be negative, and every class needs some service")
