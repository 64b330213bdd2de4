"""Two buyers press Place on one draft at the same moment.

The second test is the proof that the first can fail: with the lock taken away, only a unique constraint is left, and it
stops the second order with an error that no buyer could understand.
"""

from decimal import Decimal
from functools import partial
from threading import Barrier

import pytest
from django.db import IntegrityError

from accounts.models import User
from accounts.tests.factories import make_account, make_member
from core.invariants import breaches_of
from core.models import AuditEntry, OutboxEvent
from orders import placing
from orders.checking import check_tree
from orders.management.commands.check_invariants import EVERY_INVARIANT
from orders.models import BillingOrder, NumberSeries
from orders.tests.factories import NOW, make_draft, make_shop
from tests.threads import WAIT_SECONDS, at_the_same_moment

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def draft():
    account = make_account()
    return make_draft(shop=make_shop(), account=account, user=make_member(account))


@pytest.fixture
def buyers(draft):
    return [User.objects.get(), make_member(draft.account, email="ben@north.example")]


def place_as(user: User, order: BillingOrder) -> BillingOrder:
    return placing.order_place(
        order_id=order.pk, account_id=order.account_id, user=user, now=NOW, shown_monthly=Decimal("1036.80")
    )


def race(buyers: list[User], order: BillingOrder) -> tuple[list[BillingOrder], list[Exception]]:
    """Return the orders that were placed and the errors that the others met."""
    outcomes = at_the_same_moment([partial(place_as, buyer, order) for buyer in buyers])
    placed = [outcome for outcome in outcomes if isinstance(outcome, BillingOrder)]
    errors = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert len(placed) + len(errors) == len(buyers)
    return placed, errors


def test_of_two_buyers_one_places_the_order_and_the_other_is_told_so(draft, buyers):
    placed, errors = race(buyers, draft)

    assert [order.number for order in placed] == [1]
    assert [error.code for error in errors] == ["order_already_placed"]
    winner = BillingOrder.objects.get().placed_by
    assert errors[0].words == f"{winner} placed this order on 3 May 2026 at 12:03 UTC as Order 1."
    assert OutboxEvent.objects.filter(kind="order.placed").count() == 1
    assert AuditEntry.objects.filter(to_state="placed").count() == 1
    assert NumberSeries.objects.get().last_number == 1
    assert breaches_of(EVERY_INVARIANT) == []


def test_without_the_lock_both_go_on_to_place_it_and_only_a_constraint_stops_the_second(draft, buyers, monkeypatch):
    both_have_read = Barrier(len(buyers))

    def unlocked_order(*, order_id, account_id):
        return BillingOrder.objects.get(pk=order_id, account_id=account_id)

    def check_after_both_have_read(*, tree, now):
        both_have_read.wait(WAIT_SECONDS)
        return check_tree(tree=tree, now=now)

    monkeypatch.setattr(placing, "locked_order", unlocked_order)
    monkeypatch.setattr(placing, "check_tree", check_after_both_have_read)

    placed, errors = race(buyers, draft)

    assert len(placed) == 1
    assert [type(error) for error in errors] == [IntegrityError]
    assert "an_order_is_placed_once" in str(errors[0])
