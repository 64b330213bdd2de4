"""Composing an order by hand: presets, a live total, several containers, and the same without JavaScript."""

import pytest
from playwright.sync_api import Locator, expect

from orders.models import BillingOrder, OrderContainer
from orders.states import OrderState
from tests.browser.visitor import Visit, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.journey, pytest.mark.django_db(transaction=True)]


def card(visitor: Visitor, name: str) -> Locator:
    return visitor.page.locator(".blueprint").filter(has=visitor.page.get_by_role("heading", name=name, exact=True))


def category(visitor: Visitor, name: str) -> Locator:
    return visitor.page.locator(".category").filter(has=visitor.page.locator(".category-name", has_text=name)).first


def choose(visitor: Visitor, category_name: str, option: str) -> None:
    """Open a category, unless it is open, and choose."""
    row = category(visitor, category_name)
    if row.get_attribute("open") is None:
        visitor.click(row.locator("summary").first)
    visitor.click(row.locator(".option").filter(has_text=option).first)


def start_with_the_mongodb_set(visitor: Visitor) -> None:
    """Take the MongoDB Large set, three containers, as it is."""
    visitor.sign_in("ana@north.example")
    visitor.open("/orders/")
    visitor.follow(visitor.page.get_by_role("link", name="Presets and solutions"))
    visitor.look("blueprints")
    visitor.follow(card(visitor, "MongoDB Large set").get_by_role("button"))
    expect(visitor.page.get_by_text("A new draft begins with MongoDB Large set.")).to_be_visible()


def compose_another(visitor: Visitor, package: str) -> None:
    visitor.follow(visitor.page.get_by_role("link", name="Add another part"))
    visitor.follow(visitor.page.locator(".start").filter(has_text=package))


def take_preset(visitor: Visitor, name: str) -> None:
    visitor.click(visitor.page.locator("#presets > summary"))
    visitor.follow(visitor.page.locator(".preset").filter(has_text=name))


def expect_six_containers_to_be_placed(visitor: Visitor, heading: str) -> None:
    expect(visitor.page.locator(".tree-container")).to_have_count(6)
    assert visitor.heading() == heading
    visitor.look("composed-draft")
    visitor.follow(visitor.page.get_by_role("button", name="Place this order"))
    order = BillingOrder.objects.get()
    assert order.state == OrderState.PROVISIONING, "it needs no approval, and workers have not come to it yet"
    assert OrderContainer.objects.filter(order_item__order=order).count() == 6
    expect(visitor.page.locator(".step-current .step-label")).to_have_text("Provisioning")
    assert visitor.heading() == heading
    expect(visitor.page.get_by_text("mongo-4", exact=True)).to_be_visible()
    visitor.look("composed-placed")


@pytest.mark.parametrize("has_javascript", [True, False], ids=["javascript", "no-javascript"])
def test_an_order_of_six_containers_is_composed_from_presets(visit: Visit, width: int, has_javascript: bool) -> None:
    ana = visit(width=width, has_javascript=has_javascript)
    start_with_the_mongodb_set(ana)

    compose_another(ana, "Benchmark server")
    ana.look("compose-fresh")
    take_preset(ana, "MongoDB Large, SSDs")
    ana.page.get_by_label("What are they for").fill("Replica set members")
    ana.page.get_by_label("Host names").fill("mongo-{4}")
    ana.look("compose-preset")
    ana.follow(ana.page.get_by_role("button", name="Add to the order"))
    compose_another(ana, "File storage")
    choose(ana, "File storage", "250 GB NAS")
    ana.page.get_by_label("What are they for").fill("archives")
    ana.page.get_by_label("How many").fill("2")
    ana.follow(ana.page.get_by_role("button", name="Add to the order"))
    compose_another(ana, "Benchmark server")
    take_preset(ana, "MongoDB Small")
    ana.page.get_by_label("What are they for").fill("reporting servers")
    ana.follow(ana.page.get_by_role("button", name="Add to the order"))

    heading = ana.heading()
    assert heading.startswith("4 replica set members, 1 arbiter, 1 load balancer, 2 archives, 1 reporting server · $")
    expect_six_containers_to_be_placed(ana, heading)


def test_the_total_follows_each_choice_and_back_undoes_it(visit: Visit) -> None:
    ana = visit()
    ana.sign_in("ana@north.example")
    ana.open("/orders/compose/?package=BARE_METAL_SERVER&location=dal05&term=monthly")
    price = ana.page.locator(".summary-price")
    expect(price).to_contain_text("a month so far")

    choose(ana, "Server", "Dual Intel Xeon E5-2620 (12 Cores")
    expect(price).to_contain_text("$217.50 a month")
    expect(ana.page.locator(".summary-verdict")).to_contain_text("can be ordered")
    whole = ana.address()
    choose(ana, "RAM", "64 GB RAM")
    expect(price).to_contain_text("$449.50 a month")
    assert "choice-ram=RAM_64_GB" in ana.address()
    ana.page.get_by_role("button", name="Undo the last choice").click()

    expect(price).to_contain_text("$217.50 a month")
    assert ana.address() == whole


def test_typing_goes_on_while_the_page_looks_for_what_was_typed(visit: Visit) -> None:
    ana = visit()
    ana.sign_in("ana@north.example")
    ana.open("/orders/compose/?package=BARE_METAL_SERVER&location=dal05&term=monthly")
    row = category(ana, "Operating system")
    ana.click(row.locator("summary").first)

    search = row.get_by_role("searchbox")
    search.press_sequentially("windows 2016", delay=120)

    expect(row.locator(".option")).to_have_count(2 + 1)
    expect(search).to_have_value("windows 2016")
    expect(search).to_be_focused()


def test_problems_lead_to_their_place_and_one_click_settles_them(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open(
        "/orders/compose/?package=BARE_METAL_SERVER&location=dal05&term=hourly&quantity=2&hosts=db-1"
        "&choice-server=INTEL_XEON_2620_2_00&choice-bandwidth=BANDWIDTH_500_GB"
    )
    if ana.page.locator(".summary-more").get_attribute("open") is None:
        ana.click(ana.page.locator(".summary-more > summary"))
    summary = ana.page.locator("#compose-summary")
    expect(summary).to_contain_text("2 machines, but 1 host name.")
    ana.look("compose-problems")

    ana.page.get_by_role("link", name="2 machines, but 1 host name.").click()
    expect(ana.page.get_by_label("Host names")).to_be_focused()
    ana.page.get_by_label("Host names").fill("db-{n}")
    ana.page.keyboard.press("Tab")
    expect(summary).not_to_contain_text("2 machines, but")
    ana.follow(summary.get_by_role("link", name="Take 0 GB Bandwidth"))

    expect(ana.page.locator("#category-bandwidth .category-chosen")).to_have_text("0 GB Bandwidth")
    expect(ana.page.get_by_label("Host names")).to_have_value("db-{n}")
