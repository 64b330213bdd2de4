"""What lines, containers, items and orders come to: plain sums of amounts already rounded, each once, on its line."""

from collections.abc import Iterable
from dataclasses import dataclass

from catalog.pricing import PriceAnswer
from core.money import Money, Total, total_of


@dataclass(frozen=True)
class Owed:
    """What one line comes to for all its pieces, each month and once; None where nobody knows the price."""

    monthly: Money | None
    once: Money | None

    @property
    def is_unpriced(self) -> bool:
        return self.monthly is None or self.once is None


@dataclass(frozen=True)
class Totals:
    """What a set of lines comes to, each month and once."""

    monthly: Total
    once: Total

    def __add__(self, other: "Totals") -> "Totals":
        return Totals(self.monthly + other.monthly, self.once + other.once)

    @property
    def is_exact(self) -> bool:
        return self.monthly.is_exact and self.once.is_exact

    def over_months(self, months: int) -> Total:
        """Return what is paid once together with so many monthly amounts."""
        # An unpriced line is missing in both sums, but it is one part.
        unpriced_parts = max(self.monthly.unpriced_parts, self.once.unpriced_parts)
        return Total(self.once.known + self.monthly.known * months, unpriced_parts)

    @property
    def over_one_month(self) -> Total:
        return self.over_months(1)

    @property
    def over_one_year(self) -> Total:
        return self.over_months(12)

    @property
    def over_three_years(self) -> Total:
        return self.over_months(36)


def owed_for(*, price: PriceAnswer, quantity: int) -> Owed:
    """Multiply a piece's price by the number of pieces and round it half-up, once."""
    if price.monthly is None or price.once is None:
        return Owed(None, None)
    return Owed((price.monthly * quantity).owed(), (price.once * quantity).owed())


def totals_of(lines: Iterable[Owed], *, currency: str) -> Totals:
    """Add up the lines; those without a price are counted, not taken for zero."""
    owed = list(lines)
    return Totals(
        monthly=total_of((line.monthly for line in owed), currency=currency),
        once=total_of((line.once for line in owed), currency=currency),
    )
