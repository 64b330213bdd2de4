"""How many queries a page may take, whatever the size of the catalogue. The budgets are in query_budgets.json."""

import json
from pathlib import Path

import pytest
from django.test import Client

from accounts.models import Account
from accounts.tests.factories import client_of, make_account, make_member
from catalog.browsing import locations_of, package_listings
from catalog.models import Item, ItemAttribute, ItemCategory, ItemPrice, Package
from catalog.package_form import package_form
from catalog.pricing import Term
from catalog.tests.factories import LONG_AGO, make_category, make_item, make_location, make_package, make_price
from core import clock

BUDGETS: dict[str, int] = json.loads((Path(__file__).parent / "query_budgets.json").read_text())
SIGN_IN_QUERIES = 4
"""Session, user, host and memberships: what every signed-in page costs before it begins."""
pytestmark = pytest.mark.django_db


@pytest.fixture
def account() -> Account:
    return make_account()


@pytest.fixture
def buyer(account) -> Client:
    return client_of(make_member(account))


def make_sized_package(key_name: str, count: int) -> Package:
    """Return a package of so many items, each with a price and an attribute."""
    category = make_category()
    items = Item.objects.bulk_create(
        Item(
            source=key_name, external_id=f"{number:05}", key_name=f"{key_name}-{number:05}", description=f"No. {number}"
        )
        for number in range(count)
    )
    Item.categories.through.objects.bulk_create(
        Item.categories.through(item_id=item.pk, itemcategory_id=category.pk) for item in items
    )
    ItemPrice.objects.bulk_create(
        ItemPrice(
            item=item, external_id="1", hourly_recurring_fee="0.1", valid_from=LONG_AGO, source="tests", basis="assumed"
        )
        for item in items
    )
    ItemAttribute.objects.bulk_create(
        ItemAttribute(item=item, name="compute_units", value="2", source="tests", basis="assumed") for item in items
    )
    return make_package(key_name, items=items, locations=[make_location("dal05"), make_location("ams01")])


@pytest.mark.parametrize("count", [1, 10, 100])
def test_the_list_of_packages_keeps_its_budget(buyer, account, count, django_assert_max_num_queries):
    for number in range(count):
        make_sized_package(f"package-{number}", 2)

    with django_assert_max_num_queries(BUDGETS["catalog"]):
        assert len(package_listings(account=account, at=clock.now())) == count
    with django_assert_max_num_queries(SIGN_IN_QUERIES + BUDGETS["catalog"]):
        buyer.get("/catalog/")


@pytest.mark.parametrize("query", ["", "?show=priced", "?category=machine_type&search=7"])
@pytest.mark.parametrize("count", [1, 10, 1000])
def test_a_package_page_keeps_its_budget(buyer, count, query, django_assert_max_num_queries):
    make_sized_package("sized", count)

    with django_assert_max_num_queries(SIGN_IN_QUERIES + BUDGETS["package"]):
        buyer.get(f"/catalog/sized/{query}")


def test_a_package_of_5000_items_comes_in_pages(buyer, django_assert_max_num_queries):
    make_sized_package("sized", 5000)

    with django_assert_max_num_queries(SIGN_IN_QUERIES + BUDGETS["package"]):
        page = buyer.get("/catalog/sized/?page=50&term=hourly&location=dal05").content.decode()

    assert "Page 50 of 50" in page
    assert "sized-04999" in page
    assert page.count("sized-0") == 100


@pytest.mark.parametrize("count", [1, 100])
def test_a_price_with_its_history_keeps_its_budget(buyer, count, django_assert_max_num_queries):
    item = make_item()
    for number in range(count):
        make_price(item, monthly="10", external_id=str(number))
    make_package(items=[item])

    with django_assert_max_num_queries(SIGN_IN_QUERIES + BUDGETS["item-price"]):
        buyer.get(f"/catalog/virtual-server/items/{item.pk}/price/")


@pytest.mark.parametrize("count", [1, 100])
def test_the_additions_keep_their_budget(buyer, count, django_assert_max_num_queries):
    make_sized_package("sized", count)

    with django_assert_max_num_queries(SIGN_IN_QUERIES + BUDGETS["catalog-additions"]):
        assert buyer.get("/catalog/additions/").status_code == 200


@pytest.mark.parametrize("count", [1, 1000])
def test_the_questions_of_a_package_keep_their_budget(account, count, django_assert_max_num_queries):
    package = make_sized_package("sized", count)
    place = locations_of(package_ids=[package.pk])[package.pk][0]

    with django_assert_max_num_queries(BUDGETS["package_form"]):
        form = package_form(package=package, account=account, place=place, term=Term.HOURLY, at=clock.now())

    assert len(form.categories[0].options) == count
    assert ItemCategory.objects.count() == 1
