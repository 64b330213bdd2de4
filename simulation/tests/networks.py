"""Small queueing networks and machines that several tests describe."""

import numpy as np

from simulation.machines import Machine
from simulation.mva import MvaResult, closed_throughput


def solve(*, demands: list[float], stations: list[int] | None = None, think: float = 0.0, customers: int) -> MvaResult:
    """One network instead of a batch."""
    return closed_throughput(
        demands=np.array([demands]),
        multiplicity=np.array([stations or [1] * len(demands)], dtype=np.float64),
        think_seconds=think,
        customers=customers,
    )


def machine(
    *,
    key_name: str = "any",
    compute_units: float = 4.0,
    network_mb_s: float = 100.0,
    network_is_assumed: bool = False,
    bursts: bool = False,
) -> Machine:
    """A machine of which only what a test is about matters."""
    return Machine(
        key_name=key_name,
        compute_units=compute_units,
        network_mb_s=network_mb_s,
        network_is_assumed=network_is_assumed,
        local_storage_gb=850.0,
        bursts=bursts,
    )
