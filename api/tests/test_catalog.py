from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from accounts.models import Account
from api.v1.caching import catalog_etag
from catalog.book_models import ExchangeRate, PriceBook, PriceBookRule, Promotion
from catalog.models import Item, Location, Package
from catalog.services import catalog_touch
from catalog.tests.factories import make_item, make_package, make_price

NOW = datetime(2026, 5, 3, tzinfo=UTC)
ITEMS = "/api/v1/packages/ec2-virtual-server/items"

pytestmark = pytest.mark.django_db


def violations(answer):
    return {(violation["code"], violation["field"]) for violation in answer.json()["violations"]}


def test_locations_are_those_where_something_is_sold(program, ec2):
    Location.objects.create(key_name="nowhere", name="Nowhere", source="test")

    answer = program.get("/api/v1/locations")

    assert answer.json() == {
        "count": 1,
        "page": 1,
        "pages": 1,
        "results": [{"key_name": "us-east-1", "name": Location.objects.get(key_name="us-east-1").name}],
    }


def test_packages_are_listed_with_their_cheapest_container(program, ec2):
    lines = {line["key_name"]: line for line in program.get("/api/v1/packages").json()["results"]}

    assert set(lines) == {"ec2-virtual-server", "ec2-block-volume"}
    assert lines["ec2-virtual-server"]["from_price"] == "14.40"  # t1.micro: 0.02 × 720
    assert lines["ec2-virtual-server"]["locations"] == ["us-east-1"]
    assert lines["ec2-virtual-server"]["href"] == "/api/v1/packages/ec2-virtual-server"


def test_a_package_says_what_it_asks_for(program, ec2):
    shown = program.get("/api/v1/packages/ec2-virtual-server").json()

    asked = {row["category_code"]: row["is_required"] for row in shown["categories"]}
    assert asked == {"machine_type": True, "os": True, "load_balancing": False}
    assert [row["order_step"] for row in shown["categories"]] == sorted(
        row["order_step"] for row in shown["categories"]
    )
    assert all(row["quantity_limit"] >= 1 and "error_words" in row for row in shown["categories"])
    assert set(shown["networks"]) == {"public", "private", "management", "source", "basis"}
    assert shown["items_href"] == ITEMS
    assert shown["blueprints_href"] == "/api/v1/blueprints?package=ec2-virtual-server"


@pytest.mark.parametrize(
    "path", ["/api/v1/packages/no-such", "/api/v1/packages/no-such/items", "/api/v1/items/0/price"]
)
def test_what_the_catalogue_does_not_hold_is_not_found(program, ec2, path):
    assert program.get(path).status_code == 404


def test_a_package_that_is_no_longer_sold_is_not_found(program, ec2):
    item = Item.objects.get(key_name="volume-10gb")
    Package.objects.filter(key_name="ec2-block-volume").update(is_active=False)

    assert program.get("/api/v1/packages/ec2-block-volume").status_code == 404
    assert program.get(f"/api/v1/items/{item.pk}/price?location=us-east-1&term=monthly").status_code == 404


def test_items_come_with_their_price_here_and_its_source(program, ec2):
    page = program.get(f"{ITEMS}?location=us-east-1&term=hourly&category=machine_type&search=m1.small").json()

    assert (page["count"], page["term"], page["hours_per_month"], page["currency"]) == (1, "hourly", "720", "USD")
    item = page["results"][0]
    assert (item["key_name"], item["category"]) == ("m1.small", "machine_type")
    assert item["attributes"]["memory_gb"]["value"] == "1.7"
    price = item["price"]
    assert (price["is_unpriced"], price["rate"], price["monthly"], price["once"]) == (False, "0.08", "57.60", "0.00")
    assert price["basis"] == "published"
    assert price["source"].startswith("Amazon EC2 machine types")


def test_hours_are_a_parameter_of_the_price(program, ec2):
    page = program.get(f"{ITEMS}?term=hourly&hours_per_month=100&search=m1.small").json()

    assert page["results"][0]["price"]["monthly"] == "8.00"


def test_an_unpriced_item_is_said_to_be_so_and_has_no_amount(program, ec2):
    price = program.get(f"{ITEMS}?term=monthly&search=m1.small").json()["results"][0]["price"]

    assert price["is_unpriced"] is True
    assert price["monthly"] is price["once"] is price["rate"] is None
    assert "Not offered on monthly terms" in price["words"]


def test_one_category_can_be_asked_for(program, ec2):
    page = program.get(f"{ITEMS}?category=os").json()

    assert {item["category"] for item in page["results"]} == {"os"}
    assert page["count"] == 4


def test_items_come_in_pages_and_there_is_no_page_after_the_last(program):
    items = [make_item(f"type-{number}") for number in range(101)]
    for item in items:
        make_price(item, hourly="1")
    make_package("many", items=items)

    first, second = (program.get(f"/api/v1/packages/many/items?page={page}") for page in (1, 2))

    assert (first.json()["count"], first.json()["pages"], len(first.json()["results"])) == (101, 2, 100)
    assert [item["key_name"] for item in second.json()["results"]] == ["type-100"]
    assert program.get("/api/v1/packages/many/items?page=3").status_code == 404


def test_everything_wrong_with_the_conditions_is_named_at_once(program, ec2):
    answer = program.get(f"{ITEMS}?term=yearly&hours_per_month=NaN&page=0&colour=red")

    assert answer.status_code == 422
    assert violations(answer) == {
        ("invalid_choice", "term"),
        ("invalid", "hours_per_month"),
        ("min_value", "page"),
        ("field_unknown", "colour"),
    }


