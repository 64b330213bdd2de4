"""Every address of the product as the wrong partner: nothing comes back and nothing changes.

The addresses come from the resolver. A new one with an argument fails here until MAKERS says what North owns there, or
SHARED_CATALOGUE says that everybody may see the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.tests.factories import client_of, make_account, make_member, make_partner
from tests.tenants import (
    OF_TENANTS_MADE_BY_HAND,
    SECRET,
    Tenant,
    advice_of,
    configuration_of,
    container_of,
    invoice_of,
    key_of,
    link_of_answer,
    link_of_approval,
    link_of_configuration,
    link_of_quote,
    make_tenant,
    order_of,
    plan_of,
    price_book_of,
    price_book_rule_of,
    quote_of,
    resource_of,
    results_of,
    role_of_plan,
    score_table_of,
    simulation_of,
)

pytestmark = [pytest.mark.django_db, OF_TENANTS_MADE_BY_HAND]

METHODS = ("get", "post", "put", "patch", "delete")
NOT_HERE = {404, 405}


@dataclass(frozen=True)
class Address:
    """A named address and its arguments."""

    name: str
    arguments: frozenset[str]

    def __str__(self) -> str:
        return self.name


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
    "answer-shared": link_of_answer,
    "plan-physical": role_of_plan,
    "score-table": score_table_of,
    "score-table-remove": score_table_of,
    "plan-of-order": order_of,
    "predicted-of-order": order_of,
    "advice-csv": advice_of,
    "advice-detail": advice_of,
    "advice-progress": advice_of,
    "advice-cancel": advice_of,
    "advice-retry": advice_of,
    "advice-delete": advice_of,
    "advice-order": advice_of,
    "advice-quote": advice_of,
    "advice-share": advice_of,
    "advice-unshare": advice_of,
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
FOR_STAFF = {"price-books", "score-tables", "usage", "api-usage", "work-list"}
OPEN_TO_STRANGERS = {
    *("healthz", "brand-css", "sign-in", "api-schema", "api-docs"),
    *("quote-shared", "configuration-shared", "answer-shared"),
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
