import pytest

from api.tests.test_orders import ASKED
from core.models import IdempotencyRecord
from orders.models import BillingOrder
from planner.models import Plan

pytestmark = pytest.mark.django_db

KEY = {"idempotency-key": "7c1b"}


def test_a_repeated_draft_is_answered_again_and_made_once(program, shop):
    first = program.post("/api/v1/orders", ASKED, **KEY)
    again = program.post("/api/v1/orders", ASKED, **KEY)

    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert first["Location"] == again["Location"]
    assert BillingOrder.objects.count() == 1


def test_a_repeated_plan_is_started_once(program, ec2):
    asked = {"throughput": "175 MB/s", "capacity": "2 TB"}
    first = program.post("/api/v1/plans", asked, **KEY)
    again = program.post("/api/v1/plans", asked, **KEY)

    assert first.json() == again.json()
    assert Plan.objects.count() == 1


def test_a_repeated_placing_is_answered_as_the_first_one(program, draft):
    path = f"/api/v1/orders/{draft.pk}/place"
    first = program.post(path, {"shown_monthly": "1036.80"}, **KEY)
    again = program.post(path, {"shown_monthly": "1036.80"}, **KEY)

    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()


def test_a_key_that_was_used_for_another_body_is_refused(program, shop):
    program.post("/api/v1/orders", ASKED, **KEY)

    answer = program.post("/api/v1/orders", ASKED | {"name": "Other"}, **KEY)

    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert BillingOrder.objects.count() == 1


def test_a_key_that_is_too_long_is_refused(program, shop):
    answer = program.post("/api/v1/orders", ASKED, **{"idempotency-key": "k" * 121})

    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_invalid")
    assert not BillingOrder.objects.exists()


def test_a_refused_call_leaves_its_key_free(program, shop):
    refused = program.post("/api/v1/orders", ASKED | {"name": ""}, **KEY)
    made = program.post("/api/v1/orders", ASKED, **KEY)

    assert (refused.status_code, made.status_code) == (422, 201)
    assert IdempotencyRecord.objects.count() == 1


def test_two_accounts_may_use_the_same_key(program, stranger, shop):
    first = program.post("/api/v1/orders", ASKED, **KEY)
    second = stranger.post("/api/v1/orders", ASKED, **KEY)

    assert first.json()["id"] != second.json()["id"]
