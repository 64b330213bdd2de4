"""The shapes of calls and answers about orders."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from api.v1.calls import StrictSerializer
from api.v1.describing import BrokenRule
from api.v1.paging import PageShape
from catalog.models import Location
from catalog.pricing import HOURS_PER_MONTH, Term

MOST_ITEMS = 500
MOST_PARTS = 100
AMOUNT = 'Money as text, such as "1512.00"; null where a part is unpriced: unknown is not zero.'


class PartAsked(StrictSerializer):
    """One item chosen for one category."""

    category = serializers.CharField(max_length=60, help_text="A category code.")
    item = serializers.CharField(max_length=120, help_text="A key name.")


class ItemAsked(StrictSerializer):
    """N identical machines or volumes of one package, under a name of the buyer's."""

    name = serializers.CharField(allow_blank=True, max_length=1000)
    package = serializers.CharField(max_length=80, help_text="A key name.")
    quantity = serializers.IntegerField(default=1)
    parts = serializers.ListField(child=PartAsked(), max_length=MOST_PARTS)


class OrderAsked(StrictSerializer):
    """What an order holds, where, and how it is billed."""

    name = serializers.CharField(allow_blank=True, max_length=1000)
    location = serializers.CharField(max_length=40, help_text="A key name.")
    term = serializers.ChoiceField(choices=list(Term))
    hours_per_month = serializers.DecimalField(max_digits=7, decimal_places=2, default=HOURS_PER_MONTH)
    items = serializers.ListField(child=ItemAsked(), max_length=MOST_ITEMS)

    def validate_location(self, key_name: str) -> Location:
        """Return the location of this key name."""
        try:
            return Location.objects.get(key_name=key_name)
        except Location.DoesNotExist:
            raise ValidationError(f"There is no location “{key_name}”.", code="location_unknown") from None


class PriceShown(StrictSerializer):
    """What the buyer was shown."""

    shown_monthly = serializers.DecimalField(
        max_digits=15,
        decimal_places=2,
        required=False,
        allow_null=True,
        default=None,
        help_text="The monthly total that the buyer saw; left out: the one stored in the draft.",
    )


class TotalsShape(serializers.Serializer[Any]):
    """What something comes to. Where parts are unpriced only a lower bound is known."""

    currency = serializers.CharField()
    monthly = serializers.CharField(allow_null=True, help_text=AMOUNT)
    once = serializers.CharField(allow_null=True, help_text=AMOUNT)
    over_12_months = serializers.CharField(allow_null=True, help_text=AMOUNT)
    over_36_months = serializers.CharField(allow_null=True, help_text=AMOUNT)
    monthly_at_least = serializers.CharField(help_text="The sum of the priced parts.")
    once_at_least = serializers.CharField(help_text="The sum of the priced parts.")
    unpriced_parts = serializers.IntegerField()


class LineShape(serializers.Serializer[Any]):
    """One chosen price, in the words it was shown with."""

    category = serializers.CharField(help_text="A category code.")
    category_name = serializers.CharField()
    item = serializers.CharField(help_text="A key name.")
    description = serializers.CharField()
    rate = serializers.CharField(allow_null=True, help_text="The fee of one piece, for an hour or a month by the term.")
    monthly = serializers.CharField(allow_null=True, help_text="For all pieces. " + AMOUNT)
    once = serializers.CharField(allow_null=True, help_text="For all pieces. " + AMOUNT)
    source = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF\'s attribute
    basis = serializers.CharField()
    source_price_id = serializers.IntegerField(allow_null=True)


class ContainerShape(serializers.Serializer[Any]):
    """N identical machines or volumes of one package at one location on one term."""

    id = serializers.IntegerField()
    package = serializers.CharField()
    location = serializers.CharField()
    term = serializers.CharField()
    quantity = serializers.IntegerField()
    totals = TotalsShape()
    lines = LineShape(many=True)


class OrderItemShape(serializers.Serializer[Any]):
    """What the buyer named one part of the order."""

    name = serializers.CharField()
    quantity = serializers.IntegerField()
    totals = TotalsShape()
    containers = ContainerShape(many=True)


class OrderLine(serializers.Serializer[Any]):
    """One order in the list."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True, help_text="Given when placed.")
    name = serializers.CharField()
    state = serializers.CharField(help_text="draft, placed or cancelled.")
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField()
    placed_at = serializers.DateTimeField(allow_null=True)
    placed_by = serializers.CharField(allow_null=True)
    totals = TotalsShape()
    href = serializers.CharField()


class OrderPage(PageShape):
    results = OrderLine(many=True)


class OrderShape(OrderLine):
    """An order with everything in it."""

    hours_per_month = serializers.CharField()
    items = OrderItemShape(many=True)


class PriceChangeShape(serializers.Serializer[Any]):
    """A line that does not cost what it cost when it was last shown."""

    field = serializers.CharField()
    description = serializers.CharField()
    monthly_shown = serializers.CharField(allow_null=True)
    monthly_today = serializers.CharField(allow_null=True)
    once_shown = serializers.CharField(allow_null=True)
    once_today = serializers.CharField(allow_null=True)


class OrderVerified(serializers.Serializer[Any]):
    """What keeps a draft from being placed, and what it costs today."""

    valid = serializers.BooleanField(help_text="Whether no rule is broken.")
    violations = BrokenRule(many=True)
    price_changes = PriceChangeShape(many=True, help_text="Refresh the draft before placing where there are any.")
    totals = TotalsShape()
