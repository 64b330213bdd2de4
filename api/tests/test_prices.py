"""What an item cost on another day, its whole history, and finding items in all packages."""

from datetime import UTC, datetime

import pytest

from api.tests.test_catalog import violations
from catalog.models import Item, Package
from catalog.tests.factories import make_group, make_item, make_location, make_package, make_price

pytestmark = pytest.mark.django_db

SPRING, SUMMER = datetime(2013, 3, 1, tzinfo=UTC), datetime(2013, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def server():
    """An item that cost 10 a month, then 12 from 1 June 2013 on, and 15 in Dallas all the time; one cent a GB more."""
    group = make_group(503)
    item = make_item("e5-2620", category_code="server")
    make_price(item, monthly="10", valid_from=SPRING, valid_to=SUMMER)
    make_price(item, monthly="12", setup_fee=25, valid_from=SUMMER)
    make_price(item, monthly="15", group=group, valid_from=SPRING)
    make_package(
        "bare-metal",
        items=[item],
        required=["server"],
        locations=[make_location("ams01"), make_location("dal05", groups=[group])],
    )
    return item


@pytest.mark.parametrize(
    ("day", "monthly"),
    [("2013-02-28", None), ("2013-03-01", "10.00"), ("2013-05-31", "10.00"), ("2013-06-01", "12.00")],
)
def test_a_price_on_a_day_is_the_one_that_counted_at_its_end(program, server, day, monthly):
    path = f"/api/v1/items/{server.pk}/price?location=ams01&term=monthly&on={day}"

    answer = program.get(path).json()

    assert (answer["monthly"], answer["package"]) == (monthly, "bare-metal")
    assert answer["is_unpriced"] is (monthly is None)


def test_without_a_day_the_price_of_now_is_told(program, server):
    assert program.get(f"/api/v1/items/{server.pk}/price?location=ams01&term=monthly").json()["monthly"] == "12.00"


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_first_and_the_last_day_of_all_can_be_asked_for(program, server, day):
    for path in (f"price?location=ams01&term=monthly&on={day}", f"prices?location=ams01&on={day}"):
        assert program.get(f"/api/v1/items/{server.pk}/{path}").status_code == 200


def test_every_price_of_an_item_is_listed_the_latest_first(program, server):
    page = program.get(f"/api/v1/items/{server.pk}/prices?on=2013-05-31").json()

    assert (page["item_id"], page["location"], page["is_told"], page["count"]) == (server.pk, None, True, 2)
    assert [(row["monthly"], row["hourly"], row["once"], row["is_open"]) for row in page["results"]] == [
        ("12", None, "25", False),
        ("10", None, "0", True),
    ]
    assert page["results"][1]["valid_from"] == "2013-03-01T00:00:00Z"
    assert page["results"][1]["valid_to"] == page["results"][0]["valid_from"] == "2013-06-01T12:00:00Z"
    assert page["results"][0]["valid_to"] is None


def test_the_prices_of_a_places_group_are_listed_too(program, server):
    rows = program.get(f"/api/v1/items/{server.pk}/prices?location=dal05").json()["results"]

    assert {row["where"] for row in rows if row["monthly"] == "15"} == {"group 503"}
    assert [row["monthly"] for row in rows] == ["12", "15", "10"]


def test_price_histories_come_in_pages(program, server):
    page = program.get(f"/api/v1/items/{server.pk}/prices?page_size=1&page=2").json()

    assert (page["pages"], [row["monthly"] for row in page["results"]]) == (2, ["10"])
    assert program.get(f"/api/v1/items/{server.pk}/prices?page_size=1&page=3").status_code == 404


def test_the_items_of_a_package_can_be_priced_on_a_day(program, server):
    path = "/api/v1/packages/bare-metal/items?location=ams01&term=monthly"

    then, now = program.get(f"{path}&on=2013-05-31").json(), program.get(path).json()

    assert then["results"][0]["price"]["monthly"] == "10.00"
    assert now["results"][0]["price"]["monthly"] == "12.00"
    assert now["results"][0]["prices_href"] == f"/api/v1/items/{server.pk}/prices"


def test_items_can_be_filtered_by_what_is_known_of_their_prices(program, server):
    riddle = make_item("riddle", category_code="server")
    make_price(riddle)
    Package.objects.get().items.add(riddle)
    path = "/api/v1/packages/bare-metal/items?location=ams01&term=monthly"

    shown = {
        show: [line["key_name"] for line in program.get(f"{path}&show={show}").json()["results"]]
        for show in ("all", "priced", "unpriced", "illustrative")
    }

    assert shown == {"all": ["e5-2620", "riddle"], "priced": ["e5-2620"], "unpriced": ["riddle"], "illustrative": []}


@pytest.mark.parametrize("query", ["on=yesterday", "on=2013-02-30", "location=moon", "page=0"])
def test_a_day_or_a_place_that_is_none_is_refused(program, server, query):
    answer = program.get(f"/api/v1/items/{server.pk}/prices?{query}")

    assert answer.status_code == 422
    assert [field for _, field in violations(answer)] == [query.partition("=")[0]]


def test_the_package_in_which_an_item_is_bought_can_be_named(program, server):
    make_package("second", items=[server], required=["server"], locations=[make_location("ams01")])
    path = f"/api/v1/items/{server.pk}/price?location=ams01&term=monthly"

    assert program.get(f"{path}&package=second").json()["package"] == "second"
    refused = program.get(f"{path}&package=third")
    assert violations(refused) == {("package_unknown", "package")}


def test_items_are_found_in_all_packages_on_sale(program, server):
    drive = make_item("drive-600", category_code="disk0")
    make_package("storage", items=[drive, server], required=["disk0"])
    old = make_item("old", category_code="disk0")
    Package.objects.filter(pk=make_package("gone", items=[old], required=["disk0"]).pk).update(is_active=False)

    page = program.get("/api/v1/items").json()

    assert [(line["key_name"], line["categories"], line["packages"]) for line in page["results"]] == [
        ("drive-600", ["disk0"], ["storage"]),
        ("e5-2620", ["server"], ["bare-metal", "storage"]),
    ]
    assert page["results"][1]["price_href"] == f"/api/v1/items/{server.pk}/price"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("search=2620", ["e5-2620"]),
        ("search=drive+600", ["drive-600"]),
        ("search=drive+2620", []),
        ("category=disk0", ["drive-600"]),
        ("package=bare-metal", ["e5-2620"]),
        ("package=bare-metal&category=disk0", []),
    ],
)
def test_items_are_searched_and_filtered(program, server, query, found):
    make_package("storage", items=[make_item("drive-600", category_code="disk0"), server], required=["disk0"])

    page = program.get(f"/api/v1/items?{query}").json()

    assert [line["key_name"] for line in page["results"]] == found
    assert page["count"] == len(found)


def test_an_item_that_is_in_no_package_on_sale_has_no_history(program, server):
    Package.objects.update(is_active=False)

    assert program.get(f"/api/v1/items/{server.pk}/prices").status_code == 404
    assert Item.objects.count() == 1
