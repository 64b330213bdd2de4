"""Verify offers repairs as patches of the document, and one request makes them."""

import pytest

from catalog.blueprints import Role
from orders.json_patch import patch_apply
from orders.models import BillingOrder, OrderLine
from orders.tests.factories import PACKAGE, make_draft, role

pytestmark = pytest.mark.django_db

ASKED = {
    "name": "Backups",
    "location": "us-east-1",
    "term": "hourly",
    "items": [
        {
            "name": "nodes",
            "package": PACKAGE,
            "quantity": 10,
            "parts": [{"category": "machine_type", "item": "m1.small"}],
        },
        {
            "name": "odd ones",
            "containers": [
                {"package": PACKAGE, "parts": []},
                {
                    "package": PACKAGE,
                    "host_names": "a b",
                    "parts": [
                        {"category": "os", "item": "debian"},
                        {"category": "os", "item": "centos"},
                        {"category": "machine_type", "item": "m9.unpriced", "count": 2},
                    ],
                },
            ],
        },
    ],
}


@pytest.fixture
def broken(shop, account, ana):
    """A draft without a system, and with a machine without a price."""
    return make_draft(shop=shop, account=account, user=ana, roles=[role("odd ones", 3, "m9.unpriced", system=None)])


def verify(program, order):
    return program.post(f"/api/v1/orders/{order.pk}/verify").json()


def repair(program, order, body=None):
    return program.post(f"/api/v1/orders/{order.pk}/repair", body)


def test_the_patch_for_everything_makes_the_document_valid_and_the_request_does_the_same(program, broken):
    found = verify(program, broken)
    mended = patch_apply(found["document"], found["repair"]["patch"])
    checked = program.post("/api/v1/orders/verify", mended).json()

    answer = repair(program, broken)

    assert found["valid"] is False
    assert checked["valid"] is True
    assert answer.status_code == 200
    assert (answer.json()["valid"], answer.json()["repair"]) == (True, None)
    assert answer.json()["document"] == mended
    assert answer.json()["totals"] == checked["totals"]


def test_one_violation_is_repaired_alone(program, broken):
    missing, unpriced = verify(program, broken)["violations"]

    answer = repair(program, broken, {"violations": [{"code": missing["code"], "field": missing["field"]}]})

    left = answer.json()["violations"]
    assert missing["repair"]["words"] == "Add The debian: no charge"
    assert [(each["code"], each["field"]) for each in left] == [(unpriced["code"], unpriced["field"])]


def test_an_order_that_is_not_stored_is_repaired_by_the_patch(program, shop):
    found = program.post("/api/v1/orders/verify", ASKED).json()

    mended = patch_apply(ASKED, found["repair"]["patch"])
    again = program.post("/api/v1/orders/verify", mended).json()

    assert {(each["code"], each["field"]) for each in found["violations"]} == {
        ("category_required", "items[0].os"),
        ("category_required", "items[1].containers[0].machine_type"),
        ("category_required", "items[1].containers[0].os"),
        ("quantity_limit", "items[1].containers[1].machine_type"),
        ("quantity_limit", "items[1].containers[1].os"),
        ("unpriced", "items[1].containers[1].machine_type"),
        ("host_names_count", "items[1].containers[1].host_names"),
    }
    assert again["violations"] == []
    assert mended["items"][0]["parts"][0] == {"category": "machine_type", "item": "m1.small"}
    assert BillingOrder.objects.count() == 0


def test_one_container_with_nothing_chosen_names_exactly_what_it_requires_and_the_patch_chooses_it(program, shop):
    asked = ASKED | {"items": [{"name": "empty", "package": PACKAGE, "parts": []}], "promotion_code": "WINTER"}
    found = program.post("/api/v1/orders/verify", asked).json()

    mended = patch_apply(asked, found["repair"]["patch"])
    again = program.post("/api/v1/orders/verify", mended).json()

    assert {(each["code"], each["field"]) for each in found["violations"]} == {
        ("category_required", "items[0].machine_type"),
        ("category_required", "items[0].os"),
        ("promotion_unknown", "promotion_code"),
    }
    assert (again["valid"], again["violations"], again["repair"]) == (True, [], None)
    assert "promotion_code" not in mended


def test_a_stored_order_without_its_required_parts_and_with_a_bad_code_is_repaired_by_one_call(
    program, shop, account, ana
):
    order = make_draft(shop=shop, account=account, user=ana, roles=[Role("empty", PACKAGE, 1, ())])
    BillingOrder.objects.update(promotion_code="WINTER")
    found = verify(program, order)

    answer = repair(program, order).json()

    assert {(each["code"], each["field"]) for each in found["violations"]} == {
        ("category_required", "items[0].containers[0].machine_type"),
        ("category_required", "items[0].containers[0].os"),
        ("promotion_unknown", "promotion_code"),
    }
    assert answer["valid"] is True
    assert answer["document"] == patch_apply(found["document"], found["repair"]["patch"])
    assert BillingOrder.objects.get().promotion_code == ""


def test_beside_what_cannot_be_read_a_container_with_nothing_chosen_still_names_what_it_requires(program, shop):
    asked = ASKED | {"name": "", "items": [{"name": "empty", "package": PACKAGE, "parts": []}]}

    found = program.post("/api/v1/orders/verify", asked).json()

    assert {(each["code"], each["field"]) for each in found["violations"]} == {
        ("name_length", "name"),
        ("category_required", "items[0].machine_type"),
        ("category_required", "items[0].os"),
    }


@pytest.mark.parametrize("body", [{"violations": [{"code": "x"}]}, {"all": True}, {"violations": "all"}])
def test_a_body_of_another_shape_is_refused_and_nothing_changes(program, broken, body):
    before = list(OrderLine.objects.values())

    assert repair(program, broken, body).status_code == 422
    assert list(OrderLine.objects.values()) == before


def test_where_nothing_is_to_be_repaired_the_call_conflicts(program, draft):
    answer = repair(program, draft)

    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_to_repair")


def test_a_refused_placing_tells_the_repairs_too(program, broken):
    answer = program.post(f"/api/v1/orders/{broken.pk}/place", {})

    assert answer.status_code == 409
    assert [each["repair"]["words"] for each in answer.json()["violations"]] == [
        "Add The debian: no charge",
        "Take The m1.small instead of The m9.unpriced",
    ]
