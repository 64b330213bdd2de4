"""Which layouts of servers another server is as good as for no more money, as storage or as a proxy.

What is left out or only stores changes no best answer: whatever is asked, the other one comes before.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.dominance import CENT, prices_of
from planner.fleet import PricedMachine
from planner.shapes import Floats, Ints
from planner.storage_limits import limits_mask
from simulation.object_store import balancer_mb_s, proxy_mb_s, storage_mb_s
from simulation.parameters import ParameterSet

PRICES = ("hour", "flat", "once")


def without_dominated(
    machines: Sequence[PricedMachine], *, variants: Collection[str], parameters: ParameterSet
) -> list[PricedMachine]:
    """Return the machines without the variants that others are as good as, stored on and in front; of the rest those
    that others are as good as in front only store. Ties keep the first."""
    servers = _Servers.of(machines, parameters)
    found = []
    for place, machine in enumerate(machines):
        is_proxy = not servers.is_beaten(place, servers.in_front, servers.anything)
        is_storage = machine.key_name not in variants or not servers.is_beaten(place, servers.stored_on, servers.limits)
        if is_proxy or is_storage:
            found.append(replace(machine, is_proxy=is_proxy))
    return found


@dataclass(frozen=True)
class _Servers:
    """Machines as the optimisation sees them: what they do as storage and in front, the limits kept, every price."""

    stored_on: Floats
    in_front: Floats
    limits: Ints
    fees: Sequence[Sequence[Sequence[int]]]
    """Of each machine an hour, a month and once, in hundred-millionths."""

    @classmethod
    def of(cls, machines: Sequence[PricedMachine], parameters: ParameterSet) -> "_Servers":
        physics = [priced.machine for priced in machines]
        return cls(
            stored_on=np.array([(each.local_storage_gb, *storage_mb_s(each, parameters)) for each in physics]),
            in_front=np.array([(proxy_mb_s(each, parameters), balancer_mb_s(each, parameters)) for each in physics]),
            limits=np.array(
                [limits_mask(raid=each.raid, drive_class=each.machine.drive_class) for each in machines],
                dtype=np.int64,
            ),
            fees=[[sorted(fee for fee in prices_of(each, kind) if fee) for kind in PRICES] for each in machines],
        )

    @property
    def anything(self) -> Ints:
        """The limits of whoever keeps no data."""
        return np.zeros_like(self.limits)

    def is_beaten(self, place: int, does: Floats, limits: Ints) -> bool:
        """Say whether another one does no less, keeps no fewer limits and comes before."""
        is_no_less = np.all(does >= does[place], axis=1) & (limits & limits[place] == limits[place])
        rivals = [other for other in np.flatnonzero(is_no_less).tolist() if other != place]
        return any(self._is_before(other, place) for other in rivals)

    def _is_before(self, one: int, other: int) -> bool:
        """Say whether one costs less than the other whatever the hours and the number, or the same and stands first.

        Less is less by more than the rounding of every line to whole cents can turn round.
        """
        mine, theirs = self.fees[one], self.fees[other]
        if mine == theirs:
            return one < other
        hour, flat, once = (sum(other_fees) - sum(fees) for fees, other_fees in zip(mine, theirs, strict=True))
        slack = CENT * sum(len(fees) for fees in (*mine, *theirs))
        is_cheaper = hour >= 0 and flat >= 0 and hour + flat >= slack
        return is_cheaper and (once >= slack or (once == 0 and mine[2] == theirs[2]))
