"""Invoices: every month is billed once and to the cent, corrections stand on the next one, nothing unused is billed."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from catalog.pricing import HOURS_PER_MONTH, Term
from core.models import OutboxEvent
from orders.billing.invoicing import account_bill
from orders.billing.monthly import accounts_to_bill
from orders.billing.months import Month
from orders.drafting import order_draft
from orders.models import Invoice, InvoiceLine, NumberSeries, ResourceState, TaxRate
from orders.tests.factories import make_draft, role
from orders.tests.fulfilment_steps import activate, begin, machines_move, place

JANUARY, FEBRUARY, MARCH = Month(2026, 1), Month(2026, 2), Month(2026, 3)


def placed(draft, user, *, active_at, cancelled_at=None):
    """Place a draft, and let all its machines be active, and perhaps cancelled, at these times."""
    order = place(draft, user, now=draft.created_at)
    activate(order, at=active_at)
    if cancelled_at:
        machines_move(order, ResourceState.CANCELLED, at=cancelled_at)
    return order


def bill(account, month, *, now=None):
    return account_bill(account_id=account.pk, month=month, now=now or month.begin + timedelta(hours=1))


@pytest.fixture
def monthly_draft(shop, account, ana):
    """A draft of 3 m1.large on monthly terms at 100.333333 a month and 5.00 once, with systems at 10.00 a month."""
    for key_name, fee in (("m1.large", "100.333333"), ("debian", "10")):
        shop.items[key_name].prices.update(recurring_fee=Decimal(fee))
    return order_draft(
        account=account,
        user=ana,
        name="Servers",
        roles=[role("servers", 3, "m1.large")],
        location=shop.location,
        term=Term.MONTHLY,
        hours_per_month=HOURS_PER_MONTH,
        now=datetime(2025, 12, 20, tzinfo=UTC),
    )


def test_the_invoice_of_a_full_first_month_is_the_orders_total(monthly_draft, account, ana):
    order = placed(monthly_draft, ana, active_at=JANUARY.begin)

    (invoice,) = bill(account, JANUARY)

    payload = OutboxEvent.objects.get(kind="order.placed", subject=order.subject).payload
    assert (payload["monthly"], payload["once"]) == ("331.00", "15.00")
    assert (invoice.number, invoice.net, invoice.tax) == (1, Decimal("346.00"), Decimal("0.00"))
    amounts = invoice.lines.values_list("kind", "quantity", "unit", "rate", "amount")
    assert list(amounts) == [
        ("recurring", Decimal("3.0000"), "month", Decimal("100.333333"), Decimal("301.00")),
        ("once", None, "", None, Decimal("15.00")),
        ("recurring", Decimal("3.0000"), "month", Decimal("10.000000"), Decimal("30.00")),
    ]


def test_a_second_bill_of_the_month_writes_nothing(monthly_draft, account, ana):
    placed(monthly_draft, ana, active_at=JANUARY.begin)
    first = bill(account, JANUARY)

    second = bill(account, JANUARY)

    assert (len(first), second) == (1, [])
    assert NumberSeries.objects.get(kind="invoice").last_number == 1


def test_a_machine_active_from_the_middle_of_a_month_is_billed_by_days_on_the_next_invoice(monthly_draft, account, ana):
    placed(monthly_draft, ana, active_at=datetime(2026, 1, 31, 9, tzinfo=UTC))

    (invoice,) = bill(account, FEBRUARY)

    lines = {(line.kind, str(line.period)): line.amount for line in invoice.lines.filter(rate__isnull=True)}
    recurring = dict(
        invoice.lines.filter(kind="recurring", order_line__key_name="m1.large").values_list("period", "amount")
    )
    assert lines == {("once", "2026-01-01"): Decimal("15.00")}
    assert recurring == {JANUARY.first: Decimal("9.71"), FEBRUARY.first: Decimal("301.00")}  # 3 × 100.333333 / 31


def test_a_cancellation_is_credited_on_the_next_invoice(monthly_draft, account, ana):
    order = placed(monthly_draft, ana, active_at=JANUARY.begin)
    bill(account, JANUARY)
    bill(account, FEBRUARY)
    machines_move(order, ResourceState.CANCELLED, at=datetime(2026, 2, 15, 12, tzinfo=UTC))

    (invoice,) = bill(account, MARCH)

    credits = list(invoice.lines.values_list("period", "amount", "description"))
    assert [(period, amount) for period, amount, _ in credits] == [
        (FEBRUARY.first, Decimal("-150.50")),
        (FEBRUARY.first, Decimal("-15.00")),
    ]
    assert all(words.endswith("February 2026: credit") for _, _, words in credits)
    assert invoice.net == Decimal("-165.50")


def test_hourly_machines_are_billed_when_the_month_is_over(draft, account, ana):
    placed(draft, ana, active_at=datetime(2026, 5, 10, 12, 30, tzinfo=UTC))

    (may,) = bill(account, Month(2026, 5))
    (june,) = bill(account, Month(2026, 6))

    assert list(may.lines.values_list("kind", "amount")) == [("once", Decimal("10.00"))]
    hours = 516  # 21 days and 11.5 hours, the started hour counted
    assert list(june.lines.values_list("quantity", "unit", "amount")) == [
        (Decimal(2 * hours), "hour", Decimal("0.32") * 2 * hours),
        (Decimal(10 * hours), "hour", Decimal("0.08") * 10 * hours),
    ]


def test_what_never_became_active_is_never_billed(monthly_draft, account, ana):
    order = begin(place(monthly_draft, ana, now=monthly_draft.created_at))
    machines_move(order, ResourceState.PROVISIONING, at=JANUARY.begin)
    machines_move(order, ResourceState.FAILED, at=JANUARY.begin)

    assert bill(account, JANUARY) == []
    assert accounts_to_bill(month=JANUARY) == []
    assert Invoice.objects.count() == 0


def test_a_tax_is_a_line_of_its_own_rounded_once(monthly_draft, account, ana):
    placed(monthly_draft, ana, active_at=JANUARY.begin)
    since = JANUARY.first
    TaxRate.objects.create(account=account, name="VAT", percent=Decimal("19"), valid_from=since)
    TaxRate.objects.create(
        account=account, name="Old", percent=Decimal("5"), valid_from=since - timedelta(days=9), valid_to=since
    )

    (invoice,) = bill(account, JANUARY)

    tax = invoice.lines.get(kind="tax")
    assert (tax.description, tax.amount, invoice.tax) == ("VAT 19 %", Decimal("65.74"), Decimal("65.74"))


def test_over_any_months_the_invoices_say_what_is_owed_for_the_whole_time(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("nodes", 7, "m1.small")])
    begin = datetime(2026, 5, 7, 8, 15, tzinfo=UTC)
    order = placed(draft, ana, active_at=begin)
    bill(account, Month(2026, 5))
    bill(account, Month(2026, 6))
    machines_move(order, ResourceState.CANCELLED, at=begin + timedelta(days=40), below=3)
    bill(account, Month(2026, 7))

    billed = sum(InvoiceLine.objects.values_list("amount", flat=True))

    until_july = -((begin - datetime(2026, 7, 1, tzinfo=UTC)) // timedelta(hours=1))
    assert billed == Decimal("0.08") * (3 * 40 * 24 + 4 * until_july)


def test_invoice_numbers_have_no_gaps_over_accounts_and_months(monthly_draft, account, ana):
    placed(monthly_draft, ana, active_at=JANUARY.begin)

    for month in (JANUARY, JANUARY, FEBRUARY, MARCH):
        bill(account, month)

    assert list(Invoice.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3]


def test_an_invoice_keeps_its_words_when_the_order_is_renamed(monthly_draft, account, ana):
    order = placed(monthly_draft, ana, active_at=JANUARY.begin)
    (invoice,) = bill(account, JANUARY)

    order.items.update(name="renamed")

    first = invoice.lines.first()
    assert first.description == "The m1.large, servers, N. Virginia, January 2026"


def test_the_command_bills_every_account_and_again_writes_nothing(monthly_draft, account, ana, capsys):
    placed(monthly_draft, ana, active_at=JANUARY.begin)

    call_command("bill", "--month", "2026-01")
    first = capsys.readouterr().out
    call_command("bill", "--month", "2026-01", "--json")

    assert "Invoice 1 for Aurora Studios: 346.00 + 0.00 tax USD" in first
    assert '"invoices": []' in capsys.readouterr().out
    assert Invoice.objects.count() == 1


@pytest.mark.parametrize("month", ["2026-13", "soon", "9999-01"])
def test_the_command_refuses_a_month_that_is_none_or_has_not_begun(db, month):
    with pytest.raises(CommandError, match=r"2026-02|has not begun"):
        call_command("bill", "--month", month)
