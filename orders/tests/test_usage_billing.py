"""Use is recorded month by month, billed once when its month is over, and corrected on the next invoice."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from catalog.usage import UsageTier
from core.errors import InputRefused
from core.models import AuditEntry
from orders.billing.invoicing import account_bill
from orders.billing.months import Month
from orders.billing.owing import Piece, Use, UseRates, units_to_pay, usage_owed
from orders.billing.spending import Unpriced, spend_of
from orders.billing.usage import MOST_READINGS, Reading, Recorded, usage_record
from orders.models import BillingOrder, Invoice, OrderLine, ResourceState, TaxRate, UsageRecord
from orders.tests.fulfilment_steps import machines_move
from tests.worked_tables import rows_under

MAY, JUNE, JULY = Month(2026, 5), Month(2026, 6), Month(2026, 7)


def reading(resource, quantity, *, month=JUNE, item="traffic", field="readings[0]"):
    return Reading(field, resource.uuid, month, item, Decimal(quantity))


def record(*readings):
    return usage_record(readings=readings, actor="otto@operator.example", now=JULY.begin)


def bill(account, month):
    return account_bill(account_id=account.pk, month=month, now=month.begin + timedelta(hours=1))


def use_lines(invoice):
    return list(invoice.lines.filter(kind="usage").values_list("period", "quantity", "unit", "rate", "amount"))


def codes_and_fields(refused):
    return [(violation.code, violation.field) for violation in refused.value.violations]


def test_placing_freezes_the_allowance_beside_the_rates(servers):
    line = OrderLine.objects.get(key_name="traffic")

    assert (line.usage_allowance, line.usage_tiers) == (Decimal(250), [[0, "0.100000"]])


def test_use_beyond_each_machines_allowance_is_billed_when_the_month_is_over(servers, account):
    record(reading(servers[0], "350"), reading(servers[1], "249.5"))

    (june,) = bill(account, JUNE)
    (july,) = bill(account, JULY)

    assert use_lines(june) == []
    assert use_lines(july) == [(JUNE.first, Decimal("100.0000"), "GB", Decimal("0.100000"), Decimal("10.00"))]
    assert july.lines.get(kind="usage").description == "The traffic, servers, N. Virginia, June 2026: use"


def test_use_bears_tax_as_the_rest_does(servers, account):
    TaxRate.objects.create(account=account, name="VAT", percent=Decimal(19), valid_from=JUNE.first)
    bill(account, JUNE)
    hours = Decimal("115.20")  # 2 × 0.08 × 720
    record(reading(servers[0], "350"))

    (july,) = bill(account, JULY)

    assert (july.net, july.tax) == (hours + 10, Decimal("23.79"))


def test_billing_again_writes_nothing(servers, account):
    record(reading(servers[0], "350"))
    bill(account, JULY)

    again = bill(account, JULY)

    assert (again, Invoice.objects.count()) == ([], 1)


def test_a_reading_told_again_changes_nothing(servers):
    first = record(reading(servers[0], "350"))

    again = record(reading(servers[0], "350.0000"))

    assert (first, again) == (Recorded(added=1), Recorded(unchanged=1))
    assert list(UsageRecord.objects.values_list("quantity", flat=True)) == [Decimal(350)]
    assert AuditEntry.objects.filter(subject__startswith="usage:").count() == 1


@pytest.mark.parametrize(
    ("corrected", "amount", "words"), [("300", "-5.00", ": use: credit"), ("400", "5.00", ": use: correction")]
)
def test_a_correction_stands_on_the_next_invoice_as_a_credit_or_more(servers, account, corrected, amount, words):
    record(reading(servers[0], "350"))
    bill(account, JULY)

    told = record(reading(servers[0], corrected))
    (august,) = bill(account, JULY.next)

    line = august.lines.get(kind="usage")
    assert told == Recorded(corrected=1)
    assert (line.period, line.quantity, line.amount) == (JUNE.first, None, Decimal(amount))
    assert line.description.endswith(words)
    moves = AuditEntry.objects.filter(subject__startswith="usage:").values_list("from_state", "to_state", "actor")
    assert list(moves) == [("", "350", "otto@operator.example"), ("350", corrected, "otto@operator.example")]


def test_spend_counts_use_as_the_invoice_will(servers, account):
    record(reading(servers[0], "350"))

    spend = spend_of(account=account, now=JULY.begin)

    assert dict(spend.by_month)[JUNE].amount == Decimal("125.20")  # 2 × 0.08 × 720 and 100 × 0.10


def test_every_problem_is_named_at_once_and_nothing_is_recorded(servers):
    stranger = uuid4()
    readings = [
        reading(servers[0], "10", field="readings[0]"),
        Reading("readings[1]", stranger, JUNE, "traffic", Decimal(1)),
        reading(servers[0], "-1", month=JULY, field="readings[2]"),
        reading(servers[1], "0.00001", item="debian", field="readings[3]"),
        reading(servers[1], "1", month=Month(2026, 4), field="readings[4]"),
        reading(servers[0], "11", field="readings[5]"),
    ]

    with pytest.raises(InputRefused) as refused:
        record(*readings)

    assert codes_and_fields(refused) == [
        ("resource_unknown", "readings[1].resource"),
        ("quantity_out_of_range", "readings[2].quantity"),
        ("quantity_out_of_range", "readings[3].quantity"),
        ("item_not_paid_by_use", "readings[3].item"),
        ("resource_not_active", "readings[4].month"),
        ("reading_repeated", "readings[5]"),
    ]
    assert not UsageRecord.objects.exists()


def test_use_that_no_rate_is_known_for_is_refused_and_not_free(servers):
    OrderLine.objects.filter(key_name="traffic").update(usage_tiers=[[1000, "0.08"]])

    with pytest.raises(InputRefused) as refused:
        record(reading(servers[0], "251"))

    assert codes_and_fields(refused) == [("usage_unpriced", "readings[0].item")]
    assert record(reading(servers[0], "250")) == Recorded(added=1)  # within the allowance it is free


MID_JUNE = datetime(2026, 6, 16, tzinfo=UTC)


def test_use_that_a_cancellation_would_leave_without_a_rate_is_refused_while_the_month_runs(servers, account):
    """By 16 June the month includes 125 GB for certain, whatever becomes of the machine."""
    OrderLine.objects.filter(key_name="traffic").update(usage_tiers=[[1000, "0.08"]])

    with pytest.raises(InputRefused) as refused:
        usage_record(readings=[reading(servers[0], "125.0001")], actor="otto", now=MID_JUNE)

    assert codes_and_fields(refused) == [("usage_unpriced", "readings[0].item")]
    assert "is 125 for the days of June 2026 up to now" in refused.value.words
    assert not UsageRecord.objects.exists()
    usage_record(readings=[reading(servers[0], "125")], actor="otto", now=MID_JUNE)
    machines_move(BillingOrder.objects.get(), ResourceState.CANCELLED, at=MID_JUNE, below=1)
    assert use_lines(bill(account, JULY)[0]) == []
    assert spend_of(account=account, now=JULY.begin).unpriced == ()


def test_use_without_a_rate_stops_no_bill_and_is_shown_as_unpriced(servers, account, caplog):
    """Recorded within a whole month's allowance, beyond that of the half month that became of it."""
    line = OrderLine.objects.filter(key_name="traffic")
    line.update(usage_tiers=[[1000, "0.08"]])
    record(reading(servers[0], "250"), reading(servers[1], "250"))
    machines_move(BillingOrder.objects.get(), ResourceState.CANCELLED, at=MID_JUNE, below=1)

    (july,) = bill(account, JULY)
    spend = spend_of(account=account, now=JULY.begin)

    hours = {MAY: Decimal("119.04"), JUNE: Decimal("86.40")}  # 0.08 × 2 × 744; 0.08 × (720 + 360)
    assert {line.period: line.amount for line in july.lines.all()} == {
        month.first: amount for month, amount in hours.items()
    }
    assert {month: amount.amount for month, amount in spend.by_month if month in hours} == hours
    assert spend.unpriced == (Unpriced(JUNE, "The traffic", Decimal("125.0000"), "GB"),)
    told = f"Account {account.pk}, 2026-06: 125.0000 units of order line {line.get().pk} have no rate"
    assert [record.getMessage() for record in caplog.records] == [f"{told} and are on no invoice."]


