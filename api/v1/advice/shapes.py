"""The shapes of calls and answers about advice."""

from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer
from api.v1.paging import PageShape
from api.v1.plans.shapes import MONEY
from api.v1.runs import RunFailure, Started

METERED = "What its use is expected to cost a month: it counts in the ranking, and is on no order. " + MONEY


class AdviceAsked(StrictSerializer):
    """A question of one kind of advice, in words as people type them; what is left out is what the kind proposes."""

    kind = serializers.CharField(max_length=40, help_text="A key of `GET advice-kinds`.")
    words = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        help_text='By the name of the field, such as {"capacity": "2 TB", "failures": "1"}.',
    )


class ConfigurationChosen(StrictSerializer):
    """Which configuration of the answer to order."""

    configuration = serializers.CharField(required=False, max_length=40, help_text="Its key; left out: the best one.")


class AdviceStarted(Started):
    """Advice that is being worked out; ask its address until its state is done, failed or cancelled."""


class AdviceLine(serializers.Serializer[Any]):
    """One piece of advice in the list."""

    id = serializers.IntegerField()
    kind = serializers.CharField()
    words = serializers.CharField()
    state = serializers.CharField()
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField()
    best = serializers.CharField(allow_null=True, help_text="The best configuration in words.")
    monthly_cost = serializers.CharField(allow_null=True, help_text="Of the best configuration. " + MONEY)
    metered_cost = serializers.CharField(allow_null=True, help_text="Of the best configuration: " + METERED)
    currency = serializers.CharField(allow_null=True)
    href = serializers.CharField()


class AdvicePage(PageShape):
    results = AdviceLine(many=True)


class KindField(serializers.Serializer[Any]):
    """One field of a kind of advice."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    default = serializers.CharField(allow_blank=True)
    help = serializers.CharField(allow_blank=True)
    choices = serializers.ListField(child=serializers.CharField(allow_blank=True))
    is_optional = serializers.BooleanField()


class AdviceKind(serializers.Serializer[Any]):
    """One kind of advice with what can be said."""

    key = serializers.CharField()
    title = serializers.CharField()
    question = serializers.CharField()
    blanks = KindField(many=True, help_text="What can be said, and what is taken where it is not.")


class AdviceKinds(serializers.Serializer[Any]):
    kinds = AdviceKind(many=True)


class AdviceFigure(serializers.Serializer[Any]):
    """One figure that a configuration delivers, with its band."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    value = serializers.FloatField()
    unit = serializers.CharField(allow_blank=True)
    low = serializers.FloatField()
    high = serializers.FloatField()
    basis = serializers.CharField(help_text="calibrated, assumed, published or specification.")


class AdviceNeed(serializers.Serializer[Any]):
    """One limit of the demand beside what a configuration delivers."""

    field = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    asked = serializers.FloatField()
    delivered = serializers.FloatField()
    unit = serializers.CharField(allow_blank=True)
    is_at_least = serializers.BooleanField()
    is_met = serializers.BooleanField()


class AdvicePart(serializers.Serializer[Any]):
    """One chosen item with what all its pieces cost."""

    category = serializers.CharField()
    item_id = serializers.IntegerField()
    key_name = serializers.CharField()
    description = serializers.CharField()
    monthly_cost = serializers.CharField(help_text=MONEY)
    basis = serializers.CharField(help_text="How the price is known: published or illustrative.")


class AdviceRole(serializers.Serializer[Any]):
    """So many equal machines or volumes."""

    name = serializers.CharField()
    quantity = serializers.IntegerField()
    package = serializers.CharField()
    location = serializers.CharField()
    term = serializers.CharField()
    monthly_cost = serializers.CharField(help_text=MONEY)
    parts = AdvicePart(many=True)


class AdviceConfiguration(serializers.Serializer[Any]):
    """A complete configuration with its price and what it delivers."""

    key = serializers.CharField(help_text="To order it by.")
    title = serializers.CharField()
    machines = serializers.IntegerField()
    monthly_cost = serializers.CharField(help_text=MONEY)
    metered_cost = serializers.CharField(help_text=METERED)
    once_cost = serializers.CharField()
    is_illustrative = serializers.BooleanField(help_text="Whether a price is not one that somebody published.")
    main = AdviceFigure()
    figures = AdviceFigure(many=True)
    needs = AdviceNeed(many=True)
    meets = serializers.BooleanField()
    limit = serializers.CharField(help_text="What limits the main figure.")
    notes = serializers.ListField(child=serializers.CharField())
    roles = AdviceRole(many=True)


class AdviceChange(serializers.Serializer[Any]):
    """The smallest change that would make a configuration win: of its price, or of a field of the demand."""

    field = serializers.CharField(help_text="price, or the field's name.")
    words = serializers.CharField()
    value = serializers.CharField(help_text="How much less it had to cost, or what to type into the field.")


class AdviceThatLost(AdviceConfiguration):
    binding = serializers.CharField(help_text="What kept it from winning.")
    reason = serializers.CharField()
    change = AdviceChange()


class AdviceProblem(serializers.Serializer[Any]):
    """Why nothing meets the demand, and what is nearest to it."""

    limit = serializers.CharField()
    field = serializers.CharField()
    words = serializers.CharField()
    nearest = AdviceConfiguration(allow_null=True)


class AdvicePoint(serializers.Serializer[Any]):
    """A configuration on the Pareto front of cost and main figure."""

    key = serializers.CharField()
    title = serializers.CharField()
    value = serializers.FloatField()
    monthly_cost = serializers.CharField(help_text=MONEY)
    metered_cost = serializers.CharField(help_text=METERED)
    meets = serializers.BooleanField()


class AdviceLeftOut(serializers.Serializer[Any]):
    """Something on sale that cannot be advised."""

    name = serializers.CharField()
    reason = serializers.CharField()


class AdviceAnswer(serializers.Serializer[Any]):
    """What was found."""

    currency = serializers.CharField()
    best = AdviceConfiguration(allow_null=True, help_text="Null where nothing meets the demand; the problem says why.")
    runners_up = AdviceThatLost(many=True)
    problem = AdviceProblem(allow_null=True)
    front = AdvicePoint(many=True)
    left_out = AdviceLeftOut(many=True)
    considered = serializers.IntegerField(help_text="How many configurations were looked at.")
    refused = serializers.IntegerField(help_text="How many of them break a rule of the catalogue.")
    notes = serializers.ListField(child=serializers.CharField(), help_text="Advice in plain words.")
    catalog_version = serializers.CharField()
    parameter_set = serializers.CharField()


class AdviceShape(AdviceStarted):
    """A piece of advice, with its answer once it is done."""

    kind = serializers.CharField()
    words = serializers.CharField(help_text="The demand as a sentence.")
    demand = serializers.DictField(child=serializers.CharField(allow_blank=True), help_text="What was typed.")
    location = serializers.CharField(allow_null=True, help_text="Null: wherever it is sold.")
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField()
    finished_at = serializers.DateTimeField(allow_null=True)
    answer = AdviceAnswer(allow_null=True, help_text="Null until the state is done.")
    failure = RunFailure(allow_null=True, help_text="Null unless the state is failed.")
