"""How much of an array each part of a load takes, and how many times the load the array carries.

An array that answers c I/Os a second of one size and mix is busy for 1/c seconds with each: parts that share it add up.
That is the utilisation law; that the mean I/O of a part stands for all of its own is an assumption.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from planner.audit.demand import QUANTILES
from planner.audit.parts import Part, Parts
from planner.audit.series import Floats
from simulation.arrays import Array, HostIo, array_throughput
from simulation.parameters import ParameterSet
from simulation.scenarios import ScenarioError

MOST_DRIVES = 64
"""More drives of today's kind than this are not looked for."""
LEAST_BUSY = 1e-6
"""An array that has nothing to do is said to carry its load a million times."""
Capable = Callable[[Array, Part], float]
"""Says how many I/Os a second of a part an array answers when it does nothing else."""


@dataclass(frozen=True)
class Carried:
    """How busy an array is with a load: on average, at the level asked, and so how many times the load it carries."""

    mean_busy: float
    busy: float

    @property
    def times(self) -> float:
        return 1 / max(self.busy, LEAST_BUSY)


@dataclass(frozen=True)
class Physics:
    """Parameters that are told apart by their values, so that what follows from them can be remembered."""

    values: tuple[tuple[str, float], ...]
    parameters: ParameterSet = field(compare=False)

    @classmethod
    def of(cls, parameters: ParameterSet) -> "Physics":
        return cls(tuple((name, each.value) for name, each in parameters.parameters.items()), parameters)


def capable_of(parameters: ParameterSet, *, queue_depth: int) -> Capable:
    """Return what says an array's capability; what was worked out before with equal values is remembered."""
    physics = Physics.of(parameters)

    def capable(array: Array, part: Part) -> float:
        io = HostIo(round(part.io_kib, 3), queue_depth, round(part.read_share, 2), sequential=False)
        return _iops(replace(array, drive_gb=None), io, physics)

    return capable


@lru_cache(maxsize=32_768)
def _iops(array: Array, io: HostIo, physics: Physics) -> float:
    return array_throughput(array, io, physics.parameters).iops


def running(parts: Parts, without: Collection[str] = ()) -> list[Part]:
    """Return the parts that do anything and are not switched off."""
    return [part for part in parts.all if part.key not in without and part.io_kib > 0]


def busy_by_part(parts: Iterable[Part], array: Array, capable: Capable) -> dict[str, float]:
    """Return the share of an array's time that each part takes on average."""
    return {part.key: part.mean_iops / capable(array, part) for part in parts}


def busy_by_interval(parts: Iterable[Part], array: Array, capable: Capable) -> Floats:
    """Return the share of an array's time that the parts take in each measured interval; above 1 is overload."""
    busy = sum(part.iops / capable(array, part) for part in parts)
    known = np.asarray(busy, dtype=np.float64)
    return np.asarray(known[~np.isnan(known)])


def carried(parts: list[Part], array: Array, capable: Capable, *, level: str) -> Carried:
    """Return how busy the array is with the parts."""
    busy = busy_by_interval(parts, array, capable)
    return Carried(float(busy.mean()), float(np.quantile(busy, QUANTILES[level])))


def fewest_drives(
    *, array_of: Callable[[int], Array], enough: Callable[[Array], bool]
) -> int | None:  # fmt: skip
    """Return the fewest drives with which an array is enough; None where none up to 64 is."""
    for drives in range(1, MOST_DRIVES + 1):
        try:
            array = array_of(drives)
        except ScenarioError:
            continue
        if enough(array):
            return drives
    return None
