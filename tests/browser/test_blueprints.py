"""Blueprints: one of each kind is sized, looked at and ordered as one, and its order verifies with no edit."""

from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from core.clock import now
from orders.checking import order_check
from orders.models import BillingOrder
from orders.selectors import order_tree
from tests.browser.visitor import Visit, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@dataclass(frozen=True)
class Journey:
    """A blueprint, the numbers that are typed, and the machines that are ordered."""

    key_name: str
    typed: dict[str, str]
    machines: dict[str, int]


KINDS = [
    Journey("riak-medium-ssd", {"Riak nodes": "7"}, {"Riak nodes": 7}),
    Journey("mongo-large-sas", {"MongoDB server": "3"}, {"MongoDB server": 3}),
    Journey(
        "swift-cloud",
        {"Proxies": "3", "Storage nodes": "12"},
        {"Proxies": 3, "Storage nodes": 12, "Load balancer": 1},
    ),
    Journey(
        "openstack-cloud",
        {"Compute nodes": "40", "Network nodes": "2", "Database servers": "1"},
        {"Controller": 1, "Compute nodes": 40, "Network nodes": 2, "Database servers": 1},
    ),
]


def show(visitor: Visitor, journey: Journey) -> None:
    """Type the numbers and look at the machines: at once, or with the button where there is no JavaScript."""
    for name, number in journey.typed.items():
        visitor.page.get_by_label(name, exact=True).fill(number)
    if visitor.has_javascript:
        visitor.page.keyboard.press("Tab")
    else:
        visitor.follow(visitor.page.get_by_role("button", name="Show machines and price"))
    expect(visitor.page.locator("#answer-heading")).to_contain_text(f"{sum(journey.machines.values())} machines")


@pytest.mark.parametrize("journey", KINDS, ids=[journey.key_name for journey in KINDS])
def test_a_blueprint_is_sized_seen_and_ordered_as_one(visit: Visit, width: int, journey: Journey) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open(f"/orders/blueprints/{journey.key_name}/?location=dal05&term=monthly")

    show(ana, journey)
    ana.look(f"blueprint-{journey.key_name}")
    price = ana.page.locator(".answer-price").inner_text().split()[0]
    ana.follow(ana.page.get_by_role("button", name="Start an order"))

    order = BillingOrder.objects.get()
    tree = order_tree(order_id=order.pk, account_id=order.account_id)
    assert {
        item.item.name: node.container.quantity for item in tree.items for node in item.containers
    } == journey.machines
    assert order_check(order_id=order.pk, account_id=order.account_id, now=now()).violations == ()
    assert price in ana.heading()
    ana.look(f"blueprint-{journey.key_name}-ordered")


def test_an_openstack_cloud_is_sized_without_javascript(visit: Visit, width: int) -> None:
    ana = visit(width=width, has_javascript=False)
    ana.sign_in("ana@north.example")
    ana.open("/orders/blueprints/openstack-cloud/?location=dal05")

    show(ana, KINDS[-1])
    expect(ana.page.get_by_text("still share the Controller")).to_be_visible()
    ana.follow(ana.page.get_by_role("button", name="Start an order"))

    assert BillingOrder.objects.count() == 1


def test_numbers_that_do_not_fit_are_told_beside_their_fields(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open("/orders/blueprints/swift-cloud/")

    ana.page.get_by_label("Storage nodes", exact=True).fill("3")
    ana.page.keyboard.press("Tab")

    expect(ana.page.locator(".field-error").filter(has_text="at least 5")).to_be_visible()
    expect(ana.page.get_by_role("button", name="Start an order")).to_have_count(0)
    ana.look("blueprint-refused")
