"""What an account has had and used, line by line: the order lines of all that ever became active."""

from collections import defaultdict
from dataclasses import dataclass, field
from decimal import Decimal

from catalog.usage import UsageTier
from orders.billing.months import Month
from orders.billing.owing import Fees, Piece, Use, UseRates, units_unpriced
from orders.models import InvoiceLine, OrderContainer, OrderLine, Resource, UsageRecord

Owing = tuple[int, str, Month]
"""An order line, a kind of amount and the month that it is owed for."""


@dataclass(frozen=True)
class BilledLine:
    """An order line with the times in which its pieces were there."""

    line: OrderLine
    fees: Fees
    pieces: tuple[Piece, ...] = field(repr=False)
    uses: tuple[Use, ...] = ()

    @property
    def use_rates(self) -> UseRates:
        return use_rates_of(self.line)

    @property
    def unpriced(self) -> list[tuple[Month, Decimal]]:
        """The months with use that no rate is known for, and how many units of it; no amount has it in it."""
        rates, months = self.use_rates, sorted({use.month for use in self.uses})
        counts = ((month, units_unpriced(rates=rates, uses=self.uses, month=month)) for month in months)
        return [(month, units) for month, units in counts if units]

    @property
    def first_month(self) -> Month:
        return min(Month.of(piece.active_at) for piece in self.pieces)

    @property
    def currency(self) -> str:
        return self.line.container.order_item.order.currency


def billed_lines(*, account_id: int) -> list[BilledLine]:
    """Return the account's lines that cost something and have, or had, an active piece, in three queries."""
    pieces: defaultdict[int, list[Piece]] = defaultdict(list)
    active = Resource.objects.filter(account_id=account_id, active_at__isnull=False).order_by("container_id", "index")
    for container_id, active_at, cancelled_at in active.values_list("container_id", "active_at", "cancelled_at"):
        assert active_at is not None, "the filter says so"
        pieces[container_id].append(Piece(active_at, cancelled_at))
    lines = OrderLine.objects.filter(container__in=list(pieces)).select_related(
        "container__order_item__order", "container__package", "container__location", "item"
    )
    uses = _uses(account_id=account_id)
    found = (
        BilledLine(line, fees_of(line), tuple(pieces[line.container_id]), tuple(uses[line.pk]))
        for line in lines.order_by("pk")
    )
    return [each for each in found if each.fees.recurring or each.fees.once or each.fees.after_promotion or each.uses]


def _uses(*, account_id: int) -> defaultdict[int, list[Use]]:
    uses: defaultdict[int, list[Use]] = defaultdict(list)
    records = UsageRecord.objects.filter(resource__account_id=account_id, resource__active_at__isnull=False)
    columns = records.order_by("pk").values_list(
        "order_line_id", "month", "quantity", "resource__active_at", "resource__cancelled_at"
    )
    for line_id, month, quantity, active_at, cancelled_at in columns:
        assert active_at is not None, "the filter says so"
        uses[line_id].append(Use(Piece(active_at, cancelled_at), Month.of(month), quantity))
    return uses


def use_rates_of(line: OrderLine) -> UseRates:
    """Return the rates of use, and the allowance, that a placed line froze."""
    tiers = (UsageTier(from_units, Decimal(rate)) for from_units, rate in line.usage_tiers)
    return UseRates(tuple(tiers), line.usage_allowance or Decimal(0))


def fees_of(line: OrderLine) -> Fees:
    """Return the fees that a placed line froze; a placed line has a price."""
    is_hourly = line.container.term == OrderContainer.Term.HOURLY
    recurring = line.hourly_recurring_fee if is_hourly else line.recurring_fee
    return Fees(
        is_hourly=is_hourly,
        recurring=recurring or Decimal(0),
        once=line.once_fee,
        after_promotion=line.regular_fee if line.promotion_months is not None else None,
        promotion_months=line.promotion_months,
    )


def already_billed(*, account_id: int) -> defaultdict[Owing, Decimal]:
    """Return what all invoices of an account say so far, for each order line, kind and month."""
    billed: defaultdict[Owing, Decimal] = defaultdict(Decimal)
    lines = InvoiceLine.objects.filter(invoice__account_id=account_id, order_line__isnull=False)
    for line_id, kind, period, amount in lines.values_list("order_line_id", "kind", "period", "amount"):
        billed[line_id, kind, Month.of(period)] += amount
    return billed
