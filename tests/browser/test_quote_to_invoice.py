"""From the quote to the invoice: promised, printed, shared, accepted, approved, set up, and owed."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pytest_django import Settings

from core.clock import now
from orders.billing.invoicing import account_bill
from orders.billing.months import Month
from orders.models import BillingOrder, Invoice, Quote, Resource
from tests.browser.visitor import Visit, Visitor
from tests.browser.worker import work_until_idle

pytestmark = [pytest.mark.browser, pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def at_once(settings: Settings) -> None:
    settings.SIMULATED_SECONDS, settings.SIMULATED_FAILURES = 0, 0


def agree(visitor: Visitor) -> None:
    """Say yes to what the page asks once."""
    visitor.page.once("dialog", lambda dialog: dialog.accept())


def set_a_limit(visitor: Visitor) -> None:
    visitor.sign_in("olga@north.example")
    visitor.open("/orders/approvals/policy/")
    visitor.look("approval-policy-none")
    visitor.page.get_by_label("Most for one order").fill("500")
    visitor.follow(visitor.page.get_by_role("button", name="Save"))
    assert visitor.heading() == "Orders beyond these limits need approval"
    visitor.look("approval-policy")


def quote_the_mongodb_set(visitor: Visitor) -> Quote:
    visitor.sign_in("ana@north.example")
    visitor.open("/orders/blueprints/")
    card = visitor.page.locator(".blueprint").filter(
        has=visitor.page.get_by_role("heading", name="MongoDB Large set", exact=True)
    )
    visitor.follow(card.get_by_role("button"))
    visitor.follow(visitor.page.get_by_role("button", name="Quote it"))
    visitor.look("quote")
    return Quote.objects.get()


def look_at_the_print(visitor: Visitor) -> None:
    """What comes out of the printer is the document alone."""
    visitor.page.emulate_media(media="print")
    for gone in (".site-nav", ".page-actions", ".tabs"):
        for element in visitor.page.locator(gone).all():
            expect(element).to_be_hidden()
    expect(visitor.page.locator(".quote-document")).to_be_visible()
    folder = os.environ.get("RACKWRIGHT_SCREENSHOTS")
    if folder:
        visitor.take_picture(Path(folder) / f"quote-print-{visitor.width}.png")
    visitor.page.emulate_media(media="screen")


def test_a_quote_becomes_machines_and_an_invoice(visit: Visit, width: int) -> None:
    set_a_limit(visit(width=width))
    ana = visit(width=width)
    quote = quote_the_mongodb_set(ana)
    price = ana.heading().partition(" a month")[0]
    look_at_the_print(ana)

    ana.follow(ana.page.get_by_role("button", name="Make a link to share"))
    link = ana.page.get_by_label("Whoever has this link").input_value()
    customer = visit(width=width)
    customer.open(link.removeprefix(customer.origin))
    expect(customer.page.locator(".quote-document tfoot")).to_contain_text(price)
    assert customer.page.get_by_role("navigation").count() == 0
    customer.look("quote-shared")
    ana.open("/orders/quotes/")
    ana.look("quotes")

    ana.open(f"/orders/quotes/{quote.pk}/")
    agree(ana)
    ana.follow(ana.page.get_by_role("button", name="Accept and order"))
    expect(ana.page.get_by_role("heading", name="This order waits for approval")).to_be_visible()
    expect(ana.page.get_by_role("button", name="Approve")).to_have_count(0)
    ana.look("order-waiting")

    paul = visit(width=width)
    paul.sign_in("paul@north.example")
    expect(paul.page.get_by_text("Your decision")).to_be_visible()
    paul.look("home-waiting")
    paul.open("/orders/approvals/")
    paul.look("approvals")
    paul.follow(paul.page.get_by_role("link", name=quote.document["name"]))
    paul.page.get_by_label("Note to the buyer").fill("Go ahead.")
    paul.look("order-to-approve")
    paul.follow(paul.page.get_by_role("button", name="Approve"))
    expect(paul.page.get_by_role("heading", name="Approved by Paul")).to_be_visible()

    work_until_idle()
    count = Resource.objects.count()
    order = BillingOrder.objects.get()
    assert order.state == "active"
    ana.open(f"/orders/{order.pk}/")
    expect(ana.page.get_by_role("heading", name=f"{count} resources active")).to_be_visible()
    ana.look("order-active")

    month = Month.of(now())
    account_bill(account_id=order.account_id, month=month, now=now() + timedelta(days=31))
    invoice = Invoice.objects.get()
    ana.open("/orders/invoices/")
    assert ana.heading() == "1 invoice of Aurora Studios"
    ana.look("invoices")
    ana.open(f"/orders/invoices/{invoice.pk}/")
    assert ana.heading().endswith(f" for {now():%B %Y}")
    expect(ana.page.get_by_text("Load Balancer 500 VIP Connections").first).to_be_visible()
    ana.look("invoice")


def test_partner_staff_quote_for_an_account_and_leave_the_order_to_it(visit: Visit, width: int) -> None:
    nora = visit(width=width)
    nora.sign_in("nora@north.example")
    nora.look("home-partner-staff")
    nora.open("/orders/blueprints/")
    nora.follow(nora.page.locator(".blueprint").get_by_role("button").first)
    expect(nora.page.get_by_role("button", name="Place this order")).to_have_count(0)
    nora.look("draft-partner-staff")

    nora.follow(nora.page.get_by_role("button", name="Quote it"))

    expect(nora.page.get_by_role("button", name="Accept and order")).to_have_count(0)
    expect(nora.page.get_by_role("button", name="Make a link to share")).to_be_visible()
    nora.look("quote-partner-staff")
    nora.open("/catalog/price-books/")
    assert nora.heading() == "List prices count for everybody"
    nora.look("price-books-partner-staff")
