"""What the pages of measured results show: plain values for templates."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from core.money import Money
from planner.chart_parts import INK, VERMILLION, ChartPanel
from planner.figure_words import value_words
from planner.measurements.comparing import Comparison, Pair
from planner.measurements.reading.readings import METRICS, Reading
from planner.models import Measurement, MeasurementFile
from planner.shapes import dollars
from planner.simulations.fields import CHOICE_WORDS
from simulation.parameters import load_parameter_set

GAIN, LOSS = "#0072B2", VERMILLION
SHOWN_ROWS = 200
ROOM = 0.25
PREVIEW_COLUMNS: list[dict[str, Any]] = [
    {"label": "What"},
    {"label": "Metric"},
    {"label": "Value", "is_number": True},
    {"label": "Unit"},
    {"label": "Load"},
]
Json = dict[str, Any]


def preview_rows(readings: Sequence[Reading]) -> list[list[str]]:
    """Return the rows of a preview: what, metric, value, unit, and the load it was measured under."""
    return [
        [
            each.label,
            METRICS[each.metric].label,
            value_words(each.value),
            METRICS[each.metric].unit or "–",
            conditions_words(each.conditions) or "–",
        ]
        for each in readings[:SHOWN_ROWS]
    ]


def measured_rows(measurements: Sequence[Measurement]) -> list[Json]:
    """Return each value beside its prediction, with what it is off by and what it teaches."""
    return [
        {
            "configuration": row.configuration,
            "label": row.label if row.label != row.configuration else "",
            "metric": METRICS[row.metric].label,
            "unit": METRICS[row.metric].unit,
            "measured": value_words(row.value),
            "predicted": "–" if row.predicted is None else value_words(row.predicted),
            "error": "" if row.predicted is None else percent_words(row.value / row.predicted - 1),
            "load": conditions_words(row.conditions),
            "teaches": thing_words(row.factor) if row.factor else "",
        }
        for row in measurements
    ]


def lessons_of(measurements: Sequence[Measurement], factors: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return what a file teaches about and what all measurements together make of it."""
    names = sorted({row.factor for row in measurements if row.factor})
    return [(thing_words(name), speed_words(factors[name])) for name in names if name in factors]


def thing_words(factor: str) -> str:
    """Return what a factor is about: "SATA, 7,200 rpm drives", "the network of m1.large", or a parameter's name."""
    kind, _, name = factor.partition(".")
    if factor not in load_parameter_set().parameters:
        if kind == "drive":
            return f"{CHOICE_WORDS.get(name, name)} drives"
        if kind == "network":
            return f"the network of {name}"
    return f"{name.replace('_', ' ')} ({kind.replace('_', ' ')})"


def speed_words(factor: float) -> str:
    """Return how a factor compares with what is taken without measurements."""
    if abs(factor - 1) < 0.005:
        return "as predicted"
    return f"{factor:.2f} times what is taken without measurements"


def conditions_words(conditions: Mapping[str, Any]) -> str:
    """Return the load of a measurement: "random, 8 KiB, 128 outstanding, read"."""
    words = []
    if access := conditions.get("access"):
        words.append(str(access))
    if kib := conditions.get("block_kib"):
        words.append(f"{kib:g} KiB")
    if depth := conditions.get("queue_depth"):
        words.append(f"{depth} outstanding")
    if operation := conditions.get("operation"):
        share = conditions.get("read_fraction")
        words.append(f"{share:.0%} reads" if share is not None else str(operation))
    if clients := conditions.get("clients"):
        words.append(f"{clients} clients")
    return ", ".join(words)


def percent_words(share: float) -> str:
    """Return a difference: "+12.5 %", "−30.0 %"."""
    return f"{'+' if share >= 0 else '−'}{abs(share) * 100:.1f} %"


def review_rows(result: Json) -> list[Json]:
    """Return the plans that were looked at: the shape before and now, with what each costs."""
    return [
        {**row, "old_words": _shape_words(row["old"], row), "new_words": _shape_words(row["new"], row)}
        for row in result["plans"]
    ]


