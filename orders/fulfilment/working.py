"""What a worker does with a stretch of resources: begin it, ask the driver, write down what it says."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from jobs.models import JsonDict
from orders.fulfilment.drivers.interface import Answer
from orders.fulfilment.moving import LONGEST_REASON, resources_move
from orders.fulfilment.runs import RELEASE_KIND, in_stretch, run_for
from orders.fulfilment.settling import order_settle
from orders.locks import locked_order
from orders.models import BillingOrder, Resource, ResourceState
from orders.moves import THE_PRODUCT
from orders.states import OrderState

Answered = tuple[Resource, Answer]
"""A resource as it was when its driver was asked, and the answer."""


@transaction.atomic
def resources_begin(*, parameters: JsonDict, point: JsonDict, now: datetime) -> list[Resource]:
    """Move a stretch's ordered resources to provisioning, and return all that are to be brought about.

    Nothing is begun of an order that was cancelled meanwhile, and nothing twice when a point is taken up again.
    """
    order = _order_of(parameters)
    if order.state != OrderState.PROVISIONING:
        return []
    stretch = in_stretch(parameters=parameters, point=point)
    resources_move(
        resources=stretch.filter(state=ResourceState.ORDERED),
        to_state=ResourceState.PROVISIONING,
        now=now,
        actor=THE_PRODUCT,
    )
    return _with_facts(stretch.filter(state=ResourceState.PROVISIONING))


@transaction.atomic
def answers_write(*, parameters: JsonDict, answers: Sequence[Answered], now: datetime) -> int:
    """Write down what a driver said of resources in their present attempt; return how many became active or failed.

    A resource that got its answer from elsewhere meanwhile keeps it. One that was cancelled meanwhile, while the
    driver took it on, is given back.
    """
    order = _order_of(parameters)
    ended = 0
    for resource, answer in answers:
        same_attempt = Resource.objects.filter(pk=resource.pk, attempt=resource.attempt)
        provisioning = same_attempt.filter(state=ResourceState.PROVISIONING)
        if answer.state == ResourceState.PROVISIONING:
            if answer.is_accepted:
                provisioning.filter(accepted_at=None).update(accepted_at=now, external_id=answer.external_id)
            continue
        ended += resources_move(
            resources=provisioning,
            to_state=answer.state,
            now=now,
            actor=THE_PRODUCT,
            why=answer.reason,
            external_id=answer.external_id,
        )
    _give_back_what_came_too_late(order, answers, parameters=parameters, now=now)
    order_settle(order=order, now=now)
    return ended


def resources_to_release(*, parameters: JsonDict, point: JsonDict) -> list[Resource]:
    """Return the cancelled resources of a stretch that have to be given back."""
    stretch = in_stretch(parameters=parameters, point=point)
    return _with_facts(stretch.filter(state=ResourceState.CANCELLED, begun_at__isnull=False, released_at=None))


def releases_write(*, answers: Sequence[Answered], now: datetime) -> int:
    """Write down which resources are really gone; return how many. The others keep the reason why they are not."""
    gone = [resource.pk for resource, answer in answers if answer.state == ResourceState.CANCELLED]
    for resource, answer in answers:
        if answer.reason:
            Resource.objects.filter(pk=resource.pk, released_at=None).update(reason=answer.reason[:LONGEST_REASON])
    cancelled = Resource.objects.filter(pk__in=gone, state=ResourceState.CANCELLED, released_at=None)
    return cancelled.update(released_at=now, reason="")


def _give_back_what_came_too_late(
    order: BillingOrder, answers: Sequence[Answered], *, parameters: JsonDict, now: datetime
) -> None:
    taken_on = [resource.pk for resource, answer in answers if answer.state != ResourceState.FAILED]
    late = Resource.objects.filter(pk__in=taken_on, state=ResourceState.CANCELLED)
    late.update(released_at=None)
    run_for(kind=RELEASE_KIND, order=order, driver=parameters["driver"], resources=late, now=now)


def _order_of(parameters: JsonDict) -> BillingOrder:
    return locked_order(order_id=parameters["order_id"], account_id=parameters["account_id"])


def _with_facts(resources: QuerySet[Resource]) -> list[Resource]:
    """Read resources with all that a driver may tell of them."""
    around = ("account", "container__package", "container__location", "container__order_item__order__partner")
    return list(resources.select_related(*around).prefetch_related("container__lines").order_by("index"))
