"""The shapes of catalogue calls and answers."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer
from api.v1.paging import LAST_PAGE, PageShape, WhichPage
from catalog.package_contents import Show
from catalog.pricing import HOURS_PER_MONTH, Term

MOST_HOURS = 744
LONGEST_CONTRACT = 1200
DAY = "A day such as 2013-06-30: what counted at its end, in UTC. Left out: now."
SEARCH = "Words that all occur in the description or the key name."
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
    same_items_as = serializers.CharField(
        allow_null=True, help_text="The category code whose items fill this one too, as disks fill every slot."
    )
    error_words = serializers.CharField(help_text="What to tell who left it out; empty where there are no own words.")


class NetworksShape(serializers.Serializer[Any]):
    """What each network of a server carries and what that costs; empty where the package has no networks."""

    public = serializers.CharField()
    private = serializers.CharField()
    management = serializers.CharField(help_text="Out of band.")
    source = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    basis = serializers.CharField()


class PackageShape(serializers.Serializer[Any]):
    """A package with what it asks for."""

    key_name = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    locations = LocationShape(many=True)
    categories = PackageCategory(many=True, help_text="In the order in which they are asked for.")
    networks = NetworksShape()
    items_href = serializers.CharField()
    blueprints_href = serializers.CharField()
    href = serializers.CharField()


class ItemsAsked(StrictSerializer):
    """Which items of a package, and under which conditions their prices."""

    location = serializers.CharField(required=False, help_text="A key name; left out: the package's first.")
    term = serializers.ChoiceField(
        required=False, choices=list(Term), help_text="Left out: the one on which more items are offered."
    )
    hours_per_month = hours_field()
    category = serializers.CharField(required=False, default="", help_text="A category code.")
    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=80, help_text=SEARCH)
    show = serializers.ChoiceField(
        choices=list(Show), default=Show.ALL.value, help_text="Which items, by what is known of their prices."
    )
    on = serializers.DateField(required=False, help_text=DAY)
    page = serializers.IntegerField(min_value=1, max_value=LAST_PAGE, default=1)


class ItemsFoundAsked(WhichPage):
    """Which items of all packages on sale."""

    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=80, help_text=SEARCH)
    category = serializers.CharField(required=False, default="", help_text="A category code.")
    package = serializers.CharField(required=False, default="", help_text="A key name.")


class ItemFoundLine(serializers.Serializer[Any]):
    """One item on sale, without its price, which depends on where and how it is bought."""

    id = serializers.IntegerField()
    key_name = serializers.CharField()
    description = serializers.CharField()
    categories = serializers.ListField(child=serializers.CharField(), help_text="Category codes.")
    packages = serializers.ListField(child=serializers.CharField(), help_text="Key names of packages on sale.")
    price_href = serializers.CharField()
    prices_href = serializers.CharField()


class ItemFoundPage(PageShape):
    results = ItemFoundLine(many=True)


class AttributeShape(serializers.Serializer[Any]):
    """One known fact about an item."""

    value = serializers.CharField()
    unit = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    basis = serializers.CharField()


class PriceHere(serializers.Serializer[Any]):
    """What one piece costs under the conditions asked."""

    is_unpriced = serializers.BooleanField()
    rate = serializers.CharField(allow_null=True, help_text="What is paid for an hour or a month, unrounded.")
    monthly = serializers.CharField(allow_null=True, help_text=AMOUNT)
    once = serializers.CharField(allow_null=True, help_text=AMOUNT)
    source = serializers.CharField(help_text="Where the price is known from; empty where unpriced.")  # type: ignore[assignment]  # a field here, not DRF's attribute
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
    prices_href = serializers.CharField()


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
    package = serializers.CharField(
        required=False, help_text="A key name; left out: the first package that has the item there."
    )
    on = serializers.DateField(required=False, help_text=DAY)
    contract_months = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LONGEST_CONTRACT,
        help_text="How long one commits to it; left out: not at all.",
    )
    promotion_code = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=40, help_text="One that counts for nothing is refused."
    )


class FeesShape(serializers.Serializer[Any]):
    """What one piece costs after price book and promotion; null: not offered so."""

    recurring_fee = serializers.CharField(allow_null=True)
    hourly_recurring_fee = serializers.CharField(allow_null=True)
    setup_fee = serializers.CharField(allow_null=True)
    one_time_fee = serializers.CharField(allow_null=True)
    labor_fee = serializers.CharField(allow_null=True)
    usage_rate = serializers.CharField(allow_null=True)


class UsageTierShape(serializers.Serializer[Any]):
    """The rate of each unit used beyond so many."""

    from_units = serializers.IntegerField()
    rate = serializers.CharField()


class AfterwardsShape(serializers.Serializer[Any]):
    """What a piece costs once a promotion has ended."""

    months = serializers.IntegerField(help_text="After so many.")
    rate = serializers.CharField()
    monthly = serializers.CharField()


class CostOverShape(serializers.Serializer[Any]):
    """What a piece comes to over so many months."""

    months = serializers.IntegerField()
    total = serializers.CharField(allow_null=True, help_text=AMOUNT)
    total_under_contract = serializers.CharField(
        allow_null=True, help_text="Under a contract of that length; null where that is no other price."
    )


class PriceStepShape(serializers.Serializer[Any]):
    """One step of how a price came about."""

    rule = serializers.CharField()
    words = serializers.CharField()


class PriceExplained(PriceHere):
    """What an item costs here, and why."""

    item = serializers.CharField(help_text="Its key name.")
    package = serializers.CharField()
    location = serializers.CharField()
    term = serializers.CharField()
    hours_per_month = serializers.CharField()
    currency = serializers.CharField()
    price_id = serializers.IntegerField(allow_null=True)
    steps = PriceStepShape(many=True)
    ties = serializers.ListField(child=serializers.IntegerField(), help_text="Prices that would have fitted too.")
    fees = FeesShape()
    usage = UsageTierShape(many=True)
    afterwards = AfterwardsShape(allow_null=True)
    costs = CostOverShape(many=True)


class PricesAsked(WhichPage):
    """Where an item would be bought, and the day that is looked at."""

    location = serializers.CharField(required=False, help_text="A key name; left out: the standard prices alone.")
    on = serializers.DateField(required=False, help_text=DAY)


class PricePeriodShape(serializers.Serializer[Any]):
    """One list price and when it holds. Prices are closed and replaced, never edited."""

    id = serializers.IntegerField()
    monthly = serializers.CharField(allow_null=True, help_text="The fee of a month; null: not offered so.")
    hourly = serializers.CharField(allow_null=True, help_text="The fee of an hour; null: not offered so.")
    once = serializers.CharField(help_text="Setup, one-time and labour fees together.")
    currency = serializers.CharField()
    where = serializers.CharField(help_text="The location group, or everywhere else.")
    capacity = serializers.CharField(help_text="The sizes of machines in which alone it holds; empty: any.")
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(allow_null=True, help_text="Null: until it is closed.")
    is_open = serializers.BooleanField(help_text="Whether it held on the day that is looked at.")
    source = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    basis = serializers.CharField()


class PricePeriodPage(PageShape):
    item_id = serializers.IntegerField()
    location = serializers.CharField(allow_null=True)
    on = serializers.DateTimeField(help_text="The moment that is looked at.")
    is_told = serializers.BooleanField(
        help_text="False where list prices are behind the account's price book; ask for the price on a day instead."
    )
    results = PricePeriodShape(many=True)
