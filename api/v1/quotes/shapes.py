"""The shapes of calls and answers about quotes."""

from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer
from api.v1.catalog.shapes import PriceStepShape
from api.v1.orders.shapes import PriceChangeShape, PriceShown
from api.v1.paging import PageShape
from orders.quoting import MOST_VALID_DAYS, VALID_DAYS

QUOTED = 'Money as text, such as "1512.00".'
SINCE = "left out in quotes that were issued before this was kept."
FEE = "Of one piece; null where it is not offered that way."


class HoldsFor(StrictSerializer):
    """For how long a quote holds."""

    valid_days = serializers.IntegerField(default=VALID_DAYS, help_text=f"1 to {MOST_VALID_DAYS}.")


class QuoteAsked(PriceShown, HoldsFor):
    """What the buyer was shown, and for how long it is to hold."""


class WhyWithdrawn(StrictSerializer):
    """The reason that stands in the history."""

    why = serializers.CharField(max_length=300, allow_blank=True, default="")


class WhichDay(StrictSerializer):
    """The day to whose prices a quote is compared."""

    on = serializers.DateField(
        required=False, help_text="What counted at the end of this day, in UTC; left out: what counts now."
    )


class QuotedTotals(serializers.Serializer[Any]):
    monthly = serializers.CharField(help_text=QUOTED)
    once = serializers.CharField(help_text=QUOTED)
    over_12_months = serializers.CharField(help_text=QUOTED)
    over_36_months = serializers.CharField(help_text=QUOTED)


class QuotedLine(serializers.Serializer[Any]):
    """One chosen price, in the words and at the amounts that were promised."""

    category_code = serializers.CharField()
    category_name = serializers.CharField()
    key_name = serializers.CharField(help_text="Of the item.")
    description = serializers.CharField()
    source_price_id = serializers.IntegerField(allow_null=True)
    recurring_fee = serializers.CharField(allow_null=True, help_text=FEE)
    hourly_recurring_fee = serializers.CharField(allow_null=True, help_text=FEE)
    once_fee = serializers.CharField(allow_null=True, help_text=FEE)
    setup_fee = serializers.CharField(allow_null=True, help_text=FEE)
    one_time_fee = serializers.CharField(allow_null=True, help_text=FEE)
    labor_fee = serializers.CharField(allow_null=True, help_text=FEE)
    usage_rate = serializers.CharField(allow_null=True, help_text="Of a unit of use beyond the allowance.")
    usage_tiers = serializers.ListField(
        child=serializers.ListField(), help_text="Pairs: from so many units on, the rate of each as text."
    )
    usage_allowance = serializers.CharField(
        allow_null=True, required=False, help_text="Units that a month of one piece includes; " + SINCE
    )
    regular_fee = serializers.CharField(allow_null=True, help_text="Of one piece once a promotion has ended.")
    regular_monthly_amount = serializers.CharField(allow_null=True, help_text="For all pieces once it has ended.")
    promotion_months = serializers.IntegerField(allow_null=True, help_text="How long a promotion lasts.")
    price_steps = PriceStepShape(many=True, help_text="Why it costs that.")
    monthly_amount = serializers.CharField(help_text="For all pieces. " + QUOTED)
    once_amount = serializers.CharField(help_text="For all pieces. " + QUOTED)
    source = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    basis = serializers.CharField()


class QuotedContainer(serializers.Serializer[Any]):
    """N identical machines or volumes of one package at one location on one term."""

    package = serializers.CharField(help_text="A key name.")
    package_name = serializers.CharField()
    location = serializers.CharField(help_text="A key name.")
    location_name = serializers.CharField()
    term = serializers.CharField()
    contract_months = serializers.IntegerField(
        allow_null=True, required=False, help_text="For so many months; null: no commitment; " + SINCE
    )
    quantity = serializers.IntegerField()
    host_names = serializers.CharField()
    lines = QuotedLine(many=True)
    usage_units = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="By key name, in what use is counted; " + SINCE
    )
    totals = QuotedTotals()


class QuotedItem(serializers.Serializer[Any]):
    """What the buyer named one part of the order."""

    name = serializers.CharField()
    quantity = serializers.IntegerField()
    containers = QuotedContainer(many=True)
    totals = QuotedTotals()


class QuoteLine(serializers.Serializer[Any]):
    """One quote in the list."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Without gaps per partner.")
    order = serializers.IntegerField()
    name = serializers.CharField(help_text="Of the order, as it was quoted.")
    state = serializers.CharField(help_text="open, accepted, withdrawn or expired.")
    currency = serializers.CharField()
    totals = QuotedTotals()
    issued_at = serializers.DateTimeField()
    issued_by = serializers.CharField()
    expires_at = serializers.DateTimeField()
    accepted_at = serializers.DateTimeField(allow_null=True)
    accepted_by = serializers.CharField(allow_null=True)
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    link = serializers.CharField(allow_null=True, help_text="Whoever has it sees this quote and nothing else.")
    href = serializers.CharField()


class QuotePage(PageShape):
    results = QuoteLine(many=True)


class QuoteShape(QuoteLine):
    """A quote with everything that it promises."""

    hours_per_month = serializers.CharField()
    items = QuotedItem(many=True)


class QuoteChanges(serializers.Serializer[Any]):
    """Which quoted lines would cost something else."""

    on = serializers.DateTimeField(help_text="The time whose prices were compared.")
    order_moved_on = serializers.BooleanField(
        help_text="The quote was withdrawn and its order has other lines by now: nothing is compared."
    )
    changes = PriceChangeShape(many=True)
