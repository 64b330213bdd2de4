"""Machines that come up by themselves after a while, for trying things out: no machine stands behind them."""

from datetime import datetime, timedelta
from random import Random

from django.conf import settings

from orders.fulfilment.drivers.interface import Answer
from orders.models import Resource, ResourceState

SOONEST_AGAIN = timedelta(seconds=1)
REASON = "The simulated machine did not come up."


class SimulatedDriver:
    """The time a resource takes and whether it fails follow from its UUID and attempt alone, so that any worker that
    asks finds the same."""

    pieces_at_once = 50

    def provision(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        return self.status(resource=resource, start=start, now=now, run_id=run_id)

    def status(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        chance = Random(f"{resource.uuid}:{resource.attempt}")
        takes = timedelta(seconds=settings.SIMULATED_SECONDS * (0.5 + chance.random()))
        fails = chance.random() < settings.SIMULATED_FAILURES
        waited = now - (resource.begun_at or now)
        if waited < takes:
            return Answer(ResourceState.PROVISIONING, ask_again_after=max(takes - waited, SOONEST_AGAIN))
        if fails:
            return Answer(ResourceState.FAILED, reason=REASON)
        return Answer(ResourceState.ACTIVE, external_id=f"sim-{resource.uuid.hex[:12]}")

    def cancel(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        return Answer(ResourceState.CANCELLED)
