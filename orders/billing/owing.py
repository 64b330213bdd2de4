"""What an order line owes for one month: exact fractions of what was there, rounded half-up once.

Plain functions on plain values; docs/pricing.md, "Bills", is the recipe in words, and its worked examples are tests.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from catalog.usage import UsageTier, usage_amount
from orders.billing.months import Month, months_later

SECONDS_OF_AN_HOUR = 3600


@dataclass(frozen=True)
class Piece:
    """The time in which one machine or volume was there; without an end it still is."""

    active_at: datetime
    cancelled_at: datetime | None = None

    @property
    def first_day(self) -> date:
        return self.active_at.astimezone(UTC).date()

    @property
    def end_day(self) -> date | None:
        """The first day that is not owed: that of cancelling, but never less than one day after becoming active."""
        if self.cancelled_at is None:
            return None
        return max(self.cancelled_at.astimezone(UTC).date(), self.first_day + timedelta(days=1))


@dataclass(frozen=True)
class Fees:
    """The fees of one piece, as an order line froze them."""

    is_hourly: bool
    recurring: Decimal
    once: Decimal
    after_promotion: Decimal | None = None
    """The recurring fee once a promotion has ended; None without a promotion, or with one that lasts."""
    promotion_months: int | None = None

    @property
    def changes(self) -> bool:
        return self.after_promotion is not None and self.promotion_months is not None


@dataclass(frozen=True)
class Use:
    """How many units one piece used in a month, the allowance included."""

    piece: Piece
    month: Month
    units: Decimal


@dataclass(frozen=True)
class UseRates:
    """What each unit costs, and how many a whole month of one piece includes, as an order line froze them."""

    tiers: tuple[UsageTier, ...]
    allowance: Decimal = Decimal(0)


def recurring_owed(*, fees: Fees, pieces: Sequence[Piece], month: Month) -> Decimal:
    """Return what the pieces owe for being there in a month.

    Monthly fees count days, each a share of that month's own number of days. Hourly ones count started hours.
    """
    count = _hours if fees.is_hourly else _piece_months
    if not fees.changes:
        return rounded(Fraction(fees.recurring) * sum((count(piece, month) for piece in pieces), start=Fraction(0)))
    owed = Fraction(0)
    for piece in pieces:
        before, after = _split(piece, fees)
        owed += Fraction(fees.recurring) * (count(before, month) if before else 0)
        owed += Fraction(fees.after_promotion or 0) * (count(after, month) if after else 0)
    return rounded(owed)


def once_owed(*, fees: Fees, pieces: Sequence[Piece], month: Month) -> Decimal:
    """Return what the pieces owe once, in the month in which they became active."""
    return rounded(Fraction(fees.once) * sum(Month.of(piece.active_at) == month for piece in pieces))


def usage_owed(*, rates: UseRates, uses: Iterable[Use], month: Month) -> Decimal:
    """Return what the pieces owe for what they used in a month beyond their allowances, rounded once on the sum.

    The allowance of a part of a month is its share by days, as monthly fees are, to four places. A piece's use that no
    rate is known for is not in it: `units_unpriced` tells how much that is.
    """
    amounts = (_amount(rates, use) for use in uses if use.month == month)
    return rounded(sum((Fraction(amount) for amount in amounts if amount is not None), start=Fraction(0)))


def units_to_pay(*, rates: UseRates, uses: Iterable[Use], month: Month) -> Decimal:
    """Return for an invoice how many units the pieces used in a month beyond their allowances."""
    return sum((_beyond(rates, use) for use in uses if use.month == month), start=Decimal(0))


def units_unpriced(*, rates: UseRates, uses: Iterable[Use], month: Month) -> Decimal:
    """Return how many units beyond their allowances the pieces used in a month of which nobody knows the price."""
    unknown = (use for use in uses if use.month == month and _amount(rates, use) is None)
    return sum((_beyond(rates, use) for use in unknown), start=Decimal(0))


def allowance_of(*, rates: UseRates, piece: Piece, month: Month) -> Decimal:
    """Return how many units a month includes for one piece: the share of the days on which it was there."""
    return rounded(Fraction(rates.allowance) * _piece_months(piece, month), places=4)


def quantity_of(*, fees: Fees, pieces: Sequence[Piece], month: Month) -> Decimal:
    """Return for an invoice how many months or hours of a piece were there, to four places."""
    count = _hours if fees.is_hourly else _piece_months
    return rounded(sum((count(piece, month) for piece in pieces), start=Fraction(0)), places=4)


def rounded(amount: Fraction, *, places: int = 2) -> Decimal:
    """Round half-up, away from zero, to so many places."""
    scaled = abs(amount) * 10**places
    whole = math.floor(scaled + Fraction(1, 2))
    return Decimal(whole if amount >= 0 else -whole).scaleb(-places)


def _amount(rates: UseRates, use: Use) -> Decimal | None:
    allowance = allowance_of(rates=rates, piece=use.piece, month=use.month)
    return usage_amount(units=use.units, tiers=rates.tiers, allowance=allowance)


def _beyond(rates: UseRates, use: Use) -> Decimal:
    return max(use.units - allowance_of(rates=rates, piece=use.piece, month=use.month), Decimal(0))


def _piece_months(piece: Piece, month: Month) -> Fraction:
    first, end = month.first, month.next.first
    begins, ends = max(piece.first_day, first), min(piece.end_day or end, end)
    return Fraction(max((ends - begins).days, 0), month.days)


def _hours(piece: Piece, month: Month) -> Fraction:
    """Started hours are counted from the moment a piece became active, and belong to the month they started in."""
    until_end = _started_hours(piece, month.end)
    return Fraction(until_end - _started_hours(piece, month.begin))


def _started_hours(piece: Piece, until: datetime) -> int:
    end = until if piece.cancelled_at is None else min(until, piece.cancelled_at)
    seconds = Fraction((end - piece.active_at) / timedelta(microseconds=1)) / 1_000_000
    return max(math.ceil(seconds / SECONDS_OF_AN_HOUR), 0)


def _split(piece: Piece, fees: Fees) -> tuple[Piece | None, Piece | None]:
    """Return the parts of a piece's time with its promotion and after it, cut at the hour of becoming active."""
    begin = piece.active_at.astimezone(UTC)
    last_day = months_later(begin.date(), fees.promotion_months or 0)
    end = datetime.combine(last_day, begin.timetz())
    if end <= piece.active_at:
        return None, piece
    is_over_by_then = (
        piece.cancelled_at is not None and piece.cancelled_at <= end
        if fees.is_hourly
        else piece.end_day is not None and piece.end_day <= last_day
    )
    return (piece, None) if is_over_by_then else (Piece(piece.active_at, end), Piece(end, piece.cancelled_at))
