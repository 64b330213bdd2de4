"""Spend and budgets: what is owed by now, by the end of the month, on what, and the one warning."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from accounts.tests.factories import make_account, make_member
from core.errors import InputRefused
from jobs.models import Run
from orders.billing import budgets
from orders.billing.budgets import budget_set, budgets_warn
from orders.billing.charts import spend_figure
from orders.billing.months import Month
from orders.billing.spending import month_to_break_down, spend_of
from orders.models import Budget, ResourceState
from orders.tests.fulfilment_steps import activate, machines_move, place

ACTIVE_AT = datetime(2026, 5, 11, tzinfo=UTC)
NOW = datetime(2026, 5, 21, tzinfo=UTC)


@pytest.fixture
def active(draft, ana):
    """2 proxies and 10 storage nodes, active from 11 May: 1.44 an hour and 10.00 once."""
    order = place(draft, ana, now=draft.created_at)
    activate(order, at=ACTIVE_AT)
    return order


def test_spend_is_what_is_owed_so_far_and_by_the_end_of_the_month(active, account):
    spend = spend_of(account=account, now=NOW)

    assert spend.committed.amount == Decimal("1.44") * 24 * 10 + 10
    assert spend.forecast.amount == Decimal("1.44") * 24 * 21 + 10
    assert spend.by_month == ((Month(2026, 5), spend.forecast),)


def test_every_part_of_the_forecast_is_somewhere(active, account):
    active.tags = ["backup", "berlin"]
    active.save()

    spend = spend_of(account=account, now=NOW)

    assert [(share.name, share.amount) for share in spend.by_package] == [("Virtual server", spend.forecast)]
    assert [(share.name, share.amount) for share in spend.by_location] == [("N. Virginia", spend.forecast)]
    assert [(share.name, share.amount) for share in spend.by_tag] == [
        ("backup", spend.forecast),
        ("berlin", spend.forecast),
    ]


def test_a_month_before_is_broken_down_after_everything_is_cancelled(active, account):
    may = Month(2026, 5)
    machines_move(active, ResourceState.CANCELLED, at=NOW)
    owed = Decimal("1.44") * 24 * 10 + 10
    june = datetime(2026, 6, 21, tzinfo=UTC)

    now_ = spend_of(account=account, now=june)
    before = spend_of(account=account, now=june, breakdown_month=may)

    assert (now_.breakdown_month, now_.breakdown_total.amount, now_.by_package) == (may.next, 0, ())
    assert (before.breakdown_month, before.breakdown_total.amount) == (may, owed)
    for shares, name in ((before.by_package, "Virtual server"), (before.by_location, "N. Virginia")):
        assert [(share.name, share.amount.amount) for share in shares] == [(name, owed)]
    for spend in (now_, before):
        assert (spend.month, spend.forecast.amount) == (may.next, 0)
        assert [(month, amount.amount) for month, amount in spend.by_month] == [(may, owed), (may.next, 0)]


def test_each_bar_of_the_chart_leads_to_its_month(active, account):
    figure = spend_figure(spend_of(account=account, now=datetime(2026, 6, 21, tzinfo=UTC)), budget=None)

    may, june = "/orders/spend/?month=2026-05", "/orders/spend/?month=2026-06"
    assert [each["customdata"] for each in figure["data"]] == [[may, june], [june]]


@pytest.mark.parametrize(
    ("asked", "code"), [("2026-13", "month_not_readable"), ("", "month_not_readable"), ("2026-06", "month_to_come")]
)
def test_what_is_no_month_or_still_to_come_cannot_be_broken_down(asked, code):
    with pytest.raises(InputRefused) as refused:
        month_to_break_down(asked, now=NOW)

    assert [(each.code, each.field) for each in refused.value.violations] == [(code, "month")]


def test_an_account_without_machines_spends_nothing(account):
    spend = spend_of(account=account, now=NOW)

    assert (str(spend.committed), str(spend.forecast), spend.by_package) == ("$0.00", "$0.00", ())


def test_what_is_owed_in_another_currency_is_named_and_not_added(active, account):
    account.currency = "EUR"
    account.save()

    spend = spend_of(account=account, now=NOW)

    assert (str(spend.forecast), spend.other_currencies) == ("€0.00", ("USD",))


def test_an_owner_is_warned_once_a_month_when_the_forecast_reaches_the_budget(active, account):
    make_member(account, email="olga@north.example", role="owner")
    budget_set(account=account, amount=Decimal("900"), warn_percent=80)  # the forecast is 735.76

    budgets_warn(NOW)
    budgets_warn(NOW)

    run = Run.objects.get(kind="mail")
    assert [point.parameters["to"] for point in run.points.filter(is_final=False)] == ["olga@north.example"]
    assert "is about to come to $735.76" in run.parameters["subject"]
    assert Budget.objects.get().warned_month == Month.of(NOW).first


def test_an_account_whose_spend_cannot_be_worked_out_keeps_no_other_from_its_warning(
    active, account, monkeypatch, caplog
):
    make_member(account, email="olga@north.example", role="owner")
    other = make_account(partner=account.partner, name="Bluewater Bank")
    budget_set(account=other, amount=Decimal("900"), warn_percent=80)
    budget_set(account=account, amount=Decimal("900"), warn_percent=80)

    def spend_or_crash(*, account, now):
        if account == other:
            raise ZeroDivisionError
        return spend_of(account=account, now=now)

    monkeypatch.setattr(budgets, "spend_of", spend_or_crash)
    budgets_warn(NOW)

    assert Run.objects.filter(kind="mail").count() == 1
    assert [budget.warned_month for budget in Budget.objects.order_by("pk")] == [None, Month.of(NOW).first]
    assert [record.getMessage() for record in caplog.records] == [
        f"The budget of account {other.pk} could not be looked at."
    ]


def test_a_forecast_below_the_warning_warns_nobody(active, account):
    make_member(account, email="olga@north.example", role="owner")
    budget_set(account=account, amount=Decimal("1000"), warn_percent=80)

    budgets_warn(NOW)

    assert Run.objects.filter(kind="mail").count() == 0
    assert Budget.objects.get().warned_month is None


def test_a_budget_is_refused_with_every_problem_at_once(account):
    with pytest.raises(InputRefused) as refusal:
        budget_set(account=account, amount=Decimal("-1"), warn_percent=101)

    assert [(each.code, each.field) for each in refusal.value.violations] == [
        ("budget_not_positive", "amount"),
        ("warn_percent_out_of_range", "warn_percent"),
    ]
    assert Budget.objects.count() == 0


def test_a_budget_is_replaced_and_taken_away(account):
    budget_set(account=account, amount=Decimal("100"), warn_percent=80)
    budget_set(account=account, amount=Decimal("200"), warn_percent=90)

    assert Budget.objects.get().amount == Decimal("200")
    assert budget_set(account=account, amount=None, warn_percent=80) is None
    assert Budget.objects.count() == 0
