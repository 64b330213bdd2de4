"""A flash cache in front of a slower array: bursts that it takes, what waits in it, and when the array falls behind.

A fluid model: writes come at a high rate for a while and at a lower one until the next burst; the array drains at one
rate. What waits rises and falls in straight lines, so that every figure is exact.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Bursts:
    """Writes at `burst` for `burst_seconds`, then at `base` until `every_seconds` are over; rates in one unit a second.

    Raises ValueError for rates or times that cannot be.
    """

    base: float
    burst: float
    burst_seconds: float
    every_seconds: float

    def __post_init__(self) -> None:
        if not 0 <= self.base <= self.burst:
            raise ValueError("a burst must not be slower than what comes between bursts")
        if not 0 < self.burst_seconds <= self.every_seconds:
            raise ValueError("a burst must end before the next one begins")

    @property
    def mean(self) -> float:
        """The rate over a whole round: what the array must drain in the long run."""
        quiet = self.every_seconds - self.burst_seconds
        return (self.burst * self.burst_seconds + self.base * quiet) / self.every_seconds


def rise_of(bursts: Bursts, *, drain: float) -> float:
    """Return what a burst leaves waiting in an empty cache."""
    return max(0.0, bursts.burst - drain) * bursts.burst_seconds


def growth_of(bursts: Bursts, *, drain: float) -> float:
    """Return by how much more waits after each round than after the one before; zero where the array keeps up."""
    quiet = (drain - bursts.base) * (bursts.every_seconds - bursts.burst_seconds)
    return max(0.0, rise_of(bursts, drain=drain) - quiet)


def absorbed_bursts(bursts: Bursts, *, drain: float, room: float) -> float:
    """Return how many bursts an empty cache takes whole before writes must wait for the array; infinite for ever."""
    rise, growth = rise_of(bursts, drain=drain), growth_of(bursts, drain=drain)
    if rise > room:
        return 0
    if growth == 0:
        return math.inf
    return math.floor((room - rise) / growth) + 1


def drained_seconds(bursts: Bursts, *, drain: float) -> float:
    """Return how long after a burst an empty cache is empty again, were there no other one; infinite for never."""
    rise = rise_of(bursts, drain=drain)
    if rise == 0:
        return 0.0
    return rise / (drain - bursts.base) if drain > bursts.base else math.inf
