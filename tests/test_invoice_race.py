"""Two monthly runs at once: an account gets one invoice for a month. The twin shows what the lock is for."""

from datetime import UTC, datetime
from functools import partial
from threading import Barrier

import pytest
from django.db import IntegrityError

from accounts.tests.factories import make_account, make_member
from orders.billing import invoicing
from orders.billing.months import Month
from orders.models import Invoice, NumberSeries
from orders.tests.factories import make_draft, make_shop
from orders.tests.fulfilment_steps import activate, place
from tests.threads import WAIT_SECONDS, at_the_same_moment

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

MONTH = Month(2026, 6)
NOW = datetime(2026, 6, 1, 1, tzinfo=UTC)


@pytest.fixture
def account():
    account = make_account()
    buyer = make_member(account)
    draft = make_draft(shop=make_shop(), account=account, user=buyer)
    activate(place(draft, buyer, now=draft.created_at), at=Month(2026, 5).begin)
    return account


def race(account):
    bill = partial(invoicing.account_bill, account_id=account.pk, month=MONTH, now=NOW)
    return at_the_same_moment([bill, bill])


def test_of_two_runs_one_writes_the_invoice_and_the_other_finds_it(account):
    outcomes = race(account)

    assert sorted(len(invoices) for invoices in outcomes) == [0, 1]
    assert Invoice.objects.count() == NumberSeries.objects.get(kind="invoice").last_number == 1


def test_without_the_lock_both_write_it_and_only_a_constraint_stops_the_second(account, monkeypatch):
    both_have_read = Barrier(2)
    read = invoicing.billed_lines

    def read_and_wait(*, account_id):
        lines = read(account_id=account_id)
        both_have_read.wait(WAIT_SECONDS)
        return lines

    monkeypatch.setattr(invoicing, "locked_number_series", lambda **asked: None)
    monkeypatch.setattr(invoicing, "billed_lines", read_and_wait)

    outcomes = race(account)

    errors = [outcome for outcome in outcomes if isinstance(outcome, IntegrityError)]
    assert len(errors) == 1
    assert "an_account_has_one_invoice_for_a_month" in str(errors[0])
    assert Invoice.objects.count() == 1
