"""The shapes of catalogue calls and answers."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer
from api.v1.paging import LAST_PAGE, PageShape
from catalog.pricing import HOURS_PER_MONTH, Term

MOST_HOURS = 744
AMOUNT = 'Money as text, such as "57.60"; null where the price is unknown, which is not zero.'


def hours_field() -> serializers.DecimalField:
    """Return the field for the hours of a month that hourly fees are multiplied by."""
    return serializers.DecimalField(
        default=HOURS_PER_MONTH,
        min_value=Decimal(1),
        max_value=Decimal(MOST_HOURS),
        max_digits=5,
        decimal_places=2,
    )


class LocationShape(serializers.Serializer[Any]):
    """A place where things can be ordered."""

    key_name = serializers.CharField()
    name = serializers.CharField()


class LocationPage(PageShape):
    results = LocationShape(many=True)


class PackageLine(serializers.Serializer[Any]):
    """One package in the list."""

    key_name = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    locations = serializers.ListField(child=serializers.CharField(), help_text="Key names of locations.")
    item_count = serializers.IntegerField()
    from_price = serializers.CharField(
        allow_null=True, help_text="A month of the cheapest container at the first location; null where unknown."
    )
    currency = serializers.CharField()
    href = serializers.CharField()


class PackagePage(PageShape):
    results = PackageLine(many=True)


class PackageCategory(serializers.Serializer[Any]):
    """One category that a package asks for."""

    category_code = serializers.CharField()
    name = serializers.CharField()
    is_required = serializers.BooleanField()
    order_step = serializers.IntegerField()
    quantity_limit = serializers.IntegerField(help_text="Most items of this category in one container.")
    default_item = serializers.CharField(allow_null=True, help_text="Its key name.")


class PackageShape(serializers.Serializer[Any]):
    """A package with what it asks for."""

    key_name = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    locations = LocationShape(many=True)
    categories = PackageCategory(many=True)
    items_href = serializers.CharField()
    href = serializers.CharField()


class ItemsAsked(StrictSerializer):
    """Which items of a package, and under which conditions their prices."""

    location = serializers.CharField(required=False, help_text="A key name; left out: the package's first.")
    term = serializers.ChoiceField(
        required=False, choices=list(Term), help_text="Left out: the one on which more items are offered."
    )
    hours_per_month = hours_field()
    category = serializers.CharField(required=False, default="", help_text="A category code.")
    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=80)
    page = serializers.IntegerField(min_value=1, max_value=LAST_PAGE, default=1)


class AttributeShape(serializers.Serializer[Any]):
    """One known fact about an item."""

    value = serializers.CharField()
    unit = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF\'s attribute
    basis = serializers.CharField()


class PriceHere(serializers.Serializer[Any]):
    """What one piece costs under the conditions asked."""

    is_unpriced = serializers.BooleanField()
    rate = serializers.CharField(allow_null=True, help_text="The fee as listed, for an hour or a month.")
    monthly = serializers.CharField(allow_null=True, help_text=AMOUNT)
    once = serializers.CharField(allow_null=True, help_text=AMOUNT)
    source = serializers.CharField(help_text="Where the price is known from; empty where unpriced.")  # type: ignore[assignment]  # a field here, not DRF\'s attribute
    basis = serializers.CharField(help_text="published, illustrative or assumed; empty where unpriced.")
    words = serializers.CharField(help_text="How the price came about, or why there is none.")


class ItemLine(serializers.Serializer[Any]):
    """One item of a package in one of its categories."""

    id = serializers.IntegerField()
    key_name = serializers.CharField()
    description = serializers.CharField()
    category = serializers.CharField()
    attributes = serializers.DictField(child=AttributeShape())
    price = PriceHere()
    price_href = serializers.CharField()


class ItemPage(PageShape):
    location = serializers.CharField()
    term = serializers.CharField()
    hours_per_month = serializers.CharField()
    currency = serializers.CharField()
    results = ItemLine(many=True)


class PriceAsked(StrictSerializer):
    """Where and how an item would be bought."""

    location = serializers.CharField(help_text="A key name.")
    term = serializers.ChoiceField(choices=list(Term))
    hours_per_month = hours_field()
    category = serializers.CharField(required=False, default="", help_text="A category code.")


class PriceStepShape(serializers.Serializer[Any]):
    """One step of how a price came about."""

    rule = serializers.CharField()
    words = serializers.CharField()


class PriceExplained(PriceHere):
    """What an item costs here, and why."""

    item = serializers.CharField(help_text="Its key name.")
    location = serializers.CharField()
    term = serializers.CharField()
    hours_per_month = serializers.CharField()
    currency = serializers.CharField()
    price_id = serializers.IntegerField(allow_null=True)
    steps = PriceStepShape(many=True)
    ties = serializers.ListField(child=serializers.IntegerField(), help_text="Prices that would have fitted too.")