def test_too_many_readings_are_refused_before_any_machine_is_locked(servers):
    with CaptureQueriesContext(connection) as asked, pytest.raises(InputRefused) as refused:
        record(*[reading(servers[0], "1")] * (MOST_READINGS + 1))

    assert codes_and_fields(refused) == [("too_many_readings", "")]
    assert not any("orders_resource" in query["sql"] for query in asked.captured_queries)
    assert not UsageRecord.objects.exists()


def moment(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None


@pytest.mark.parametrize("row", rows_under("Use of one machine"), ids=lambda row: f"{row['active']} {row['used']}")
def test_use_is_owed_as_the_document_says(row):
    asked = UseRates((UsageTier(0, Decimal("0.10")), UsageTier(1000, Decimal("0.08"))), allowance=Decimal(310))
    piece = Piece(moment(row["active"]), moment(row["cancelled"]))
    month = Month.parse(row["month"])

    owed = usage_owed(rates=asked, uses=[Use(piece, month, Decimal(row["used"]))], month=month)

    assert str(owed) == row["owed"]


START = datetime(2026, 5, 1, tzinfo=UTC)
moments = st.integers(0, 80 * 86_400).map(lambda seconds: START + timedelta(seconds=seconds))
units = st.decimals(min_value=0, max_value=5_000, places=2)
rates = st.decimals(min_value=0, max_value=10, places=6)
tiers_from = st.lists(st.integers(1, 4_000), unique=True, max_size=3).map(lambda found: [0, *sorted(found)])


@st.composite
def uses(draw):
    begin = draw(moments)
    stays = draw(st.none() | st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=60)))
    piece = Piece(begin, None if stays is None else begin + stays)
    return Use(piece, draw(st.sampled_from([MAY, JUNE, JULY])), draw(units))


