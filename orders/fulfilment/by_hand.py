"""What the operator's staff do with a resource: take it on, say that it is there or why not, and that it is gone."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.models import User
from catalog.choices import Driver
from core.errors import RuleBroken
from core.models import AuditEntry
from orders.fulfilment.moving import resources_move
from orders.fulfilment.settling import order_settle
from orders.locks import locked_order
from orders.models import BillingOrder, Resource, ResourceState

LONGEST_EXTERNAL_ID = 120


@transaction.atomic
def resource_take(*, resource_uuid: UUID, user: User, now: datetime) -> Resource:
    """Take a resource on, so that nobody else sets it up too; raises RuleBroken naming who was first."""
    _, resource = _locked(resource_uuid)
    _require(resource, state=ResourceState.PROVISIONING, driver=Driver.MANUAL)
    free = Resource.objects.filter(pk=resource.pk, taken_by=None)
    if not free.update(taken_by=user):
        who = "You" if resource.taken_by == user else str(resource.taken_by)
        raise RuleBroken("resource_already_taken", f"{who} took {resource} on before.")
    _note(resource, user=user, now=now, what="taken on")
    return resource


@transaction.atomic
def resource_mark_active(*, resource_uuid: UUID, user: User, now: datetime, external_id: str) -> Resource:
    """Say that a resource is there and under which name; raises RuleBroken unless it is set up by hand right now."""
    external_id = external_id.strip()
    if not 0 < len(external_id) <= LONGEST_EXTERNAL_ID:
        words = f"Write under which name the machine is known, in at most {LONGEST_EXTERNAL_ID} characters."
        raise RuleBroken("external_id_missing", words, field="external_id")
    order, resource = _locked(resource_uuid)
    _require(resource, state=ResourceState.PROVISIONING, driver=Driver.MANUAL)
    one = Resource.objects.filter(pk=resource.pk)
    resources_move(resources=one, to_state=ResourceState.ACTIVE, now=now, actor=user.email, external_id=external_id)
    order_settle(order=order, now=now)
    return one.get()


@transaction.atomic
def resource_mark_failed(*, resource_uuid: UUID, user: User, now: datetime, reason: str) -> Resource:
    """Say that a resource will not come, of whatever driver, and why; raises RuleBroken unless it is provisioning."""
    if not reason.strip():
        raise RuleBroken("reason_missing", "Write why it failed: the buyer reads it.", field="reason")
    order, resource = _locked(resource_uuid)
    _require(resource, state=ResourceState.PROVISIONING)
    one = Resource.objects.filter(pk=resource.pk)
    resources_move(resources=one, to_state=ResourceState.FAILED, now=now, actor=user.email, why=reason.strip())
    order_settle(order=order, now=now)
    return one.get()


@transaction.atomic
def resource_mark_released(*, resource_uuid: UUID, user: User, now: datetime) -> Resource:
    """Say that a cancelled resource is really gone; raises RuleBroken unless it waits for that."""
    _, resource = _locked(resource_uuid)
    _require(resource, state=ResourceState.CANCELLED)
    if not Resource.objects.filter(pk=resource.pk, released_at=None).update(released_at=now):
        raise RuleBroken("resource_already_released", f"{resource} is gone already.")
    _note(resource, user=user, now=now, what="given back")
    return resource


def _locked(resource_uuid: UUID) -> tuple[BillingOrder, Resource]:
    """Hold the order of a resource and read the resource again; raises Resource.DoesNotExist."""
    found = Resource.objects.select_related("container__order_item").get(uuid=resource_uuid)
    order = locked_order(order_id=found.container.order_item.order_id, account_id=found.account_id)
    return order, Resource.objects.select_related("taken_by").get(pk=found.pk)


def _require(resource: Resource, *, state: ResourceState, driver: Driver | None = None) -> None:
    if resource.state != state:
        words = f"{resource} is {resource.get_state_display().lower()}, not {state.label.lower()}."
        raise RuleBroken(f"resource_not_{state}", words)
    if driver and resource.driver != driver:
        raise RuleBroken("resource_of_another_driver", f"{resource} is not set up by hand.")


def _note(resource: Resource, *, user: User, now: datetime, what: str) -> None:
    """Write down who did what; it changes no state of the resource, so it stands under a subject of its own."""
    AuditEntry.objects.create(
        account_id=resource.account_id, subject=f"work:{resource.uuid}", actor=user.email, to_state=what, at=now
    )
