"""What lines, containers, items and orders come to: plain sums of amounts already rounded, each once, on its line."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from catalog.pricing import PriceAnswer
from core.money import Money, Total, total_of


@dataclass(frozen=True)
class Owed:
    """What one line comes to for all its pieces, each month and once; None where nobody knows the price.

    With a promotion that ends, `later` is what it comes to each month after so many `promotion_months`.
    """

    monthly: Money | None
    once: Money | None
    later: Money | None = None
    promotion_months: int | None = None

    @property
    def is_unpriced(self) -> bool:
        return self.monthly is None or self.once is None


@dataclass(frozen=True)
class Rise:
    """By how much a monthly amount grows once a promotion has ended after so many months."""

    months: int
    amount: Money


@dataclass(frozen=True)
class Totals:
    """What a set of lines comes to, each month and once; `rises` are the promotions that end, the first one first."""

    monthly: Total
    once: Total
    rises: tuple[Rise, ...] = ()

    def __add__(self, other: "Totals") -> "Totals":
        return Totals(self.monthly + other.monthly, self.once + other.once, _joined((*self.rises, *other.rises)))

    @property
    def currency(self) -> str:
        return self.monthly.known.currency

    @property
    def is_exact(self) -> bool:
        return self.monthly.is_exact and self.once.is_exact

    def over_months(self, months: int) -> Total:
        """Return what is paid once together with so many monthly amounts."""
        # An unpriced line is missing in both sums, but it is one part.
        unpriced_parts = max(self.monthly.unpriced_parts, self.once.unpriced_parts)
        known = self.once.known + self.monthly.known * months
        for rise in self.rises:
            known += rise.amount * max(0, months - rise.months)
        return Total(known, unpriced_parts)

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
    monthly, once = (price.monthly * quantity).owed(), (price.once * quantity).owed()
    if price.afterwards is None:
        return Owed(monthly, once)
    return Owed(monthly, once, (price.afterwards.monthly * quantity).owed(), price.afterwards.months)


def totals_of(lines: Iterable[Owed], *, currency: str) -> Totals:
    """Add up the lines; those without a price are counted, not taken for zero."""
    owed = list(lines)
    return Totals(
        monthly=total_of((line.monthly for line in owed), currency=currency),
        once=total_of((line.once for line in owed), currency=currency),
        rises=_joined(rise for line in owed if (rise := _rise(line)) is not None),
    )


def _rise(line: Owed) -> Rise | None:
    if line.monthly is None or line.later is None or line.promotion_months is None:
        return None
    return Rise(line.promotion_months, line.later + line.monthly * -1)


def _joined(rises: Iterable[Rise]) -> tuple[Rise, ...]:
    """Add up the rises that come after the same number of months."""
    found: dict[int, Money] = {}
    for rise in rises:
        found[rise.months] = found[rise.months] + rise.amount if rise.months in found else rise.amount
    return tuple(Rise(months, amount) for months, amount in sorted(found.items()))


def hourly_of(rates: Iterable[tuple[Decimal | None, int]], *, currency: str) -> Total:
    """Add up what so many pieces at each rate cost an hour, unrounded; None is a rate that nobody knows."""
    parts = (None if rate is None else Money(rate, currency) * quantity for rate, quantity in rates)
    return total_of(parts, currency=currency)
