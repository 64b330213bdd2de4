"""Every address of the product as the wrong partner: nothing comes back and nothing changes.

The addresses come from the resolver. A new one with an argument fails here until MAKERS says what North owns there, or
SHARED_CATALOGUE says that everybody may see the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounts.models import Account, ApiKey, User
from accounts.services import api_key_create
from accounts.tests.factories import client_of, make_account, make_member, make_partner
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
from planner.models import Advice, MeasurementFile, Plan, PlanOrder, PlanShare, Simulation

OF_TENANTS_MADE_BY_HAND = pytest.mark.breaks_invariants(
    "audit entries = changes of state", "numbers have no gaps", "placed order = a line and one event"
)
"""What `make_tenant` owns is written row by row, without the moves that lead to it."""

pytestmark = [pytest.mark.django_db, OF_TENANTS_MADE_BY_HAND]

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
SECRET = "Aurora secret cloud"
METHODS = ("get", "post", "put", "patch", "delete")
NOT_HERE = {404, 405}


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


@dataclass(frozen=True)
class Address:
    """A named address and its arguments."""

    name: str
    arguments: frozenset[str]

    def __str__(self) -> str:
        return self.name


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


def advice_of(tenant: Tenant) -> dict[str, Any]:
    return {"advice_id": Advice.objects.get(account=tenant.account).pk}


def link_of_plan(tenant: Tenant) -> dict[str, Any]:
    return {"token": PlanShare.objects.get(plan=tenant.plan).token}


def results_of(tenant: Tenant) -> dict[str, Any]:
    return {"file_id": MeasurementFile.objects.get(account=tenant.account).pk}


def simulation_of(tenant: Tenant) -> dict[str, Any]:
    return {"simulation_id": tenant.simulation.pk}


MAKERS: dict[str, Callable[[Tenant], dict[str, Any]]] = {
    "api-key-revoke": key_of,
    "order-detail": order_of,
    "order-place": order_of,
    "order-update": order_of,
    "order-refresh": order_of,
    "order-repair": order_of,
    "order-cancel": order_of,
    "container-remove": container_of,
    "container-copy": container_of,
    "container-restore": order_of,
    "order-tree": order_of,
    "order-bill-csv": order_of,
    "order-bill-json": order_of,
    "quote-bill-csv": quote_of,
    "quote-bill-json": quote_of,
    "order-resources": order_of,
    "order-fulfilment": order_of,
    "order-retry": order_of,
    "order-cancel-placed": order_of,
    "resource-cancel": resource_of,
    "quote-issue": order_of,
    "quote-detail": quote_of,
    "quote-pdf": quote_of,
    "quote-accept": quote_of,
    "quote-withdraw": quote_of,
    "quote-reissue": quote_of,
    "quote-share": quote_of,
    "quote-unshare": quote_of,
    "quote-shared": link_of_quote,
    "configuration-shared": link_of_configuration,
    "configuration-revoke": configuration_of,
    "invoice-detail": invoice_of,
    "invoice-csv": invoice_of,
    "order-tags": order_of,
    "approval-decide": order_of,
    "approval-by-link": link_of_approval,
    "price-book": price_book_of,
    "price-book-end": price_book_of,
    "price-book-rule-end": price_book_rule_of,
    "plan-detail": plan_of,
    "plan-progress": plan_of,
    "plan-cancel": plan_of,
    "plan-retry": plan_of,
    "plan-order": plan_of,
    "plan-csv": plan_of,
    "plan-quote": plan_of,
    "plan-again": plan_of,
    "plan-slide": plan_of,
    "plan-share": plan_of,
    "plan-unshare": plan_of,
    "plan-shared": link_of_plan,
    "plan-of-order": order_of,
    "predicted-of-order": order_of,
    "advice-detail": advice_of,
    "advice-progress": advice_of,
    "advice-cancel": advice_of,
    "advice-retry": advice_of,
    "advice-order": advice_of,
    "advice-quote": advice_of,
    "api-advice-one": advice_of,
    "api-advice-cancel": advice_of,
    "api-advice-order": advice_of,
    "simulation-detail": simulation_of,
    "simulation-progress": simulation_of,
    "simulation-cancel": simulation_of,
    "simulation-retry": simulation_of,
    "api-simulation": simulation_of,
    "api-simulation-cancel": simulation_of,
    "api-simulation-retry": simulation_of,
    "api-order": order_of,
    "api-order-verify": order_of,
    "api-order-refresh": order_of,
    "api-order-repair": order_of,
    "api-order-place": order_of,
    "api-order-cancel": order_of,
    "api-order-fulfilment": order_of,
    "api-order-resources": order_of,
    "api-order-retry": order_of,
    "api-order-resources-cancel": order_of,
    "api-order-quote": order_of,
    "api-order-approve": order_of,
    "api-order-reject": order_of,
    "api-quote": quote_of,
    "api-quote-accept": quote_of,
    "api-quote-withdraw": quote_of,
    "api-quote-reissue": quote_of,
    "api-quote-share": quote_of,
    "api-quote-unshare": quote_of,
    "api-quote-changes": quote_of,
    "api-invoice": invoice_of,
    "api-invoice-csv": invoice_of,
    "api-resource": resource_of,
    "api-resource-cancel": resource_of,
    "measurement-detail": results_of,
    "api-measurement": results_of,
    "api-measurement-delete": results_of,
    "measurement-review": results_of,
    "measurement-delete": results_of,
    "api-plan": plan_of,
    "api-plan-cancel": plan_of,
    "api-plan-order": plan_of,
}
SHARED_CATALOGUE: dict[str, dict[str, Any]] = {
    "package": {"key_name": "server"},
    "advice-new": {"kind_key": "raid"},
    "item-price": {"key_name": "server", "item_id": 1},
    "predicted-of-package": {"key_name": "server"},
    "api-package": {"key_name": "server"},
    "api-package-items": {"key_name": "server"},
    "api-item-price": {"item_id": 1},
    "api-item-prices": {"item_id": 1},
    "blueprint": {"key_name": "server"},
    "api-blueprint": {"key_name": "server"},
    "api-blueprint-order": {"key_name": "server"},
}
FRAGMENTS_THAT_MAY_BE_EMPTY = {"plan-of-order", "predicted-of-order"}
FOR_STAFF = {"price-books", "usage", "api-usage", "work-list"}
OPEN_TO_STRANGERS = {
    *("healthz", "brand-css", "sign-in", "api-schema", "api-docs"),
    *("quote-shared", "configuration-shared", "plan-shared"),
}


def addresses_of(
    resolver: URLResolver, *, names: tuple[str, ...] = (), above: frozenset[str] = frozenset()
) -> Iterator[Address]:
    for pattern in resolver.url_patterns:
        arguments = above | frozenset(pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            below = (*names, pattern.namespace) if pattern.namespace else names
            yield from addresses_of(pattern, names=below, above=arguments)
        elif isinstance(pattern, URLPattern):
            yield Address(":".join((*names, pattern.name or "")), arguments)


EVERY_ADDRESS = sorted(addresses_of(get_resolver()), key=str)
OURS = [address for address in EVERY_ADDRESS if not address.name.startswith("admin:")]
WITH_ARGUMENTS = [address for address in OURS if address.arguments and address.name not in SHARED_CATALOGUE]
WITHOUT_ARGUMENTS = [address for address in OURS if not address.arguments]


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
    PlanShare.objects.create(
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


@pytest.fixture
def north() -> Tenant:
    return make_tenant(partner="North", account="Aurora Studios", email="olga@north.example")


@pytest.fixture
def stranger() -> Client:
    """The owner of an account with Harbor, so that no role stands in the way."""
    account = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    return client_of(make_member(account, email="ben@harbor.example", role="owner"), host="harbor.localhost")


def everything() -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table, sessions apart."""
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.label != "sessions.Session"
    }


