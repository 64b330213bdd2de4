"""What an account spends: so far, by the end of the month, and in the months before, by package, location and tag."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from accounts.models import Account
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
class Spend:
    """An account's spend, before tax, by what is owed for each month."""

    month: Month
    committed: Money
    """What this month's machines owe up to now, whatever becomes of them."""
    forecast: Money
    """What the month comes to if nothing changes until its end."""
    by_month: tuple[tuple[Month, Money], ...]
    """The months before, the oldest first, and the forecast of this one."""
    by_package: tuple[Share, ...]
    by_location: tuple[Share, ...]
    by_tag: tuple[Share, ...]
    """Of this month's forecast. An order with several tags counts under each of them."""
    other_currencies: tuple[str, ...]
    """Currencies in which something is owed too; their amounts are in none of these figures."""


def spend_of(*, account: Account, now: datetime) -> Spend:
    """Work an account's spend out from its machines and volumes; invoices say the same once they are issued."""
    lines = billed_lines(account_id=account.pk)
    ours = [billed for billed in lines if billed.currency == account.currency]
    month = Month.of(now)
    forecast = {billed.line.pk: _owed([billed], month) for billed in ours}

    def shares(names: dict[int, Iterable[str]]) -> tuple[Share, ...]:
        sums: defaultdict[str, Decimal] = defaultdict(Decimal)
        for line_id, amount in forecast.items():
            for name in names[line_id]:
                sums[name] += amount
        ranked = sorted(sums.items(), key=lambda each: (-each[1], each[0]))
        return tuple(Share(name, Money(amount, account.currency)) for name, amount in ranked if amount)

    return Spend(
        month=month,
        committed=Money(_owed([_until(billed, now) for billed in ours], month), account.currency),
        forecast=Money(sum(forecast.values(), start=Decimal(0)), account.currency),
        by_month=tuple((each, Money(_owed(ours, each), account.currency)) for each in _months_shown(ours, month)),
        by_package=shares({each.line.pk: [each.line.container.package.name] for each in ours}),
        by_location=shares({each.line.pk: [each.line.container.location.name] for each in ours}),
        by_tag=shares({each.line.pk: _tags(each) for each in ours}),
        other_currencies=tuple(sorted({billed.currency for billed in lines} - {account.currency})),
    )


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
