"""check_invariants finds nothing in what the product writes, and each contradiction that somebody plants around it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, models
from django.db.models import F

from accounts.models import Account, User
from accounts.tenancy import OWNERS, crossings_of, owner_lookup
from accounts.tests.factories import make_account, make_member, make_partner
from core.idempotency import idempotent
from core.models import AuditEntry, IdempotencyRecord, OutboxEvent
from jobs.models import Point, Run
from jobs.services import run_start
from orders.billing.invoicing import account_bill
from orders.billing.months import Month
from orders.fulfilment.beginning import order_fulfil
from orders.management.commands.check_invariants import EVERY_INVARIANT
from orders.models import BillingOrder, Invoice, OrderContainer, OrderLine, Quote, Resource, ResourceState
from orders.placing import order_place
from orders.quoting import quote_accept, quote_issue
from orders.tests.factories import NOW, Shop, make_draft, make_shop
from planner.models import PlanOrder
from tests.tenants import make_tenant

LATER = NOW + timedelta(hours=1)


def violations() -> list[tuple[str, str, str]]:
    """Return what the command reports; it ends badly exactly where it reports something."""
    printed, code = StringIO(), 0
    try:
        call_command("check_invariants", "--json", stdout=printed)
    except CommandError as error:
        code = error.returncode
    found = json.loads(printed.getvalue())["violations"]
    assert code == bool(found)
    return [(each["invariant"], each["subject"], each["words"]) for each in found]


@pytest.fixture
def shop(db: None) -> Shop:
    return make_shop()


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


@pytest.fixture
def ana(account: Account) -> User:
    return make_member(account)


@pytest.fixture
def placed(shop: Shop, account: Account, ana: User) -> BillingOrder:
    """An order of 2 proxies and 10 storage nodes in provisioning."""
    draft = make_draft(shop=shop, account=account, user=ana)
    order_place(order_id=draft.pk, account_id=account.pk, user=ana, now=NOW, shown_monthly=None)
    return order_fulfil(order_id=draft.pk, account_id=account.pk, now=NOW)


@pytest.fixture
def accepted(shop: Shop, account: Account, ana: User) -> Quote:
    draft = make_draft(shop=shop, account=account, user=ana)
    quote = quote_issue(order_id=draft.pk, account_id=account.pk, user=ana, now=NOW)
    quote_accept(quote_id=quote.pk, account_id=account.pk, user=ana, now=LATER)
    return quote


@pytest.fixture
def billed(placed: BillingOrder) -> Invoice:
    """The invoice of 10.00 paid once for machines that became active."""
    Resource.objects.update(state=ResourceState.ACTIVE, active_at=NOW)
    (invoice,) = account_bill(account_id=placed.account_id, month=Month.of(NOW), now=LATER)
    return invoice


@contextmanager
def without(model: type[models.Model], *names: str) -> Iterator[None]:
    """Take constraints away from a table until its rows are gone again."""
    every = model._meta.constraints
    taken = [each for each in every if each.name in names]
    assert len(taken) == len(names)
    model._meta.constraints = [each for each in every if each not in taken]  # SQLite makes the table anew from these
    try:
        with connection.schema_editor() as editor:
            for constraint in taken:
                editor.remove_constraint(model, constraint)
        yield
    finally:
        model._base_manager.all().delete()
        model._meta.constraints = every
        with connection.schema_editor() as editor:
            for constraint in taken:
                editor.add_constraint(model, constraint)


def test_what_the_product_writes_violates_nothing(placed, accepted):
    make_draft(shop=Shop(placed.items.first().containers.get().package, _location(placed), {}),
               account=placed.account, user=placed.created_by)  # fmt: skip
    idempotent(account_id=1, key="once", fingerprint="f", now=NOW, call=lambda: (201, {}))

    assert OrderLine.objects.count() == 12
    assert violations() == []


def _location(order: BillingOrder):
    return OrderContainer.objects.filter(order_item__order=order).earliest("pk").location


def test_the_command_says_in_words_what_it_looked_at(db):
    printed = StringIO()

    call_command("check_invariants", stdout=printed)

    assert printed.getvalue() == f"{len(EVERY_INVARIANT)} invariants checked, 0 violations.\n"
    assert len(EVERY_INVARIANT) >= 11


@pytest.mark.breaks_invariants("line amount = fee × pieces", "order total = sum of its lines")
def test_a_line_that_is_not_its_fee_times_its_pieces_is_found(placed):
    line = OrderLine.objects.get(key_name="m1.large")
    OrderLine.objects.filter(pk=line.pk).update(monthly_amount=Decimal("460.81"))

    assert violations() == [
        ("line amount = fee × pieces", f"line:{line.pk}", "Says 460.81 for 2 pieces, which come to 460.80."),
        (
            "order total = sum of its lines",
            placed.subject,
            "Was placed at 1036.80 monthly, and its lines come to 1036.81.",
        ),
    ]


@pytest.mark.breaks_invariants("order total = sum of its lines", "placed order = a line and one event")
def test_a_placed_order_without_lines_is_found(placed):
    OrderLine.objects.all().delete()

    assert violations() == [
        (
            "order total = sum of its lines",
            placed.subject,
            "Was placed at 1036.80 monthly, and its lines come to 0.00.",
        ),
        ("order total = sum of its lines", placed.subject, "Was placed at 10.00 once, and its lines come to 0.00."),
        ("placed order = a line and one event", placed.subject, "Is placed without a line."),
    ]


@pytest.mark.breaks_invariants("placed order = a line and one event")
def test_a_placed_order_that_nobody_was_told_of_is_found(placed):
    OutboxEvent.objects.filter(kind="order.placed").delete()

    assert violations() == [
        ("placed order = a line and one event", placed.subject, "Is placed, and has 0 events order.placed.")
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.breaks_invariants("placed order = a line and one event")
def test_an_order_that_was_told_of_twice_is_found(placed):
    with without(OutboxEvent, "an_order_is_placed_once"):
        event = OutboxEvent.objects.get(kind="order.placed")
        event.pk = None
        event.save()

        assert violations() == [
            ("placed order = a line and one event", placed.subject, "Is placed, and has 2 events order.placed.")
        ]


@pytest.mark.breaks_invariants("placed order = a line and one event")
def test_a_draft_that_was_told_of_as_placed_is_found(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana)
    payload = {"monthly": "1036.80", "once": "10.00"}
    for subject in (draft.subject, "order:0"):
        OutboxEvent.objects.create(
            account_id=account.pk, kind="order.placed", subject=subject, payload=payload, created_at=NOW
        )
    OutboxEvent.objects.filter(subject="order:0").update(payload={"monthly": "0.00", "once": "0.00"})

    assert violations() == [
        ("placed order = a line and one event", draft.subject, "Was never placed, and has 1 events order.placed."),
        ("placed order = a line and one event", "order:0", "Was told of as placed and is not there."),
    ]


@pytest.mark.breaks_invariants("order line = promised line")
def test_an_accepted_quote_whose_line_was_changed_is_found(accepted):
    line = OrderLine.objects.get(key_name="m1.large")
    OrderLine.objects.filter(pk=line.pk).update(description="Another machine")

    assert violations() == [
        (
            "order line = promised line",
            f"quote:{accepted.pk}",
            f"Promised description The m1.large, and line {line.pk} of its order says Another machine.",
        )
    ]


@pytest.mark.breaks_invariants("order total = sum of its lines")
def test_a_quote_whose_totals_are_not_those_of_its_lines_is_found(accepted):
    document = accepted.document | {"totals": accepted.document["totals"] | {"once": "9.00"}}
    Quote.objects.filter(pk=accepted.pk).update(document=document)

    assert violations() == [
        (
            "order total = sum of its lines",
            f"quote:{accepted.pk}",
            "Says 9.00 once, and its lines come to 10.00.",
        )
    ]


@pytest.mark.breaks_invariants("order line = promised line", "order total = sum of its lines")
def test_a_quote_that_lost_a_line_is_found(accepted):
    OrderLine.objects.get(key_name="m1.large").delete()

    assert (
        "order line = promised line",
        f"quote:{accepted.pk}",
        "Promised 4 lines, and its order has 3.",
    ) in violations()


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (lambda audit: audit.delete(), "Is provisioning, and no audit entry says since when."),
        (
            lambda audit: audit.filter(to_state="approved").delete(),
            "Became provisioning from approved, and was placed before.",
        ),
        (lambda audit: audit.filter(to_state="provisioning").delete(), "Is provisioning, and the audit says approved."),
        (
            lambda audit: audit.filter(to_state__in=["placed", "approved"]).update(
                to_state="draft", from_state="draft"
            ),
            "Became draft from draft, which no table allows.",
        ),
        (
            lambda audit: audit.filter(to_state="placed").update(account_id=0),
            "Belongs to account {account}, and an audit entry of it to account 0.",
        ),
    ],
)
@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_a_change_of_state_that_the_audit_does_not_tell_is_found(placed, plant, words):
    plant(AuditEntry.objects.filter(subject=placed.subject))

    expected = words.format(account=placed.account_id)
    assert violations() == [("audit entries = changes of state", placed.subject, expected)]


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_a_resource_that_became_active_unseen_is_found(placed):
    resource = Resource.objects.first()
    Resource.objects.filter(pk=resource.pk).update(state="active", active_at=NOW)

    assert violations() == [
        (
            "audit entries = changes of state",
            resource.subject,
            "Is active, and no audit entry says since when.",
        )
    ]


@pytest.mark.breaks_invariants("audit entries = changes of state", "order state = states of its resources")
def test_an_order_with_fewer_machines_than_ordered_or_a_state_that_is_not_theirs_is_found(placed, accepted):
    Resource.objects.filter(container__order_item__order=placed).first().delete()
    other = accepted.order
    BillingOrder.objects.filter(pk=other.pk).update(state="active")

    name = "order state = states of its resources"
    assert [each for each in violations() if each[0] == name] == [
        (name, placed.subject, "Has 11 machines or volumes, and 12 were ordered."),
        (name, other.subject, "Is active, and its machines make it provisioning."),
    ]


@pytest.mark.breaks_invariants("numbers have no gaps")
def test_a_gap_in_the_numbers_is_found(placed):
    BillingOrder.objects.update(number=7)

    assert violations() == [
        ("numbers have no gaps", f"partner:{placed.partner_id}", "Has 1 orders up to number 7, and gave out 1.")
    ]


@pytest.mark.breaks_invariants(
    "audit entries = changes of state", "numbers have no gaps", "order state = states of its resources"
)
def test_a_gap_in_the_numbers_of_invoices_is_found(billed):
    Invoice.objects.update(number=7)

    assert [each for each in violations() if each[0].startswith("numbers")] == [
        ("numbers have no gaps", f"partner:{billed.partner_id}", "Has 1 invoices up to number 7, and gave out 1.")
    ]


@pytest.mark.django_db(transaction=True)
def test_a_key_with_two_answers_is_found():
    with without(IdempotencyRecord, "an_idempotency_key_is_used_once_per_account"):
        for body in ("one", "two"):
            IdempotencyRecord.objects.create(
                account_id=7, key="k", fingerprint="f", status_code=201, body=body, created_at=NOW
            )

        assert violations() == [
            (
                "one answer for one idempotency key",
                "account:7",
                "The idempotency key k has 2 answers instead of one.",
            )
        ]


@pytest.mark.breaks_invariants("run done = its results complete")
def test_a_run_that_is_done_without_its_results_is_found(db):
    run = run_start(kind="test", account_id=1, created_by="ana", parameters={}, points=[{}], now=NOW)
    run.points.update(state="done", finished_at=NOW)
    Run.objects.update(state="done", result={}, started_at=NOW, finished_at=NOW)

    point = run.points.get(is_final=False)
    assert violations() == [
        ("run done = its results complete", "runs", f"Point {point.index} of run {run.pk} is done and has no result.")
    ]


@pytest.mark.breaks_invariants("no lease in a final state", "run done = its results complete")
def test_a_lease_in_a_final_state_is_found(db):
    run = run_start(kind="test", account_id=1, created_by="ana", parameters={}, points=[{}], now=NOW)
    run.points.filter(is_final=False).update(state="leased", lease_until=LATER)
    Run.objects.update(state="cancelled", finished_at=NOW)

    point = run.points.get(is_final=False)
    assert (
        "no lease in a final state",
        f"point:{point.pk}",
        f"Point 0 of run {run.pk} is leased, and its run has ended.",
    ) in violations()


@pytest.mark.django_db(transaction=True)
def test_a_done_point_that_kept_its_lease_is_found():
    with without(Point, "a_point_has_a_lease_exactly_when_leased"):
        run = run_start(kind="test", account_id=1, created_by="ana", parameters={}, points=[{}], now=NOW)
        point = run.points.get(is_final=False)
        Point.objects.filter(pk=point.pk).update(state="failed", finished_at=NOW, lease_until=LATER)

        assert violations() == [
            (
                "no lease in a final state",
                f"point:{point.pk}",
                f"Point 0 of run {run.pk} is failed and still has a lease.",
            )
        ]


@pytest.mark.breaks_invariants("no foreign key crosses tenants")
def test_a_row_that_leads_to_another_tenant_is_found(placed):
    other = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    resource = Resource.objects.earliest("pk")
    Resource.objects.filter(pk=resource.pk).update(account=other)

    words = f"Belongs to account {other.pk}, and its container to account {placed.account_id}."
    assert ("no foreign key crosses tenants", f"orders.Resource:{resource.pk}", words) in violations()


@pytest.mark.breaks_invariants("no foreign key crosses tenants")
def test_an_order_of_another_partner_than_its_account_is_found(shop, account, ana):
    order = make_draft(shop=shop, account=account, user=ana)
    harbor = make_partner("Harbor")
    BillingOrder.objects.filter(pk=order.pk).update(partner=harbor)

    words = f"Belongs to partner {harbor.pk}, and its account to partner {account.partner_id}."
    assert violations() == [("no foreign key crosses tenants", f"orders.BillingOrder:{order.pk}", words)]


@pytest.mark.breaks_invariants(
    "audit entries = changes of state",
    "no foreign key crosses tenants",
    "numbers have no gaps",
    "placed order = a line and one event",
)
def test_rows_that_name_their_account_by_its_number_count_too(db):
    north = make_tenant(partner="North", account="Aurora Studios", email="olga@north.example")
    Run.objects.filter(pk=north.plan.run_id).update(account_id=0)

    words = f"Belongs to account {north.account.pk}, and its run to account 0."
    assert ("no foreign key crosses tenants", f"planner.Plan:{north.plan.pk}", words) in violations()


def test_every_foreign_key_between_owned_models_is_watched_and_new_ones_are_too():
    watched = {str(crossing) for crossing in crossings_of(apps.get_models())}

    assert {
        "orders.BillingOrder.account (partner)",
        "orders.OrderLine.promotion (partner)",
        "orders.Resource.container (account)",
        "planner.PlanOrder.plan (account)",
        "planner.Plan.run (account)",
    } <= watched
    assert "accounts.Account.partner (partner)" not in watched, "an account is a partner's by this very key"
    assert owner_lookup(OrderLine, "account") == "container__order_item__order__account_id"
    assert owner_lookup(OrderLine, "partner") == "container__order_item__order__partner_id"
    assert owner_lookup(PlanOrder, "account") == "order__account_id"
    assert owner_lookup(Point, "account") == "run__account_id"
    assert {owner: owner_lookup(model, owner) for owner, model in OWNERS.items()} == {"account": "", "partner": ""}


@pytest.mark.breaks_invariants(
    "audit entries = changes of state", "invoice = sum of its lines", "order state = states of its resources"
)
def test_an_invoice_that_is_not_the_sum_of_its_lines_is_found(billed):
    Invoice.objects.update(net=F("net") + 1)

    assert [each for each in violations() if each[0].startswith("invoice")] == [
        (
            "invoice = sum of its lines",
            f"invoice:{billed.pk}",
            f"It says {billed.net + 1} and 0.00 tax; its lines come to {billed.net} and 0 tax.",
        )
    ]


@pytest.mark.breaks_invariants(
    "audit entries = changes of state",
    "nothing is billed that never became active",
    "order state = states of its resources",
)
def test_a_bill_for_what_never_became_active_is_found(billed):
    line = billed.lines.first()
    with_state = {"state": ResourceState.FAILED, "active_at": None}
    Resource.objects.filter(container=line.order_line.container).update(**with_state)

    names = {name for name, _, _ in violations()}

    assert "nothing is billed that never became active" in names
