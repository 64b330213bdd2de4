"""The latency chart of simulation runs: percentiles on a logarithmic axis."""

from collections.abc import Mapping, Sequence

from planner.chart_parts import COLOURS, SYMBOLS, ChartPanel, Json, Line, line_figure, swept_axis
from planner.figure_words import value_words
from planner.simulation_results import NamedResult, best_point, is_swept, possible_points, swept_words

OPERATIONS = {"get": "reads", "put": "writes"}
PERCENTILES = ("p50", "p90", "p95", "p99", "p99.9")
PROMISED = "p99"
SWEPT_PERCENTILES = {"p50": "dot", PROMISED: "solid"}
"""Which percentiles are drawn over a swept value, and how their lines look; of two runs the promised one alone."""


def latency_panel(runs: Sequence[NamedResult]) -> ChartPanel | None:
    """Draw percentiles over the swept value, or all of them at the best point of each run; None where none is known."""
    swept = is_swept(runs)
    dashes = SWEPT_PERCENTILES if len(runs) == 1 else {PROMISED: SWEPT_PERCENTILES[PROMISED]}
    lines = [
        line
        for number, (name, result) in enumerate(runs)
        for line in (_swept_lines(name, result, number, dashes) if swept else _point_lines(name, result, number))
        if line.y
    ]
    if not lines:
        return None
    words = swept_words(runs) if swept else "Share of requests answered, %"
    return ChartPanel(
        id="simulation-latency",
        title=_title(runs),
        summary="The latency axis is logarithmic: equal steps are equal factors.",
        figure=line_figure(
            lines,
            x_axis=swept_axis([x for line in lines for x in line.x], words=words),
            y_words="Latency, ms",
            is_log=True,
        ),
        columns=[{"label": "Series"}, {"label": words}, {"label": "Latency", "unit": "ms", "is_number": True}],
        rows=[[line.label, str(x), value_words(y)] for line in lines for x, y in zip(line.x, line.y, strict=True)],
    )


def _swept_lines(name: str, result: Json, number: int, dashes: Mapping[str, str]) -> list[Line]:
    lines = []
    for place, (operation, words) in enumerate(OPERATIONS.items()):
        for percentile, dash in dashes.items():
            known = [point for point in possible_points(result) if percentile in _told(point, operation)]
            lines.append(
                Line(
                    label=f"{name} {words} {percentile}".strip(),
                    x=[point["value"] for point in known],
                    y=[float(_told(point, operation)[percentile]) for point in known],
                    text=[point["words"] for point in known],
                    colour=COLOURS[2 * number + place],
                    symbol=SYMBOLS[2 * number + place],
                    dash=dash,
                )
            )
    return lines


def _point_lines(name: str, result: Json, number: int) -> list[Line]:
    lines = []
    for place, (operation, words) in enumerate(OPERATIONS.items()):
        told = _told(best_point(result), operation)
        known = [percentile for percentile in PERCENTILES if percentile in told]
        lines.append(
            Line(
                label=f"{name} {words}".strip(),
                x=[f"{percentile[1:]} %" for percentile in known],
                y=[float(told[percentile]) for percentile in known],
                text=known,
                colour=COLOURS[2 * number + place],
                symbol=SYMBOLS[2 * number + place],
            )
        )
    return lines


def _told(point: Json | None, operation: str) -> Json:
    told: Json = point["latency_ms"].get(operation, {}) if point else {}
    return told


def _title(runs: Sequence[NamedResult]) -> str:
    """Say within which time 99 % are answered at the best point of each run."""
    found = []
    for name, result in runs:
        point = best_point(result)
        told = [
            f"{words} within {value_words(float(_told(point, operation)[PROMISED]))} ms"
            for operation, words in OPERATIONS.items()
            if PROMISED in _told(point, operation)
        ]
        at = f" with {point['words']}" if point and point["words"] else ""
        if told:
            found.append(f"{f'{name}: ' if name else ''}99 % of {', of '.join(told)}{at}")
    return "; ".join(found) or "Latency percentiles"