def days_there(piece, month):
    """Count the days of a month on which a piece was there, one by one."""
    days = [month.first + timedelta(days=number) for number in range(month.days)]
    return sum(piece.first_day <= day and (piece.end_day is None or day < piece.end_day) for day in days)


def oracle(tiers, allowance, found, month):
    """Pay each piece's units tier by tier in exact fractions; return what that comes to and how many units it is."""
    owed, paid_units = Fraction(0), Fraction(0)
    for use in found:
        if use.month == month:
            share = Fraction(allowance) * Fraction(days_there(use.piece, month), month.days)
            allowed = Fraction(int(share * 10_000 + Fraction(1, 2)), 10_000)
            paid = max(Fraction(use.units) - allowed, Fraction(0))
            paid_units += paid
            ends = [*(tier.from_units for tier in tiers[1:]), None]
            for tier, end in zip(tiers, ends, strict=True):
                inside = (paid if end is None else min(paid, end)) - tier.from_units
                owed += max(inside, Fraction(0)) * Fraction(tier.rate)
    cents = int(owed * 100 + Fraction(1, 2))
    return Fraction(cents, 100), paid_units


@given(tiers_from=tiers_from, allowance=units, found=st.lists(uses(), max_size=5), data=st.data())
def test_use_owes_what_exact_fractions_say(tiers_from, allowance, found, data):
    tiers = tuple(UsageTier(from_units, data.draw(rates)) for from_units in tiers_from)
    asked = UseRates(tiers, allowance)

    for month in (MAY, JUNE, JULY):
        owed = usage_owed(rates=asked, uses=found, month=month)
        paid = units_to_pay(rates=asked, uses=found, month=month)

        assert (Fraction(owed), Fraction(paid)) == oracle(tiers, allowance, found, month)
