"""What use costs: against a sum over single units, in exact fractions."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.usage import UsageTier, usage_amount

rates = st.decimals(min_value=0, max_value=100, places=6)
later_tiers = st.lists(
    st.builds(UsageTier, from_units=st.integers(1, 50), rate=rates), max_size=4, unique_by=lambda tier: tier.from_units
)
quantities = st.decimals(min_value=0, max_value=99, places=2)


@given(first=rates, later=later_tiers, units=quantities, allowance=quantities, data=st.data())
def test_each_hundredth_of_a_unit_is_paid_at_the_rate_of_its_tier(first, later, units, allowance, data):
    tiers = data.draw(st.permutations([UsageTier(0, first), *later]))
    rate_of = sorted(tiers, key=lambda tier: tier.from_units)

    amount = usage_amount(units=units, tiers=tiers, allowance=allowance)

    told = Fraction(0)
    for hundredth in range(int(max(units - allowance, Decimal(0)) * 100)):
        told += Fraction([tier.rate for tier in rate_of if tier.from_units * 100 <= hundredth][-1]) / 100
    assert Fraction(amount) == told


@given(later=later_tiers, units=quantities)
def test_a_unit_without_a_rate_is_unknown_and_not_free(later, units):
    assert usage_amount(units=units, tiers=later) == (None if units else Decimal(0))


@given(first=rates, later=later_tiers, units=quantities, more=quantities)
def test_more_use_never_costs_less_and_more_allowance_never_more(first, later, units, more):
    tiers = [UsageTier(0, first), *later]

    assert usage_amount(units=units, tiers=tiers) <= usage_amount(units=units + more, tiers=tiers)
    assert usage_amount(units=units, tiers=tiers, allowance=more) <= usage_amount(units=units, tiers=tiers)


@pytest.mark.parametrize("wrong", [{"units": Decimal(-1)}, {"units": Decimal(1), "allowance": Decimal(-1)}])
def test_negative_use_is_refused(wrong):
    with pytest.raises(ValueError, match="not negative"):
        usage_amount(tiers=[UsageTier(0, Decimal(1))], **wrong)
