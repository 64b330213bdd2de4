"""What is owed for a month: the worked tables of docs/pricing.md, and an oracle that counts days in exact fractions."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders.billing.months import Month, months_from, months_later
from orders.billing.owing import Fees, Piece, once_owed, recurring_owed, rounded
from tests.worked_tables import rows_under

JANUARY, FEBRUARY, MARCH = Month(2026, 1), Month(2026, 2), Month(2026, 3)
MONTHLY = Fees(is_hourly=False, recurring=Decimal("310"), once=Decimal("25"))
HOURLY = Fees(is_hourly=True, recurring=Decimal("0.08"), once=Decimal("0"))

fees_of_a_piece = st.decimals(min_value=0, max_value=10_000, places=6)
START = datetime(2027, 11, 1, tzinfo=UTC)
moments = st.integers(0, 180 * 86_400).map(lambda seconds: START + timedelta(seconds=seconds))


@st.composite
def pieces(draw):
    begin = draw(moments)
    stays = draw(st.none() | st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=120)))
    return Piece(begin, None if stays is None else begin + stays)


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def piece_of(row):
    return Piece(at(row["active"]), at(row["cancelled"]) if row["cancelled"] else None)


@pytest.mark.parametrize("row", rows_under("A month of one machine"), ids=lambda row: f"{row['active']} {row['month']}")
def test_a_monthly_fee_counts_days_of_its_own_month(row):
    asked = {"fees": MONTHLY, "pieces": [piece_of(row)], "month": Month.parse(row["month"])}

    assert (str(recurring_owed(**asked)), str(once_owed(**asked))) == (row["recurring"], row["once"])


@pytest.mark.parametrize("row", rows_under("Hours of one machine"), ids=lambda row: f"{row['active']} {row['month']}")
def test_an_hourly_fee_counts_started_hours_once(row):
    owed = recurring_owed(fees=HOURLY, pieces=[piece_of(row)], month=Month.parse(row["month"]))

    assert str(owed) == row["recurring"]


@pytest.mark.parametrize("fees", [MONTHLY, HOURLY], ids=["monthly", "hourly"])
def test_nothing_is_owed_before_a_machine_is_active(fees):
    piece = Piece(at("2026-03-01 00:00"))

    assert recurring_owed(fees=fees, pieces=[piece], month=FEBRUARY) == Decimal("0.00")


def test_fees_paid_once_are_owed_in_the_month_of_becoming_active_and_never_again():
    both = [Piece(at("2026-01-31 23:59")), Piece(at("2026-02-01 00:00"))]

    owed = [once_owed(fees=MONTHLY, pieces=both, month=month) for month in (JANUARY, FEBRUARY, MARCH)]

    assert owed == [Decimal("25.00"), Decimal("25.00"), Decimal("0.00")]


def test_a_promotion_ends_on_its_day_and_the_regular_fee_begins():
    fees = Fees(
        is_hourly=False,
        recurring=Decimal("31"),
        once=Decimal(0),
        after_promotion=Decimal("62"),
        promotion_months=1,
    )
    piece = Piece(at("2026-01-31 12:00"))

    owed = [recurring_owed(fees=fees, pieces=[piece], month=month) for month in (JANUARY, FEBRUARY, MARCH)]

    # 1 of 31 days; 27 days at 31 and, from 28 February, one at 62, of 28 days; a whole month.
    assert owed == [Decimal("1.00"), rounded(Fraction(27 * 31 + 62, 28)), Decimal("62.00")]


@given(pieces=st.lists(pieces(), max_size=6), fee=fees_of_a_piece)
def test_months_of_a_monthly_fee_agree_with_counting_day_by_day(pieces, fee):
    fees = Fees(is_hourly=False, recurring=fee, once=Decimal(0))
    for month in months_from(Month(2027, 11), Month(2028, 5)):
        days = 0
        for number in range(month.days):
            day = month.first + timedelta(days=number)
            for piece in pieces:
                begins = piece.active_at.date()
                ends = piece.cancelled_at.date() if piece.cancelled_at else None
                days += day == begins or (begins < day and (ends is None or day < ends))
        exact = Fraction(fee) * days / month.days

        owed = recurring_owed(fees=fees, pieces=pieces, month=month)

        assert abs(Fraction(owed) - exact) <= Fraction(1, 200)


@given(piece=pieces(), fee=fees_of_a_piece)
def test_hours_over_all_months_are_the_started_hours_of_the_whole_time(piece, fee):
    end = piece.cancelled_at or datetime(2028, 9, 1, tzinfo=UTC)
    whole = Piece(piece.active_at, end)
    one = Fees(is_hourly=True, recurring=Decimal(1), once=Decimal(0))

    hours = sum(
        recurring_owed(fees=one, pieces=[whole], month=month) for month in months_from(Month(2027, 11), Month(2028, 9))
    )

    assert hours == -((piece.active_at - end) // timedelta(hours=1))


@given(pieces=st.lists(pieces(), max_size=4), fee=fees_of_a_piece, months=st.integers(0, 4), is_hourly=st.booleans())
def test_a_promotion_of_equal_fees_changes_nothing(pieces, fee, months, is_hourly):
    plain = Fees(is_hourly=is_hourly, recurring=fee, once=Decimal(0))
    promoted = Fees(is_hourly, fee, Decimal(0), after_promotion=fee, promotion_months=months)
    for month in months_from(Month(2027, 11), Month(2028, 5)):
        assert recurring_owed(fees=plain, pieces=pieces, month=month) == recurring_owed(
            fees=promoted, pieces=pieces, month=month
        )


def test_a_piece_cancelled_on_the_day_its_promotion_ends_owes_nothing_at_the_regular_fee():
    fees = Fees(False, Decimal(28), Decimal(0), after_promotion=Decimal(9999), promotion_months=1)
    piece = Piece(at("2026-01-10 09:00"), at("2026-02-10 18:00"))

    assert recurring_owed(fees=fees, pieces=[piece], month=FEBRUARY) == Decimal("9.00")


@pytest.mark.parametrize(
    ("amount", "expected"), [(Fraction(1, 200), "0.01"), (Fraction(-1, 200), "-0.01"), (Fraction(1, 201), "0.00")]
)
def test_half_a_cent_is_rounded_away_from_zero(amount, expected):
    assert rounded(amount) == Decimal(expected)


@pytest.mark.parametrize(
    ("day", "months", "expected"),
    [("2026-01-31", 1, "2026-02-28"), ("2028-01-31", 1, "2028-02-29"), ("2026-11-30", 3, "2027-02-28")],
)
def test_a_month_later_is_the_same_day_or_the_last_one(day, months, expected):
    assert months_later(at(day).date(), months) == at(expected).date()


@pytest.mark.parametrize("text", ["2026-13", "2026-00", "0000-01", "26-01", "2026-1", "soon", ""])
def test_what_is_no_month_is_refused(text):
    with pytest.raises(ValueError, match="is no month"):
        Month.parse(text)


def test_a_month_is_read_as_it_is_written():
    assert Month.parse("2026-02") == FEBRUARY
    assert (str(FEBRUARY), FEBRUARY.words, FEBRUARY.next, JANUARY.previous) == (
        "2026-02",
        "February 2026",
        MARCH,
        Month(2025, 12),
    )
