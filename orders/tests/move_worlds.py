"""Orders in every state, each brought there by the services alone: one machine, and the people who act on it."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import patch

from django.apps import apps
from django.db import connection

from accounts.models import Account, User
from accounts.tests.factories import make_account, make_member
from catalog.choices import Driver
from core.models import AuditEntry
from jobs import bells
from jobs.models import Run
from jobs.services import run_cancel
from orders.approving import approval_decide, policy_set
from orders.changing import order_cancel
from orders.fulfilment.beginning import order_fulfil
from orders.fulfilment.cancelling import order_cancel_placed
from orders.fulfilment.drivers.interface import Answer
from orders.fulfilment.runs import PROVISION_KIND
from orders.fulfilment.working import answers_write, resources_begin
from orders.models import BillingOrder, OrderContainer, Quote, Resource, ResourceState, WebhookEndpoint
from orders.quoting import quote_accept, quote_issue, quote_withdraw
from orders.states import OrderState
from orders.tests.factories import NOW, make_draft, make_shop, role

SECRET = "the secret of the test"
NAME_OF_THE_MACHINE = "vm-1"
LATER = NOW + timedelta(hours=1)
BEYOND_LIMITS, WITHIN_LIMITS = Decimal(0), None

Rows = dict[str, list[tuple[Any, ...]]]
Moves = list[tuple[str, str]]


@dataclass
class World:
    """One order with its quote, its only machine where there is one, its buyer and its approver."""

    account: Account
    ana: User
    paul: User
    order: BillingOrder
    quote: Quote
    driver: str

    @property
    def container(self) -> OrderContainer:
        return OrderContainer.objects.get(order_item__order=self.order)

    @property
    def resource(self) -> Resource | None:
        return Resource.objects.filter(account=self.account).first()

    @property
    def resource_uuid(self) -> uuid.UUID:
        """The machine's, or one that nothing has."""
        return self.resource.uuid if self.resource else uuid.UUID(int=0)

    @property
    def ids(self) -> dict[str, Any]:
        return {"order_id": self.order.pk, "account_id": self.account.pk}

    @property
    def of_the_run(self) -> dict[str, Any]:
        """What a worker is told who works on this order."""
        return {**self.ids, "driver": self.driver}

    @property
    def stretch(self) -> dict[str, int]:
        return {"container": self.container.pk, "first": 0, "last": 49}

    def answer(self, answer: Answer) -> int:
        """Let the driver have said this of the machine."""
        answers = [(self.resource, answer)] if self.resource else []
        return answers_write(parameters=self.of_the_run, answers=answers, now=LATER)


def everything_stored() -> Rows:
    """Return every row of the database."""
    rows: Rows = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(model._meta.db_table)} ORDER BY 1")
            rows[model._meta.label] = cursor.fetchall()
    return rows


def moves_of(subject: str) -> Moves:
    """Return the audited moves of an order or a machine, the first one first."""
    entries = AuditEntry.objects.filter(subject=subject).order_by("pk")
    return list(entries.values_list("from_state", "to_state"))


def draft(driver: str, *, limit: Decimal | None = WITHIN_LIMITS) -> World:
    """A draft of one machine that was quoted once, and the quote withdrawn."""
    world = quoted(driver, limit=limit)
    quote_withdraw(quote_id=world.quote.pk, account_id=world.account.pk, user=world.ana, now=NOW)
    return world


def quoted(driver: str, *, limit: Decimal | None = WITHIN_LIMITS) -> World:
    shop, account = make_shop(), make_account()
    shop.package.driver = driver
    shop.package.save()
    if driver == Driver.WEBHOOK:
        WebhookEndpoint.objects.create(package=shop.package, url="https://provisioner.example/", secret=SECRET)
    ana = make_member(account)
    paul = make_member(account, email="paul@north.example", role="approver")
    policy_set(account=account, order_limit=limit, month_limit=None, approver_id=None, user=paul, now=NOW)
    order = make_draft(shop=shop, account=account, user=ana, roles=[role("nodes", 1, "m1.small")])
    quote = quote_issue(order_id=order.pk, account_id=account.pk, user=ana, now=NOW)
    return World(account, ana, paul, order, quote, driver)


def placed(driver: str, *, limit: Decimal | None = WITHIN_LIMITS) -> World:
    world = quoted(driver, limit=limit)
    quote_accept(quote_id=world.quote.pk, account_id=world.account.pk, user=world.ana, now=NOW)
    return world


def pending(driver: str) -> World:
    return placed(driver, limit=BEYOND_LIMITS)


def decided(driver: str, *, is_approved: bool) -> World:
    world = pending(driver)
    approval_decide(**world.ids, user=world.paul, role="approver", is_approved=is_approved, now=NOW)
    return world


def begun(driver: str) -> World:
    """Provisioning has begun; a machine that workers or provisioners bring about waits for its turn."""
    world = placed(driver)
    order_fulfil(**world.ids, now=NOW)
    return world


def provisioning(driver: str) -> World:
    world = begun(driver)
    resources_begin(parameters=world.of_the_run, point=world.stretch, now=NOW)
    return world


def broken_off(driver: str) -> World:
    """The run that brought the machine about was stopped, and nobody has noticed yet."""
    world = provisioning(driver)
    for run in Run.objects.filter(kind=PROVISION_KIND):
        run_cancel(run_id=run.pk, account_id=run.account_id, now=NOW)
    return world


def answered(driver: str, answer: Answer) -> World:
    world = provisioning(driver)
    world.answer(answer)
    return world


def active(driver: str) -> World:
    return answered(driver, Answer(ResourceState.ACTIVE, external_id=NAME_OF_THE_MACHINE))


def failed(driver: str) -> World:
    return answered(driver, Answer(ResourceState.FAILED, reason="No capacity."))


def given_up(driver: str) -> World:
    world = draft(driver)
    order_cancel(**world.ids, user=world.ana, now=NOW)
    return world


def cancelled(driver: str) -> World:
    world = active(driver)
    order_cancel_placed(**world.ids, user=world.ana, now=NOW)
    return world


WORLDS: dict[str, tuple[OrderState, Callable[[str], World]]] = {
    "draft": (OrderState.DRAFT, draft),
    "draft beyond limits": (OrderState.DRAFT, lambda driver: draft(driver, limit=BEYOND_LIMITS)),
    "quoted": (OrderState.QUOTED, quoted),
    "quoted beyond limits": (OrderState.QUOTED, lambda driver: quoted(driver, limit=BEYOND_LIMITS)),
    "placed": (OrderState.PLACED, placed),
    "pending": (OrderState.PENDING_APPROVAL, pending),
    "approved": (OrderState.APPROVED, lambda driver: decided(driver, is_approved=True)),
    "rejected": (OrderState.REJECTED, lambda driver: decided(driver, is_approved=False)),
    "begun": (OrderState.PROVISIONING, begun),
    "provisioning": (OrderState.PROVISIONING, provisioning),
    "broken off": (OrderState.PROVISIONING, broken_off),
    "active": (OrderState.ACTIVE, active),
    "failed": (OrderState.FAILED, failed),
    "given up": (OrderState.CANCELLED, given_up),
    "cancelled": (OrderState.CANCELLED, cancelled),
}
"""Each by its name: the state that its order is in, and how it gets there."""


def world_called(name: str, *, driver: str) -> World:
    """Bring an order to where its name says, while no bell rings for its runs."""
    state, build = WORLDS[name]
    with patch.object(bells, "ring_for_waiting", lambda *, now: 0):
        world = build(driver)
    world.order.refresh_from_db()
    assert world.order.state == state
    return world
