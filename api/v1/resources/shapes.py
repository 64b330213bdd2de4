"""The shapes of calls and answers about resources."""

from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer
from api.v1.paging import PageShape, WhichPage
from orders.models import ResourceState


class WhichResources(WhichPage):
    """Which of the resources are asked for."""

    state = serializers.ChoiceField(
        choices=ResourceState.choices, required=False, default="", allow_blank=True, help_text="Left out: in any state."
    )


class WhyCancelled(StrictSerializer):
    """The reason that stands in the history."""

    why = serializers.CharField(max_length=300, allow_blank=True, default="")


class ResourceShape(serializers.Serializer[Any]):
    """One machine or volume."""

    uuid = serializers.UUIDField()
    order = serializers.IntegerField()
    order_number = serializers.IntegerField(allow_null=True)
    item = serializers.CharField(help_text="What the buyer called this part of the order.")
    container = serializers.IntegerField()
    index = serializers.IntegerField(help_text="Which of the container's pieces, from 0.")
    package = serializers.CharField(help_text="A key name.")
    location = serializers.CharField(help_text="A key name.")
    host_name = serializers.CharField()
    state = serializers.CharField(help_text="ordered, provisioning, active, failed or cancelled.")
    attempt = serializers.IntegerField(help_text="How often it was begun.")
    external_id = serializers.CharField(help_text="Its name at whatever provides it; empty while that is not known.")
    reason = serializers.CharField(help_text="Why it failed.")
    ordered_at = serializers.DateTimeField()
    active_at = serializers.DateTimeField(allow_null=True)
    cancelled_at = serializers.DateTimeField(allow_null=True)
    href = serializers.CharField()


class ResourcePage(PageShape):
    results = ResourceShape(many=True)


class CountsShape(serializers.Serializer[Any]):
    """How many resources of an order are how far."""

    wanted = serializers.IntegerField(help_text="All but the cancelled ones.")
    to_come = serializers.IntegerField(help_text="Ordered or provisioning.")
    active = serializers.IntegerField()
    failed = serializers.IntegerField()
    cancelled = serializers.IntegerField()


class ReasonShape(serializers.Serializer[Any]):
    """Why resources failed, and how many for this reason."""

    reason = serializers.CharField()
    resources = serializers.IntegerField()


class FulfilmentShape(serializers.Serializer[Any]):
    """How far an order is."""

    state = serializers.CharField(help_text="The state of the order.")
    resources = CountsShape()
    reasons = ReasonShape(many=True, help_text="The commonest first.")
