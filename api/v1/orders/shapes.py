"""The shapes of calls and answers about orders."""

from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer, names_of
from api.v1.catalog.shapes import PriceStepShape, UsageTierShape
from api.v1.describing import BrokenRule, RepairShape
from api.v1.paging import PageShape
from catalog.pricing import HOURS_PER_MONTH, Term
from orders.asked import MOST_OF_ONE_ITEM
from orders.drafting import MOST_CONTAINERS
from orders.host_names import LONGEST_TYPED

MOST_PARTS = 100
LARGEST_ID = 2**63 - 1
HOST_NAMES = 'One for each machine with blanks between, or a pattern such as "web-{n}"; none where it is empty.'
HOURLY = "What the hourly containers cost an hour, unrounded. The monthly amount counts them already."
AMOUNT = 'Money as text, such as "1512.00"; null where a part is unpriced: unknown is not zero.'


class PartAsked(StrictSerializer):
    """So many pieces of one item, chosen for one category."""

    category = serializers.CharField(max_length=60, help_text="A category code.")
    item = serializers.CharField(max_length=120, required=False, help_text="A key name.")
    item_id = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, required=False, help_text="In place of the key name, which may repeat."
    )
    count = serializers.IntegerField(default=1, help_text=f"1 to {MOST_OF_ONE_ITEM} in each machine; usually 1.")


class ContainerAsked(StrictSerializer):
    """N identical machines or volumes of one package."""

    package = serializers.CharField(max_length=80, required=False, help_text="A key name.")
    quantity = serializers.IntegerField(required=False, help_text="How many of them; usually 1.")
    location = serializers.CharField(
        max_length=40, required=False, help_text="A key name; left out: the location of the whole order."
    )
    term = serializers.ChoiceField(
        choices=list(Term), required=False, help_text="Left out: the term of the whole order."
    )
    host_names = serializers.CharField(allow_blank=True, max_length=LONGEST_TYPED, required=False, help_text=HOST_NAMES)
    contract_months = serializers.IntegerField(required=False, help_text="For how long; left out: no commitment.")
    parts = serializers.ListField(child=PartAsked(), max_length=MOST_PARTS, required=False)


class ItemAsked(ContainerAsked):
    """What the buyer names one part of the order. With one container it holds what belongs to that itself."""

    name = serializers.CharField(allow_blank=True, max_length=1000)
    containers = serializers.ListField(
        child=ContainerAsked(), max_length=MOST_CONTAINERS, required=False, help_text="In place of the other fields."
    )


class OrderAsked(StrictSerializer):
    """What an order holds, where, and how it is billed."""

    name = serializers.CharField(allow_blank=True, max_length=1000)
    location = serializers.CharField(max_length=40, required=False, help_text="A key name, for all containers alike.")
    term = serializers.ChoiceField(choices=list(Term), required=False, help_text="For all containers alike.")
    hours_per_month = serializers.DecimalField(max_digits=7, decimal_places=2, default=HOURS_PER_MONTH)
    promotion_code = serializers.CharField(max_length=40, allow_blank=True, required=False)
    items = serializers.ListField(child=ItemAsked(), max_length=MOST_CONTAINERS)


CONTAINER_FIELDS = names_of(ContainerAsked)


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
    shown_once = serializers.DecimalField(
        max_digits=15,
        decimal_places=2,
        required=False,
        allow_null=True,
        default=None,
        help_text="The total paid once that the buyer saw; left out: the one stored in the draft.",
    )


class TotalsShape(serializers.Serializer[Any]):
    """What something comes to. Where parts are unpriced only a lower bound is known."""

    currency = serializers.CharField()
    monthly = serializers.CharField(allow_null=True, help_text=AMOUNT)
    once = serializers.CharField(allow_null=True, help_text=AMOUNT)
    hourly = serializers.CharField(allow_null=True, help_text=HOURLY)
    over_1_month = serializers.CharField(allow_null=True, help_text=AMOUNT)
    over_12_months = serializers.CharField(allow_null=True, help_text=AMOUNT)
    over_36_months = serializers.CharField(allow_null=True, help_text=AMOUNT)
    monthly_at_least = serializers.CharField(help_text="The sum of the priced parts.")
    once_at_least = serializers.CharField(help_text="The sum of the priced parts.")
    hourly_at_least = serializers.CharField(help_text="The sum of the priced parts.")
    unpriced_parts = serializers.IntegerField()


