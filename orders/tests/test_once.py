"""A double click on a form that begins an order begins one, and both clicks lead to it."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from core.models import IdempotencyRecord
from orders.models import BillingOrder, OrderContainer
from orders.selectors import order_tree
from orders.tests.compose_shop import make_blueprint, make_server_shop

pytestmark = pytest.mark.django_db

PARTS = [("server", "small"), ("os", "debian"), ("disk0", "sata")]
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@pytest.fixture
def browser(ana) -> Client:
    """A browser that, unlike the usual one of tests, is asked for the token of its forms."""
    client = Client(enforce_csrf_checks=True, headers={"host": "north.localhost"})
    client.force_login(ana)
    return client


def form_of(browser: Client, page: str) -> dict[str, str]:
    """Return what a freshly shown page brings along in its forms."""
    found = TOKEN.search(unescape(browser.get(page).content.decode()))
    assert found is not None
    return {"csrfmiddlewaretoken": found[1]}


@pytest.fixture(autouse=True)
def blueprints(db):
    shop = make_server_shop()
    for key_name, count in (("twins", 2), ("triplets", 3)):
        make_blueprint(shop, key_name, {"nodes": (count, PARTS)})


def order_it(browser, form, key_name="twins"):
    answer = browser.post(reverse("blueprint-order"), {**form, "blueprint": key_name})
    assert answer.status_code == 302
    return answer["Location"]


def test_the_same_form_sent_twice_makes_one_order(browser):
    form = form_of(browser, reverse("blueprint-list"))

    first, again = order_it(browser, form), order_it(browser, form)

    order = BillingOrder.objects.get()
    assert first == again == reverse("order-detail", args=[order.pk])
    assert IdempotencyRecord.objects.count() == 1


def test_the_page_shown_again_may_make_another_order(browser):
    page = reverse("blueprint-list")

    order_it(browser, form_of(browser, page))
    order_it(browser, form_of(browser, page))

    assert BillingOrder.objects.count() == 2


def test_another_choice_on_the_same_page_makes_another_order(browser):
    form = form_of(browser, reverse("blueprint-list"))

    first, other = order_it(browser, form), order_it(browser, form, key_name="triplets")

    assert first != other
    assert BillingOrder.objects.count() == 2


def test_a_part_added_twice_by_one_form_is_in_the_order_once(browser):
    order_it(browser, form_of(browser, reverse("blueprint-list")))
    order = BillingOrder.objects.get()
    chosen = {"package": "server", "order": str(order.pk), "name": "cache"}
    chosen |= {f"choice-{code}": item for code, item in PARTS}
    page = f"{reverse('compose')}?{urlencode(chosen)}"
    form, fresh_form = (form_of(browser, page) | chosen for _ in range(2))

    answers = [browser.post(reverse("compose-add"), each) for each in (form, form)]
    held = OrderContainer.objects.filter(order_item__name="cache")

    assert [answer.headers["Location"] for answer in answers] == [reverse("order-detail", args=[order.pk])] * 2
    assert held.count() == 1
    browser.post(reverse("compose-add"), fresh_form)
    assert held.count() == 2


def test_a_part_changed_twice_by_one_form_is_what_was_sent_last(browser):
    order_it(browser, form_of(browser, reverse("blueprint-list")))
    container = OrderContainer.objects.get()
    chosen = {"package": "server", "order": str(BillingOrder.objects.get().pk), "container": str(container.pk)}
    chosen |= {f"choice-{code}": item for code, item in PARTS}
    form = form_of(browser, f"{reverse('compose')}?{urlencode(chosen)}") | chosen

    for quantity in ("5", "6", "5"):
        browser.post(reverse("compose-add"), {**form, "quantity": quantity})

    container.refresh_from_db()
    assert (OrderContainer.objects.count(), container.quantity) == (1, 5)


def test_what_begins_twice_is_placed_once(browser):
    form = form_of(browser, reverse("blueprint-list"))
    page = order_it(browser, form)
    order = BillingOrder.objects.get()
    monthly = order_tree(order_id=order.pk, account_id=order.account_id).totals.monthly.known.text
    shown = {**form_of(browser, page), "shown_monthly": monthly}

    first = browser.post(reverse("order-place", args=[order.pk]), shown)
    again = browser.post(reverse("order-place", args=[order.pk]), shown)

    assert (first.status_code, again.status_code) == (302, 409)
    assert "placed this order on" in unescape(again.content.decode())
    assert BillingOrder.objects.get().number == 1
