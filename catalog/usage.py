"""What use costs: traffic beyond the allowance, gigabytes in tiers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalog.fees import EXACT, rate_words


@dataclass(frozen=True)
class UsageTier:
    """The rate of every unit beyond `from_units` used, up to where the next tier begins."""

    from_units: int
    rate: Decimal


def usage_amount(*, units: Decimal, tiers: Iterable[UsageTier], allowance: Decimal = Decimal(0)) -> Decimal | None:
    """Return what the use of so many units costs, exact and not rounded; the allowance is free.

    Tiers count the units beyond the allowance. None where a unit to be paid has no rate: it is unknown, not free.
    """
    if units < 0 or allowance < 0:
        raise ValueError("Units and allowance are not negative.")
    paid = max(Decimal(0), units - allowance)
    if not paid:
        return Decimal(0)
    ordered = sorted(tiers, key=lambda tier: tier.from_units)
    if not ordered or ordered[0].from_units > 0:
        return None
    ends = [*(Decimal(tier.from_units) for tier in ordered[1:]), paid]
    total = Decimal(0)
    for tier, end in zip(ordered, ends, strict=True):
        inside = min(paid, end) - tier.from_units
        if inside > 0:
            total = EXACT.add(total, EXACT.multiply(inside, tier.rate))
    return total


def tier_words(tiers: Sequence[UsageTier], currency: str) -> str:
    """Say the rates of use: "0.10 USD for each unit, 0.08 USD beyond 1,000"."""
    first, *others = tiers
    words = f"{rate_words(first.rate)} {currency} for each unit used"
    if first.from_units:
        words += f" beyond {first.from_units:,}"
    return "".join([words, *(f", {rate_words(tier.rate)} {currency} beyond {tier.from_units:,}" for tier in others)])
