"""The shapes of calls and answers about measured results."""

from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer
from api.v1.paging import PageShape
from planner.measurements.reading.files import KINDS
from planner.measurements.reading.numbers import DecimalSign
from planner.measurements.reading.readings import METRICS
from planner.measurements.services import LONGEST_NAME

LONGEST_CONTENT = 2_000_000


class ResultsSent(StrictSerializer):
    """A file of results as text, and what was measured."""

    content = serializers.CharField(
        max_length=LONGEST_CONTENT, trim_whitespace=False, help_text="The whole file, such as the JSON that fio wrote."
    )
    file_name = serializers.CharField(required=False, max_length=255, default="results")
    kind = serializers.ChoiceField(
        choices=list(KINDS), required=False, help_text="Left out: it is recognised by the content."
    )
    decimal_sign = serializers.ChoiceField(
        choices=[sign.value for sign in DecimalSign], required=False, help_text="Left out: as the numbers tell."
    )
    name = serializers.CharField(
        required=False, max_length=LONGEST_NAME, default="", help_text="Of the series, such as a version."
    )
    source = serializers.CharField(  # type: ignore[assignment]  # a field here, not DRF's attribute
        required=False,
        max_length=200,
        default="",
        help_text='What was measured: "simulation:7", "container:12", "role:3" (of a blueprint) or '
        '"machine:package/item". Left out: only what the file says.',
    )


class MeasuredValue(serializers.Serializer[Any]):
    """One measured value, beside what is predicted without measurements."""

    configuration = serializers.CharField()
    label = serializers.CharField(help_text="What the file calls it.")  # type: ignore[assignment]  # a field here, not DRF's attribute
    metric = serializers.ChoiceField(choices=list(METRICS))
    unit = serializers.CharField()
    value = serializers.FloatField()
    predicted = serializers.FloatField(allow_null=True, help_text="null: nothing predicts it.")
    teaches = serializers.CharField(help_text='What it is about, such as "drive.sata_7k"; empty: it teaches nothing.')


class ResultsLine(serializers.Serializer[Any]):
    """One file of results in a list."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    file_name = serializers.CharField()
    kind = serializers.ChoiceField(choices=list(KINDS))
    uploaded_at = serializers.DateTimeField()
    uploaded_by = serializers.CharField()
    href = serializers.CharField()


class ResultsPage(PageShape):
    """A page of files of results."""

    results = ResultsLine(many=True)


class ResultsShape(ResultsLine):
    """One file of results with its values."""

    notes = serializers.ListField(child=serializers.CharField())
    measurements = MeasuredValue(many=True)
    factors = serializers.DictField(
        child=serializers.FloatField(),
        help_text="How many times as fast as predicted all measurements of the account make what these teach about.",
    )


class ResultsDeleted(serializers.Serializer[Any]):
    """That a file of results is deleted."""

    id = serializers.IntegerField()
    is_deleted = serializers.BooleanField()
