"""The main job: say what you need, see what it costs, take the best one, order it."""

import re

import pytest
from playwright.sync_api import expect

from orders.models import BillingOrder
from orders.states import OrderState
from tests.browser.visitor import NARROW, Visit, Visitor
from tests.browser.worker import work_on_one_part, work_until_idle

pytestmark = [pytest.mark.browser, pytest.mark.journey, pytest.mark.django_db(transaction=True)]

MOST_CLICKS = 8
ROLES = "2 balancers, 5 proxies, 25 storage nodes"
PRICE = "$7,488.00"


def expect_the_answer(visitor: Visitor) -> None:
    """The finding as a heading, the machines drawn, and the figures behind the chart as a table."""
    page = visitor.page
    expect(page.get_by_role("button", name="Order this plan")).to_be_visible()
    visitor.wait_until_ready()
    assert visitor.heading() == f"{ROLES}: {PRICE} a month"
    assert page.get_by_role("group", name=ROLES).locator(".machine-count").all_inner_texts() == [
        "2 balancers",
        "5 proxies",
        "25 storage nodes",
    ]
    assert page.get_by_role("group", name=ROLES).locator(".machine-box").count() == 2 + 5 + 25
    assert page.locator(".chart-data tbody tr").count() >= 10


def expect_the_placed_order(visitor: Visitor) -> None:
    page = visitor.page
    placed = BillingOrder.objects.get()
    assert placed.state == OrderState.PROVISIONING, "it needs no approval, and workers have not come to it yet"
    expect(page.locator(".step-done .step-label")).to_have_text(["Draft", "Placed", "Approved"])
    expect(page.locator(".step-current .step-label")).to_have_text("Provisioning")
    expect(page.get_by_role("heading", name="0 of 32 resources are active, 32 to come")).to_be_visible()
    expect(page.locator(".page-kicker")).to_contain_text(str(placed))
    assert re.fullmatch(r"Order \d+", str(placed))
    assert visitor.heading() == f"{ROLES} · {PRICE} a month"
    expect(page.locator(".summary-price")).to_have_text(f"{PRICE} a month")
    expect(page.locator(".tree-total .num").last).to_have_text(PRICE)


def test_the_main_job_takes_at_most_eight_clicks_and_shows_nothing_to_the_other_partner(
    visit: Visit, width: int
) -> None:
    ana = visit(width=width)
    ana.open("/")
    ana.look("sign-in")

    ana.sign_in("ana@north.example")
    ana.look("home-empty")
    ana.follow(ana.page.get_by_role("link", name="Plan a storage cloud").first)
    ana.look("plan-form")
    ana.follow(ana.page.get_by_role("button", name="Find the best configuration"))
    work_on_one_part()
    expect(ana.page.get_by_role("status")).to_contain_text("1 of 3 parts")
    ana.look("progress")
    work_until_idle()
    expect_the_answer(ana)
    plan_address = ana.address()
    assert ana.page.locator(".chart .scatterlayer .points path").count() > 100
    ana.look("answer")
    ana.click(ana.page.get_by_text("Show data").first)
    expect(ana.page.locator(".chart-data tbody tr").first).to_be_visible()
    ana.look("answer-data")
    ana.follow(ana.page.get_by_role("button", name="Order this plan"))
    assert ana.heading() == f"{ROLES} · {PRICE} a month"
    expect(ana.page.get_by_role("link", name="plan", exact=False).last).to_have_attribute("href", plan_address)
    ana.look("order-draft")
    ana.follow(ana.page.get_by_role("button", name="Place this order"))
    expect_the_placed_order(ana)
    order_address = ana.address()
    ana.look("order-placed")
    assert ana.clicks <= MOST_CLICKS

    for path, name in [("/", "home"), ("/plans/", "plan-list"), ("/orders/", "order-list")]:
        ana.open(path)
        expect(ana.page.get_by_role("main")).to_contain_text(PRICE)
        ana.look(name)

    ben = visit("harbor", width=width)
    ben.refusals.add("404")
    ben.sign_in("ben@harbor.example")
    for address in (order_address, plan_address):
        assert ben.open(address).status == 404
        expect(ben.page.get_by_role("main")).not_to_contain_text(PRICE)
    ben.look("not-found")


def test_the_main_job_works_without_javascript(visit: Visit) -> None:
    ana = visit(width=NARROW, has_javascript=False)
    ana.sign_in("ana@north.example")
    ana.follow(ana.page.get_by_role("link", name="Plan a storage cloud").first)
    expect(ana.page.get_by_label("Budget on the cost basis below")).to_be_hidden()

    ana.follow(ana.page.get_by_role("button", name="Find the best configuration"))
    expect(ana.page.get_by_role("status")).to_have_text("Waiting for a worker: 0 of 3 parts")
    ana.look("progress-without-javascript")
    work_until_idle()
    expect_the_answer(ana)
    ana.click(ana.page.get_by_text("Show data").first)
    expect(ana.page.locator(".chart-data tbody tr").first).to_be_visible()
    ana.look("answer-without-javascript")
    ana.follow(ana.page.get_by_role("button", name="Order this plan"))
    ana.follow(ana.page.get_by_role("button", name="Place this order"))

    expect_the_placed_order(ana)
