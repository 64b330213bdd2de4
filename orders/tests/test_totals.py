"""Sums of lines: to the cent, in any order, and never taking an unknown price for zero."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from catalog.pricing import PriceAnswer
from core.money import Money
from orders.totals import Owed, owed_for, totals_of

amounts = st.decimals(min_value=0, max_value=100_000, places=2)
owed_lines = st.one_of(
    st.just(Owed(None, None)),
    st.builds(lambda monthly, once: Owed(Money(monthly, "USD"), Money(once, "USD")), amounts, amounts),
)
rates = st.decimals(min_value=0, max_value=1000, places=6)


def price(monthly: Decimal, once: Decimal = Decimal(0)) -> PriceAnswer:
    return PriceAnswer(chosen=None, monthly=Money(monthly, "USD"), once=Money(once, "USD"), steps=())


def test_a_line_is_rounded_half_up_once_after_it_is_multiplied():
    owed = owed_for(price=price(Decimal("0.335"), Decimal("0.005")), quantity=3)

    assert owed == Owed(Money(Decimal("1.01"), "USD"), Money(Decimal("0.02"), "USD"))


def test_an_unpriced_line_stays_unpriced_whatever_its_quantity():
    assert owed_for(price=PriceAnswer(None, None, None, ()), quantity=7) == Owed(None, None)


def test_a_total_with_an_unpriced_line_is_a_lower_bound_and_says_how_many():
    totals = totals_of([Owed(Money(Decimal(5), "USD"), Money(Decimal(1), "USD")), Owed(None, None)], currency="USD")

    assert str(totals.monthly) == "≥ $5.00, 1 part unpriced"
    assert str(totals.over_one_year) == "≥ $61.00, 1 part unpriced"
    assert not totals.is_exact


def test_a_year_costs_twelve_months_and_what_is_paid_once():
    totals = totals_of([Owed(Money(Decimal("1036.80"), "USD"), Money(Decimal(10), "USD"))], currency="USD")

    assert str(totals.over_one_year) == "$12,451.60"
    assert str(totals.over_three_years) == "$37,334.80"


@given(rates, rates, st.integers(1, 100_000))
def test_a_line_agrees_with_exact_fractions(monthly, once, quantity):
    owed = owed_for(price=price(monthly, once), quantity=quantity)

    for money, rate in ((owed.monthly, monthly), (owed.once, once)):
        exact = Fraction(rate) * quantity
        assert abs(Fraction(money.amount) - exact) <= Fraction(1, 200)
        assert money.amount == (rate * quantity).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


@given(st.lists(owed_lines, max_size=12), st.randoms())
def test_permuting_lines_changes_nothing(lines, random):
    shuffled = random.sample(lines, len(lines))

    assert totals_of(shuffled, currency="USD") == totals_of(lines, currency="USD")


@given(st.lists(owed_lines, max_size=12), st.integers(0, 12))
def test_totals_of_parts_add_up_to_the_total_of_all(lines, cut):
    parts = totals_of(lines[:cut], currency="USD") + totals_of(lines[cut:], currency="USD")

    assert parts == totals_of(lines, currency="USD")
    assert parts.monthly.known.amount == sum(line.monthly.amount for line in lines if line.monthly)
