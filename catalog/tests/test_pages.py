"""The catalogue's pages as a buyer reads them."""

import pytest
from django.test import Client

from accounts.models import Account
from accounts.tests.factories import client_of, make_account, make_member
from catalog.browsing import package_listings
from catalog.models import Package
from catalog.package_contents import ITEMS_ON_A_PAGE
from catalog.tests.factories import make_group, make_item, make_location, make_package, make_price
from core import clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def account() -> Account:
    return make_account()


@pytest.fixture
def buyer(account) -> Client:
    return client_of(make_member(account))


@pytest.fixture
def shipped(shipped_catalogue: None) -> None:
    """The catalogue that the product brings along."""


def text_of(response) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def make_sized_package(key_name: str, items: int) -> Package:
    made = [make_item(f"{key_name}-{number:04}", attributes={"compute_units": "2"}) for number in range(items)]
    for item in made:
        make_price(item, hourly="0.10")
    location = make_location("dal05", groups=[])
    return make_package(key_name, items=made, locations=[location, make_location("ams01")])


def test_the_catalogue_lists_packages_with_the_price_of_the_cheapest_container(buyer, shipped):
    page = text_of(buyer.get("/catalog/"))

    assert "8 packages to order from" in page
    assert "Virtual server (EC2, April 2012)" in page
    assert "$14.40" in page
    assert "Block volume (EBS, April 2012)" in page
    assert "$1.00" in page


def test_an_empty_catalogue_says_so(buyer):
    assert "No catalogue is loaded" in text_of(buyer.get("/catalog/"))


def test_a_retired_package_is_neither_listed_nor_shown(buyer):
    package = make_sized_package("old-server", 1)
    Package.objects.update(is_active=False)

    assert "Old server" not in text_of(buyer.get("/catalog/"))
    assert buyer.get(f"/catalog/{package.key_name}/").status_code == 404


def test_a_package_that_cannot_be_filled_has_no_from_price(account):
    make_package("bare", required=["machine_type"])

    (listing,) = package_listings(account=account, at=clock.now())

    assert listing.from_price is None


def test_signed_out_visitors_are_sent_to_sign_in(account):
    for address in ("/catalog/", "/catalog/ec2-virtual-server/", "/catalog/ec2-virtual-server/items/1/price/"):
        response = client_of(None).get(address)
        assert response.status_code == 302
        assert "/sign-in/" in response["Location"]


def test_a_package_shows_each_machine_type_with_rate_month_and_attributes(buyer, shipped):
    page = text_of(buyer.get("/catalog/ec2-virtual-server/?location=us-east-1&term=hourly&hours=720"))

    assert "18 items, hourly prices in US East (N. Virginia) for 720 hours a month." in page
    assert "cc1.4xlarge, “Quad”" in page
    assert '<td class="num">$1.30</td>' in page
    assert "$936.00" in page
    assert "33.5" in page
    assert "not published" in page
    assert "short bursts only" in page
    assert "ec2instances.info" in page
    assert "published</span>" in page


def test_the_usual_term_of_a_package_is_the_one_it_is_sold_on(buyer, shipped):
    assert "monthly prices" in text_of(buyer.get("/catalog/ec2-block-volume/"))
    assert "hourly prices" in text_of(buyer.get("/catalog/ec2-virtual-server/"))


def test_other_hours_change_the_monthly_amount(buyer, shipped):
    assert "$967.20" in text_of(buyer.get("/catalog/ec2-virtual-server/?hours=744"))


def test_an_item_not_offered_on_the_term_is_unpriced_and_not_free(buyer, shipped):
    page = text_of(buyer.get("/catalog/ec2-virtual-server/?term=monthly"))

    assert page.count('<span class="tag tag-unpriced">unpriced</span>') == 18
    assert "$0.00" not in page


def test_an_illustrative_price_is_marked_with_its_source(buyer):
    item = make_item("m1.guess")
    make_price(item, hourly="0.5", basis="illustrative", source="Our own guess")
    make_package(items=[item])

    page = text_of(buyer.get("/catalog/virtual-server/"))

    assert '<span class="tag tag-illustrative" title="Our own guess">illustrative</span>' in page
    assert '<li id="source-1">Our own guess</li>' in page


def test_the_location_in_the_address_decides_the_price(buyer):
    item, group = make_item("e5"), make_group(503)
    make_price(item, monthly="137.75")
    make_price(item, monthly="141.88", group=group)
    make_package(items=[item], locations=[make_location("ams01", groups=[group]), make_location("dal05")])

    assert "$141.88" in text_of(buyer.get("/catalog/virtual-server/?location=ams01"))
    assert "$137.75" in text_of(buyer.get("/catalog/virtual-server/?location=dal05"))


def test_a_search_keeps_only_items_with_all_its_words(buyer, shipped):
    page = text_of(buyer.get("/catalog/ec2-virtual-server/?search=high+cpu"))

    assert "2 items matching “high cpu”" in page
    assert "c1.xlarge" in page
    assert "m1.small" not in page
    assert "Nothing matches" in text_of(buyer.get("/catalog/ec2-virtual-server/?search=abacus"))


def test_conditions_that_make_no_sense_are_told_and_the_page_stands(buyer, shipped):
    page = text_of(buyer.get("/catalog/ec2-virtual-server/?location=mars&term=weekly&hours=many&page=first"))

    assert "Enter a number." in page
    assert "mars is not one of the available choices." in page
    assert 'value="many"' in page
    assert "hourly prices in US East" in page


def test_a_long_package_comes_in_pages(buyer):
    make_sized_package("long", ITEMS_ON_A_PAGE + 1)

    first, second = text_of(buyer.get("/catalog/long/")), text_of(buyer.get("/catalog/long/?page=2"))

    assert "Page 1 of 2" in first
    assert "long-0000" in first
    assert "long-0100" not in first
    assert "long-0100" in second
    assert f"{ITEMS_ON_A_PAGE + 1} items" in second


def test_a_package_without_a_location_says_so(buyer):
    make_package("nowhere", locations=[])

    assert "Not sold anywhere yet" in text_of(buyer.get("/catalog/nowhere/"))


def test_a_price_is_explained_step_by_step(buyer, shipped):
    package = Package.objects.get(key_name="ec2-virtual-server")
    small = package.items.get(key_name="m1.small")
    address = f"/catalog/ec2-virtual-server/items/{small.pk}/price/?term=hourly&hours=720&category=machine_type"

    page = text_of(buyer.get(address))
    fragment = text_of(buyer.get(address, headers={"HX-Request": "true"}))

    assert "Standard Small: $57.60 a month" in page
    assert "<li>0.08 USD an hour × 720 hours a month = $57.60.</li>" in page
    assert "<li>0.08 USD an hour × 720 hours a month = $57.60.</li>" in fragment
    assert "<html" not in fragment


def test_an_item_is_explained_only_in_its_own_package(buyer, shipped):
    small = Package.objects.get(key_name="ec2-virtual-server").items.first()

    assert buyer.get(f"/catalog/ec2-block-volume/items/{small.pk}/price/").status_code == 404
