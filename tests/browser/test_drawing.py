"""The model and an order as drawings, and two orders side by side: on a projector and on a phone."""

import pytest
from playwright.sync_api import expect

from orders.models import BillingOrder
from tests.browser.visitor import Visit, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def draft_of(visitor: Visitor, name: str) -> BillingOrder:
    visitor.open("/orders/blueprints/")
    card = visitor.page.locator(".blueprint").filter(has=visitor.page.get_by_role("heading", name=name, exact=True))
    visitor.follow(card.get_by_role("button"))
    return BillingOrder.objects.latest("pk")


def test_an_order_is_drawn_compared_and_listed_and_the_model_is_drawn(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    one, other = draft_of(ana, "MongoDB Large set"), draft_of(ana, "Riak small")

    ana.open(f"/orders/{one.pk}/")
    ana.follow(ana.page.get_by_role("link", name="As a tree"))
    expect(ana.page.locator(".order-node-container")).not_to_have_count(0)
    ana.look("order-tree")

    ana.open(f"/orders/compare/?a={one.pk}&b={other.pk}")
    expect(ana.page.get_by_role("heading", level=1)).to_contain_text("differ in")
    ana.look("order-compare")

    ana.open("/")
    ana.follow(ana.page.get_by_role("link", name="The model"))
    expect(ana.page.locator(".model-drawing")).not_to_have_count(0)
    ana.look("model")
