"""A price book from its first rule to the order line that says why it costs what it does."""

import pytest
from playwright.sync_api import expect

from catalog.demo_prices import demo_prices_load
from core import clock
from tests.browser.visitor import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_staff_make_a_price_and_a_customer_is_told_why(visit: Visit, width: int) -> None:
    demo_prices_load(now=clock.now())
    staff = visit("alpine", width=width)
    staff.refusals.add("422")
    staff.sign_in("op@rackwright.example")
    staff.open("/catalog/price-books/")
    staff.look("price-books")
    staff.follow(staff.page.get_by_role("link", name="Alpine prices"))
    assert staff.heading() == "Alpine prices: 2 rules in EUR"

    staff.page.get_by_label("On", exact=True).select_option("An item")
    staff.page.get_by_label("Per cent").fill("many")
    staff.follow(staff.page.get_by_role("button", name="Add the rule"))
    problems = staff.page.locator(".form-errors")
    expect(problems).to_contain_text("Enter a number.")
    expect(problems).to_contain_text("Name the item that the rule is about.")
    staff.look("price-book-refused")
    staff.page.locator("#id_item").fill("m1.large")
    staff.page.get_by_label("Per cent").fill("20")
    staff.follow(staff.page.get_by_role("button", name="Add the rule"))
    assert staff.heading() == "Alpine prices: 3 rules in EUR"
    staff.look("price-book")

    eva = visit("alpine", width=width)
    eva.sign_in("eva@alpine.example")
    eva.open("/catalog/ec2-virtual-server/")
    eva.follow(eva.page.get_by_role("link", name="for Standard Large, why this price"))
    eva.page.get_by_label("Promotion code").fill("summit")
    eva.follow(eva.page.get_by_role("button", name="Show prices"))

    assert eva.heading() == "Standard Large: €165.89 a month"
    expect(eva.page.get_by_text("mark-up 20 % on the item")).to_have_count(1)
    expect(eva.page.get_by_role("cell", name="€2,363.91")).to_have_count(1)
    eva.look("why-this-price-with-a-book")
