"""Decisions and limits under a race: one order is decided once, and a month's limit is not passed by two at once.

Each test has a twin without its lock that shows what the lock is for.
"""

from datetime import timedelta
from decimal import Decimal
from functools import partial
from itertools import count
from threading import Barrier

import pytest

from accounts.tests.factories import make_account, make_member
from core.errors import RuleBroken
from core.models import AuditEntry
from orders import approving, placing
from orders.models import ApprovalPolicy, BillingOrder
from orders.tests.factories import NOW, make_draft, make_shop
from tests.threads import WAIT_SECONDS, at_the_same_moment

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def account():
    account = make_account()
    ApprovalPolicy.objects.create(account=account, order_limit=Decimal(0))
    return account


def decide_as(user, order, *, is_approved):
    return approving.approval_decide(
        order_id=order.pk,
        account_id=order.account_id,
        user=user,
        role="approver",
        is_approved=is_approved,
        now=NOW,
    )


def place(order, user, *, now=NOW):
    return placing.order_place(
        order_id=order.pk, account_id=order.account_id, user=user, now=now, shown_monthly=Decimal("1036.80")
    )


def race_of_decisions(account):
    buyer = make_member(account)
    order = place(make_draft(shop=make_shop(), account=account, user=buyer), buyer)
    approvers = [make_member(account, email=f"{name}@north.example", role="approver") for name in ("paul", "olga")]
    return at_the_same_moment(
        [
            partial(decide_as, approvers[0], order, is_approved=True),
            partial(decide_as, approvers[1], order, is_approved=False),
        ]
    )


def test_of_two_decisions_one_counts_and_the_other_is_told_so(account):
    outcomes = race_of_decisions(account)

    refused = [outcome for outcome in outcomes if isinstance(outcome, RuleBroken)]
    assert [refusal.code for refusal in refused] == ["approval_already_decided"]
    assert AuditEntry.objects.filter(to_state__in=["approved", "rejected"]).count() == 1


@pytest.mark.breaks_invariants("audit entries = changes of state", "order state = states of its resources")
def test_without_the_lock_both_decisions_count(account, monkeypatch):
    monkeypatch.setattr(
        approving,
        "locked_order",
        lambda *, order_id, account_id: BillingOrder.objects.get(pk=order_id, account_id=account_id),
    )
    both_have_looked = Barrier(2)
    undecided = approving._require_undecided

    def look_and_wait(order, approval):
        undecided(order, approval)
        both_have_looked.wait(WAIT_SECONDS)

    monkeypatch.setattr(approving, "_require_undecided", look_and_wait)

    race_of_decisions(account)

    assert AuditEntry.objects.filter(to_state__in=["approved", "rejected"]).count() == 2


def race_of_placements(account):
    """Place two orders of 1046.80 each at two times by the clock, under a limit of 2000 a month; returns states."""
    ApprovalPolicy.objects.update(order_limit=None, month_limit=Decimal(2000))
    buyer, shop = make_member(account), make_shop()
    orders = [make_draft(shop=shop, account=account, user=buyer) for _ in range(2)]
    times = (NOW, NOW - timedelta(milliseconds=1))
    at_the_same_moment([partial(place, order, buyer, now=at) for order, at in zip(orders, times, strict=True)])
    return sorted(BillingOrder.objects.values_list("state", flat=True))


def test_two_orders_at_once_do_not_pass_a_months_limit_together(account):
    assert race_of_placements(account) == ["pending_approval", "provisioning"]


@pytest.mark.breaks_invariants("numbers have no gaps")
def test_without_the_lock_on_numbers_both_pass_the_limit_together(account, monkeypatch):
    numbers, both_have_summed = count(1), Barrier(2)
    summed = approving.month_placed

    def sum_and_wait(**asked):
        month = summed(**asked)
        both_have_summed.wait(WAIT_SECONDS)
        return month

    monkeypatch.setattr(placing, "next_number", lambda **asked: next(numbers))
    monkeypatch.setattr(approving, "month_placed", sum_and_wait)

    assert race_of_placements(account) == ["provisioning", "provisioning"]
