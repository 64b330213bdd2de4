"""Verifying an order that is not stored: what it would cost, and everything that is wrong with it."""

from decimal import Decimal

import pytest

from api.tests.conftest import caller_for
from api.tests.test_orders import ASKED, MACHINE, violations
from catalog.book_models import Promotion
from catalog.models import PackageConfiguration
from catalog.tests.factories import LONG_AGO, make_location
from core.models import AuditEntry, OutboxEvent
from orders.models import BillingOrder, OrderLine
from orders.tests.factories import PACKAGE

pytestmark = pytest.mark.django_db

VERIFY = "/api/v1/orders/verify"
SMALL = {"package": PACKAGE, "quantity": 10, "parts": MACHINE}
LARGE = {"package": PACKAGE, "quantity": 2, "parts": [{"category": "machine_type", "item": "m1.large"}, MACHINE[1]]}


def asked(*items, **changes):
    return ASKED | {"items": list(items)} | changes


def test_an_order_is_priced_as_a_tree_and_nothing_is_stored(program, shop):
    item = {"name": "cloud", "containers": [LARGE | {"host_names": "proxy-{n}"}, SMALL]}

    answer = program.post(VERIFY, asked(item))

    assert answer.status_code == 200
    found = answer.json()
    assert (found["valid"], found["violations"], found["name"], found["hours_per_month"]) == (
        True,
        [],
        "Backups",
        "720",
    )
    assert found["totals"] == {
        "currency": "USD",
        "monthly": "1036.80",
        "once": "10.00",
        "hourly": "1.44",
        "over_1_month": "1046.80",
        "over_12_months": "12451.60",
        "over_36_months": "37334.80",
        "monthly_at_least": "1036.80",
        "once_at_least": "10.00",
        "hourly_at_least": "1.44",
        "unpriced_parts": 0,
    }
    (shown,) = found["items"]
    assert (shown["name"], shown["quantity"]) == ("cloud", 12)
    proxies, storage = shown["containers"]
    assert (proxies["host_names"], proxies["quantity"], proxies["totals"]["hourly"]) == ("proxy-{n}", 2, "0.64")
    assert (storage["location"], storage["term"]) == ("us-east-1", "hourly")
    assert [(line["item"], line["item_id"]) for line in storage["lines"]] == [
        ("m1.small", shop.items["m1.small"].pk),
        ("debian", shop.items["debian"].pk),
    ]
    assert "id" not in proxies
    assert not BillingOrder.objects.exists()
    assert not AuditEntry.objects.exists()
    assert not OutboxEvent.objects.exists()


def test_it_comes_to_what_the_draft_then_comes_to(program, shop):
    body = asked({"name": "cloud", "containers": [LARGE, SMALL]}, hours_per_month="333.33")

    verified, drafted = program.post(VERIFY, body).json(), program.post("/api/v1/orders", body).json()

    assert verified["totals"] == drafted["totals"]
    assert [item["totals"] for item in verified["items"]] == [item["totals"] for item in drafted["items"]]


def test_a_key_that_only_reads_may_not_verify_as_it_may_not_order(account, ana, shop):
    assert caller_for(account, ana, scope="read").post(VERIFY, ASKED).status_code == 403


def test_every_broken_rule_is_named_where_it_was_sent(program, shop):
    without_system = {"name": "nodes", "package": PACKAGE, "parts": MACHINE[:1]}
    unpriced = {"package": PACKAGE, "parts": [{"category": "machine_type", "item": "m9.unpriced"}], "host_names": "a b"}

    answer = program.post(VERIFY, asked(without_system, {"name": "cloud", "containers": [SMALL, unpriced]}))

    assert answer.status_code == 200
    assert answer.json()["valid"] is False
    assert violations(answer) == {
        ("category_required", "items[0].os"),
        ("category_required", "items[1].containers[1].os"),
        ("unpriced", "items[1].containers[1].machine_type"),
        ("host_names_count", "items[1].containers[1].host_names"),
    }
    totals = answer.json()["totals"]
    assert totals["monthly"] is totals["hourly"] is totals["over_36_months"] is None
    assert (totals["monthly_at_least"], totals["hourly_at_least"], totals["unpriced_parts"]) == ("633.60", "0.88", 1)


