"""The shapes of calls and answers about invoices, spend and the budget."""

from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer
from api.v1.paging import PageShape

BEFORE_TAX = 'Before tax, as text such as "1512.00".'
MONTH = "A calendar month in UTC, such as 2026-05."
BUDGET = "What the account means to spend in a month, before tax; null: no budget."
WARN = "Owners get an e-mail, once a month, when the forecast reaches this share of the budget: 1 to 100."


class InvoiceLine(serializers.Serializer[Any]):
    """One invoice in the list."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Without gaps per partner.")
    month = serializers.CharField(help_text=MONTH)
    currency = serializers.CharField()
    net = serializers.CharField(help_text=BEFORE_TAX)
    tax = serializers.CharField()
    total = serializers.CharField(help_text="With tax.")
    issued_at = serializers.DateTimeField()
    href = serializers.CharField()


class InvoicePage(PageShape):
    results = InvoiceLine(many=True)


class InvoicedAmount(serializers.Serializer[Any]):
    """One amount of an invoice: what an order line owes for a month, what corrects that, or a tax."""

    kind = serializers.CharField(help_text="recurring, once, usage or tax.")
    order = serializers.IntegerField(allow_null=True, help_text="The order that it is for; null for a tax.")
    period = serializers.CharField(help_text="The month that it is owed for.")
    description = serializers.CharField()
    quantity = serializers.CharField(
        allow_null=True, help_text="Months or hours of one piece; null where it is no rate."
    )
    unit = serializers.CharField(help_text="month, hour, the unit of use, or empty.")
    rate = serializers.CharField(allow_null=True, help_text="Of one piece for one unit.")
    amount = serializers.CharField(help_text="A negative one is a credit.")


class InvoiceShape(InvoiceLine):
    """An invoice with every line."""

    lines = InvoicedAmount(many=True)
    csv = serializers.CharField(help_text="Where it is as a table for spreadsheets.")


class MonthSpend(serializers.Serializer[Any]):
    month = serializers.CharField(help_text=MONTH)
    amount = serializers.CharField(help_text=BEFORE_TAX)


class SpendShare(serializers.Serializer[Any]):
    """What one package, location or tag takes of a month."""

    name = serializers.CharField()
    amount = serializers.CharField(help_text=BEFORE_TAX)


class UnpricedUse(serializers.Serializer[Any]):
    """What was used in a month beyond the allowance and has no rate: nobody knows what it costs."""

    month = serializers.CharField(help_text=MONTH)
    item = serializers.CharField()
    units = serializers.CharField()
    unit = serializers.CharField()


class WhichMonth(StrictSerializer):
    """Which month is to be broken down."""

    month = serializers.CharField(required=False, help_text=MONTH + " Without it, the present one.")


class BudgetAsked(StrictSerializer):
    """What an account means to spend in a month."""

    amount = serializers.DecimalField(max_digits=13, decimal_places=2, allow_null=True, help_text=BUDGET)
    warn_percent = serializers.IntegerField(default=80, help_text=WARN)


class BudgetShape(serializers.Serializer[Any]):
    """What an account means to spend in a month."""

    currency = serializers.CharField()
    amount = serializers.CharField(allow_null=True, help_text=BUDGET)
    warn_percent = serializers.IntegerField(allow_null=True, help_text=WARN)


class SpendShape(serializers.Serializer[Any]):
    """What an account spends: so far, by the end of the month, and in the months before."""

    month = serializers.CharField(help_text=MONTH)
    currency = serializers.CharField()
    committed = serializers.CharField(help_text="What this month owes up to now, whatever becomes of it. " + BEFORE_TAX)
    forecast = serializers.CharField(help_text="What it comes to if nothing changes until its end. " + BEFORE_TAX)
    by_month = MonthSpend(many=True, help_text="At most 12, the oldest first; the last one is this month's forecast.")
    breakdown_month = serializers.CharField(help_text="The month that the next three are about. " + MONTH)
    by_package = SpendShare(many=True)
    by_location = SpendShare(many=True)
    by_tag = SpendShare(many=True, help_text="An order with several tags counts under each of them.")
    unpriced = UnpricedUse(many=True, help_text="It is in none of the figures.")
    other_currencies = serializers.ListField(
        child=serializers.CharField(), help_text="Something is owed in these too; it is in none of the figures."
    )
    budget = BudgetShape()
    is_short = serializers.BooleanField(help_text="Whether the forecast reaches the share of the budget that warns.")
