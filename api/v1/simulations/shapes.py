"""The shapes of calls and answers about simulations."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.v1.calls import StrictSerializer
from api.v1.paging import PageShape
from api.v1.runs import RunFailure, Started

WORKLOADS_WORDS = (
    "block_io, kv_store, document_store, object_store, replicated_write, build, raid or light_path, and its fields"
)


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "array", "items": {}}]})
class ValuesField(serializers.JSONField):
    """A list of values, or a text such as "1, 2, 4…128"."""


@extend_schema_field({})
class AnyField(serializers.JSONField):
    """A number, a text, or a list of two numbers."""


class SweepAsked(StrictSerializer):
    """The field whose values are tried one after the other."""

    field = serializers.CharField(max_length=100, help_text='Its path in the scenario, such as "array.drives".')
    values = ValuesField(help_text='A list of up to 1,000 values, or a text such as "1, 2, 4…128" or "1-64 step 1".')


class SimulationAsked(StrictSerializer):
    """What to simulate: a scenario, perhaps with a sweep over one of its fields."""

    scenario = serializers.DictField(help_text=f"The workload: {WORKLOADS_WORDS}.")
    sweep = SweepAsked(required=False, allow_null=True)
    replications = serializers.IntegerField(
        required=False, min_value=1, max_value=10, help_text="Runs of each point with random numbers of their own."
    )
    seed = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=2**63 - 1,
        help_text="The same question with the same seed gets the same bits; left out: the question's own.",
    )
    bands = serializers.BooleanField(required=False, help_text="Whether figures get bands; usually true.")
    name = serializers.CharField(required=False, allow_blank=True, max_length=120, help_text="Left out: it gets one.")


class SimulationStarted(Started):
    """A simulation that is being run; ask its address until its state is done, failed or cancelled."""


class SimulationLine(serializers.Serializer[Any]):
    """One simulation in the list."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    workload = serializers.CharField()
    state = serializers.CharField()
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField()
    href = serializers.CharField()


class SimulationPage(PageShape):
    results = SimulationLine(many=True)


class SweepShape(serializers.Serializer[Any]):
    """The sweep as it is run."""

    field = serializers.CharField()
    values = serializers.ListField(child=AnyField())


class MetricWords(serializers.Serializer[Any]):
    """What a figure is called, and which way is better."""

    label = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    unit = serializers.CharField()
    better = serializers.CharField(help_text="higher, lower, or empty where neither is.")


class FigureShape(serializers.Serializer[Any]):
    """One figure. The band is null where nothing in it is uncertain, or where it was left out."""

    value = AnyField(help_text="A number, a text, or the lowest and the highest of a range.")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    interval = serializers.FloatField(
        required=False, help_text="Half width of the 95 % interval of the mean, of two or more replications."
    )


class Refused(serializers.Serializer[Any]):
    """Why the model cannot take a swept value."""

    field = serializers.CharField()
    words = serializers.CharField()


class Windows(serializers.Serializer[Any]):
    """Throughput over time: one number for each window of that length."""

    seconds = serializers.FloatField()
    throughput = serializers.ListField(child=serializers.FloatField())


class Station(serializers.Serializer[Any]):
    name = serializers.CharField()
    utilisation = serializers.FloatField(help_text="Its busy share, 0 to 1.")


class SimulatedPoint(serializers.Serializer[Any]):
    """What the model tells for one swept value, or for the one scenario."""

    value = AnyField(help_text="The swept value; null where nothing is swept.")
    words = serializers.CharField()
    problem = Refused(allow_null=True)
    figures = serializers.DictField(child=FigureShape())
    latency_ms = serializers.DictField(
        child=serializers.DictField(child=serializers.FloatField()), help_text="Percentiles of gets and of puts."
    )
    windows = Windows(allow_null=True)
    stations = Station(many=True)
    bottleneck = serializers.CharField(help_text="Empty where the model is no queueing network.")


class Swept(serializers.Serializer[Any]):
    """The swept field in words."""

    label = serializers.CharField()  # type: ignore[assignment]  # a field here, not DRF's attribute
    field = serializers.CharField()
    unit = serializers.CharField()


class SimulationResult(serializers.Serializer[Any]):
    """What a simulation found."""

    workload = serializers.CharField()
    parameter_set = serializers.CharField()
    scenario = serializers.DictField()
    primary = serializers.CharField(help_text="The figure that tells most.")
    metrics = serializers.DictField(child=MetricWords())
    swept = Swept(allow_null=True)
    points = SimulatedPoint(many=True)
    replications = serializers.IntegerField()


class SimulationShape(SimulationStarted):
    """A simulation, with its result once it is done."""

    name = serializers.CharField()
    workload = serializers.CharField()
    scenario = serializers.DictField()
    sweep = SweepShape(allow_null=True)
    replications = serializers.IntegerField()
    seed = serializers.IntegerField()
    parameter_set = serializers.CharField()
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField()
    finished_at = serializers.DateTimeField(allow_null=True)
    result = SimulationResult(allow_null=True, help_text="Null until the state is done.")
    failure = RunFailure(allow_null=True, help_text="Null unless the state is failed.")
