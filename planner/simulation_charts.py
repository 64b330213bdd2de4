"""Charts of simulation runs: plain functions from results to panels, each a figure with its table.

A run alone and two runs side by side take the same functions, so that two runs always stand on the same scale.
"""

from collections.abc import Sequence

from planner.chart_parts import (
    COLOURS,
    SYMBOLS,
    ChartPanel,
    Json,
    Line,
    line_figure,
    plain_axis,
    swept_axis,
    with_unit,
)
from planner.figure_words import value_words
from planner.simulation_latency import latency_panel
from planner.simulation_results import (
    NamedResult,
    band,
    best_point,
    is_swept,
    label_of,
    possible_points,
    primary,
    primary_words,
    swept_words,
    unit_of,
)
from planner.simulation_stations import station_panel

__all__ = ["ChartPanel", "comparison_of", "figures_of"]

MOST_LINES_OVER_TIME = 3
MOST_REFUSALS_TOLD = 2


def figures_of(workload: str, result: Json) -> list[ChartPanel]:
    """Return the charts of one run, leaving out those without data. Raises ValueError for another workload's result."""
    if result["workload"] != workload:
        raise ValueError(f"the result is one of {result['workload']}, not of {workload}")
    return _panels([("", result)])


def comparison_of(first: NamedResult, second: NamedResult) -> list[ChartPanel]:
    """Return the charts of two runs of the same workload on the same axes. Raises ValueError for two workloads."""
    if first[1]["workload"] != second[1]["workload"]:
        raise ValueError("runs of two workloads have no scale in common")
    return _panels([first, second])


def _panels(runs: Sequence[NamedResult]) -> list[ChartPanel]:
    found = [_throughput_panel(runs), latency_panel(runs), _time_panel(runs), station_panel(runs)]
    return [panel for panel in found if panel is not None]


def _throughput_panel(runs: Sequence[NamedResult]) -> ChartPanel | None:
    """Draw the primary figure over the swept value, or as bars side by side for runs that share none."""
    lines = [_throughput_line(name, result, number) for number, (name, result) in enumerate(runs)]
    swept = is_swept(runs)
    if not swept:
        lines = [_as_bar(line, result) for line, (_, result) in zip(lines, runs, strict=True) if line.y]
    lines = [line for line in lines if line.y]
    if not lines or (not swept and len(runs) == 1):
        return None
    words = with_unit(label_of(runs[0][1]), unit_of(runs[0][1]))
    x_axis = swept_axis([x for line in lines for x in line.x], words=swept_words(runs) if swept else "")
    return ChartPanel(
        id="simulation-throughput",
        title="; ".join(_best_words(name, result) for name, result in runs),
        summary=_throughput_summary(runs, has_band=any(line.band for line in lines)),
        figure=line_figure(lines, x_axis=x_axis, y_words=words),
        columns=[
            {"label": "Run"},
            {"label": swept_words(runs) or "Configuration"},
            {"label": words, "is_number": True},
            {"label": "Band", "is_number": True},
            {"label": "Bottleneck"},
        ],
        rows=[_throughput_row(name, result, point) for name, result in runs for point in result["points"]],
    )


def _throughput_line(name: str, result: Json, number: int) -> Line:
    known = [(point, value) for point in possible_points(result) if (value := primary(result, point)) is not None]
    bands = [band(result, point) for point, _ in known]
    return Line(
        label=name,
        x=[point["value"] for point, _ in known],
        y=[value for _, value in known],
        text=[point["words"] for point, _ in known],
        colour=COLOURS[number],
        symbol=SYMBOLS[number],
        band=[each for each in bands if each] if all(bands) else [],
    )


def _as_bar(line: Line, result: Json) -> Line:
    """Keep the best point alone, as a bar at the run's name."""
    best = best_point(result)
    known = [point for point in possible_points(result) if primary(result, point) is not None]
    place = next(number for number, point in enumerate(known) if point is best)
    return Line(
        label="",
        x=[line.label],
        y=[line.y[place]],
        text=[f"{line.label}: {primary_words(result, known[place])}"],
        colour=line.colour,
        symbol=line.symbol,
        band=line.band[place : place + 1],
        is_bar=True,
    )