def test_shape_names_and_rules_are_refused_in_one_round(program, shop):
    body = {
        "location": "us-east-1",
        "term": "hourly",
        "items": [
            {"name": "nodes", "package": PACKAGE, "parts": MACHINE[:1]},
            {"name": "", "package": PACKAGE, "parts": MACHINE, "quantity": "many", "colour": "red"},
            {"name": "odd", "package": "no-such", "parts": MACHINE},
        ],
    }

    answer = program.post(VERIFY, body)

    assert (answer.status_code, answer.json()["code"]) == (422, "input_refused")
    assert violations(answer) == {
        ("required", "name"),
        ("field_unknown", "items[1].colour"),
        ("invalid", "items[1].quantity"),
        ("name_length", "items[1].name"),
        ("package_unknown", "items[2].package"),
        ("category_required", "items[0].os"),
    }


def test_an_empty_order_is_not_valid(program, shop):
    answer = program.post(VERIFY, asked())

    assert answer.status_code == 200
    assert violations(answer) == {("order_empty", "items")}


def test_an_amount_too_large_to_be_owed_is_named(program, shop):
    shop.items["m1.large"].prices.update(hourly_recurring_fee=Decimal(100_000))

    answer = program.post(VERIFY, asked({"name": "cloud", "containers": [LARGE | {"quantity": 100_000}]}))

    assert violations(answer) == {("amount_too_large", "items[0].containers[0].machine_type")}


def test_a_container_may_have_a_place_and_a_term_of_its_own(program, shop):
    shop.package.locations.add(make_location("dal05"))
    item = {"name": "cloud", "containers": [LARGE | {"location": "dal05", "term": "monthly"}, SMALL]}

    answer = program.post(VERIFY, asked(item)).json()

    dallas, virginia = answer["items"][0]["containers"]
    assert (dallas["location"], dallas["term"]) == ("dal05", "monthly")
    assert (virginia["location"], virginia["term"]) == ("us-east-1", "hourly")
    assert {(each["code"], each["field"]) for each in answer["violations"]} == {
        ("unpriced", "items[0].containers[0].machine_type"),
        ("unpriced", "items[0].containers[0].os"),
    }


def test_a_promotion_code_and_a_contract_count_as_they_would_in_the_order(program, shop):
    Promotion.objects.create(
        name="Spring",
        code="SPRING",
        percent_off=50,
        is_off_recurring=True,
        lasts_months=3,
        scope="everything",
        valid_from=LONG_AGO,
    )
    item = {"name": "cloud", "containers": [SMALL | {"contract_months": 12}]}
    body = asked(item, promotion_code=" spring ")

    verified, drafted = program.post(VERIFY, body).json(), program.post("/api/v1/orders", body).json()
    wrong = program.post(VERIFY, asked({"name": "cloud", "containers": [SMALL | {"contract_months": 0}]}))

    assert (verified["valid"], verified["promotion_code"]) == (True, "SPRING")
    assert (verified["totals"]["monthly"], verified["totals"]["hourly"]) == ("288.00", "0.4")
    assert verified["totals"]["over_12_months"] == "6048.00"  # 3 × 288.00 + 9 × 576.00
    assert drafted["totals"] == verified["totals"] == program.get("/api/v1/orders").json()["results"][0]["totals"]
    assert (drafted["promotion_code"], drafted["items"][0]["containers"][0]["contract_months"]) == ("SPRING", 12)
    assert violations(wrong) == {("contract_out_of_range", "items[0].containers[0].contract_months")}


def test_a_promotion_code_that_counts_for_nothing_is_named(program, shop):
    answer = program.post(VERIFY, ASKED | {"promotion_code": "NONE"})

    assert violations(answer) == {("promotion_unknown", "promotion_code")}


def test_several_pieces_of_one_item_are_so_many_lines(program, shop):
    PackageConfiguration.objects.filter(category__category_code="os").update(quantity_limit=4)
    part = {"category": "os", "item": "debian", "count": 4}

    answer = program.post(VERIFY, asked(SMALL | {"name": "nodes", "parts": [MACHINE[0], part]})).json()

    (container,) = answer["items"][0]["containers"]
    assert answer["valid"] is True
    assert [line["item"] for line in container["lines"]] == ["m1.small", *["debian"] * 4]
    assert not OrderLine.objects.exists()


def test_verifying_twelve_containers_takes_no_more_queries_than_one(program, shop, django_assert_max_num_queries):
    with django_assert_max_num_queries(30) as for_one:
        program.post(VERIFY, asked({"name": "cloud", "containers": [SMALL]}))
    with django_assert_max_num_queries(len(for_one)):
        program.post(VERIFY, asked({"name": "cloud", "containers": [SMALL] * 12}))
