"""What an account's own measurements add to a prediction: how fast things are, and arrays measured as such."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulation.drives import speed_factor
from simulation.machines import network_factor

ArrayTest = tuple[str, int, str, str, str, float, int]
"""Drive class, drives, RAID level, access, operation, block size in KiB, and how many I/Os are outstanding."""


@dataclass(frozen=True)
class Learnt:
    """`factors` as in ParameterSet.factors; `iops` by what was measured."""

    factors: Mapping[str, float] = field(default_factory=dict)
    iops: Mapping[ArrayTest, float] = field(default_factory=dict)

    def speed_of(self, drive_class: str) -> float | None:
        """Return how many times as fast as predicted drives of a class are; None where nobody measured any."""
        return self.factors.get(speed_factor(drive_class))

    def network_of(self, machine_type: str | None) -> float | None:
        """Return the same of a machine type's network."""
        return self.factors.get(network_factor(machine_type)) if machine_type else None


NOTHING_LEARNT = Learnt()


def array_test_of(scenario: Mapping[str, Any]) -> ArrayTest:
    """Return what a scenario of an array measures."""
    array = scenario["array"]
    return (
        array["drive_class"],
        array["drives"],
        array["raid"],
        scenario["access"],
        scenario["operation"],
        float(scenario["block_kib"]),
        scenario["queue_depth"],
    )
