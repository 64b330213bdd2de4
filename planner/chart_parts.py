"""Parts of charts as plain dicts for plotly: lines with bands, axes of swept values, bars, labels at the line."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#1c2430")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "star")
INK, VERMILLION = "#1c2430", "#D55E00"
LOG_FROM_RATIO = 16
"""Values that span so many times their least stand on a logarithmic axis."""
HEADROOM = 1.12
PER_CENTS = [0, 20, 40, 60, 80, 100]
LABEL_GAP = 0.07
"""The least distance of two labels, as a share of the axis."""


@dataclass(frozen=True)
class ChartPanel:
    """One chart: the message, the same in words, the figure for plotly, and the table behind it."""

    id: str
    title: str
    summary: str
    figure: Json
    columns: list[Json]
    rows: list[list[str]]


@dataclass(frozen=True)
class Line:
    """One series. `text` is what hovering tells of each point; `band` has a low and a high for each, or is empty."""

    label: str
    x: list[Any]
    y: list[float]
    text: list[str]
    colour: str
    symbol: str
    band: list[tuple[float, float]] = field(default_factory=list)
    dash: str = "solid"
    is_bar: bool = False


def with_unit(label: str, unit: str) -> str:
    """Return the words of an axis: "Requests a second, ops/s"."""
    return f"{label}, {unit}" if unit else label


def plain_axis(words: str) -> Json:
    """Return an axis of numbers from zero on."""
    return {"title": {"text": words}, "rangemode": "tozero"}


def swept_axis(values: Sequence[Any], *, words: str) -> Json:
    """Return the axis of swept values: logarithmic where they span factors, categories where they are words."""
    numbers = sorted({float(each) for each in values if _is_number(each)})
    axis: Json = {"title": {"text": words}}
    if not numbers or not all(_is_number(each) for each in values):
        return {**axis, "type": "category"}
    if numbers[0] > 0 and numbers[-1] / numbers[0] >= LOG_FROM_RATIO:
        room = 0.05 * math.log10(numbers[-1] / numbers[0])
        ends = [math.log10(numbers[0]) - room, math.log10(numbers[-1]) + room]
        shown = _factors_apart(numbers)
        ticks = {"tickmode": "array", "tickvals": shown, "ticktext": [f"{each:,g}" for each in shown]}
        return {**axis, "type": "log", "range": ends, **ticks}
    return axis


def line_figure(
    lines: Sequence[Line],
    *,
    x_axis: Json,
    y_words: str,
    is_log: bool = False,
    is_marked: bool = True,
    most: float | None = None,
) -> Json:
    """Return the figure of lines with their bands, each labelled at its end where there are several.

    The y axis begins at zero unless it is logarithmic, and ends at `most` where that is given and leaves room for the
    labels.
    """
    ends = [end for line in lines for pair in line.band for end in pair]
    numbers = [y for line in lines for y in line.y] + ends
    y_range = _log_range(numbers) if is_log else [0.0, most or max(numbers, default=1.0) * HEADROOM]
    data = [_band_trace(line) for line in lines if line.band and not line.is_bar]
    data += [_trace(line, is_marked=is_marked) for line in lines]
    labels = [] if len(lines) < 2 else _end_labels(lines, y_range=y_range, is_log=is_log, x_is_log=_is_log(x_axis))
    if labels:  # one beyond the end of the axis would not be drawn
        y_range[1] = max(y_range[1], labels[-1]["y"] + LABEL_GAP * (y_range[1] - y_range[0]))
    y_axis: Json = {"title": {"text": y_words}, "range": y_range}
    if is_log:
        y_axis |= {"type": "log", "dtick": 1}
    layout = {"showlegend": False, "hovermode": "closest", "xaxis": x_axis, "yaxis": y_axis, "annotations": labels}
    return {"data": data, "layout": layout}


def station_figure(points: Sequence[tuple[str, Json]]) -> Json:
    """Return bars of how busy each station is, of one run or several; the bottleneck is named and stands out."""
    names = list(dict.fromkeys(station["name"] for _, point in points for station in point["stations"]))
    data, labels = [], []
    for number, (name, point) in enumerate(points):
        busy = {station["name"]: 100 * float(station["utilisation"]) for station in point["stations"]}
        base = COLOURS[0] if number == 0 else COLOURS[2]
        colours = [VERMILLION if station == point["bottleneck"] else base for station in names if station in busy]
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": name,
                "y": [station for station in names if station in busy],
                "x": [busy[station] for station in names if station in busy],
                "text": [_bar_words(name, busy[station]) for station in names if station in busy],
                "textposition": "outside",
                "cliponaxis": False,
                "marker": {"color": colours, "pattern": {"shape": "" if number == 0 else "/"}},
                "hovertemplate": "%{y}: %{x:.1f} % busy<extra></extra>",
            }
        )
        if len(points) == 1 and point["bottleneck"] in busy:
            labels.append(_bottleneck_label(point["bottleneck"]))
    return {
        "data": data,
        "layout": {
            "showlegend": False,
            "barmode": "group",
            # Beyond 100 is room for the words of a bar.
            "xaxis": {"title": {"text": "Busy, %"}, "range": [0, 100 * HEADROOM * HEADROOM], "tickvals": PER_CENTS},
            # The first station of a request stands on top.
            "yaxis": {"type": "category", "autorange": "reversed"},
            "annotations": labels,
        },
    }


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_log(axis: Json) -> bool:
    return axis.get("type") == "log"


def _factors_apart(numbers: Sequence[float]) -> list[float]:
    """Return the values that are marked on a logarithmic axis: none so near the one before that they would touch."""
    factor = (numbers[-1] / numbers[0]) ** (1 / 12)
    shown: list[float] = []
    for number in numbers:
        if not shown or number >= shown[-1] * factor:
            shown.append(number)
    return shown


def _log_range(numbers: Sequence[float]) -> list[float]:
    above_zero = [number for number in numbers if number > 0]
    low, high = min(above_zero, default=1.0), max(above_zero, default=10.0)
    return [math.log10(low / 1.5), math.log10(high * 2)]


def _trace(line: Line, *, is_marked: bool) -> Json:
    if line.is_bar:
        low_high = line.band[0] if line.band else (line.y[0], line.y[0])
        return {
            "type": "bar",
            "name": line.x[0],
            "x": line.x,
            "y": line.y,
            "text": line.text,
            "textposition": "none",
            "hovertemplate": "%{text}<extra></extra>",
            "marker": {"color": line.colour},
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": [low_high[1] - line.y[0]],
                "arrayminus": [line.y[0] - low_high[0]],
                "color": INK,
            },
        }
    return {
        "type": "scatter",
        "mode": "lines+markers" if is_marked else "lines",
        "name": line.label,
        "x": line.x,
        "y": line.y,
        "text": line.text,
        "hovertemplate": "%{text}<br>%{y:,.4~g}<extra>%{fullData.name}</extra>",
        "line": {"color": line.colour, "width": 2, "dash": line.dash},
        "marker": {"color": line.colour, "size": 7, "symbol": line.symbol},
    }


def _band_trace(line: Line) -> Json:
    red, green, blue = (int(line.colour[start : start + 2], 16) for start in (1, 3, 5))
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*line.x, *reversed(line.x)],
        "y": [*(low for low, _ in line.band), *(high for _, high in reversed(line.band))],
        "fill": "toself",
        "fillcolor": f"rgba({red},{green},{blue},0.14)",
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _end_labels(lines: Sequence[Line], *, y_range: Sequence[float], is_log: bool, x_is_log: bool) -> list[Json]:
    """Name each line above its end, pushed up where two would touch."""
    gap = LABEL_GAP * (y_range[1] - y_range[0])
    ends = [(math.log10(line.y[-1]) if is_log else line.y[-1], line) for line in lines if line.y and line.label]
    labels: list[Json] = []
    at = -math.inf
    for end, line in sorted(ends, key=lambda pair: pair[0]):
        at = max(end, at + gap)
        x = line.x[-1]
        labels.append(
            {
                "x": math.log10(x) if x_is_log else x,
                "y": at,
                "text": line.label,
                "showarrow": False,
                "xanchor": "right",
                "yanchor": "bottom",
                "font": {"color": line.colour},
            }
        )
    return labels


def _bar_words(name: str, busy: float) -> str:
    return f"{name} {busy:.0f} %".strip()


def _bottleneck_label(station: str) -> Json:
    return {
        "x": 0,
        "y": station,
        "text": "the bottleneck",
        "showarrow": False,
        "xanchor": "left",
        "font": {"color": "#ffffff"},
        "bgcolor": "rgba(0,0,0,0)",
        "xshift": 6,
    }
