"""Every address of the product as the wrong partner: nothing comes back and nothing changes.

The addresses come from the resolver. A new one with an argument fails here until MAKERS says what North owns there, or
SHARED_CATALOGUE says that everybody may see the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import Account, ApiKey, User
from accounts.services import api_key_create
from accounts.tests.factories import client_of, make_account, make_member, make_partner
from catalog.models import Location, Package
from jobs.services import run_start
from orders.models import BillingOrder, BillingOrderItem, OrderContainer
from planner.demand import Demand, Goal
from planner.models import Plan, PlanOrder

pytestmark = pytest.mark.django_db

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
    plan: Plan


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


def plan_of(tenant: Tenant) -> dict[str, Any]:
    return {"plan_id": tenant.plan.pk}


MAKERS: dict[str, Callable[[Tenant], dict[str, Any]]] = {
    "api-key-revoke": key_of,
    "order-detail": order_of,
    "order-place": order_of,
    "order-update": order_of,
    "order-refresh": order_of,
    "order-cancel": order_of,
    "container-remove": container_of,
    "container-copy": container_of,
    "container-restore": order_of,
    "plan-detail": plan_of,
    "plan-progress": plan_of,
    "plan-cancel": plan_of,
    "plan-retry": plan_of,
    "plan-order": plan_of,
    "plan-csv": plan_of,
    "plan-of-order": order_of,
    "api-order": order_of,
    "api-order-verify": order_of,
    "api-order-refresh": order_of,
    "api-order-place": order_of,
    "api-order-cancel": order_of,
    "api-plan": plan_of,
    "api-plan-cancel": plan_of,
    "api-plan-order": plan_of,
}
SHARED_CATALOGUE: dict[str, dict[str, Any]] = {
    "package": {"key_name": "server"},
    "item-price": {"key_name": "server", "item_id": 1},
    "api-package": {"key_name": "server"},
    "api-package-items": {"key_name": "server"},
    "api-item-price": {"item_id": 1},
}
FRAGMENTS_THAT_MAY_BE_EMPTY = {"plan-of-order"}
OPEN_TO_STRANGERS = {"healthz", "brand-css", "sign-in", "api-schema", "api-docs"}


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
    PlanOrder.objects.create(plan=plan, order=order, shape={"mb_s": "175", "capacity_gb": "2000"})
    return Tenant(account=account_row, user=user, key=key, order=order, container=container, plan=plan)


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

    assert answer.status_code in {200, 302, 405}
    body = b"" if answer.streaming else answer.content
    for word in (SECRET, "Aurora", "olga@north.example"):
        assert word.encode() not in body


def test_north_sees_its_own_secret_where_it_lists_it(north):
    client = client_of(north.user)

    for name in ("api-key-list", "order-list", "plan-list"):
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
