"""A contract, a promotion code and a bundle while one composes: prices follow at once, and the order keeps them."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from catalog.models import Item, ItemRule
from catalog.tests.book_factories import make_promotion
from catalog.tests.factories import make_price
from core import clock
from orders.models import BillingOrder
from tests.browser.visitor import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LARGE = "/orders/compose/?package=ec2-virtual-server&term=hourly&choice-machine_type=m1.large&choice-os=debian-6"


def test_a_code_and_a_contract_make_it_cheaper_and_a_wrong_code_is_named_beside_its_field(
    visit: Visit, width: int
) -> None:
    large, debian = Item.objects.get(key_name="m1.large"), Item.objects.get(key_name="debian-6")
    make_price(large, hourly="0.16", term_months=12)
    ItemRule.objects.create(item=large, kind="includes", other=debian)
    make_promotion("Spring", code="SPRING", valid_from=clock.now() - timedelta(days=1))
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open(LARGE)
    total = ana.page.locator(".summary-price")
    expect(total).to_contain_text("$230.40")
    expect(ana.page.locator(".summary-bundle")).to_contain_text("includes")

    code = ana.page.get_by_label("Promotion code")
    code.fill("winter")
    code.blur()
    expect(ana.page.locator("#id_code_error")).to_contain_text("There is no promotion “WINTER” now.")
    ana.look("compose-wrong-code")
    code.fill("spring")
    code.blur()
    expect(ana.page.locator("#id_code_error")).to_have_text("")
    expect(total).to_contain_text("$184.32")
    contract = ana.page.get_by_label("Months of contract")
    contract.fill("24")
    contract.blur()
    expect(total).to_contain_text("$92.16")
    ana.look("compose-contract-and-code")

    ana.follow(ana.page.get_by_role("button", name="Start an order"))
    expect(ana.page.get_by_text("a contract of 24 months")).to_be_visible()
    expect(ana.page.get_by_text("Includes Debian GNU/Linux 6.", exact=True).first).to_be_visible()
    assert BillingOrder.objects.get().promotion_code == "SPRING"
    ana.look("draft-with-contract-and-bundle")
    ana.follow(ana.page.get_by_role("link", name="Add another part"))
    ana.follow(ana.page.locator(".start").filter(has_text="Virtual server (EC2"))
    expect(ana.page.locator(".compose-fixed").filter(has_text="SPRING")).to_be_visible()
    ana.look("compose-in-a-draft-with-a-code")
