"""What an account spends: so far, by the end of the month, and in the months before, by package, location and tag."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from accounts.models import Account
from core.errors import InputRefused, Violation
from core.money import Money
from orders.billing.invoicing import OWED_KINDS, owed_for
from orders.billing.months import Month, months_from
from orders.billing.owing import Piece
from orders.billing.reading import BilledLine, billed_lines

MONTHS_SHOWN = 12
UNTAGGED = "without a tag"


@dataclass(frozen=True)
class Share:
    """What one package, location or tag takes of a month."""

    name: str
    amount: Money


@dataclass(frozen=True)
class Unpriced:
    """What was used in a month beyond the allowance and has no rate; no amount has it in it."""

    month: Month
    item: str
    units: Decimal
    unit: str


@dataclass(frozen=True)
class Spend:
    """An account's spend, before tax, by what is owed for each month."""

    month: Month
    committed: Money
    """What this month's machines owe up to now, whatever becomes of them."""
    forecast: Money
    """What the month comes to if nothing changes until its end."""
    by_month: tuple[tuple[Month, Money], ...]
    """The months before, the oldest first, and the forecast of this one."""
    breakdown_month: Month
    breakdown_total: Money
    """What the month that is broken down owes; of this month, its forecast."""
    by_package: tuple[Share, ...]
    by_location: tuple[Share, ...]
    by_tag: tuple[Share, ...]
    """The parts of `breakdown_total`. An order with several tags counts under each of them."""
    unpriced: tuple[Unpriced, ...]
    other_currencies: tuple[str, ...]
    """Currencies in which something is owed too; their amounts are in none of these figures."""

    @property
    def has_any(self) -> bool:
        """Tell whether any of the months came to something."""
        return any(amount.amount for _, amount in self.by_month)


def month_to_break_down(asked: str, *, now: datetime) -> Month:
    """Read which month is to be broken down, such as "2026-05"; raises InputRefused where it is none, or to come."""
    try:
        month = Month.parse(asked)
    except ValueError as error:
        raise InputRefused((Violation("month_not_readable", "month", str(error)),)) from None
    if month > Month.of(now):
        words = f"{month.words} is still to come. Ask for {Month.of(now)} or a month before it."
        raise InputRefused((Violation("month_to_come", "month", words),))
    return month


def spend_of(*, account: Account, now: datetime, breakdown_month: Month | None = None) -> Spend:
    """Work an account's spend out from its machines and volumes; invoices say the same once they are issued.

    It is broken down by package, location and tag for this month, or for the one that is asked for.
    """
    lines = billed_lines(account_id=account.pk)
    ours = [billed for billed in lines if billed.currency == account.currency]
    month = Month.of(now)
    breakdown_month = breakdown_month or month
    owed = {billed.line.pk: _owed([billed], breakdown_month) for billed in ours}

    def shares(names: dict[int, Iterable[str]]) -> tuple[Share, ...]:
        sums: defaultdict[str, Decimal] = defaultdict(Decimal)
        for line_id, amount in owed.items():
            for name in names[line_id]:
                sums[name] += amount
        ranked = sorted(sums.items(), key=lambda each: (-each[1], each[0]))
        return tuple(Share(name, Money(amount, account.currency)) for name, amount in ranked if amount)

    return Spend(
        month=month,
        committed=Money(_owed([_until(billed, now) for billed in ours], month), account.currency),
        forecast=Money(_owed(ours, month), account.currency),
        by_month=tuple((each, Money(_owed(ours, each), account.currency)) for each in _months_shown(ours, month)),
        breakdown_month=breakdown_month,
        breakdown_total=Money(sum(owed.values(), start=Decimal(0)), account.currency),
        by_package=shares({each.line.pk: [each.line.container.package.name] for each in ours}),
        by_location=shares({each.line.pk: [each.line.container.location.name] for each in ours}),
        by_tag=shares({each.line.pk: _tags(each) for each in ours}),
        unpriced=tuple(_unpriced(lines)),
        other_currencies=tuple(sorted({billed.currency for billed in lines} - {account.currency})),
    )


def _unpriced(lines: Sequence[BilledLine]) -> Iterator[Unpriced]:
    for billed in lines:
        for month, units in billed.unpriced:
            yield Unpriced(month, billed.line.description, units, billed.line.item.units)


def _owed(lines: Sequence[BilledLine], month: Month) -> Decimal:
    return sum(
        (owed_for(billed, kind=kind, month=month) for billed in lines for kind in OWED_KINDS),
        start=Decimal(0),
    )


def _until(billed: BilledLine, now: datetime) -> BilledLine:
    """The line as if everything that is there were cancelled now."""
    pieces = tuple(
        Piece(piece.active_at, min(piece.cancelled_at or now, now)) for piece in billed.pieces if piece.active_at <= now
    )
    return replace(billed, pieces=pieces)


def _months_shown(lines: Sequence[BilledLine], month: Month) -> list[Month]:
    first = min((billed.first_month for billed in lines), default=month)
    return months_from(first, month)[-MONTHS_SHOWN:]


def _tags(billed: BilledLine) -> list[str]:
    return list(billed.line.container.order_item.order.tags) or [UNTAGGED]