def _best_words(name: str, result: Json) -> str:
    best = best_point(result)
    before = name or label_of(result)
    if best is None or primary(result, best) is None:
        return f"{before}: nothing possible"
    at = f" with {best['words']}" if best["words"] else ""
    is_best = len(possible_points(result)) > 1 and result["metrics"][result["primary"]]["better"]
    return f"{before}: {'at best ' if is_best else ''}{primary_words(result, best)}{at}"


def _throughput_summary(runs: Sequence[NamedResult], *, has_band: bool) -> str:
    refused = [
        f"{f'{name}: ' if name else ''}{point['words']} ({point['problem']['words']})"
        for name, result in runs
        for point in result["points"]
        if point["problem"]
    ]
    words = ["The band is where nine of ten predictions should lie."] if has_band else []
    if len(refused) > MOST_REFUSALS_TOLD:
        rest = f"and {len(refused) - MOST_REFUSALS_TOLD} more, in the table"
        refused = [*refused[:MOST_REFUSALS_TOLD], rest]
    return " ".join([*words, *([f"Not possible: {'; '.join(refused)}."] if refused else [])])


def _throughput_row(name: str, result: Json, point: Json) -> list[str]:
    value = primary(result, point)
    ends = band(result, point)
    told = value_words(value) if value is not None else "–"
    return [
        name or "this run",
        point["words"] or "as asked",
        point["problem"]["words"] if point["problem"] else told,
        f"{value_words(ends[0])} to {value_words(ends[1])}" if ends else "–",
        point["bottleneck"] or "–",
    ]


def _time_panel(runs: Sequence[NamedResult]) -> ChartPanel | None:
    """Draw throughput in windows of time: of a sweep the first, the best and the last value, of two runs the best."""
    chosen = [(name, point) for name, result in runs for point in _drawn_over_time(result, is_alone=len(runs) == 1)]
    if not chosen:
        return None
    lines = [_time_line(name, point, number) for number, (name, point) in enumerate(chosen)]
    unit = unit_of(runs[0][1])
    seconds = value_words(float(chosen[0][1]["windows"]["seconds"]))
    spans = [
        f"{f'{line.label}: ' if line.label else ''}{value_words(min(line.y))} to {value_words(max(line.y))} {unit}"
        for line in lines
    ]
    return ChartPanel(
        id="simulation-time",
        title=f"Throughput in windows of {seconds} s: {'; '.join(spans)}",
        summary="Each window of the first replication, after its warm-up.",
        figure=line_figure(lines, x_axis=plain_axis("Time, s"), y_words=with_unit("Throughput", unit), is_marked=False),
        columns=[
            {"label": "Run"},
            {"label": "Until", "unit": "s", "is_number": True},
            {"label": "Throughput", "unit": unit, "is_number": True},
        ],
        rows=[
            [line.label or "this run", value_words(float(x)), value_words(y)]
            for line in lines
            for x, y in zip(line.x, line.y, strict=True)
        ],
    )


def _drawn_over_time(result: Json, *, is_alone: bool) -> list[Json]:
    known = [point for point in possible_points(result) if point["windows"] and point["windows"]["throughput"]]
    best = best_point(result)
    if not is_alone:
        return [point for point in known if point is best]
    if len(known) <= MOST_LINES_OVER_TIME:
        return known
    return [point for point in known if any(point is each for each in (known[0], best, known[-1]))]


def _time_line(name: str, point: Json, number: int) -> Line:
    windows = point["windows"]
    x = [(place + 1) * float(windows["seconds"]) for place in range(len(windows["throughput"]))]
    return Line(
        label=", ".join(part for part in (name, point["words"]) if part),
        x=x,
        y=[float(value) for value in windows["throughput"]],
        text=[f"until {value_words(at)} s" for at in x],
        colour=COLOURS[number],
        symbol=SYMBOLS[number],
    )
