"""Predicted against published on log axes: the wedge of ±15 %, bounds as arrows, misses in red and never hidden."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner.accuracy_page import WORKLOAD_WORDS, Figure, WorkloadAccuracy

Json = dict[str, Any]

BLUE, RED = "#0072B2", "#b3261e"
INK_SOFT = "#566070"
WEDGE = 0.15
ROOM = 1.8
"""The axes go so many times beyond the smallest and the largest figure."""
COLOURS = {
    "block_io": "#0072B2",
    "kv_store": "#009E73",
    "document_store": "#1c2430",
    "object_store": "#E69F00",
    "replicated_write": "#CC79A7",
    "build": "#56B4E9",
    "raid": "#7a6a00",
    "light_path": "#5e3c99",
}
SYMBOLS = {
    "block_io": "circle",
    "kv_store": "square",
    "document_store": "circle",
    "object_store": "diamond",
    "replicated_write": "triangle-up",
    "build": "triangle-down",
    "raid": "pentagon",
    "light_path": "hexagon",
}


@dataclass(frozen=True)
class Mark:
    """One point of the chart. `low` and `high` are ends of a published range; an arrow points where a bound lets."""

    figure: Figure
    x: float
    y: float
    x_low: float
    x_high: float
    arrow: str


def accuracy_figure(workloads: Sequence[WorkloadAccuracy]) -> Json:
    """Return the figure of the workloads' predictions against what was published."""
    marks = {each.workload: marks_of(each.figures) for each in workloads}
    numbers = [value for own in marks.values() for mark in own for value in (mark.x_low, mark.x_high, mark.y)]
    low, high = min(numbers, default=1.0) / ROOM, max(numbers, default=10.0) * ROOM
    data = [_wedge(low, high), _diagonal(low, high)]
    for workload, own in marks.items():
        data += [
            _trace(workload, [mark for mark in own if not mark.figure.is_miss], is_miss=False),
            _trace(workload, [mark for mark in own if mark.figure.is_miss], is_miss=True),
        ]
    axis = {"type": "log", "range": [math.log10(low), math.log10(high)], "dtick": 1}
    return {
        "data": [trace for trace in data if trace["x"]],
        "layout": {
            "showlegend": len(workloads) > 1,
            "hovermode": "closest",
            "xaxis": {**axis, "title": {"text": "Published, each in its own unit"}},
            "yaxis": {**axis, "title": {"text": "Predicted, in the same unit"}},
            "annotations": [*_labels_of_misses(marks), _wedge_label(high)],
        },
    }


def chart_words(workloads: Sequence[WorkloadAccuracy]) -> tuple[str, str]:
    """Return the message of the chart, and its summary for those who cannot see it."""
    figures = [figure for each in workloads for figure in each.figures]
    judged = [figure for figure in figures if figure.status != "no_published_number"]
    right = sum(figure.status == "ok" for figure in judged)
    misses = [figure.id for figure in figures if figure.is_miss]
    drawn = {mark.figure.id for mark in marks_of(figures)}
    absent = [figure.id for figure in figures if figure.id not in drawn]
    title = f"{right} of {len(judged)} published figures are predicted within their tolerance"
    summary = (
        f"On the line a prediction is what was published; the band is ± {WEDGE:.0%}. Vertical bars are the band of a "
        "prediction, horizontal ones a published range; an arrow is a bound and points to where it lets the figure be. "
    )
    summary += f"Misses, in red: {', '.join(misses)}." if misses else "There is no miss."
    if absent:
        summary += f" Not drawn, for they are words or have no number: {', '.join(absent)}."
    return title, summary


def marks_of(figures: Iterable[Figure]) -> list[Mark]:
    """Return the points of all figures that are numbers above zero; a range predicted and published makes two."""
    return [mark for figure in figures for mark in _marks(figure) if mark.x > 0 and mark.y > 0]


