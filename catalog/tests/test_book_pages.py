"""The pages of price books: who may, every problem at once, and what customers then see."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.tests.factories import (
    client_of,
    make_account,
    make_member,
    make_operator,
    make_partner,
    make_partner_staff,
)
from catalog.models import PriceBook, PriceBookRule
from catalog.tests.book_factories import make_book, make_promotion, make_rule
from catalog.tests.factories import make_category, make_item, make_package, make_price

pytestmark = pytest.mark.django_db
BOOKS = "/catalog/price-books/"


@pytest.fixture
def operator():
    return client_of(make_operator())


@pytest.fixture
def book():
    return make_book(make_account().partner, name="Prices of 2026")


def address_of(book):
    return f"{BOOKS}{book.pk}/"


def rule(**fields):
    return {"kind": "mark_up", "scope": "everything", **fields}


def test_a_price_book_is_begun_under_the_hosts_partner(operator):
    make_partner()

    answer = operator.post(BOOKS, {"name": "Europe", "currency": "eur", "shows_rules": "on"})

    book = PriceBook.objects.get()
    assert answer["Location"] == address_of(book)
    assert (book.partner.name, book.name, book.currency, book.shows_rules) == ("North", "Europe", "EUR", True)
    assert "Europe: no rules yet" in operator.get(address_of(book)).content.decode()


def test_on_a_host_of_no_partner_the_partner_is_asked_for(book):
    client = client_of(make_operator(), host="localhost")

    refused = client.post(BOOKS, {"name": "Europe", "currency": "EUR"})
    client.post(BOOKS, {"name": "Europe", "currency": "EUR", "partner": book.partner_id})

    assert refused.status_code == 422
    assert refused.context["form"].errors == {"partner": ["This field is required."]}
    assert PriceBook.objects.count() == 2


def test_a_price_book_without_name_and_currency_is_refused_with_both_and_nothing_is_lost(operator, book):
    answer = operator.post(BOOKS, {"name": "Prices of 2026", "currency": "euros"})

    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"name", "currency"}
    assert 'value="Prices of 2026"' in answer.content.decode()
    assert PriceBook.objects.count() == 1


def test_a_rule_is_added_and_customers_see_its_price(operator, book):
    item = make_item("m1.small")
    make_price(item, monthly="100")
    make_package(items=[item])
    customer = client_of(make_member(book.partner.accounts.get()))

    answer = operator.post(address_of(book), rule(scope="item", item="M1.small", percent="15"))

    assert answer["Location"] == address_of(book)
    assert "Mark-up 15 %" in operator.get(address_of(book)).content.decode()
    page = customer.get(f"/catalog/virtual-server/items/{item.pk}/price/").content.decode()
    assert "m1.small: $115.00 a month" in page
    assert "Price book “Prices of 2026”: mark-up 15 % on the item m1.small: 115.00 USD a month." in page
    assert "$1,380.00" in page


def test_a_book_that_keeps_its_rules_hides_list_prices_from_customers_and_shows_them_to_staff(book):
    PriceBook.objects.update(shows_rules=False)
    make_rule(book, "+15")
    item = make_item("m1.small")
    make_price(item, monthly="100")
    make_package(items=[item])
    account = book.partner.accounts.get()
    make_member(account, email="op@rackwright.example")
    staff = make_member(account, email="sue@rackwright.example")
    staff.is_staff = True
    staff.save()
    address = f"/catalog/virtual-server/items/{item.pk}/price/"

    told = client_of(make_member(account)).get(address).content.decode()
    revealed = client_of(staff).get(address).content.decode()

    assert "100.00" not in told
    assert "mark-up" not in told
    assert "Its prices here over time" not in told
    assert "mark-up 15 % on everything: 115.00 USD a month." in revealed
    assert "Its prices here over time" in revealed


def test_a_rule_is_refused_with_everything_that_is_wrong_at_once(operator, book):
    answer = operator.post(
        address_of(book), rule(scope="item", item="nothing", percent="many", setup_fee="-1", begins="2020-01-01")
    )

    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"item", "percent", "setup_fee", "begins"}
    assert "There is no item “nothing”." in answer.content.decode()
    assert not PriceBookRule.objects.exists()


def test_of_items_with_one_key_name_the_number_of_one_is_asked_for(operator, book):
    first, second = make_item("disk"), make_item("disk-2")
    type(second).objects.filter(pk=second.pk).update(key_name="disk")

    refused = operator.post(address_of(book), rule(scope="item", item="disk", percent="5"))
    operator.post(address_of(book), rule(scope="item", item=str(second.pk), percent="5"))

    assert f"{first.pk} (disk), {second.pk} (disk-2)" in refused.context["form"].errors["item"][0]
    assert PriceBookRule.objects.get().item == second


def test_a_fixed_price_from_a_day_on_replaces_the_rule_until_then(operator, book):
    category = make_category()
    make_rule(book, "+5", category)
    day = (datetime.now(UTC) + timedelta(days=10)).date()

    operator.post(
        address_of(book),
        rule(kind="fixed", scope="category", category=category.pk, recurring_fee="12.50", begins=day.isoformat()),
    )

    old, new = PriceBookRule.objects.order_by("pk")
    assert old.valid_to == new.valid_from == datetime(day.year, day.month, day.day, tzinfo=UTC)
    assert str(new) == "fixed price 12.50 USD a month on the category Machine type"
    assert "to come" in operator.get(address_of(book)).content.decode()


def test_a_rule_and_a_book_are_ended_and_a_second_end_is_refused_with_words(operator, book):
    ended = make_rule(book, "+5")

    operator.post(f"{address_of(book)}rules/{ended.pk}/end/")
    again = operator.post(f"{address_of(book)}rules/{ended.pk}/end/")
    operator.post(f"{address_of(book)}end/")
    twice = operator.post(f"{address_of(book)}end/")

    ended.refresh_from_db()
    book.refresh_from_db()
    assert None not in (ended.valid_to, book.valid_to)
    assert (again.status_code, again.context["refusal"].code) == (409, "rule_ended")
    assert (twice.status_code, twice.context["refusal"].code) == (409, "price_book_ended")
    assert "1 earlier rule" in twice.content.decode()


@pytest.mark.parametrize("role", ["viewer", "buyer", "approver", "owner"])
def test_price_books_are_closed_to_customers_of_every_role(book, role):
    kept = make_rule(book, "+5")
    client = client_of(make_member(book.partner.accounts.get(), role=role))

    addresses = [BOOKS, address_of(book), f"{address_of(book)}end/", f"{address_of(book)}rules/{kept.pk}/end/"]

    assert {client.post(address, rule(percent="50")).status_code for address in addresses} == {403}
    assert {client.get(address).status_code for address in addresses[:2]} == {403}
    assert list(PriceBookRule.objects.values_list("pk", "valid_to")) == [(kept.pk, None)]


def test_a_partners_own_people_keep_its_prices_and_see_them_whole_but_not_another_partners(book):
    PriceBook.objects.update(shows_rules=False)
    other = make_book(make_account(partner=make_partner("Harbor"), name="Bluewater Bank").partner)
    item = make_item("m1.small")
    make_price(item, monthly="100")
    make_package(items=[item])
    nora = make_partner_staff(book.partner)
    client = client_of(nora)

    client.post(address_of(book), rule(percent="15"))

    assert book.rules.get().percent == 15
    page = client.get(f"/catalog/virtual-server/items/{item.pk}/price/").content.decode()
    assert "mark-up 15 % on everything" in page
    assert client.get(address_of(other)).status_code == 404
    assert client_of(nora, host="harbor.localhost").get(address_of(other)).status_code == 403
    assert client_of(nora, host="localhost").get(address_of(book)).status_code == 404


def test_another_partners_book_is_not_there_even_for_staff(book):
    make_partner("Harbor")
    client = client_of(make_operator(), host="harbor.localhost")

    assert client.get(address_of(book)).status_code == 404
    assert "Prices of 2026" not in client.get(BOOKS).content.decode()


def test_a_promotion_code_is_tried_out_on_the_page_of_a_price(book):
    item = make_item("m1.small")
    make_price(item, monthly="100")
    make_package(items=[item])
    make_promotion("Spring", code="SPRING", lasts_months=3)
    customer = client_of(make_member(book.partner.accounts.get()))
    address = f"/catalog/virtual-server/items/{item.pk}/price/"

    found = customer.get(address, {"code": "spring"}).content.decode()
    unknown = customer.get(address, {"code": "winter"})

    assert "m1.small: $80.00 a month" in found
    assert "for 3 months; then 100.00 USD a month." in found
    assert unknown.context["form"].errors == {
        "code": ["There is no promotion “WINTER” now. Check the code, or leave it out."]
    }
