"""The fees of one piece, as plain exact values. None is "not offered that way", which is not zero."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import StrEnum
from functools import cached_property

FEE_NAMES = ("recurring_fee", "hourly_recurring_fee", "setup_fee", "one_time_fee", "labor_fee", "usage_rate")
ONCE_NAMES = ("setup_fee", "one_time_fee", "labor_fee")
RATE_PLACES = Decimal("0.000001")
LARGEST_FEE = Decimal("999999999.999999")
EXACT = Context(prec=60, rounding=ROUND_HALF_UP)
"""Wide enough for a fee of 15 digits times a rate of 15 and a percentage of 8, so that only `to_rate` rounds."""


class Term(StrEnum):
    """How a container is billed."""

    HOURLY = "hourly"
    MONTHLY = "monthly"


@dataclass(frozen=True)
class Fees:
    """What one piece costs each month, each hour, once and for each unit used, in one currency."""

    recurring_fee: Decimal | None = None
    hourly_recurring_fee: Decimal | None = None
    setup_fee: Decimal | None = None
    one_time_fee: Decimal | None = None
    labor_fee: Decimal | None = None
    usage_rate: Decimal | None = None

    def on(self, term: Term) -> Decimal | None:
        """Return the fee on a term: for an hour or for a month."""
        return self.hourly_recurring_fee if term is Term.HOURLY else self.recurring_fee

    @cached_property
    def once(self) -> Decimal:
        """What is paid once: setup, one-time and labour fees together."""
        return sum((fee for name in ONCE_NAMES if (fee := getattr(self, name)) is not None), Decimal(0))

    @property
    def is_too_large(self) -> bool:
        """Whether a fee has more digits than can be kept."""
        return any(fee is not None and fee > LARGEST_FEE for fee in (getattr(self, name) for name in FEE_NAMES))

    def scaled(self, factor: Decimal, *, names: tuple[str, ...] = FEE_NAMES) -> "Fees":
        """Return the fees with these multiplied, each rounded to a rate of six places."""
        return self._changed(lambda fee, _: scaled_rate(fee, factor), names)

    def less(self, off: "Fees") -> "Fees":
        """Return the fees less those of `off`; none falls below zero."""
        return self._changed(lambda fee, name: max(Decimal(0), fee - (getattr(off, name) or 0)), FEE_NAMES)

    def replacing(self, other: "Fees") -> "Fees":
        """Return these fees, and those of `other` where they name none."""
        named = {name: fee for name in FEE_NAMES if (fee := getattr(self, name)) is not None}
        return replace(other, **named)

    def without(self, other: "Fees") -> "Fees":
        """Return these fees but for those that `other` names."""
        return replace(self, **{name: None for name in FEE_NAMES if getattr(other, name) is not None})

    def counting_on(self, term: Term) -> "Fees":
        """Return the fees that count on a term: all but the fee of the other one."""
        return replace(self, **{_other_fee(term): None})

    def words(self, currency: str) -> str:
        """Say the fees: "0.08 USD an hour, 25.00 USD once"."""
        named = (
            (self.recurring_fee, "a month"),
            (self.hourly_recurring_fee, "an hour"),
            (self.once if any(getattr(self, name) is not None for name in ONCE_NAMES) else None, "once"),
            (self.usage_rate, "for each unit used"),
        )
        return ", ".join(f"{rate_words(fee)} {currency} {unit}" for fee, unit in named if fee is not None)

    def words_on(self, term: Term, currency: str) -> str:
        """Say the fees that count on a term; those paid once only where there are any."""
        shown = self.counting_on(term)
        if not self.once:
            shown = replace(shown, **dict.fromkeys(ONCE_NAMES))
        return shown.words(currency)

    def _changed(self, change: Callable[[Decimal, str], Decimal], names: tuple[str, ...]) -> "Fees":
        changed = {name: change(fee, name) for name in names if (fee := getattr(self, name)) is not None}
        return replace(self, **changed)


def scaled_rate(rate: Decimal, factor: Decimal) -> Decimal:
    """Multiply a rate exactly and round it half-up to six places."""
    return EXACT.quantize(EXACT.multiply(rate, factor), RATE_PLACES)


def rate_words(fee: Decimal) -> str:
    """Return a rate with the places it needs, at least two."""
    places = max(2, -int(fee.normalize().as_tuple().exponent))
    return f"{fee:.{places}f}"


def _other_fee(term: Term) -> str:
    return "recurring_fee" if term is Term.HOURLY else "hourly_recurring_fee"
