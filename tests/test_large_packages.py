"""A package with 5,000 items in one category: its page, its API and the composer stay pages that somebody can use."""

from decimal import Decimal

import pytest
from django.test import Client

from accounts.models import Account, User
from accounts.services import api_key_create
from accounts.tests.factories import client_of, make_account, make_member
from catalog.models import Item, ItemPrice, Package
from catalog.tests.factories import LONG_AGO, make_category, make_package
from core.bulk import statistics_refresh
from core.clock import now
from orders.compose_page import OPTIONS_SHOWN
from orders.models import BillingOrder

COUNT = 5000
ITEMS_ON_A_PAGE = 100
pytestmark = pytest.mark.django_db


@pytest.fixture
def account() -> Account:
    return make_account()


@pytest.fixture
def ana(account) -> User:
    return make_member(account)


@pytest.fixture
def buyer(ana) -> Client:
    return client_of(ana)


@pytest.fixture
def large(db: None) -> Package:
    """Disks from 0 to 4,999, each a cent an hour more than the one before it."""
    disks = make_category("disk")
    items = Item.objects.bulk_create(
        Item(source="large", external_id=f"{n:04}", key_name=f"disk-{n:04}", description=f"Disk No. {n:04}")
        for n in range(COUNT)
    )
    links = Item.categories.through
    links.objects.bulk_create(links(item_id=item.pk, itemcategory_id=disks.pk) for item in items)
    ItemPrice.objects.bulk_create(
        ItemPrice(
            item=item,
            external_id="1",
            hourly_recurring_fee=Decimal(number) / 100,
            valid_from=LONG_AGO,
            source="tests",
            basis="assumed",
        )
        for number, item in enumerate(items)
    )
    package = make_package("large", items=items, required=["disk"])
    statistics_refresh("catalog")
    return package


def text_of(response) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_its_price_grid_comes_in_pages(buyer, large):
    last = text_of(buyer.get("/catalog/large/?page=50&term=hourly"))
    beyond = text_of(buyer.get("/catalog/large/?page=51&term=hourly"))
    found = text_of(buyer.get("/catalog/large/?search=no.+4321&term=hourly"))

    assert "Page 50 of 50" in last
    assert last.count("Why this price") == beyond.count("Why this price") == ITEMS_ON_A_PAGE
    assert "disk-4999" in last
    assert "disk-4899" not in last
    assert found.count("Why this price") == 1
    assert "disk-4321" in found


def test_the_api_gives_its_items_in_pages(ana, account, large):
    _, key = api_key_create(account_id=account.pk, user_id=ana.pk, name="portal", scope="read", now=now())
    program = Client(headers={"host": "localhost", "authorization": f"Api-Key {key}"})

    last = program.get("/api/v1/packages/large/items?page=50").json()
    found = program.get("/api/v1/packages/large/items?search=no.+4321").json()

    assert (last["count"], last["pages"], len(last["results"])) == (COUNT, 50, ITEMS_ON_A_PAGE)
    assert last["results"][-1]["key_name"] == "disk-4999"
    assert [line["key_name"] for line in found["results"]] == ["disk-4321"]
    assert program.get("/api/v1/packages/large/items?page=51").status_code == 404


def test_the_composer_shows_a_few_and_finds_the_others_by_their_words(buyer, large):
    first = text_of(buyer.get("/orders/compose/?package=large&term=hourly"))
    found = text_of(buyer.get("/orders/compose/?package=large&term=hourly&find-disk=4321"))

    assert first.count('type="radio" name="choice-disk"') == OPTIONS_SHOWN
    assert f"{COUNT - OPTIONS_SHOWN} more. Type a word above to find them." in first
    assert "Find among 5000" in first
    assert found.count('type="radio" name="choice-disk"') == 1
    assert "Disk No. 4321" in found


def test_what_was_chosen_stays_in_sight_and_is_ordered(buyer, large):
    address = "/orders/compose/?package=large&term=hourly&choice-disk=disk-4321"

    page = text_of(buyer.get(address))
    buyer.post("/orders/compose/add/", {"package": "large", "term": "hourly", "choice-disk": "disk-4321"})

    assert page.count('type="radio" name="choice-disk"') == OPTIONS_SHOWN + 1
    assert "Disk No. 4321" in page
    (line,) = BillingOrder.objects.get().items.get().containers.get().lines.all()
    assert (line.key_name, line.monthly_amount) == ("disk-4321", Decimal("43.21") * 720)


def test_a_category_that_takes_several_shows_a_few_too(buyer, large):
    large.configuration.update(quantity_limit=4)

    page = text_of(buyer.get("/orders/compose/?package=large&term=hourly&choice-disk=disk-4321&count-disk=2"))

    assert page.count("Disk No. ") < 3 * OPTIONS_SHOWN
    assert "Disk No. 4321" in page
