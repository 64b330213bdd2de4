"""Invoices, spend and the budget as JSON."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from accounts.models import Account
from api.v1.texts import money_text, number_text, time_text
from core.money import Money
from orders.billing.budgets import is_short
from orders.billing.months import Month
from orders.billing.spending import Share, Spend, Unpriced
from orders.models import Budget, Invoice, InvoiceLine

Json = dict[str, Any]


def invoice_line(invoice: Invoice) -> Json:
    return {
        "id": invoice.pk,
        "number": invoice.number,
        "month": str(Month.of(invoice.month)),
        "currency": invoice.currency,
        "net": money_text(Money(invoice.net, invoice.currency)),
        "tax": money_text(Money(invoice.tax, invoice.currency)),
        "total": money_text(Money(invoice.net + invoice.tax, invoice.currency)),
        "issued_at": time_text(invoice.issued_at),
        "href": reverse("api-invoice", args=[invoice.pk]),
    }


def invoice_json(invoice: Invoice, *, orders: Mapping[int, int | None]) -> Json:
    lines = [_line(line, currency=invoice.currency, order_id=orders[line.pk]) for line in invoice.lines.all()]
    return {**invoice_line(invoice), "lines": lines, "csv": reverse("api-invoice-csv", args=[invoice.pk])}


def spend_json(spend: Spend, *, budget: Budget | None, account: Account) -> Json:
    return {
        "month": str(spend.month),
        "currency": account.currency,
        "committed": money_text(spend.committed),
        "forecast": money_text(spend.forecast),
        "by_month": [{"month": str(month), "amount": money_text(amount)} for month, amount in spend.by_month],
        "breakdown_month": str(spend.breakdown_month),
        "by_package": [_share(share) for share in spend.by_package],
        "by_location": [_share(share) for share in spend.by_location],
        "by_tag": [_share(share) for share in spend.by_tag],
        "unpriced": [_unpriced(unpriced) for unpriced in spend.unpriced],
        "other_currencies": list(spend.other_currencies),
        "budget": budget_json(budget, account=account),
        "is_short": budget is not None and is_short(budget, spend),
    }


def budget_json(budget: Budget | None, *, account: Account) -> Json:
    return {
        "currency": account.currency,
        "amount": money_text(Money(budget.amount, account.currency)) if budget else None,
        "warn_percent": budget.warn_percent if budget else None,
    }


def _line(line: InvoiceLine, *, currency: str, order_id: int | None) -> Json:
    return {
        "kind": line.kind,
        "order": order_id,
        "period": str(Month.of(line.period)),
        "description": line.description,
        "quantity": None if line.quantity is None else number_text(line.quantity),
        "unit": line.unit,
        "rate": None if line.rate is None else number_text(line.rate),
        "amount": money_text(Money(line.amount, currency)),
    }


def _share(share: Share) -> Json:
    return {"name": share.name, "amount": money_text(share.amount)}


def _unpriced(unpriced: Unpriced) -> Json:
    return {
        "month": str(unpriced.month),
        "item": unpriced.item,
        "units": number_text(unpriced.units),
        "unit": unpriced.unit,
    }