def test_a_location_where_the_package_is_not_sold_is_refused(program, ec2):
    answer = program.get(f"{ITEMS}?location=moon")

    assert answer.status_code == 422
    assert violations(answer) == {("location_not_sold", "location")}
    assert "us-east-1" in answer.json()["message"]


def test_a_price_is_explained_step_by_step(program, ec2):
    item = Item.objects.get(key_name="m1.small")

    answer = program.get(f"/api/v1/items/{item.pk}/price?location=us-east-1&term=hourly").json()

    assert (answer["item"], answer["monthly"], answer["rate"], answer["ties"]) == ("m1.small", "57.60", "0.08", [])
    assert [step["rule"] for step in answer["steps"]] == ["list_price", "term", "source"]
    assert "× 720 hours a month" in answer["words"]


def test_a_price_without_its_conditions_is_refused(program, ec2):
    item = Item.objects.get(key_name="m1.small")

    answer = program.get(f"/api/v1/items/{item.pk}/price")

    assert answer.status_code == 422
    assert violations(answer) == {("required", "location"), ("required", "term")}


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/locations",
        "/api/v1/packages",
        "/api/v1/packages/ec2-virtual-server",
        ITEMS,
        "/api/v1/items",
        "/api/v1/blueprints",
    ],
)
def test_an_answer_that_is_held_already_is_not_sent_again(program, ec2, path):
    first = program.get(path)

    again = program.get(path, **{"if-none-match": first["ETag"]})

    assert first.status_code == 200
    assert again.status_code == 304
    assert again["ETag"] == first["ETag"]
    assert again["Cache-Control"] == "private, no-cache"


def test_a_changed_catalogue_is_sent_again(program, ec2):
    known = program.get(ITEMS)["ETag"]
    catalog_touch(who="op@rackwright.example", now=NOW)

    answer = program.get(ITEMS, **{"if-none-match": known})

    assert answer.status_code == 200
    assert answer["ETag"] != known


def test_an_account_that_pays_in_another_currency_is_answered_anew(program, ec2, account):
    known = program.get(ITEMS)["ETag"]
    Account.objects.update(currency="EUR")

    answer = program.get(ITEMS, **{"if-none-match": known})

    assert answer.status_code == 200
    assert answer.json()["currency"] == "EUR"


def test_two_accounts_are_told_different_versions(program, stranger, ec2):
    mine, theirs = program.get(ITEMS), stranger.get(ITEMS)

    assert mine["ETag"] != theirs["ETag"]
    assert stranger.get(ITEMS, **{"if-none-match": mine["ETag"]}).status_code == 200


def test_the_version_changes_when_a_price_begins_or_ends_on_its_date(account, ec2):
    make_price(make_item("later"), hourly="1", valid_from=NOW, valid_to=NOW + timedelta(days=1))

    moments = [NOW - timedelta(seconds=1), NOW, NOW + timedelta(hours=1), NOW + timedelta(days=1)]
    before, begun, same, ended = (catalog_etag(account=account, at=at) for at in moments)

    assert begun == same
    assert len({before, begun, ended}) == 3


def test_the_version_changes_with_price_books_promotions_and_exchange_rates(account, ec2):
    seen = [catalog_etag(account=account, at=NOW)]
    book = PriceBook.objects.create(partner=account.partner, name="Ours", currency="USD", valid_from=NOW)
    seen.append(catalog_etag(account=account, at=NOW))
    PriceBookRule.objects.create(book=book, kind="mark_up", percent=15, scope="everything", valid_from=NOW)
    seen.append(catalog_etag(account=account, at=NOW))
    ExchangeRate.objects.create(from_currency="USD", to_currency="EUR", rate=Decimal("0.9"), valid_from=NOW.date())
    seen.append(catalog_etag(account=account, at=NOW))
    promotion = Promotion.objects.create(
        name="Spring", percent_off=10, is_off_recurring=True, scope="everything", use_limit=1, valid_from=NOW
    )
    seen.append(catalog_etag(account=account, at=NOW))
    Promotion.objects.filter(pk=promotion.pk).update(used=1)
    seen.append(catalog_etag(account=account, at=NOW))
    PriceBookRule.objects.update(valid_to=NOW + timedelta(days=1))
    seen.append(catalog_etag(account=account, at=NOW + timedelta(days=2)))

    assert len(set(seen)) == 7
    assert catalog_etag(account=account, at=NOW) == seen[-2]


def test_a_price_book_that_keeps_its_rules_to_itself_tells_no_list_prices(program, account, ec2):
    item = Item.objects.get(key_name="m1.small")
    path = f"/api/v1/items/{item.pk}/prices"
    told = program.get(path)
    PriceBook.objects.create(partner=account.partner, name="Ours", currency="USD", valid_from=NOW)

    hidden = program.get(path, **{"if-none-match": told["ETag"]})

    assert (told.json()["is_told"], told.json()["count"]) == (True, 1)
    assert (hidden.status_code, hidden.json()["is_told"], hidden.json()["results"]) == (200, False, [])


def test_without_a_catalogue_the_lists_are_empty_and_nothing_is_cached(program):
    answer = program.get("/api/v1/packages")

    assert answer.json()["count"] == 0
    assert "ETag" not in answer
