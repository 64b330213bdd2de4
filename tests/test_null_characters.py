"""A null character, which PostgreSQL takes in no text, leads nowhere: neither in an address nor in a form."""

import pytest
from django.test import Client

from accounts.models import Account, User
from accounts.tests.factories import client_of, make_account, make_member
from api.tests.conftest import caller_for
from core.models import IdempotencyRecord
from orders.models import BillingOrder, OrderLine
from orders.tests.factories import make_draft, make_shop

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

OPEN_TO_STRANGERS = ["/orders/shared/%00/", "/brand.css?x=%00"]
PAGES = [
    *OPEN_TO_STRANGERS,
    "/orders/shared/configurations/%00/",
    "/plans/shared/%00/",
    "/orders/approvals/%00/",
    "/orders/compose/?package=%00",
    "/orders/compose/?package=virtual-server&choice-os=a%00b",
    "/orders/compare/?a=shared:%00",
    "/orders/?page=%00",
    "/orders/?%00=1",
]
CALLS = [
    ("/api/v1/orders?page=%00", ("invalid", "page")),
    ("/api/v1/packages/virtual-server/items?search=%00", ("null_characters_not_allowed", "search")),
]
FORMS = [
    ("/orders/compose/add/", {"package": "\0"}),
    ("/orders/compose/", {"package": "virtual-server", "name": "a\0b"}),
    ("/orders/{order}/repair/", {"problem": "category_required \0"}),
    ("/orders/{order}/update/", {"name\0": "x"}),
]


@pytest.fixture
def account() -> Account:
    return make_account()


@pytest.fixture
def ana(account: Account) -> User:
    return make_member(account)


@pytest.mark.parametrize("address", PAGES)
def test_an_address_with_a_null_character_is_that_of_no_page(ana, address):
    assert client_of(ana).get(address).status_code == 404


@pytest.mark.parametrize("address", OPEN_TO_STRANGERS)
def test_strangers_are_told_so_too(account, address):
    answer = Client(headers={"host": "north.localhost"}).get(address)

    assert answer.status_code == 404
    assert "There is no page at this address" in answer.content.decode()


@pytest.mark.parametrize(("address", "field"), CALLS)
def test_programs_are_told_which_field_holds_it(account, ana, address, field):
    make_shop()

    answer = caller_for(account, ana).client.get(address)

    assert answer.status_code == 422
    assert [(each["code"], each["field"]) for each in answer.json()["violations"]] == [field]


def test_programs_find_nothing_at_such_a_path(account, ana):
    answer = caller_for(account, ana).client.get("/api/v1/packages/%00")

    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_null_character_in_json_is_refused_by_the_field_that_holds_it(account, ana):
    answer = caller_for(account, ana).client.post(
        "/api/v1/orders", {"name": "a\0b", "items": []}, content_type="application/json"
    )

    assert answer.status_code == 422
    assert "name" in [each["field"] for each in answer.json()["violations"]]
    assert not BillingOrder.objects.exists()


@pytest.mark.parametrize(("address", "form"), FORMS)
def test_a_form_with_a_null_character_changes_nothing(account, ana, address, form):
    order = make_draft(shop=make_shop(), account=account, user=ana)
    before = list(OrderLine.objects.values())

    answer = client_of(ana).post(address.format(order=order.pk), form)

    assert answer.status_code == 404
    assert list(OrderLine.objects.values()) == before
    assert (BillingOrder.objects.count(), IdempotencyRecord.objects.count()) == (1, 0)


def test_what_only_looks_like_a_null_character_is_an_address_like_any(ana):
    assert client_of(ana).get("/orders/?page=%2500").status_code == 200