def _marks(figure: Figure) -> list[Mark]:
    published, predicted = figure.published, figure.predicted
    if isinstance(predicted, list) and isinstance(published, list):
        ends = zip(published, predicted, strict=True)
        return [_mark(figure, x=float(seen), y=float(end)) for seen, end in ends]
    if not isinstance(predicted, int | float):
        return []
    y = float(predicted)
    if isinstance(published, int | float):
        return [_mark(figure, x=float(published), y=y)]
    if isinstance(published, list):
        low, high = float(published[0]), float(published[1])
        middle = math.sqrt(low * high) if low > 0 else 0.0
        return [Mark(figure, x=middle, y=y, x_low=low, x_high=high, arrow="")]
    if isinstance(published, Mapping):
        arrows = {"at_least": "arrow-bar-right", "at_most": "arrow-bar-left"}
        return [_mark(figure, x=float(bound), y=y, arrow=arrows[name]) for name, bound in published.items()]
    return []


def _mark(figure: Figure, *, x: float, y: float, arrow: str = "") -> Mark:
    return Mark(figure, x=x, y=y, x_low=x, x_high=x, arrow=arrow)


def _trace(workload: str, marks: Sequence[Mark], *, is_miss: bool) -> Json:
    name = WORKLOAD_WORDS.get(workload, workload)
    colour = RED if is_miss else COLOURS.get(workload, BLUE)
    symbol = "x" if is_miss else SYMBOLS.get(workload, "circle")
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{name}, misses" if is_miss else name,
        "x": [mark.x for mark in marks],
        "y": [mark.y for mark in marks],
        "text": [_hover_words(mark.figure) for mark in marks],
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {
            "color": colour,
            "size": [14 if mark.arrow else 12 if is_miss else 9 for mark in marks],
            "symbol": [mark.arrow or symbol for mark in marks],
            "line": {"width": 1, "color": "#ffffff"},
        },
        "error_x": _bars(
            colour,
            above=[mark.x_high - mark.x for mark in marks],
            below=[mark.x - mark.x_low for mark in marks],
        ),
        "error_y": _bars(
            colour,
            above=[(mark.figure.high or mark.y) - mark.y for mark in marks],
            below=[mark.y - (mark.figure.low or mark.y) for mark in marks],
        ),
    }


def _bars(colour: str, *, above: list[float], below: list[float]) -> Json:
    return {
        "type": "data",
        "symmetric": False,
        "array": above,
        "arrayminus": below,
        "color": colour,
        "thickness": 1,
        "width": 0,
    }


def _hover_words(figure: Figure) -> str:
    lines = [
        f"<b>{figure.id}</b>, {figure.metric_words}",
        f"published {figure.published_words} {figure.unit}",
        f"predicted {figure.predicted_words}" + (f" ({figure.band_words})" if figure.band_words else ""),
        f"error {figure.error_words}: {figure.status_words}" if figure.error_words else figure.status_words,
    ]
    return "<br>".join(lines)


def _wedge(low: float, high: float) -> Json:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [low, high, high, low],
        "y": [low * (1 - WEDGE), high * (1 - WEDGE), high * (1 + WEDGE), low * (1 + WEDGE)],
        "fill": "toself",
        "fillcolor": "rgba(0,114,178,0.10)",
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _diagonal(low: float, high: float) -> Json:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [low, high],
        "y": [low, high],
        "line": {"width": 1, "color": INK_SOFT},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _wedge_label(high: float) -> Json:
    at = math.log10(high)
    return {"x": at, "y": at, "text": f"± {WEDGE:.0%} ", "showarrow": False, "xanchor": "right", "yanchor": "top"}


def _labels_of_misses(marks: Mapping[str, Sequence[Mark]]) -> list[Json]:
    return [
        {
            "x": math.log10(mark.x),
            "y": math.log10(mark.y),
            "text": mark.figure.id,
            "showarrow": True,
            "arrowhead": 0,
            "arrowwidth": 1,
            "arrowcolor": RED,
            "font": {"color": RED},
            "ax": 24,
            "ay": 24,
        }
        for own in marks.values()
        for mark in own
        if mark.figure.is_miss
    ]
