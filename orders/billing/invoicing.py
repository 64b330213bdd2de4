"""Invoices: what is owed for every month by now, less what earlier invoices already say."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from django.db import transaction

from accounts.models import Account
from core.models import OutboxEvent
from orders.billing.months import Month, months_from
from orders.billing.owing import once_owed, quantity_of, recurring_owed, rounded, units_to_pay, usage_owed
from orders.billing.reading import BilledLine, already_billed, billed_lines
from orders.locks import locked_number_series
from orders.models import Invoice, InvoiceLine, NumberSeries, TaxRate
from orders.numbering import next_number

RECURRING, ONCE, USAGE = InvoiceLine.Kind.RECURRING, InvoiceLine.Kind.ONCE, InvoiceLine.Kind.USAGE
TAX = InvoiceLine.Kind.TAX
OWED_KINDS = (RECURRING, ONCE, USAGE)
LONGEST_UNIT = 10

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Due:
    """An amount that no invoice says yet; negative where earlier ones say too much."""

    billed: BilledLine
    kind: InvoiceLine.Kind
    period: Month
    owed: Decimal
    amount: Decimal


@transaction.atomic
def account_bill(*, account_id: int, month: Month, now: datetime) -> list[Invoice]:
    """Put an account's invoices for a month together, one for each currency in which something is due.

    Monthly fees are billed in advance, up to this month; hourly ones, use and corrections when their month is over. An
    account that has its invoice for the month gets no second one; what came later stands on the next. Use that no rate
    is known for is on none: it is logged, and shown where the account looks at its spend.
    """
    account = Account.objects.select_related("partner").get(pk=account_id)
    # Whoever bills one of the partner's accounts waits here, and then sees what the other has written.
    locked_number_series(partner=account.partner, kind=NumberSeries.Kind.INVOICE)
    lines = billed_lines(account_id=account_id)
    dues = list(_dues(lines, account_id=account_id, month=month))
    for billed in lines:
        for period, units in billed.unpriced:
            told = (account_id, period, units, billed.line.pk)
            logger.warning("Account %s, %s: %s units of order line %s have no rate and are on no invoice.", *told)
    written = set(Invoice.objects.filter(account=account, month=month.first).values_list("currency", flat=True))
    currencies = sorted({due.billed.currency for due in dues} - written)
    return [
        _invoice(account, month, currency, [due for due in dues if due.billed.currency == currency], now=now)
        for currency in currencies
    ]


def owed_for(billed: BilledLine, *, kind: str, month: Month) -> Decimal:
    """Return what a line owes for a month, by what is known now."""
    if kind == USAGE:
        return usage_owed(rates=billed.use_rates, uses=billed.uses, month=month)
    owed = recurring_owed if kind == RECURRING else once_owed
    return owed(fees=billed.fees, pieces=billed.pieces, month=month)


def _dues(lines: Sequence[BilledLine], *, account_id: int, month: Month) -> Iterator[Due]:
    before = already_billed(account_id=account_id)
    for billed in lines:
        last = month.previous if billed.fees.is_hourly else month
        for kind, until in ((RECURRING, last), (ONCE, month), (USAGE, month.previous)):
            for period in months_from(billed.first_month, until):
                owed = owed_for(billed, kind=kind, month=period)
                amount = owed - before[billed.line.pk, kind, period]
                if amount:
                    yield Due(billed, kind, period, owed, amount)


def _invoice(account: Account, month: Month, currency: str, dues: Sequence[Due], *, now: datetime) -> Invoice:
    net = sum((due.amount for due in dues), start=Decimal("0.00"))
    taxes = list(_taxes(account, month, net))
    invoice = Invoice.objects.create(
        account=account,
        partner=account.partner,
        number=next_number(partner=account.partner, kind=NumberSeries.Kind.INVOICE),
        month=month.first,
        currency=currency,
        issued_at=now,
        net=net,
        tax=sum((amount for _, amount in taxes), start=Decimal("0.00")),
    )
    lines = [_line(invoice, due) for due in dues]
    lines += [
        InvoiceLine(invoice=invoice, kind=TAX, period=month.first, description=words, amount=amount)
        for words, amount in taxes
        if amount
    ]
    InvoiceLine.objects.bulk_create(lines, batch_size=500)
    OutboxEvent.objects.create(
        account_id=account.pk,
        kind="invoice.issued",
        subject=f"invoice:{invoice.pk}",
        payload={"number": invoice.number, "month": str(month), "total": str(net + invoice.tax), "currency": currency},
        created_at=now,
    )
    return invoice


def _line(invoice: Invoice, due: Due) -> InvoiceLine:
    line = due.billed.line
    container = line.container
    words = f"{line.description}, {container.order_item.name}, {container.location.name}, {due.period.words}"
    if due.kind == USAGE:
        words += ": use"
    if due.amount != due.owed:
        words += ": correction" if due.amount > 0 else ": credit"
    quantity, unit, rate = _counted(due)
    return InvoiceLine(
        invoice=invoice,
        kind=due.kind,
        order_line=line,
        period=due.period.first,
        description=words[:400],
        quantity=quantity,
        unit=unit,
        rate=rate,
        amount=due.amount,
    )


def _counted(due: Due) -> tuple[Decimal | None, str, Decimal | None]:
    """Return how many units at which rate make an amount up; nothing where it is no whole one at one rate."""
    billed, fees = due.billed, due.billed.fees
    is_whole = due.amount == due.owed
    if due.kind == USAGE and is_whole and len(billed.use_rates.tiers) == 1:
        units = units_to_pay(rates=billed.use_rates, uses=billed.uses, month=due.period)
        return units, billed.line.item.units[:LONGEST_UNIT], billed.use_rates.tiers[0].rate
    if due.kind == RECURRING and is_whole and not fees.changes:
        quantity = quantity_of(fees=fees, pieces=billed.pieces, month=due.period)
        return quantity, "hour" if fees.is_hourly else "month", fees.recurring
    return None, "", None


def _taxes(account: Account, month: Month, net: Decimal) -> Iterator[tuple[str, Decimal]]:
    """Give each tax that holds on the month's first day, rounded once, on the whole net amount."""
    for tax in TaxRate.objects.filter(account=account, valid_from__lte=month.first):
        if tax.valid_to is None or month.first < tax.valid_to:
            yield str(tax), rounded(Fraction(net) * Fraction(tax.percent) / 100)
