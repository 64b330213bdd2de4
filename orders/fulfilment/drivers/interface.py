"""What every driver can do, and how it answers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from orders.models import Resource, ResourceState


@dataclass(frozen=True)
class Answer:
    """What a driver knows of a resource: `active`, `failed` with the reason, `cancelled` once it is really gone.

    `provisioning` means not yet. With `ask_again_after` the driver wants to be asked again after that time; without it
    the answer comes by itself, from people or by a callback.
    """

    state: ResourceState
    external_id: str = ""
    reason: str = ""
    ask_again_after: timedelta | None = None
    is_accepted: bool = False
    """Whether somebody outside has taken it on."""


class Driver(Protocol):
    """Brings resources about and gives them back. A repeated call must not make a second machine.

    `run_id` is the run that asks for the `start`-th time, 0 where none does.
    """

    pieces_at_once: int
    """How many resources a worker takes in one go; 0 where people do the work and no worker does."""

    def provision(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        """Ask for a resource, for the `start`-th time in this attempt, or how far it is where it was asked for."""

    def status(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        """Ask how far a resource is that was asked for."""

    def cancel(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        """Give a cancelled resource back."""
