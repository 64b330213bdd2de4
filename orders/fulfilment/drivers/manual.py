"""Machines that the operator's staff set up: they find them in their work list and say there what became of them."""

from datetime import datetime

from orders.fulfilment.drivers.interface import Answer
from orders.models import Resource, ResourceState


class ManualDriver:
    """Knows only what people have written down."""

    pieces_at_once = 0

    def provision(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        return self.status(resource=resource, start=start, now=now, run_id=run_id)

    def status(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        return Answer(ResourceState(resource.state), external_id=resource.external_id, reason=resource.reason)

    def cancel(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        """A resource that nobody has taken on is gone at once; the others wait in the work list."""
        is_untouched = resource.taken_by_id is None and resource.active_at is None
        return Answer(ResourceState.CANCELLED if is_untouched else ResourceState.PROVISIONING)
