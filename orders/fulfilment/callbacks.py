"""The answer of an external provisioner, signed with the secret of its package."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db import transaction

from catalog.choices import Driver
from core.errors import RuleBroken
from core.signing import WRONG_SIGNATURE, require_signed
from orders.fulfilment.drivers.interface import Answer
from orders.fulfilment.moving import resources_move
from orders.fulfilment.settling import order_settle
from orders.locks import locked_order
from orders.models import CallbackReceipt, Resource, ResourceState, WebhookEndpoint


@transaction.atomic
def callback_take(
    *, resource_uuid: UUID, attempt: int, answer: Answer, headers: Mapping[str, str], body: bytes, now: datetime
) -> Resource:
    """Take in what a provisioner says of a resource; what is so already is no change.

    Raises RuleBroken: `signature_wrong`, also for a resource that no provisioner knows; `signature_too_old`;
    `callback_repeated` for a delivery that was taken in before; `attempt_over`; `resource_not_provisioning`.
    """
    resource, endpoint = _asked_about(resource_uuid)
    delivery = require_signed(secret=endpoint.secret, headers=headers, body=body, now=now)
    _, is_new = CallbackReceipt.objects.get_or_create(
        endpoint=endpoint, delivery=delivery, defaults={"received_at": now}
    )
    if not is_new:
        raise RuleBroken("callback_repeated", "This delivery was taken in before. Nothing was done again.")
    order = locked_order(order_id=resource.order.pk, account_id=resource.account_id)
    resource.refresh_from_db(fields=["state", "attempt", "external_id", "accepted_at"])
    if attempt != resource.attempt:
        words = f"Attempt {attempt} of {resource} is over; this is attempt {resource.attempt}."
        raise RuleBroken("attempt_over", words)
    if _is_so_already(resource, answer):
        return resource
    if resource.state != ResourceState.PROVISIONING:
        words = f"{resource} is {resource.get_state_display().lower()} and can no longer become {answer.state.label}."
        raise RuleBroken("resource_not_provisioning", words)
    one = Resource.objects.filter(pk=resource.pk)
    if answer.state == ResourceState.PROVISIONING:
        one.update(accepted_at=now, external_id=answer.external_id)
    else:
        resources_move(
            resources=one,
            to_state=answer.state,
            now=now,
            actor=f"provisioner of {resource.container.package.key_name}",
            why=answer.reason,
            external_id=answer.external_id,
        )
        order_settle(order=order, now=now)
    resource.refresh_from_db(fields=["state", "external_id", "accepted_at"])
    return resource


def _asked_about(resource_uuid: UUID) -> tuple[Resource, WebhookEndpoint]:
    around = ("container__package", "container__order_item__order")
    resource = Resource.objects.select_related(*around).filter(uuid=resource_uuid, driver=Driver.WEBHOOK).first()
    package = resource.container.package if resource else None
    endpoint = WebhookEndpoint.objects.filter(package=package, is_active=True).first() if package else None
    if resource is None or endpoint is None:
        # In the same words as for a wrong signature, so that nobody learns which resources there are.
        raise RuleBroken("signature_wrong", WRONG_SIGNATURE)
    return resource, endpoint


def _is_so_already(resource: Resource, answer: Answer) -> bool:
    if answer.state == ResourceState.PROVISIONING:
        return resource.state == answer.state and resource.accepted_at is not None
    is_same_machine = answer.state != ResourceState.ACTIVE or answer.external_id in ("", resource.external_id)
    return resource.state == answer.state and is_same_machine