def comparison_heading(comparison: Comparison, first: MeasurementFile, second: MeasurementFile) -> str:
    """Return the finding: "2.0 beats 1.1 by 10.0 % on the mean of 6 configurations, more than noise"."""
    count = len(comparison.pairs)
    of = f"{count} configuration{'' if count == 1 else 's'}"
    if comparison.is_more_than_noise is None:
        gain = f"{second.name}: {percent_words(comparison.mean)} over {first.name}"
        return f"{gain}; {of} cannot tell whether that is noise"
    if not comparison.is_more_than_noise:
        return f"{second.name} and {first.name}: no difference beyond noise on {of}"
    verb = "beats" if comparison.mean > 0 else "falls behind"
    return f"{second.name} {verb} {first.name} by {abs(comparison.mean) * 100:.1f} % on {of}: more than noise"


def glance(comparison: Comparison) -> list[tuple[str, str, str]]:
    """Return the figures at a glance: label, value, and a note."""
    band = "cannot be told from fewer than three configurations"
    if comparison.low is not None and comparison.high is not None:
        band = f"{percent_words(comparison.low)} to {percent_words(comparison.high)} in 19 of 20 cases"
    return [
        ("Mean gain", percent_words(comparison.mean), band),
        ("Lowest", percent_words(comparison.lowest.gain), comparison.lowest.name),
        ("Highest", percent_words(comparison.highest.gain), comparison.highest.name),
        ("Configurations", str(len(comparison.pairs)), "in both series"),
    ]


def gain_panel(comparison: Comparison, first: MeasurementFile, second: MeasurementFile) -> ChartPanel:
    """Return the chart of gains, the largest on top, each bar with its configuration."""
    pairs = sorted(comparison.pairs, key=lambda pair: pair.gain)
    metric = METRICS[comparison.metric]
    figure = {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "y": [pair.name for pair in pairs],
                "x": [round(100 * pair.gain, 2) for pair in pairs],
                "marker": {"color": [GAIN if pair.gain >= 0 else LOSS for pair in pairs]},
                "text": [percent_words(pair.gain) for pair in pairs],
                "textposition": "auto",
                "insidetextanchor": "end",
                "cliponaxis": False,
                "hovertext": [_hover(pair, metric.unit, first, second) for pair in pairs],
                "hoverinfo": "text",
            }
        ],
        "layout": {
            "showlegend": False,
            "xaxis": {
                "title": {"text": f"Gain of {second.name} over {first.name}, %"},
                "zeroline": True,
                "range": _range(comparison),
            },
            "yaxis": {"automargin": True, "title": {"text": ""}},
            "shapes": _mean_line(comparison),
        },
    }
    return ChartPanel(
        id="gain-chart",
        title=f"{metric.label}: {percent_words(comparison.mean)} on the mean, "
        f"from {percent_words(comparison.lowest.gain)} to {percent_words(comparison.highest.gain)}",
        summary=f"Gains of {len(pairs)} configurations; the line is the mean.",
        figure=figure,
        columns=[
            {"label": "Configuration"},
            {"label": first.name, "unit": metric.unit, "is_number": True},
            {"label": second.name, "unit": metric.unit, "is_number": True},
            {"label": "Gain", "is_number": True},
        ],
        rows=[
            [pair.name, value_words(pair.first), value_words(pair.second), percent_words(pair.gain)]
            for pair in reversed(pairs)
        ],
    )


def _range(comparison: Comparison) -> list[float]:
    """Return an axis that begins at zero and leaves room for the words beside the longest bars."""
    low, high = 100 * min(0.0, comparison.lowest.gain), 100 * max(0.0, comparison.highest.gain)
    room = ROOM * max(high - low, 1.0)
    return [low - room if low else 0.0, high + room if high else 0.0]


def _mean_line(comparison: Comparison) -> list[Json]:
    at = 100 * comparison.mean
    line = {"type": "line", "layer": "below", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper"}
    return [{**line, "line": {"color": INK, "width": 2, "dash": "dash"}}]


def _hover(pair: Pair, unit: str, first: MeasurementFile, second: MeasurementFile) -> str:
    return (
        f"{pair.name}: {value_words(pair.first)} {unit} with {first.name}, {value_words(pair.second)} {unit} "
        f"with {second.name}: {percent_words(pair.gain)}"
    )


def _shape_words(shape: Json | None, row: Json) -> str:
    if shape is None:
        return "nothing meets the demand"
    balancers = f"{shape['balancers']} balancers + " if shape["balancers"] else ""
    if "cents" not in shape:  # A review of an older version, which knew the cost of a month alone.
        return f"{balancers}{shape['shape']} at {Money(Decimal(shape['total_monthly_cost']), row['currency'])} a month"
    return f"{balancers}{shape['shape']} at {Money(dollars(shape['cents']), row['currency'])} {row['cost_words']}"
