"""Reading resources. What an account asks names the account; the work list is the operator's own."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from catalog.choices import Driver
from orders.models import Resource, ResourceState
from orders.models.resources import NOT_THERE_YET

AROUND = ("container__package", "container__location", "container__order_item__order")
REASONS_SHOWN = 5


@dataclass(frozen=True)
class Counts:
    """How many resources are in each state."""

    by_state: dict[str, int]

    def of(self, *states: ResourceState) -> int:
        return sum(self.by_state.get(state, 0) for state in states)

    @property
    def total(self) -> int:
        """All that are wanted: cancelled ones are not."""
        return sum(self.by_state.values()) - self.of(ResourceState.CANCELLED)

    @property
    def active(self) -> int:
        return self.of(ResourceState.ACTIVE)

    @property
    def failed(self) -> int:
        return self.of(ResourceState.FAILED)

    @property
    def cancelled(self) -> int:
        return self.of(ResourceState.CANCELLED)

    @property
    def to_come(self) -> int:
        return self.of(*NOT_THERE_YET)

    @property
    def percent(self) -> int:
        """How much of what is wanted has come to an end, good or bad."""
        return 100 * (self.total - self.to_come) // self.total if self.total else 100


@dataclass(frozen=True)
class Progress:
    """How far the resources of an order are: of each container, of all, and the commonest reasons of failure."""

    counts: Counts
    by_container: dict[int, Counts]
    reasons: list[tuple[str, int]]
    waits_for_others: bool
    """Whether only people or external provisioners have something to do."""


def resources_of(*, account_id: int) -> QuerySet[Resource]:
    """Return the account's resources, those ordered last first."""
    return Resource.objects.filter(account_id=account_id).select_related(*AROUND).order_by("-container_id", "index")


def resource_of(*, account_id: int, resource_uuid: UUID) -> Resource:
    """Return one resource of the account; raises Resource.DoesNotExist for anybody else's."""
    return resources_of(account_id=account_id).get(uuid=resource_uuid)


def counts_of(*, account_id: int) -> Counts:
    """Return how many resources of the account are in each state."""
    rows = Resource.objects.filter(account_id=account_id).order_by().values_list("state").annotate(Count("pk"))
    return Counts(dict(rows))


def progress_of(*, order_id: int, account_id: int) -> Progress:
    """Return how far the resources of an order are; an order that is not placed has none."""
    resources = Resource.objects.filter(account_id=account_id, container__order_item__order_id=order_id).order_by()
    rows = list(resources.values_list("container_id", "driver", "state").annotate(Count("pk")))
    by_container: dict[int, dict[str, int]] = {}
    for container_id, _, state, count in rows:
        found = by_container.setdefault(container_id, {})
        found[state] = found.get(state, 0) + count
    counts = Counts(_sum(by_container.values()))
    failed = resources.filter(state=ResourceState.FAILED)
    reasons = failed.values_list("reason").annotate(count=Count("pk")).order_by("-count", "reason")
    open_drivers = {driver for _, driver, state, _ in rows if state in NOT_THERE_YET}
    return Progress(
        counts=counts,
        by_container={container_id: Counts(each) for container_id, each in by_container.items()},
        reasons=list(reasons[:REASONS_SHOWN]) if counts.failed else [],
        waits_for_others=bool(open_drivers) and Driver.SIMULATED not in open_drivers,
    )


def work_to_do() -> QuerySet[Resource]:
    """Return what staff set up by hand or give back, and what provisioners have been asked for: the oldest first."""
    to_set_up = Q(state=ResourceState.PROVISIONING) & ~Q(driver=Driver.SIMULATED)
    to_give_back = Q(state=ResourceState.CANCELLED, begun_at__isnull=False, released_at=None)
    waiting = Resource.objects.filter(to_set_up | (to_give_back & ~Q(driver=Driver.SIMULATED)))
    around = (*AROUND, "account__partner", "taken_by")
    return waiting.select_related(*around).prefetch_related("container__lines").order_by("begun_at", "pk")


def _sum(many: Iterable[dict[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for counts in many:
        for state, count in counts.items():
            total[state] = total.get(state, 0) + count
    return total
