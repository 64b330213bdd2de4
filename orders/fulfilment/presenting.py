"""How far an order is, in words and rows for its page."""

from dataclasses import dataclass
from urllib.parse import urlencode

from accounts.roles import can
from orders.fulfilment.selectors import Counts, progress_of
from orders.models import BillingOrder, OrderContainer, Resource, ResourceState
from orders.states import NOT_YET_PLACED, OrderState

QUICK_POLL_SECONDS = 1
SLOW_POLL_SECONDS = 30
"""How often to ask again while workers are busy, and while people or provisioners elsewhere are."""
MAY_BE_CANCELLED = frozenset(OrderState) - NOT_YET_PLACED - {OrderState.CANCELLED, OrderState.REJECTED}


@dataclass(frozen=True)
class ContainerRow:
    """One container of an order and how far its resources are."""

    item: str
    package: str
    location: str
    counts: Counts
    query: str
    """Picks its resources in the list of the order's."""


@dataclass(frozen=True)
class FulfilmentPanel:
    """What the order's page shows of its resources."""

    heading: str
    counts: Counts
    rows: list[ContainerRow]
    reasons: list[tuple[str, int]]
    poll_seconds: int | None
    may_retry: bool
    may_cancel: bool


@dataclass(frozen=True)
class Choice:
    """One state to which a list of resources can be narrowed."""

    label: str
    count: int
    query: str
    is_chosen: bool


def panel_of(*, order: BillingOrder, role: str | None) -> FulfilmentPanel | None:
    """Return how far a placed order is, in three queries; None for one that has no resources."""
    progress = progress_of(order_id=order.pk, account_id=order.account_id)
    counts = progress.counts
    if not counts.by_state:
        return None
    containers = OrderContainer.objects.filter(order_item__order=order).select_related(
        "order_item", "package", "location"
    )
    is_busy = order.state == OrderState.PROVISIONING
    return FulfilmentPanel(
        heading=heading_of(counts, state=order.state),
        counts=counts,
        rows=[
            ContainerRow(
                item=container.order_item.name,
                package=container.package.name,
                location=container.location.name,
                counts=progress.by_container.get(container.pk, Counts({})),
                query=urlencode({"container": container.pk}),
            )
            for container in containers
        ],
        reasons=progress.reasons,
        poll_seconds=(SLOW_POLL_SECONDS if progress.waits_for_others else QUICK_POLL_SECONDS) if is_busy else None,
        may_retry=order.state == OrderState.FAILED and can(role, "place"),
        may_cancel=order.state in MAY_BE_CANCELLED and can(role, "place"),
    )


def heading_of(counts: Counts, *, state: str) -> str:
    """Say how far the resources are: "28 of 42 resources are active, 12 to come, 2 failed"."""
    if not counts.total:
        return f"{_resources(counts.cancelled)} cancelled"
    if not counts.active and not counts.failed and state != OrderState.PROVISIONING:
        return f"{_resources(counts.total)} ordered, nothing begun"
    if counts.active == counts.total:
        return f"{_resources(counts.total)} active"
    noun = "resource is" if counts.total == 1 else "resources are"
    to_come = f", {counts.to_come:,} to come" if counts.to_come else ""
    failed = f", {counts.failed:,} failed" if counts.failed else ""
    return f"{counts.active:,} of {counts.total:,} {noun} active{to_come}{failed}"


def choices_of(counts: Counts, *, chosen: str, container: str = "") -> list[Choice]:
    """Return the states in which there are resources, and "all", as ways to narrow their list."""
    others = {"container": container} if container else {}
    choices = [Choice("All", counts.of(*ResourceState), urlencode(others), not chosen)]
    for state in ResourceState:
        count = counts.of(state)
        if count or state == chosen:
            query = urlencode(others | {"state": state.value})
            choices.append(Choice(state.label, count, query, state == chosen))
    return choices


def consequences_of(counts: Counts) -> str:
    """Say what cancelling resources like these means for what is owed."""
    if not counts.active:
        return "None of it became active, so nothing is owed."
    return (
        f"{_resources(counts.active)} {'is' if counts.active == 1 else 'are'} active and will be given back. "
        "What they cost until now is owed; nothing more from now on."
    )


def counts_of_one(resource: Resource) -> Counts:
    return Counts({resource.state: 1})


def _resources(count: int) -> str:
    return f"{count:,} resource{'' if count == 1 else 's'}"
