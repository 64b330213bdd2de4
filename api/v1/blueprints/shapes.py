"""The shapes of calls and answers about blueprints."""

from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer
from api.v1.catalog.shapes import hours_field
from api.v1.describing import BrokenRule
from api.v1.orders.shapes import HOST_NAMES, TotalsShape
from api.v1.paging import PageShape, WhichPage
from catalog.pricing import Term
from orders.host_names import LONGEST_TYPED

MOST_ROLES = 100
WHERE = "A key name; left out: each role where its package is sold first."
ON_WHICH_TERM = "A role that cannot be had on it is taken on the other one."


class BlueprintsAsked(WhichPage):
    """Which blueprints."""

    package = serializers.CharField(
        required=False, default="", help_text="With a role in the package of this key name."
    )


class PartShape(serializers.Serializer[Any]):
    """So many pieces of one item for one category, in each machine."""

    category = serializers.CharField(help_text="A category code.")
    item = serializers.CharField(help_text="A key name.")
    item_id = serializers.IntegerField()
    description = serializers.CharField()
    count = serializers.IntegerField()


class RoleShape(serializers.Serializer[Any]):
    """One kind of machine in a blueprint, and how many of it."""

    name = serializers.CharField()
    package = serializers.CharField(help_text="A key name.")
    quantity = serializers.IntegerField(help_text="0: only where somebody asks for some.")
    least = serializers.IntegerField(help_text="The fewest machines, where there are any.")
    most = serializers.IntegerField(allow_null=True, help_text="The most machines; null: any number.")
    optional = serializers.BooleanField(help_text="Whether it may be left out.")
    parts = PartShape(many=True, help_text="What the blueprint names; the package's usual choices fill the rest.")


class ServiceShape(serializers.Serializer[Any]):
    """A service of the machines together, and where it stands."""

    key_name = serializers.CharField()
    name = serializers.CharField()
    role = serializers.CharField(help_text="The role that it stands on, where that has machines.")
    otherwise = serializers.CharField(help_text="The role that it shares while its own has none; empty: none.")
    agents = serializers.CharField(help_text="The role each machine of which runs a part of it; empty: none.")
    shares_up_to = serializers.IntegerField(
        allow_null=True, help_text="The most machines of all roles while it shares; beyond, a warning. null: any."
    )
    needs = PartShape(many=True, help_text="What it needs in each machine that it stands on; drives come besides.")


class BlueprintLine(serializers.Serializer[Any]):
    """A composition worth repeating: a preset has one role, a solution several."""

    key_name = serializers.CharField()
    kind = serializers.CharField(help_text="preset or solution.")
    name = serializers.CharField()
    description = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    basis = serializers.CharField(help_text="published, illustrative or assumed.")
    roles = RoleShape(many=True)
    services = ServiceShape(many=True, help_text="Empty where nothing has to be placed.")
    href = serializers.CharField(help_text="With what it costs.")


class BlueprintPage(PageShape):
    results = BlueprintLine(many=True)


class BlueprintPriceAsked(StrictSerializer):
    """Where and how a blueprint would be bought."""

    location = serializers.CharField(required=False, default="", help_text=WHERE)
    term = serializers.ChoiceField(choices=list(Term), default=Term.MONTHLY.value, help_text=ON_WHICH_TERM)
    hours_per_month = hours_field()
    machines = serializers.CharField(
        required=False,
        default="",
        help_text="Roles with a number of machines other than usual, such as Compute nodes:40,Database servers:1.",
    )


class RolePriced(RoleShape):
    """A role as it would be ordered, complete, with what all its machines cost."""

    location = serializers.CharField(help_text="A key name.")
    term = serializers.CharField(help_text="The one asked for, or the other one where only that can be had.")
    totals = TotalsShape()
    violations = BrokenRule(many=True, help_text="What keeps it from being ordered as it is.")
    services = serializers.ListField(child=serializers.CharField(), help_text="Key names of those that stand on it.")
    agents = serializers.ListField(child=serializers.CharField(), help_text="Key names of those it runs a part of.")


class BlueprintShape(BlueprintLine):
    """A blueprint with what it costs here on this term."""

    valid = serializers.BooleanField(help_text="Whether it can be ordered as it is.")
    hours_per_month = serializers.CharField()
    totals = TotalsShape()
    roles = RolePriced(many=True, help_text="Those with machines.")
    warnings = BrokenRule(many=True, help_text="What still runs but should not stay so.")


class RoleAsked(StrictSerializer):
    """What is to be otherwise in one role."""

    name = serializers.CharField(max_length=80, help_text="The role's name.")
    quantity = serializers.IntegerField(
        required=False, help_text="How many machines; left out: as usual. 0 leaves out a role that is optional."
    )
    host_names = serializers.CharField(allow_blank=True, max_length=LONGEST_TYPED, required=False, help_text=HOST_NAMES)


class BlueprintAsked(StrictSerializer):
    """How a blueprint is ordered; nothing has to be said."""

    name = serializers.CharField(
        allow_blank=True, max_length=1000, required=False, help_text="The order's name; left out: the blueprint's."
    )
    location = serializers.CharField(max_length=40, required=False, help_text=WHERE)
    term = serializers.ChoiceField(choices=list(Term), default=Term.MONTHLY.value, help_text=ON_WHICH_TERM)
    hours_per_month = hours_field()
    roles = serializers.ListField(child=RoleAsked(), max_length=MOST_ROLES, required=False)
