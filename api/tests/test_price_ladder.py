"""What programs are told of price books, promotions, contracts and use."""

from decimal import Decimal

import pytest

from api.tests.conftest import NOW
from catalog.services import catalog_touch
from catalog.tests.book_factories import make_book, make_promotion, make_rule
from catalog.tests.factories import make_item, make_location, make_package, make_price

pytestmark = pytest.mark.django_db


@pytest.fixture
def item():
    found = make_item()
    make_price(found, monthly="100", setup_fee=Decimal(25), usage_rate=Decimal("0.1"))
    make_price(found, monthly="70", term_months=36, usage_rate=Decimal("0.1"))
    make_price(found, monthly="0", tier=1000, usage_rate=Decimal("0.08"))
    make_package(items=[found], locations=[make_location("us-east-1")])
    return found


def price_of(program, item, **asked):
    query = "".join(f"&{name}={value}" for name, value in asked.items())
    return program.get(f"/api/v1/items/{item.pk}/price?location=us-east-1&term=monthly{query}")


def test_a_price_says_its_fees_its_use_and_what_it_comes_to(program, item):
    answer = price_of(program, item).json()

    assert answer["fees"] == {
        "recurring_fee": "100",
        "hourly_recurring_fee": None,
        "setup_fee": "25",
        "one_time_fee": None,
        "labor_fee": None,
        "usage_rate": "0.1",
    }
    assert answer["usage"] == [{"from_units": 0, "rate": "0.1"}, {"from_units": 1000, "rate": "0.08"}]
    assert answer["costs"] == [
        {"months": 1, "total": "125.00", "total_under_contract": None},
        {"months": 12, "total": "1225.00", "total_under_contract": None},
        {"months": 36, "total": "3625.00", "total_under_contract": "2520.00"},
    ]
    assert answer["afterwards"] is None


def test_a_contract_and_a_promotion_code_are_asked_for(program, account, item):
    make_promotion("Spring", code="SPRING", partner=account.partner, is_off_once=False, lasts_months=3)

    answer = price_of(program, item, contract_months=36, promotion_code="spring").json()

    assert (answer["monthly"], answer["rate"]) == ("56.00", "56")
    assert answer["afterwards"] == {"months": 3, "rate": "70", "monthly": "70.00"}
    assert [step["rule"] for step in answer["steps"]] == [
        *("list_price", "contract", "list_fee", "promotion", "term", "usage", "source")
    ]


def test_a_promotion_code_that_counts_for_nothing_is_refused(program, item):
    answer = price_of(program, item, promotion_code="SPRING")

    assert answer.status_code == 422
    assert [(each["code"], each["field"]) for each in answer.json()["violations"]] == [
        ("promotion_unknown", "promotion_code")
    ]


def test_a_book_that_keeps_its_rules_to_itself_does_so_towards_programs(program, account, item):
    make_rule(make_book(account.partner, name="Ours", shows_rules=False), "+15")

    told = price_of(program, item).json()

    assert (told["monthly"], told["source"]) == ("115.00", "price book Ours")
    assert [step["rule"] for step in told["steps"]] == ["price_book", "term", "usage", "source"]
    assert "100" not in told["words"]


def test_a_price_book_begins_to_count_in_answers_that_are_held(program, account, item):
    catalog_touch(who="op", now=NOW)
    first = price_of(program, item)

    make_rule(make_book(account.partner), "+15")

    again = program.get(
        f"/api/v1/items/{item.pk}/price?location=us-east-1&term=monthly", **{"if-none-match": first["ETag"]}
    )
    assert (again.status_code, again.json()["monthly"]) == (200, "115.00")
