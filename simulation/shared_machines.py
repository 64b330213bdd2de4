"""Machines that a fixed group of people share: how long one waits for a free one.

The exact steady state of M/M/c with finitely many sources: each works for a while by itself, then wants a machine, and
waits for its turn and its job. Times are exponential; more regular ones wait less (Gross, Shortle, Thompson and Harris,
"Fundamentals of Queueing Theory", finite-source queues).
"""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def seen_on_arrival(*, people: int, machines: int, job: float, pause: float) -> FloatArray:
    """Return the chance to find 0, 1, 2 … of the others waiting or served; `job` and `pause` in one unit of time.

    Who arrives sees the steady state of the group without himself.
    """
    if people < 1 or machines < 1 or job <= 0 or pause <= 0:
        raise ValueError("people, machines, job and pause must be above zero")
    found = np.arange(1, people)
    rates = np.log((people - found) * (job / pause) / np.minimum(found, machines))
    weights = np.concatenate(([0.0], np.cumsum(rates)))
    chances = np.exp(weights - weights.max())
    return chances / chances.sum()


def late_share(*, people: int, machines: int, job: float, pause: float, patience: float) -> float:
    """Return the share of jobs that begin more than `patience` after they were wanted."""
    if people <= machines:
        return 0.0
    chances = seen_on_arrival(people=people, machines=machines, job=job, pause=pause)[machines:]
    ended = machines * patience / job
    steps = np.arange(len(chances))
    if ended == 0:
        return float(chances.sum())
    factorials = np.concatenate(([0.0], np.cumsum(np.log(steps[1:]))))
    not_enough = np.cumsum(np.exp(steps * np.log(ended) - ended - factorials))
    return float(chances @ np.minimum(1.0, not_enough))


def mean_wait(*, people: int, machines: int, job: float, pause: float) -> float:
    """Return the mean time between wanting a machine and getting one, over all jobs."""
    chances = seen_on_arrival(people=people, machines=machines, job=job, pause=pause)[machines:]
    return float(chances @ np.arange(1, len(chances) + 1)) * job / machines


def most_people(*, machines: int, job: float, pause: float, patience: float, late: float, most: int) -> int:
    """Return the largest group, up to `most`, of whose jobs no more than the share `late` waits beyond `patience`."""
    low, high = min(machines, most), most
    while low < high:
        middle = (low + high + 1) // 2
        if late_share(people=middle, machines=machines, job=job, pause=pause, patience=patience) <= late:
            low = middle
        else:
            high = middle - 1
    return low
