"""Every service that changes an order or its machine, and the moves that each makes from where."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from catalog.choices import Driver
from catalog.pricing import Term
from core.signing import signed_headers
from orders import changing, composing, quoting
from orders.approving import approval_decide
from orders.checking import order_check
from orders.composing import Choice, Composition
from orders.fulfilment import by_hand
from orders.fulfilment.beginning import order_fulfil, order_retry
from orders.fulfilment.callbacks import callback_take
from orders.fulfilment.cancelling import order_cancel_placed, resource_cancel
from orders.fulfilment.drivers.interface import Answer
from orders.fulfilment.sweeping import fulfilment_sweep, lost_fail
from orders.fulfilment.working import answers_write, releases_write, resources_begin
from orders.models import ResourceState
from orders.placing import order_place
from orders.quoting import VALID_DAYS
from orders.repairing import order_repair
from orders.states import OrderState
from orders.tests.move_worlds import LATER, NAME_OF_THE_MACHINE, SECRET, WORLDS, World

STAYS: tuple[OrderState, ...] = ()
PLACED, APPROVED = OrderState.PLACED, OrderState.APPROVED
PENDING = OrderState.PENDING_APPROVAL
PROVISIONING, ACTIVE, FAILED = OrderState.PROVISIONING, OrderState.ACTIVE, OrderState.FAILED
DRAFTS = ("draft", "draft beyond limits")
QUOTED = ("quoted", "quoted beyond limits")
TO_COME = ("provisioning", "broken off")
STANDING = ("placed", "pending", "approved", "begun", *TO_COME, "active", "failed")


@dataclass(frozen=True)
class Service:
    """A service, how it is called, and from which worlds it moves the order how; elsewhere it refuses."""

    function: Callable[..., Any]
    call: Callable[[World], object]
    moves: Mapping[str, tuple[OrderState, ...]]
    driver: str = Driver.SIMULATED
    refuses: bool = True
    """Whether it raises where it makes no move; a worker's or the ticker's service does nothing there instead."""


def _from(*worlds: str, to: tuple[OrderState, ...]) -> dict[str, tuple[OrderState, ...]]:
    return dict.fromkeys(worlds, to)


def _composition(world: World) -> Composition:
    lines = world.container.lines.select_related("item")
    return Composition(
        item_name="nodes",
        package=world.container.package,
        location=world.container.location,
        term=Term.HOURLY,
        quantity=2,
        host_names="",
        choices=tuple(Choice(line.category_code, line.category_name, line.item) for line in lines),
    )


def _change(world: World) -> object:
    return changing.order_change(**world.ids, name="Another", quantities={world.container.pk: 3}, now=LATER)


def _quote(function: Callable[..., object], *, later: timedelta = timedelta(hours=1)) -> Callable[[World], object]:
    return lambda world: function(
        quote_id=world.quote.pk, account_id=world.account.pk, user=world.ana, now=world.quote.issued_at + later
    )


def _decide(*, is_approved: bool, is_own: bool = False) -> Callable[[World], object]:
    return lambda world: approval_decide(
        **world.ids, user=world.ana if is_own else world.paul, role="approver", is_approved=is_approved, now=LATER
    )


def _callback(answer: Answer) -> Callable[[World], object]:
    def call(world: World) -> object:
        headers = signed_headers(secret=SECRET, delivery="d-1", body=b"{}", now=LATER)
        attempt = world.resource.attempt if world.resource else 1
        return callback_take(
            resource_uuid=world.resource_uuid, attempt=attempt, answer=answer, headers=headers, body=b"{}", now=LATER
        )

    return call


def _release(world: World) -> object:
    answers = [(world.resource, Answer(ResourceState.CANCELLED))] if world.resource else []
    return releases_write(answers=answers, now=LATER)


def _of_the_machine(function: Callable[..., object], **more: object) -> Callable[[World], object]:
    return lambda world: function(resource_uuid=world.resource_uuid, user=world.paul, now=LATER, **more)


IS_THERE = Answer(ResourceState.ACTIVE, external_id=NAME_OF_THE_MACHINE)
IS_NOT = Answer(ResourceState.FAILED, reason="No capacity.")

SERVICES: dict[str, Service] = {
    "check": Service(order_check, lambda w: order_check(**w.ids, now=LATER), _from(*DRAFTS, to=STAYS)),
    "change": Service(changing.order_change, _change, _from(*DRAFTS, to=STAYS)),
    "refresh": Service(
        changing.order_refresh_prices,
        lambda w: changing.order_refresh_prices(**w.ids, now=LATER),
        _from(*DRAFTS, to=STAYS),
    ),
    "repair what is well": Service(order_repair, lambda w: order_repair(**w.ids, now=LATER), {}),
    "remove": Service(
        changing.container_remove,
        lambda w: changing.container_remove(**w.ids, container_id=w.container.pk, now=LATER),
        _from(*DRAFTS, to=STAYS),
    ),
    "add": Service(
        composing.containers_add,
        lambda w: composing.containers_add(**w.ids, compositions=[_composition(w)], now=LATER),
        _from(*DRAFTS, to=STAYS),
    ),
    "change one": Service(
        composing.container_change,
        lambda w: composing.container_change(
            **w.ids, container_id=w.container.pk, composition=_composition(w), now=LATER
        ),
        _from(*DRAFTS, to=STAYS),
    ),
    "change several": Service(
        composing.containers_change,
        lambda w: composing.containers_change(**w.ids, compositions={w.container.pk: _composition(w)}, now=LATER),
        _from(*DRAFTS, to=STAYS),
    ),
    "copy": Service(
        composing.container_copy,
        lambda w: composing.container_copy(**w.ids, container_id=w.container.pk, now=LATER),
        _from(*DRAFTS, to=STAYS),
    ),
    "cancel a draft": Service(
        changing.order_cancel,
        lambda w: changing.order_cancel(**w.ids, user=w.ana, now=LATER),
        _from(*DRAFTS, to=(OrderState.CANCELLED,)),
    ),
    "place": Service(
        order_place,
        lambda w: order_place(**w.ids, user=w.ana, now=LATER, shown_monthly=None),
        {"draft": (PLACED,), "draft beyond limits": (PLACED, PENDING)},
    ),
    "quote": Service(
        quoting.quote_issue,
        lambda w: quoting.quote_issue(**w.ids, user=w.ana, now=LATER),
        _from(*DRAFTS, to=(OrderState.QUOTED,)),
    ),
    "quote again": Service(
        quoting.quote_reissue,
        _quote(quoting.quote_reissue),
        _from(*QUOTED, to=(OrderState.DRAFT, OrderState.QUOTED)),
    ),
    "withdraw": Service(quoting.quote_withdraw, _quote(quoting.quote_withdraw), _from(*QUOTED, to=(OrderState.DRAFT,))),
    "accept": Service(
        quoting.quote_accept,
        _quote(quoting.quote_accept),
        {"quoted": (PLACED,), "quoted beyond limits": (PLACED, PENDING)},
    ),
    "accept too late": Service(
        quoting.quote_accept, _quote(quoting.quote_accept, later=timedelta(days=VALID_DAYS)), {}
    ),
    "share": Service(quoting.quote_share, _quote(quoting.quote_share), _from(*WORLDS, to=STAYS)),
    "unshare": Service(quoting.quote_unshare, _quote(quoting.quote_unshare), {}, refuses=False),
    "approve": Service(approval_decide, _decide(is_approved=True), _from("pending", to=(APPROVED,))),
    "reject": Service(approval_decide, _decide(is_approved=False), _from("pending", to=(OrderState.REJECTED,))),
    "approve one's own": Service(approval_decide, _decide(is_approved=True, is_own=True), {}),
    "begin": Service(
        order_fulfil,
        lambda w: order_fulfil(**w.ids, now=LATER),
        {"placed": (APPROVED, PROVISIONING), "approved": (PROVISIONING,)},
        refuses=False,
    ),
    "take up again": Service(
        order_retry,
        lambda w: order_retry(**w.ids, user=w.ana, now=LATER),
        _from("failed", to=(PROVISIONING,)),
    ),
    "cancel": Service(
        order_cancel_placed,
        lambda w: order_cancel_placed(**w.ids, user=w.ana, now=LATER),
        _from(*STANDING, to=(OrderState.CANCELLED,)),
    ),
    "cancel the last machine": Service(
        resource_cancel,
        lambda w: resource_cancel(resource_uuid=w.resource_uuid, account_id=w.account.pk, user=w.ana, now=LATER),
        _from(*STANDING, to=(OrderState.CANCELLED,)),
    ),
    "sweep": Service(
        fulfilment_sweep,
        lambda w: fulfilment_sweep(LATER),
        {"placed": (APPROVED, PROVISIONING), "approved": (PROVISIONING,), "broken off": (FAILED,)},
        refuses=False,
    ),
    "let what is lost fail": Service(
        lost_fail, lambda w: lost_fail(**w.ids, now=LATER), _from("broken off", to=(FAILED,)), refuses=False
    ),
    "work begins": Service(
        resources_begin,
        lambda w: resources_begin(parameters=w.of_the_run, point=w.stretch, now=LATER),
        _from("begun", to=STAYS),
        refuses=False,
    ),
    "driver says it is there": Service(
        answers_write,
        lambda w: w.answer(IS_THERE),
        {**_from(*TO_COME, to=(ACTIVE,)), **_from("rejected", "cancelled", to=STAYS)},
        refuses=False,
    ),
    "driver says it failed": Service(
        answers_write, lambda w: w.answer(IS_NOT), _from(*TO_COME, to=(FAILED,)), refuses=False
    ),
    "driver says it is gone": Service(
        releases_write, _release, _from("rejected", "cancelled", to=STAYS), refuses=False
    ),
    "somebody takes it on": Service(
        by_hand.resource_take,
        _of_the_machine(by_hand.resource_take),
        _from("begun", *TO_COME, to=STAYS),
        driver=Driver.MANUAL,
    ),
    "somebody says it is there": Service(
        by_hand.resource_mark_active,
        _of_the_machine(by_hand.resource_mark_active, external_id=NAME_OF_THE_MACHINE),
        _from("begun", *TO_COME, to=(ACTIVE,)),
        driver=Driver.MANUAL,
    ),
    "somebody says it failed": Service(
        by_hand.resource_mark_failed,
        _of_the_machine(by_hand.resource_mark_failed, reason="No capacity."),
        _from("begun", *TO_COME, to=(FAILED,)),
        driver=Driver.MANUAL,
    ),
    "somebody says it is gone": Service(
        by_hand.resource_mark_released,
        _of_the_machine(by_hand.resource_mark_released),
        _from("rejected", "cancelled", to=STAYS),
        driver=Driver.MANUAL,
    ),
    "somebody says of a worker's that it is there": Service(
        by_hand.resource_mark_active,
        _of_the_machine(by_hand.resource_mark_active, external_id=NAME_OF_THE_MACHINE),
        {},
    ),
    "provisioner says it is there": Service(
        callback_take,
        _callback(IS_THERE),
        {**_from(*TO_COME, to=(ACTIVE,)), "active": STAYS},
        driver=Driver.WEBHOOK,
    ),
    "provisioner says it failed": Service(
        callback_take,
        _callback(IS_NOT),
        {**_from(*TO_COME, to=(FAILED,)), "failed": STAYS},
        driver=Driver.WEBHOOK,
    ),
}
