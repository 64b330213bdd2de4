"""What the home page says of decisions, quotes that end soon and orders under way."""

from datetime import timedelta
from decimal import Decimal

import pytest

from accounts.tests.factories import client_of, make_member
from core.clock import now
from orders.models import ApprovalPolicy, BillingOrder, Quote
from orders.placing import order_place
from orders.quoting import quote_issue
from orders.waiting import waiting_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def paul(account):
    return make_member(account, email="paul@north.example", role="approver")


def place(order, user):
    return order_place(order_id=order.pk, account_id=order.account_id, user=user, now=now(), shown_monthly=None)


def waiting(account, user, role, *, at=None):
    return waiting_for(account_id=account.pk, user=user, role=role, now=at or now())


def test_a_decision_waits_for_the_approver_and_not_for_the_buyer(draft, ana, paul, account):
    ApprovalPolicy.objects.create(account=account, order_limit=Decimal(0))
    order = place(draft, ana)

    assert waiting(account, paul, "approver").to_decide == (order,)
    assert waiting(account, ana, "buyer").is_nothing
    page = client_of(paul).get("/orders/waiting/").content.decode()
    assert "Your decision" in page
    assert order.name in page


def test_a_decision_named_for_somebody_else_does_not_wait_for_an_approver(draft, ana, paul, account):
    olga = make_member(account, email="olga@north.example", role="owner")
    ApprovalPolicy.objects.create(account=account, order_limit=Decimal(0), approver=olga)
    order = place(draft, ana)

    assert waiting(account, paul, "approver").to_decide == ()
    assert waiting(account, olga, "owner").to_decide == (order,)


def test_a_quote_waits_in_its_last_week_only(draft, ana, account):
    at = now()
    quote = quote_issue(order_id=draft.pk, account_id=account.pk, user=ana, now=at, valid_days=30)

    assert waiting(account, ana, "buyer", at=at + timedelta(days=22)).ending == ()
    assert waiting(account, ana, "buyer", at=at + timedelta(days=23)).ending == (quote,)
    assert waiting(account, ana, "viewer", at=at + timedelta(days=23)).ending == ()
    assert waiting(account, ana, "buyer", at=at + timedelta(days=30)).ending == ()
    Quote.objects.update(withdrawn_at=at)
    assert waiting(account, ana, "buyer", at=at + timedelta(days=23)).ending == ()


@pytest.mark.breaks_invariants("audit entries = changes of state", "order state = states of its resources")
def test_an_order_that_is_provisioned_or_failed_is_under_way(draft, ana, account):
    place(draft, ana)
    assert waiting(account, ana, "viewer").is_nothing
    for state in ("provisioning", "failed"):
        BillingOrder.objects.update(state=state)
        assert [order.pk for order in waiting(account, ana, "viewer").under_way] == [draft.pk]


def test_where_nothing_waits_the_page_says_so(ana):
    assert "Nothing: no decision" in client_of(ana).get("/orders/waiting/").content.decode()
