"""From the placed order to active machines: progress that follows by itself, failures, trying again, work by hand."""

import pytest
from playwright.sync_api import expect
from pytest_django import Settings

from accounts.demo import DEMO_OPERATOR
from catalog.models import Package
from orders.models import BillingOrder, Resource
from tests.browser.visitor import NARROW, Visit, Visitor
from tests.browser.worker import work_until_idle

pytestmark = [pytest.mark.browser, pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def at_once(settings: Settings) -> None:
    settings.SIMULATED_SECONDS, settings.SIMULATED_FAILURES = 0, 0


def place_the_mongodb_set(visitor: Visitor) -> BillingOrder:
    visitor.sign_in("ana@north.example")
    visitor.open("/orders/blueprints/")
    card = visitor.page.locator(".blueprint").filter(
        has=visitor.page.get_by_role("heading", name="MongoDB Large set", exact=True)
    )
    visitor.follow(card.get_by_role("button"))
    visitor.follow(visitor.page.get_by_role("button", name="Place this order"))
    return BillingOrder.objects.get()


def test_the_page_follows_the_machines_until_all_are_there(visit: Visit, width: int, settings: Settings) -> None:
    settings.SIMULATED_FAILURES = 1
    ana = visit(width=width)
    order = place_the_mongodb_set(ana)
    count = Resource.objects.count()
    expect(ana.page.get_by_role("heading", name=f"0 of {count} resources are active, {count} to come")).to_be_visible()
    ana.look("fulfilment-provisioning")

    work_until_idle()
    expect(ana.page.locator(".step-wrong .step-label")).to_have_text("Failed")
    expect(ana.page.get_by_text("The simulated machine did not come up.").first).to_be_visible()
    ana.look("fulfilment-failed")
    settings.SIMULATED_FAILURES = 0
    ana.follow(ana.page.get_by_role("button", name=f"Try the {count} again"))
    work_until_idle()
    expect(ana.page.locator(".step-current .step-label")).to_have_text("Active")
    expect(ana.page.get_by_role("heading", name=f"{count} resources active")).to_be_visible()
    ana.look("fulfilment-active")

    ana.follow(ana.page.get_by_role("link", name="Show every resource"))
    expect(ana.page.locator(".resource-uuid")).to_have_count(count)
    ana.look("order-resources")
    ana.follow(ana.page.get_by_role("link", name="Cancel", exact=False).first)
    ana.look("resource-cancel")
    ana.follow(ana.page.get_by_role("button", name="Cancel the resource"))
    expect(ana.page.get_by_role("heading", name=f"{count - 1} resources active")).to_be_visible()
    ana.open("/orders/resources/")
    ana.look("resources")
    ana.open(f"/orders/{order.pk}/")
    ana.follow(ana.page.get_by_role("link", name="Cancel this order"))
    ana.look("order-cancel-placed")
    ana.follow(ana.page.get_by_role("button", name="Cancel the order"))
    expect(ana.page.locator(".step-wrong .step-label")).to_have_text("Cancelled")


def test_staff_set_machines_up_by_hand(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    Package.objects.update(driver="manual")
    order = place_the_mongodb_set(ana)
    count = Resource.objects.count()

    op = visit("north", width=width)
    op.sign_in(DEMO_OPERATOR)
    op.open("/orders/work/")
    assert op.heading() == f"{count} resources wait for somebody"
    op.follow(op.page.get_by_role("button", name="Take it on").first)
    op.look("work-list")
    for number in range(count):
        op.page.get_by_label("Known as").first.fill(f"rack 7, unit {number}")
        op.follow(op.page.get_by_role("button", name="It is there").first)
    assert op.heading() == "Nothing to do"
    op.look("work-list-empty")

    order.refresh_from_db()
    assert order.state == "active"


def test_progress_can_be_read_without_javascript(visit: Visit) -> None:
    ana = visit(width=NARROW, has_javascript=False)
    order = place_the_mongodb_set(ana)
    work_until_idle()

    ana.open(f"/orders/{order.pk}/")

    expect(ana.page.get_by_role("heading", name="resources active")).to_be_visible()
    ana.look("fulfilment-without-javascript")
