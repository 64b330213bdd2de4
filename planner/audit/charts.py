"""The charts of an audit: I/O over time with what runs always and what returns, and the size of an I/O."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.audit.parts import ALWAYS, Parts
from planner.audit.series import Floats
from planner.audit.words import duration_words, part_name
from planner.chart_parts import COLOURS, SYMBOLS, ChartPanel, Line, line_figure
from planner.figure_words import value_words

MOST_POINTS = 336
"""Points of a chart: a week in half hours. More could not be told apart, nor read in the table."""
BLUE, GREEN, VERMILLION = COLOURS[0], COLOURS[2], COLOURS[1]
JOB_COLOURS = (VERMILLION, *COLOURS[3:])


@dataclass(frozen=True)
class Binned:
    """A series in as few points as a chart shows: when each begins, and figures; None where nothing was measured."""

    times: list[str]
    iops: list[float | None]
    always: list[float | None]
    io_kib: list[float | None]
    latency_ms: list[float | None]
    jobs: dict[str, list[bool]]
    seconds: int


def binned(parts: Parts) -> Binned:
    """Take the most I/Os of each point, so that no burst is lost, and means of everything else."""
    series = parts.series
    each = max(1, math.ceil(series.count / MOST_POINTS))
    starts = range(0, series.count, each)
    moved, ios = _bins(series.mb_s, each, "sum"), _bins(series.iops, each, "sum")
    sizes = [
        None if many is None or not many or much is None else much * 1e6 / 1024 / many
        for much, many in zip(moved, ios, strict=True)
    ]
    always = next(part for part in parts.all if part.key == ALWAYS)
    return Binned(
        times=[f"{series.at(start):%Y-%m-%d %H:%M:%S}" for start in starts],
        iops=_bins(series.iops, each, "max"),
        always=_bins(always.iops, each, "mean"),
        io_kib=sizes,
        latency_ms=_bins(series.latency_ms, each, "mean"),
        jobs={job.key: [bool(most) for most in _bins(job.iops + job.mb_s, each, "max")] for job in parts.jobs},
        seconds=each * series.step_seconds,
    )


def _bins(values: Floats, each: int, how: str) -> list[float | None]:
    padded = np.pad(values, (0, -len(values) % each), constant_values=np.nan).reshape(-1, each)
    known = [row[~np.isnan(row)] for row in padded]
    return [float(getattr(row, how)()) if len(row) else None for row in known]


def load_panel(parts: Parts, points: Binned) -> ChartPanel:
    """Return I/O over time: measured, what runs always, and each job marked in its own shape."""
    names = {job.key: part_name(job, parts.series) for job in parts.jobs}
    lines = [
        _line("measured", points.iops, points.times, BLUE),
        _line("always", points.always, points.times, GREEN, dash="dash"),
    ]
    figure = line_figure(lines, x_axis=_time_axis(points), y_words="I/Os a second", is_marked=False)
    _with_gaps(figure, [points.iops, points.always])
    for number, (key, name) in enumerate(names.items()):
        figure["data"].append(_marks(name, points, points.jobs[key], number))
    title = "Nothing returns at regular times"
    if names:
        returning = _listed(
            [name if at == 0 else f"{name[0].lower()}{name[1:]}" for at, name in enumerate(names.values())]
        )
        title = f"{returning} {'return' if len(names) > 1 else 'returns'} beside what runs always"
    return ChartPanel(
        id="audit-load",
        title=title,
        summary=f"I/Os a second over time, the most of each {duration_words(points.seconds)}; the broken line runs "
        "always, marks are jobs that return.",
        figure=figure,
        columns=[
            {"label": "From", "unit": "", "is_number": False},
            {"label": "I/Os", "unit": "a second, at most", "is_number": True},
            {"label": "Always", "unit": "a second", "is_number": True},
            {"label": "Latency", "unit": "ms", "is_number": True},
            {"label": "Jobs", "unit": "", "is_number": False},
        ],
        rows=[
            [
                time[:16], _words(points.iops[at]), _words(points.always[at]), _words(points.latency_ms[at]),
                _listed([name for key, name in names.items() if points.jobs[key][at]]),
            ]
            for at, time in enumerate(points.times)
        ],
    )  # fmt: skip


def size_panel(parts: Parts, points: Binned) -> ChartPanel:
    """Return the size of an I/O over time."""
    always = parts.all[0].io_kib
    figure = line_figure(
        [_line("", points.io_kib, points.times, BLUE)], x_axis=_time_axis(points), y_words="Size of an I/O, KiB",
        is_marked=False,
    )  # fmt: skip
    _with_gaps(figure, [points.io_kib])
    largest = max(parts.jobs, key=lambda job: job.io_kib, default=None)
    title = f"An I/O of what runs always moves {value_words(always)} KiB"
    if largest is not None and largest.io_kib > 2 * always:
        name = part_name(largest, parts.series)
        title += f", one of {name[0].lower()}{name[1:]} {value_words(largest.io_kib)} KiB"
    return ChartPanel(
        id="audit-size",
        title=title,
        summary="The size of an I/O over time: bytes a second over I/Os a second.",
        figure=figure,
        columns=[
            {"label": "From", "unit": "", "is_number": False},
            {"label": "Size of an I/O", "unit": "KiB", "is_number": True},
        ],
        rows=[[time[:16], _words(size)] for time, size in zip(points.times, points.io_kib, strict=True)],
    )


def _time_axis(points: Binned) -> dict[str, Any]:
    """Return the axis of time, the same for both charts."""
    return {"type": "date", "range": [points.times[0], points.times[-1]]}


def _line(label: str, values: Sequence[float | None], times: list[str], colour: str, dash: str = "solid") -> Line:
    return Line(
        label=label, x=times, y=[value or 0.0 for value in values], text=[time[:16] for time in times], colour=colour,
        symbol="circle", dash=dash,
    )  # fmt: skip


def _with_gaps(figure: dict[str, Any], lines: Sequence[Sequence[float | None]]) -> None:
    """Leave lines open where nothing was measured."""
    for trace, values in zip(figure["data"], lines, strict=True):
        trace["y"] = [None if value is None else round(value, 3) for value in values]


def _marks(name: str, points: Binned, is_there: Sequence[bool], number: int) -> dict[str, Any]:
    places = [at for at, there in enumerate(is_there) if there and points.iops[at] is not None]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [points.times[at] for at in places],
        "y": [points.iops[at] for at in places],
        "hovertemplate": "%{x}<br>%{y:,.4~g} I/Os a second<extra>%{fullData.name}</extra>",
        "marker": {
            "color": JOB_COLOURS[number % len(JOB_COLOURS)],
            "symbol": SYMBOLS[(number + 1) % len(SYMBOLS)],
            "size": 8,
        },
    }


def _words(value: float | None) -> str:
    return "" if value is None else value_words(value)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)
