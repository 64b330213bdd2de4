"""A tenant with one of everything that an address can lead to, and the arguments that lead there."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Account, ApiKey, User
from accounts.services import api_key_create
from accounts.tests.factories import make_account, make_member, make_partner
from catalog.models import Location, Package, PriceBook, PriceBookRule
from catalog.tests.book_factories import make_book, make_rule
from jobs.services import run_start
from orders.models import (
    Approval,
    BillingOrder,
    BillingOrderItem,
    Invoice,
    OrderContainer,
    Quote,
    Resource,
    SharedConfiguration,
)
from orders.quote_document import document_of
from orders.selectors import order_tree
from planner.demand import Demand, Goal
from planner.models import Advice, AnswerShare, ImportedScoreTable, MeasurementFile, Plan, PlanOrder, Simulation

OF_TENANTS_MADE_BY_HAND = pytest.mark.breaks_invariants(
    "audit entries = changes of state", "numbers have no gaps", "placed order = a line and one event"
)
"""What `make_tenant` owns is written row by row, without the moves that lead to it."""


NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
SECRET = "Aurora secret cloud"


@dataclass(frozen=True)
class Tenant:
    """An account with one of everything that an address can lead to."""

    account: Account
    user: User
    key: ApiKey
    order: BillingOrder
    container: OrderContainer
    quote: Quote
    plan: Plan
    simulation: Simulation


def key_of(tenant: Tenant) -> dict[str, Any]:
    return {"key_id": tenant.key.pk}


def order_of(tenant: Tenant) -> dict[str, Any]:
    return {"order_id": tenant.order.pk}


def container_of(tenant: Tenant) -> dict[str, Any]:
    return {"order_id": tenant.order.pk, "container_id": tenant.container.pk}


def quote_of(tenant: Tenant) -> dict[str, Any]:
    return {"quote_id": tenant.quote.pk}


def invoice_of(tenant: Tenant) -> dict[str, Any]:
    return {"invoice_id": Invoice.objects.get(account=tenant.account).pk}


def link_of_quote(tenant: Tenant) -> dict[str, Any]:
    return {"token": tenant.quote.share_token}


def configuration_of(tenant: Tenant) -> dict[str, Any]:
    return {"shared_id": SharedConfiguration.objects.get(account=tenant.account).pk}


def link_of_configuration(tenant: Tenant) -> dict[str, Any]:
    return {"token": SharedConfiguration.objects.get(account=tenant.account).token}


def link_of_approval(tenant: Tenant) -> dict[str, Any]:
    return {"token": Approval.objects.get(order=tenant.order).token}


def resource_of(tenant: Tenant) -> dict[str, Any]:
    return {"resource_uuid": Resource.objects.filter(account=tenant.account).earliest("pk").uuid}


def price_book_of(tenant: Tenant) -> dict[str, Any]:
    return {"book_id": PriceBook.objects.get(partner=tenant.account.partner).pk}


def price_book_rule_of(tenant: Tenant) -> dict[str, Any]:
    rule = PriceBookRule.objects.get(book__partner=tenant.account.partner)
    return {"book_id": rule.book_id, "rule_id": rule.pk}


def plan_of(tenant: Tenant) -> dict[str, Any]:
    return {"plan_id": tenant.plan.pk}


def score_table_of(tenant: Tenant) -> dict[str, Any]:
    return {"table_id": ImportedScoreTable.objects.get(partner=tenant.account.partner, suite=SECRET).pk}


def role_of_plan(tenant: Tenant) -> dict[str, Any]:
    return {**plan_of(tenant), "role": "storage"}


def advice_of(tenant: Tenant) -> dict[str, Any]:
    return {"advice_id": Advice.objects.get(account=tenant.account).pk}


def link_of_answer(tenant: Tenant) -> dict[str, Any]:
    return {"token": AnswerShare.objects.get(plan=tenant.plan).token}


def results_of(tenant: Tenant) -> dict[str, Any]:
    return {"file_id": MeasurementFile.objects.get(account=tenant.account).pk}


def simulation_of(tenant: Tenant) -> dict[str, Any]:
    return {"simulation_id": tenant.simulation.pk}


def make_tenant(*, partner: str, account: str, email: str) -> Tenant:
    account_row = make_account(partner=make_partner(partner), name=account)
    user = make_member(account_row, email=email, role="owner")
    key, _ = api_key_create(account_id=account_row.pk, user_id=user.pk, name=SECRET, scope="write", now=NOW)
    location, _ = Location.objects.get_or_create(key_name="us-east-1", name="N. Virginia", source="test")
    package, _ = Package.objects.get_or_create(source="test", external_id="1", key_name="server", name="Server")
    order = BillingOrder.objects.create(
        account=account_row, partner=account_row.partner, name=SECRET, currency="USD", created_by=user, created_at=NOW
    )
    item = BillingOrderItem.objects.create(order=order, name=SECRET)
    container = OrderContainer.objects.create(order_item=item, package=package, location=location, term="hourly")
    quote = Quote.objects.create(
        order=order,
        partner=account_row.partner,
        number=1,
        currency="USD",
        document=document_of(order_tree(order_id=order.pk, account_id=account_row.pk)),
        issued_by=user,
        issued_at=NOW,
        expires_at=NOW + timedelta(days=30),
        share_token=f"link-{order.pk}",
    )
    SharedConfiguration.objects.create(
        account=account_row,
        name=SECRET,
        currency="USD",
        asked={"hours_per_month": "720", "items": []},
        document=quote.document,
        token=f"configuration-{order.pk}",
        shared_by=user,
        shared_at=NOW,
        expires_at=timezone.now() + timedelta(days=30),
    )
    make_resource(order)
    Invoice.objects.create(
        account=account_row,
        partner=account_row.partner,
        number=1,
        month=NOW.date().replace(day=1),
        currency="USD",
        issued_at=NOW,
        net=0,
        tax=0,
    )
    Approval.objects.create(order=order, reason=SECRET, token=f"decide-{order.pk}", requested_at=NOW)
    run = run_start(
        kind="plan", account_id=account_row.pk, created_by=email, parameters={"words": SECRET}, points=[], now=NOW
    )
    plan = Plan.objects.create(
        account=account_row,
        created_by=user,
        created_at=NOW,
        location=location,
        demand=Demand(goal=Goal.MINIMISE_COST).as_json(),
        words=SECRET,
        run=run,
    )
    AnswerShare.objects.create(
        plan=plan,
        token=f"plan-{order.pk}",
        shared_by=user,
        shared_at=NOW,
        expires_at=timezone.now() + timedelta(days=30),
    )
    simulation = Simulation.objects.create(
        account=account_row,
        created_by=user,
        created_at=NOW,
        name=SECRET,
        workload="light_path",
        scenario={"workload": "light_path", "metres": 1000},
        parameter_set="2026-11",
        run=run_start(
            kind="simulation", account_id=account_row.pk, created_by=email, parameters={}, points=[], now=NOW
        ),
    )
    Advice.objects.create(
        account=account_row,
        created_by=user,
        created_at=NOW,
        kind="raid",
        demand={},
        words=SECRET,
        run=run_start(kind="advice", account_id=account_row.pk, created_by=email, parameters={}, points=[], now=NOW),
    )
    MeasurementFile.objects.create(
        account=account_row,
        uploaded_by=user,
        uploaded_at=NOW,
        name=SECRET,
        file_name="fio.json",
        sha256="0" * 64,
        kind="fio",
    )
    ImportedScoreTable.objects.create(
        partner=account_row.partner, suite=SECRET, version="1", source=SECRET, imported_by=user, imported_at=NOW
    )
    make_rule(make_book(account_row.partner, name=SECRET), "+15")
    PlanOrder.objects.create(plan=plan, order=order, shape={"mb_s": "175", "capacity_gb": "2000"})
    return Tenant(
        account=account_row,
        user=user,
        key=key,
        order=order,
        container=container,
        quote=quote,
        plan=plan,
        simulation=simulation,
    )


def make_resource(draft: BillingOrder) -> Resource:
    """Return a machine that is ordered beside a draft, in a placed order of the same person."""
    container = draft.items.get().containers.get()
    placed = BillingOrder.objects.create(
        account=draft.account, partner=draft.partner, name=SECRET, currency="USD", state="placed", number=1,
        created_by=draft.created_by, created_at=NOW, placed_by=draft.created_by, placed_at=NOW,
    )  # fmt: skip
    item = BillingOrderItem.objects.create(order=placed, name=SECRET)
    ordered = OrderContainer.objects.create(
        order_item=item, package=container.package, location=container.location, term="hourly"
    )
    return Resource.objects.create(
        account=draft.account, container=ordered, index=0, host_name=SECRET, driver="manual", ordered_at=NOW
    )
