"""A buyer shares a configuration, a stranger reads it, and two configurations stand side by side, also on a phone."""

import pytest
from playwright.sync_api import expect

from accounts.demo import DEMO_OPERATOR
from orders.models import BillingOrder, SharedConfiguration
from tests.browser.visitor import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_preset_is_shared_read_by_a_stranger_and_compared(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open("/orders/blueprints/")
    card = ana.page.locator(".blueprint").filter(has=ana.page.get_by_role("heading", name="Riak small", exact=True))

    ana.follow(card.get_by_role("link", name="Share"))
    ana.look("configuration-share")
    ana.follow(ana.page.get_by_role("button", name="Make a link"))
    ana.look("configuration-list")
    link = f"/orders/shared/configurations/{SharedConfiguration.objects.get().token}/"

    stranger = visit(width=width)
    stranger.open(link)
    expect(stranger.page.get_by_role("heading", level=1)).to_contain_text("a month")
    expect(stranger.page.get_by_role("link", name="Open in composer")).to_have_count(0)
    stranger.look("configuration-shared")

    ana.open("/orders/blueprints/")
    card = ana.page.locator(".blueprint").filter(
        has=ana.page.get_by_role("heading", name="MongoDB Large set", exact=True)
    )
    ana.follow(card.get_by_role("button"))
    order = BillingOrder.objects.latest("pk")
    ana.open(f"/orders/{order.pk}/")
    ana.look("order-with-share")
    ana.follow(ana.page.get_by_role("link", name="Compare", exact=True))
    ana.page.get_by_label("Second").select_option(label=SharedConfiguration.objects.get().name)
    ana.follow(ana.page.get_by_role("button", name="Compare"))
    expect(ana.page.get_by_role("heading", level=1)).to_contain_text("differ in")
    ana.look("order-compare-kinds")

    ana.open(link)
    ana.follow(ana.page.get_by_role("link", name="Open in composer").first)
    expect(ana.page.get_by_role("heading", level=1)).to_be_visible()
    ana.look("compose-from-link")


def test_the_operator_records_use(visit: Visit, width: int) -> None:
    staff = visit(width=width)
    staff.sign_in(DEMO_OPERATOR)

    staff.open("/orders/usage/")

    staff.look("usage")