def call(client: Client, method: str, url: str) -> Any:
    return client.generic(method.upper(), url, data="{}", content_type="application/json")


def test_every_address_with_arguments_is_watched():
    names = {address.name for address in WITH_ARGUMENTS}

    assert names == set(MAKERS), "say in MAKERS what North owns at the address"


@pytest.mark.parametrize("address", WITH_ARGUMENTS, ids=str)
def test_what_north_owns_does_not_exist_for_harbor_and_stays_as_it_is(address, north, stranger):
    url = reverse(address.name, kwargs=MAKERS[address.name](north))
    before = everything()

    answers = {method: call(stranger, method, url) for method in METHODS}

    if address.name in FRAGMENTS_THAT_MAY_BE_EMPTY:
        assert answers.pop("get").content.strip() == b""
    else:
        assert 404 in {answer.status_code for answer in answers.values()}
    assert {answer.status_code for answer in answers.values()} <= NOT_HERE
    assert everything() == before


@pytest.mark.parametrize("address", WITH_ARGUMENTS, ids=str)
def test_what_north_owns_exists_for_its_owner(address, north):
    url = reverse(address.name, kwargs=MAKERS[address.name](north))

    statuses = {call(client_of(north.user), method, url).status_code for method in ("get", "post")}

    assert 404 not in statuses
    assert statuses != {405}


@pytest.mark.parametrize("address", WITHOUT_ARGUMENTS, ids=str)
def test_lists_and_forms_show_harbor_nothing_of_north(address, north, stranger):
    answer = call(stranger, "get", reverse(address.name))

    assert answer.status_code in ({403} if address.name in FOR_STAFF else {200, 302, 405})
    body = b"" if answer.streaming else answer.content
    for word in (SECRET, "Aurora", "olga@north.example"):
        assert word.encode() not in body


def test_north_sees_its_own_secret_where_it_lists_it(north):
    client = client_of(north.user)

    lists = ("api-key-list", "order-list", "quote-list", "resource-list", "plan-list", "simulation-list", "advice-list")
    for name in lists:
        assert SECRET in client.get(reverse(name)).content.decode(), name
    for name in FRAGMENTS_THAT_MAY_BE_EMPTY:
        assert SECRET in client.get(reverse(name, kwargs=MAKERS[name](north))).content.decode(), name


@pytest.mark.parametrize("address", OURS, ids=str)
def test_strangers_without_a_sign_in_see_only_the_open_addresses(address, north):
    maker = MAKERS.get(address.name)
    arguments = maker(north) if maker else SHARED_CATALOGUE.get(address.name, {})
    answer = call(client_of(None), "get", reverse(address.name, kwargs=arguments))

    if address.name in OPEN_TO_STRANGERS:
        assert answer.status_code == 200
    else:
        is_sent_to_sign_in = answer.status_code == 302 and answer["Location"].startswith("/sign-in/")
        assert is_sent_to_sign_in or answer.status_code in {401, 403, 405}


@pytest.mark.parametrize("name", sorted(address.name for address in EVERY_ADDRESS if address.name in {"admin:index"}))
def test_the_console_is_closed_to_partners_people(name, north):
    answer = client_of(north.user).get(reverse(name))

    assert answer["Location"] == "/admin/login/?next=/admin/"
