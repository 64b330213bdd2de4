"""The description of a closed queueing network as the kernels take it: plain values, in seconds."""

from dataclasses import dataclass

import numpy as np

from simulation.mva import closed_throughput


@dataclass(frozen=True)
class ClosedNetwork:
    """A closed network: groups of equal stations that every job visits in order.

    A job takes one station of each group at random and holds it for `service_seconds`; kinds: 0 always the same,
    1 exponential, 2 lognormal with its shape. Between two rounds it thinks, exponentially distributed.
    """

    service_seconds: tuple[float, ...]
    members: tuple[int, ...]
    kinds: tuple[int, ...]
    think_seconds: float
    customers: int
    shapes: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.customers < 1 or min(self.members) < 1 or min(self.service_seconds) <= 0 or self.think_seconds < 0:
            raise ValueError("customers, members and service_seconds must be above zero, think_seconds not negative")

    @property
    def events_per_job(self) -> int:
        """What a job's round consists of: leaving each group, and where it thinks, the end of that."""
        return len(self.members) + (self.think_seconds > 0)

    def exact_throughput(self) -> float:
        """Jobs per second by exact mean value analysis, which holds where every service time is exponential."""
        result = closed_throughput(
            demands=np.array([self.service_seconds]),
            multiplicity=np.array([self.members], dtype=np.float64),
            think_seconds=self.think_seconds,
            customers=self.customers,
        )
        return float(result.throughput[0])
