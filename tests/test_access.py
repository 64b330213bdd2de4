"""Who may call what: every address and method, as each kind of person. tests/access.json has the whole table.

The addresses come from the resolver. A new one fails here until the table says who may call it. Somebody may where he
is not sent to sign in, refused, or told that there is no such method; whatever else keeps the call from succeeding is
no matter of his role.
"""

import json
import re
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import Account, Partner, User
from accounts.tests.factories import (
    client_of,
    make_account,
    make_member,
    make_operator,
    make_partner,
    make_partner_staff,
)
from tests.tenants import OF_TENANTS_MADE_BY_HAND, Tenant, make_tenant
from tests.test_tenant_walls import (
    EVERY_ADDRESS,
    MAKERS,
    METHODS,
    OURS,
    SHARED_CATALOGUE,
    WITH_ARGUMENTS,
)

pytestmark = [pytest.mark.django_db, OF_TENANTS_MADE_BY_HAND]

TABLE = json.loads((Path(__file__).parent / "access.json").read_text())
WHO: dict[str, list[str]] = TABLE["who"]
ROUTES: dict[str, dict[str, str]] = TABLE["routes"]
CONSOLE_IS_OPEN_AT = {"admin:login", "admin:logout"}
THE_MIGHTIEST = ("owner", "partner staff", "operator")
"""Whoever may do anything at all is one of them; they try the methods that are not there."""
SIGN_IN = ("/sign-in/?next=", "/admin/login/?next=")
REFUSED = {401, 403, 405}
CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')
OF_THE_PARTNER_OR_OF_WHOEVER_HAS_THE_LINK = {
    *("price-book", "price-book-end", "price-book-rule-end"),
    *("score-table", "score-table-remove"),
    *("quote-shared", "configuration-shared", "answer-shared"),
}


def people(north: Tenant) -> dict[str, User | None]:
    """Return one of each kind; only the operator and the partner's staff are members of nothing."""
    members = {
        role: make_member(north.account, email=f"{role}@north.example", role=role)
        for role in ("viewer", "buyer", "approver")
    }
    return {
        "nobody": None,
        **members,
        "owner": north.user,
        "partner staff": make_partner_staff(north.account.partner),
        "operator": make_operator(),
    }


def is_let_in(answer: Any) -> bool:
    is_sent_to_sign_in = answer.status_code == 302 and answer["Location"].startswith(SIGN_IN)
    return answer.status_code not in REFUSED and not is_sent_to_sign_in


def call(client: Client, method: str, url: str) -> Any:
    """Return the answer, and take back whatever the call did."""
    cookies = copy(client.cookies)
    with transaction.atomic():
        answer = client.generic(method.upper(), url, data="{}", content_type="application/json")
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


def let_in(clients: dict[str, Client], method: str, url: str) -> list[str]:
    return [name for name, client in clients.items() if is_let_in(call(client, method, url))]


@pytest.fixture
def north() -> Tenant:
    return make_tenant(partner="North", account="Aurora Studios", email="olga@north.example")


@pytest.fixture
def clients(north: Tenant) -> dict[str, Client]:
    return {name: client_of(user) for name, user in people(north).items()}


def test_the_table_names_every_address_and_no_other():
    assert {address.name for address in OURS} == set(ROUTES), "say in tests/access.json who may call it"
    assert {who for methods in ROUTES.values() for who in methods.values()} <= set(WHO)


@pytest.mark.parametrize("name", sorted(ROUTES))
def test_each_method_is_open_to_exactly_those_in_the_table(name, north, clients):
    arguments = MAKERS[name](north) if name in MAKERS else SHARED_CATALOGUE.get(name, {})
    url = reverse(name, kwargs=arguments)

    mightiest = {who: clients[who] for who in THE_MIGHTIEST}
    open_to = {method: let_in(clients if method in ROUTES[name] else mightiest, method, url) for method in METHODS}

    assert open_to == {method: WHO[ROUTES[name][method]] if method in ROUTES[name] else [] for method in METHODS}


def console_addresses() -> Iterator[tuple[str, str]]:
    arguments = {"object_id": "1", "app_label": "orders", "content_type_id": "1", "url": "nowhere", "id": "1"}
    for address in EVERY_ADDRESS:
        if address.name.startswith("admin:") and address.name not in CONSOLE_IS_OPEN_AT and address.name != "admin:":
            yield address.name, reverse(address.name, kwargs={name: arguments[name] for name in address.arguments})


@pytest.mark.parametrize("address", sorted(console_addresses()), ids=lambda address: address[0])
def test_the_console_is_open_to_operators_alone(address, clients):
    _, url = address
    clients["operator"].raise_request_exception = False

    for method in ("get", "post"):
        assert let_in({name: each for name, each in clients.items() if name != "operator"}, method, url) == [], method
    answer = call(clients["operator"], "get", url)
    assert is_let_in(answer) or answer.status_code in {403, 405}  # what nobody may add or change is refused to all


def elsewhere(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return arguments like these that lead to nothing at all."""

    def missing(value: Any) -> Any:
        if isinstance(value, UUID):
            return uuid4()
        return value + 1_000_000 if isinstance(value, int) else "leads-nowhere"

    return {name: missing(value) for name, value in arguments.items()}


def neighbour(north: Tenant) -> Client:
    account = make_account(partner=north.account.partner, name="Borealis Films")
    return client_of(make_member(account, email="bo@north.example", role="owner"))


def harbors_owner(north: Tenant) -> Client:
    account = Account.objects.get(name="Bluewater Bank")
    return client_of(make_member(account, email="ben@harbor.example", role="owner"), host="harbor.localhost")


def harbors_staff(north: Tenant) -> Client:
    partner = Partner.objects.get(name="Harbor")
    return client_of(make_partner_staff(partner, email="hal@harbor.example"), host="harbor.localhost")


def answers(client: Client, url: str) -> list[tuple[int, bytes]]:
    """Return what each method answers, without the token that differs on every page."""
    found = [call(client, method, url) for method in METHODS]
    return [(answer.status_code, CSRF.sub(b"", answer.content)) for answer in found]


@pytest.mark.parametrize("address", WITH_ARGUMENTS, ids=str)
def test_what_another_account_owns_is_answered_like_what_is_not_there(address, north):
    arguments = MAKERS[address.name](north)
    urls = [reverse(address.name, kwargs=asked) for asked in (arguments, elsewhere(arguments))]
    make_account(partner=make_partner("Harbor"), name="Bluewater Bank")

    for other in (neighbour, harbors_owner, harbors_staff):
        if other is neighbour and address.name in OF_THE_PARTNER_OR_OF_WHOEVER_HAS_THE_LINK:
            continue
        client = other(north)
        theirs, nothing = (answers(client, url) for url in urls)
        assert theirs == nothing, other.__name__