class LineShape(serializers.Serializer[Any]):
    """One chosen price, in the words it was shown with."""

    category = serializers.CharField(help_text="A category code.")
    category_name = serializers.CharField()
    item = serializers.CharField(help_text="A key name.")
    item_id = serializers.IntegerField()
    description = serializers.CharField()
    rate = serializers.CharField(allow_null=True, help_text="The fee of one piece, for an hour or a month by the term.")
    monthly = serializers.CharField(allow_null=True, help_text="For all pieces. " + AMOUNT)
    once = serializers.CharField(allow_null=True, help_text="For all pieces. " + AMOUNT)
    source = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    basis = serializers.CharField()
    source_price_id = serializers.IntegerField(allow_null=True)
    later_monthly = serializers.CharField(
        allow_null=True, help_text="For all pieces, once a promotion has ended after so many months; null: no such end."
    )
    promotion_months = serializers.IntegerField(allow_null=True)
    usage = UsageTierShape(many=True, help_text="What each unit used costs beyond so many.")
    usage_allowance = serializers.CharField(
        allow_null=True, help_text="Units of use that a month of one piece includes."
    )
    steps = PriceStepShape(many=True, help_text="Why it costs that.")


class ContainerPriced(serializers.Serializer[Any]):
    """N identical machines or volumes of one package at one location on one term."""

    package = serializers.CharField()
    location = serializers.CharField()
    term = serializers.CharField()
    quantity = serializers.IntegerField()
    host_names = serializers.CharField(help_text=HOST_NAMES)
    contract_months = serializers.IntegerField(allow_null=True, help_text="Null: no commitment.")
    totals = TotalsShape()
    lines = LineShape(many=True)


class ContainerShape(ContainerPriced):
    id = serializers.IntegerField()


class OrderItemPriced(serializers.Serializer[Any]):
    """What the buyer named one part of the order."""

    name = serializers.CharField()
    quantity = serializers.IntegerField()
    totals = TotalsShape()
    containers = ContainerPriced(many=True)


class OrderItemShape(OrderItemPriced):
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
    promotion_code = serializers.CharField(help_text="Empty where there is none.")
    items = OrderItemShape(many=True)


class PriceChangeShape(serializers.Serializer[Any]):
    """A line that does not cost what it cost when it was last shown."""

    field = serializers.CharField()
    description = serializers.CharField()
    monthly_shown = serializers.CharField(allow_null=True)
    monthly_today = serializers.CharField(allow_null=True)
    once_shown = serializers.CharField(allow_null=True)
    once_today = serializers.CharField(allow_null=True)
    use_shown = serializers.CharField(help_text="Rates of use in words; empty where use costs nothing.")
    use_today = serializers.CharField(help_text="Rates of use in words; empty where use costs nothing.")


class PartListed(serializers.Serializer[Any]):
    """So many pieces of one item, chosen for one category."""

    category = serializers.CharField()
    item_id = serializers.IntegerField()
    count = serializers.IntegerField()


class ContainerListed(serializers.Serializer[Any]):
    """A container as the call that drafts an order takes it."""

    package = serializers.CharField()
    location = serializers.CharField()
    term = serializers.CharField()
    contract_months = serializers.IntegerField(required=False)
    quantity = serializers.IntegerField()
    host_names = serializers.CharField(required=False)
    parts = PartListed(many=True)


class ItemListed(serializers.Serializer[Any]):
    name = serializers.CharField()
    containers = ContainerListed(many=True)


class OrderListed(serializers.Serializer[Any]):
    """A stored order in the form in which orders are drafted and verified: what the patches of repairs are about."""

    name = serializers.CharField()
    hours_per_month = serializers.CharField()
    promotion_code = serializers.CharField(required=False)
    items = ItemListed(many=True)


class ViolationNamed(StrictSerializer):
    """A violation that was told, by its code and field."""

    code = serializers.CharField(max_length=60)
    field = serializers.CharField(max_length=200)


class RepairAsked(StrictSerializer):
    """Which violations are to be settled."""

    violations = serializers.ListField(
        child=ViolationNamed(), required=False, help_text="Left out: all that can be settled."
    )


class OrderVerified(serializers.Serializer[Any]):
    """What keeps a draft from being placed, and what it costs today."""

    valid = serializers.BooleanField(help_text="Whether no rule is broken.")
    violations = BrokenRule(many=True)
    repair = RepairShape(allow_null=True, help_text="What settles all that can be settled; null: nothing can.")
    document = OrderListed(help_text="What the patches are about.")
    price_changes = PriceChangeShape(many=True, help_text="Refresh the draft before placing where there are any.")
    totals = TotalsShape()


class OrderPriced(serializers.Serializer[Any]):
    """What an order that is not stored would cost now, and what would keep it from being placed."""

    valid = serializers.BooleanField(help_text="Whether no rule is broken.")
    violations = BrokenRule(many=True)
    repair = RepairShape(
        allow_null=True,
        help_text="What settles all that can be settled, as a patch of what was sent; null: nothing can.",
    )
    name = serializers.CharField()
    hours_per_month = serializers.CharField()
    promotion_code = serializers.CharField(help_text="Empty where there is none.")
    totals = TotalsShape()
    items = OrderItemPriced(many=True)
