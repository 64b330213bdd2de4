"""The shapes of the call about use."""

from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer


class ReadingAsked(StrictSerializer):
    """What one machine or volume used of one item in a month."""

    resource = serializers.CharField(help_text="The UUID of the machine or volume.")
    month = serializers.CharField(help_text="A calendar month in UTC, such as 2026-05.")
    item = serializers.CharField(help_text="The key name of the ordered item that is paid by use.")
    quantity = serializers.CharField(help_text="Units used, the allowance included, as text such as 350.5.")


class UsageAsked(StrictSerializer):
    """Readings; all of them are recorded, or none."""

    readings = ReadingAsked(many=True, allow_empty=False)


class UsageShape(serializers.Serializer[Any]):
    """What came of recording."""

    added = serializers.IntegerField(help_text="New ones.")
    corrected = serializers.IntegerField(help_text="Those that said another quantity before; the next invoice says so.")
    unchanged = serializers.IntegerField(help_text="Those that were recorded already.")
