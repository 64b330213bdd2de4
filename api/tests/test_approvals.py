"""Approvals over the API: limits, what waits beyond them, and the decision."""

import pytest

from accounts.tests.factories import make_member
from api.tests.conftest import caller_for
from core.models import AuditEntry
from orders.models import Approval, ApprovalPolicy, BillingOrder

pytestmark = pytest.mark.django_db

LIMITS = {"order_limit": "1000.00", "month_limit": None}


@pytest.fixture
def olga(account):
    return caller_for(account, make_member(account, email="olga@north.example", role="owner"))


@pytest.fixture
def paul(account):
    return caller_for(account, make_member(account, email="paul@north.example", role="approver"))


@pytest.fixture
def waiting(program, draft, olga):
    olga.put("/api/v1/approval-policy", LIMITS)
    return program.post(f"/api/v1/orders/{draft.pk}/place", {"shown_monthly": "1036.80"}).json()


def test_an_account_without_a_policy_has_no_limits(program):
    assert program.get("/api/v1/approval-policy").json() == {
        "currency": "USD",
        "order_limit": None,
        "month_limit": None,
        "approver": None,
    }


def test_the_owner_sets_the_limits_and_who_decides(olga, paul, account):
    asked = {"order_limit": "500.00", "month_limit": "2000", "approver": "paul@north.example"}

    answer = olga.put("/api/v1/approval-policy", asked)

    assert answer.status_code == 200
    assert answer.json() == {**asked, "month_limit": "2000.00", "currency": "USD"}
    assert olga.get("/api/v1/approval-policy").json() == answer.json()
    assert ApprovalPolicy.objects.get().account == account
    assert AuditEntry.objects.get().why == "500.00 per order, 2000.00 per month"


def test_every_problem_of_a_policy_is_named_at_once(olga, ana):
    for approver in ("ana@north.example", "nobody@elsewhere.example"):
        answer = olga.put("/api/v1/approval-policy", {"order_limit": -1, "month_limit": -2, "approver": approver})

        assert answer.status_code == 422
        assert [(each["code"], each["field"]) for each in answer.json()["violations"]] == [
            ("limit_negative", "order_limit"),
            ("limit_negative", "month_limit"),
            ("approver_unfit", "approver"),
        ]
    assert not ApprovalPolicy.objects.exists()


@pytest.mark.parametrize("body", [{}, {"order_limit": "1000.00"}, {**LIMITS, "colour": "red"}])
def test_a_policy_says_both_limits_and_nothing_else(olga, body):
    assert olga.put("/api/v1/approval-policy", body).status_code == 422
    assert not ApprovalPolicy.objects.exists()


def test_only_an_owner_sets_the_limits(program, paul):
    for caller in (program, paul):
        assert caller.put("/api/v1/approval-policy", LIMITS).status_code == 403
    assert not ApprovalPolicy.objects.exists()


def test_an_order_beyond_the_limit_waits_and_is_approved_by_another(program, paul, draft, waiting):
    assert waiting["state"] == "pending_approval"
    row = paul.get("/api/v1/approvals").json()["results"][0]
    assert row["reason"] == ("The first month comes to $1,046.80; an order up to $1,000.00 needs no approval.")
    assert (row["id"], row["may_decide"]) == (draft.pk, True)
    assert program.get("/api/v1/approvals").json()["results"][0]["may_decide"] is False

    answer = paul.post(f"/api/v1/orders/{draft.pk}/approve", {"note": "Go ahead."})

    assert answer.status_code == 200
    assert answer.json()["state"] == "approved"
    assert paul.get("/api/v1/approvals").json()["count"] == 0
    again = paul.post(f"/api/v1/orders/{draft.pk}/reject")
    assert (again.status_code, again.json()["code"]) == (409, "approval_already_decided")
    assert Approval.objects.get().note == "Go ahead."


def test_an_order_is_rejected_for_good(program, paul, draft, waiting):
    answer = paul.post(f"/api/v1/orders/{draft.pk}/reject", {"note": "Too dear."})

    assert (answer.status_code, answer.json()["state"]) == (200, "rejected")
    assert AuditEntry.objects.filter(to_state="rejected").get().why == "Too dear."


def test_a_buyer_does_not_decide_and_nobody_decides_about_his_own_order(program, olga, draft):
    olga.put("/api/v1/approval-policy", LIMITS)
    olga.post(f"/api/v1/orders/{draft.pk}/place", {})

    buyer = program.post(f"/api/v1/orders/{draft.pk}/approve")
    own = olga.post(f"/api/v1/orders/{draft.pk}/approve")

    assert buyer.status_code == 403
    assert (own.status_code, own.json()["code"]) == (409, "approval_of_own_order")
    assert BillingOrder.objects.get().state == "pending_approval"


def test_another_account_sees_and_decides_nothing(draft, waiting, stranger):
    for path in ("approve", "reject"):
        assert stranger.post(f"/api/v1/orders/{draft.pk}/{path}").status_code == 404
    assert stranger.get("/api/v1/approvals").json()["count"] == 0
    assert stranger.get("/api/v1/approval-policy").json()["order_limit"] is None
    assert BillingOrder.objects.get().state == "pending_approval"
