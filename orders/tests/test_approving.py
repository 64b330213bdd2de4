"""Approvals: who is asked, who may answer, and that nothing is asked before the buyer places the order."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from accounts.tests.factories import make_member
from core.errors import InputRefused, RuleBroken
from core.models import AuditEntry, OutboxEvent
from jobs.models import Run
from orders.approving import approval_decide, month_placed, policy_set
from orders.models import Approval, ApprovalPolicy, BillingOrder
from orders.placing import order_place
from orders.quoting import quote_accept, quote_issue
from orders.tests.factories import NOW, make_draft

LATER = NOW + timedelta(hours=1)


@pytest.fixture
def paul(account):
    return make_member(account, email="paul@north.example", role="approver")


def limit(account, *, order=None, month=None, approver=None):
    return ApprovalPolicy.objects.create(
        account=account,
        order_limit=None if order is None else Decimal(order),
        month_limit=None if month is None else Decimal(month),
        approver=approver,
    )


def place(order, user, *, now=NOW):
    return order_place(order_id=order.pk, account_id=order.account_id, user=user, now=now, shown_monthly=None)


def decide(order, user, *, role="approver", is_approved=True, note=""):
    return approval_decide(
        order_id=order.pk,
        account_id=order.account_id,
        user=user,
        role=role,
        is_approved=is_approved,
        now=LATER,
        note=note,
    )


def test_an_order_within_its_limit_waits_for_nobody(draft, ana, account):
    limit(account, order="1046.80")  # 1036.80 a month and 10.00 once

    assert place(draft, ana).state == "placed"
    assert Approval.objects.count() == 0


def test_an_order_a_cent_beyond_its_limit_waits_and_says_why(draft, ana, account, paul):
    limit(account, order="1046.79")

    order = place(draft, ana)

    assert (order.state, order.number) == ("pending_approval", 1)
    reason = "The first month comes to $1,046.80; an order up to $1,046.79 needs no approval."
    assert Approval.objects.get().reason == reason
    moves = list(AuditEntry.objects.filter(subject=order.subject).values_list("to_state", "actor"))
    assert moves == [("draft", ana.email), ("placed", ana.email), ("pending_approval", "Rackwright")]


def test_approvers_are_told_by_e_mail_with_a_link_and_the_buyer_is_not(draft, ana, account, paul):
    limit(account, order="0")
    make_member(account, email="olga@north.example", role="owner")
    make_member(account, email="vera@north.example", role="viewer")

    place(draft, ana)

    run = Run.objects.get(kind="mail")
    assert [point.parameters.get("to") for point in run.points.filter(is_final=False)] == [
        "paul@north.example",
        "olga@north.example",
    ]
    assert Approval.objects.get().token in run.parameters["body"]


def test_nothing_is_sent_for_approval_before_the_order_is_placed(draft, ana, account, paul):
    limit(account, order="0")

    quote = quote_issue(order_id=draft.pk, account_id=account.pk, user=ana, now=NOW)

    assert Approval.objects.count() == Run.objects.count() == 0
    order = quote_accept(quote_id=quote.pk, account_id=account.pk, user=ana, now=LATER)
    assert order.state == "pending_approval"


def test_the_orders_of_a_month_count_together(shop, account, ana, paul):
    limit(account, month="2000")
    first, second, third = (make_draft(shop=shop, account=account, user=ana) for _ in range(3))

    states = [place(order, ana).state for order in (first, second)]
    next_month = place(third, ana, now=NOW + timedelta(days=30)).state

    assert states == ["placed", "pending_approval"]
    assert str(month_placed(account=account, now=NOW)) == "$2,093.60"
    assert next_month == "placed"


def test_an_order_placed_a_moment_later_by_the_clock_counts_in_the_same_months_sum(shop, account, ana, paul):
    limit(account, month="2000")
    first, second = (make_draft(shop=shop, account=account, user=ana) for _ in range(2))

    states = [place(first, ana).state, place(second, ana, now=NOW - timedelta(milliseconds=1)).state]

    assert states == ["placed", "pending_approval"]
    assert str(month_placed(account=account, now=NOW - timedelta(days=2))) == "$2,093.60"


@pytest.mark.parametrize(
    ("placed_at", "sum_of_december"),
    [
        (datetime(2026, 11, 30, 23, 59, 59, 999999, UTC), "$0.00"),
        (datetime(2026, 12, 1, tzinfo=UTC), "$1,046.80"),
        (datetime(2026, 12, 31, 23, 59, 59, 999999, UTC), "$1,046.80"),
        (datetime(2027, 1, 1, tzinfo=UTC), "$0.00"),
    ],
)
def test_a_month_is_that_of_the_calendar(draft, ana, account, placed_at, sum_of_december):
    place(draft, ana, now=placed_at)

    assert str(month_placed(account=account, now=datetime(2026, 12, 15, tzinfo=UTC))) == sum_of_december


def test_a_rejected_order_no_longer_counts_in_its_month(shop, account, ana, paul):
    limit(account, month="2000")
    orders = [make_draft(shop=shop, account=account, user=ana) for _ in range(2)]
    for order in orders:
        place(order, ana)

    decide(orders[1], paul, is_approved=False, note="Too dear.")

    assert str(month_placed(account=account, now=NOW)) == "$1,046.80"


def test_an_approver_approves_and_it_is_written_down(draft, ana, account, paul):
    limit(account, order="0")
    place(draft, ana)

    order = decide(draft, paul, note="Fine.")

    assert order.state == "approved"
    approval = Approval.objects.get()
    assert (approval.is_approved, approval.decided_by, approval.decided_at) == (True, paul, LATER)
    entry = AuditEntry.objects.get(subject=order.subject, to_state="approved")
    assert (entry.actor, entry.why) == (paul.email, "Fine.")
    assert OutboxEvent.objects.filter(kind="order.approved").count() == 1


def test_a_second_decision_is_told_who_was_first(draft, ana, account, paul):
    limit(account, order="0")
    place(draft, ana)
    decide(draft, paul)

    with pytest.raises(RuleBroken) as refusal:
        decide(draft, make_member(account, email="olga@north.example", role="owner"), role="owner", is_approved=False)

    assert refusal.value.code == "approval_already_decided"
    assert refusal.value.words == "paul@north.example approved Order 1 on 3 May 2026 at 13:03 UTC."
    assert BillingOrder.objects.get().state == "approved"


def test_nobody_decides_about_their_own_order(draft, account, paul):
    limit(account, order="0")
    place(draft, paul)

    with pytest.raises(RuleBroken) as refusal:
        decide(draft, paul)

    assert refusal.value.code == "approval_of_own_order"
    assert BillingOrder.objects.get().state == "pending_approval"


@pytest.mark.parametrize("role", ["viewer", "buyer", None])
def test_a_role_below_approver_decides_nothing(draft, ana, account, role):
    limit(account, order="0")
    place(draft, ana)
    ben = make_member(account, email="ben@north.example")

    with pytest.raises(RuleBroken) as refusal:
        decide(draft, ben, role=role)

    assert refusal.value.code == "approval_not_yours"
    assert Approval.objects.get().is_approved is None


def test_where_the_policy_names_one_approver_another_is_refused(draft, ana, account, paul):
    olga = make_member(account, email="olga@north.example", role="owner")
    limit(account, order="0", approver=olga)
    place(draft, ana)

    with pytest.raises(RuleBroken) as refusal:
        decide(draft, paul)

    assert (refusal.value.code, refusal.value.words) == (
        "approval_not_yours",
        "This decision is for olga@north.example.",
    )
    assert decide(draft, olga, role="owner").state == "approved"


def mailed() -> list[str]:
    return [point.parameters["to"] for point in Run.objects.get(kind="mail").points.filter(is_final=False)]


def placed_it_herself(olga):
    return olga


def left_the_house(olga):
    olga.is_active = False
    olga.save()


def lost_the_role(olga):
    olga.memberships.update(role="buyer")


def left_the_account(olga):
    olga.memberships.all().delete()


@pytest.mark.parametrize("cannot_decide", [placed_it_herself, left_the_house, lost_the_role, left_the_account])
def test_where_the_named_approver_cannot_decide_any_other_is_mailed_and_may(draft, ana, account, paul, cannot_decide):
    olga = make_member(account, email="olga@north.example", role="owner")
    limit(account, order="0", approver=olga)
    buyer = cannot_decide(olga) or ana

    place(draft, buyer)

    assert mailed() == ["paul@north.example"]
    with pytest.raises(RuleBroken) as refusal:
        decide(draft, make_member(account, email="ben@north.example"), role="buyer")
    assert refusal.value.words == "This decision is for an approver or owner of the account."
    assert decide(draft, paul).state == "approved"


def test_the_named_approver_alone_is_mailed_where_somebody_else_placed_the_order(draft, ana, account, paul):
    limit(account, order="0", approver=make_member(account, email="olga@north.example", role="owner"))

    place(draft, ana)

    assert mailed() == ["olga@north.example"]


def test_a_draft_has_nothing_to_decide(draft, paul):
    with pytest.raises(RuleBroken) as refusal:
        decide(draft, paul)

    assert refusal.value.code == "approval_not_pending"


def test_a_policy_is_set_with_every_problem_named_at_once(account, ana):
    asked = {"account": account, "user": ana, "now": NOW}

    with pytest.raises(InputRefused) as refusal:
        policy_set(**asked, order_limit=Decimal("-1"), month_limit=Decimal("-2"), approver_id=ana.pk)

    fields = [(violation.code, violation.field) for violation in refusal.value.violations]
    assert fields == [
        ("limit_negative", "order_limit"),
        ("limit_negative", "month_limit"),
        ("approver_unfit", "approver"),
    ]
    assert ApprovalPolicy.objects.count() == 0


def test_a_policy_replaces_the_one_before_and_is_written_down(account, ana, paul):
    asked = {"account": account, "user": ana, "now": NOW, "month_limit": None}

    policy_set(**asked, order_limit=Decimal("100.00"), approver_id=None)
    policy_set(**asked, order_limit=Decimal("200.00"), approver_id=paul.pk)

    policy = ApprovalPolicy.objects.get()
    assert (policy.order_limit, policy.approver) == (Decimal("200.00"), paul)
    whys = AuditEntry.objects.filter(subject=f"policy:{policy.pk}").values_list("why", flat=True)
    assert list(whys) == ["100.00 per order, no limit per month", "200.00 per order, no limit per month"]
