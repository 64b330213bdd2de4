"""Money adds exactly, in one currency, and is rounded once."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.money import CurrencyMismatch, Money, Total, total_of

amounts = st.decimals(min_value=0, max_value=10**9, places=6)


def test_two_currencies_do_not_add() -> None:
    with pytest.raises(CurrencyMismatch):
        Money(Decimal(1), "USD") + Money(Decimal(1), "EUR")


def test_half_a_cent_is_rounded_up_when_it_becomes_owed() -> None:
    assert Money(Decimal("0.005"), "USD").owed() == Money(Decimal("0.01"), "USD")
    assert Money(Decimal("2.675"), "USD").text == "2.68"
    assert Money(Decimal("2.674999"), "USD").text == "2.67"


def test_money_reads_with_its_sign_and_thousands() -> None:
    assert str(Money(Decimal("1512"), "USD")) == "$1,512.00"
    assert str(Money(Decimal("1512.5"), "CHF")) == "CHF 1,512.50"


@given(st.lists(amounts, max_size=20), st.randoms())
def test_a_total_is_the_exact_sum_in_any_order(parts: list[Decimal], random: Random) -> None:
    shuffled = list(parts)
    random.shuffle(shuffled)

    total = total_of((Money(part, "USD") for part in shuffled), currency="USD")

    assert Fraction(total.known.amount) == sum(map(Fraction, parts))
    assert total.is_exact


@given(amounts, st.integers(min_value=0, max_value=1000))
def test_owed_is_the_nearest_cent(amount: Decimal, quantity: int) -> None:
    owed = (Money(amount, "USD") * quantity).owed().amount

    assert abs(Fraction(owed) - Fraction(amount) * quantity) <= Fraction(1, 200)
    assert owed == (amount * quantity).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def test_an_unknown_price_is_not_zero() -> None:
    total = total_of([Money(Decimal("10"), "USD"), None], currency="USD")

    assert total == Total(Money(Decimal("10"), "USD"), unpriced_parts=1)
    assert not total.is_exact
    assert str(total) == "≥ $10.00, 1 part unpriced"
