"""The chart of how busy each station is, with the bottleneck named."""

from collections.abc import Sequence

from planner.chart_parts import COLOURS, SYMBOLS, ChartPanel, Json, Line, line_figure, station_figure, swept_axis
from planner.simulation_results import NamedResult, best_point, is_swept, possible_points, swept_words

SUMMARY = "A station that is busy all the time lets nothing more pass, whatever the others could do."


def station_panel(runs: Sequence[NamedResult]) -> ChartPanel | None:
    """Draw bars for the best point of each run, or lines over the swept value of one; None where none is known."""
    if len(runs) == 1 and is_swept(runs):
        return _swept_panel(runs[0])
    chosen = [(name, best_point(result)) for name, result in runs]
    known = [(name, point) for name, point in chosen if point and point["stations"]]
    if not known:
        return None
    return ChartPanel(
        id="simulation-stations",
        title=_capital("; ".join(f"{f'{name}: ' if name else ''}{_bottleneck_words(point)}" for name, point in known)),
        summary=SUMMARY,
        figure=station_figure(known),
        columns=[{"label": "Run"}, {"label": "Station"}, {"label": "Busy", "unit": "%", "is_number": True}],
        rows=[
            [name or "this run", station["name"], f"{100 * station['utilisation']:.1f}"]
            for name, point in known
            for station in point["stations"]
        ],
    )


def _swept_panel(run: NamedResult) -> ChartPanel | None:
    points = [point for point in possible_points(run[1]) if point["stations"]]
    if not points:
        return None
    names = list(dict.fromkeys(station["name"] for point in points for station in point["stations"]))
    lines = [_station_line(name, points, number) for number, name in enumerate(names)]
    words = swept_words([run])
    shares = [_shares(point) for point in points]
    return ChartPanel(
        id="simulation-stations",
        title=_capital(f"{_bottleneck_words(points[-1])}, with {points[-1]['words']}"),
        summary=SUMMARY,
        figure=line_figure(
            lines, x_axis=swept_axis([point["value"] for point in points], words=words), y_words="Busy, %", most=112.0
        ),
        columns=[
            {"label": words},
            *({"label": name, "unit": "%", "is_number": True} for name in names),
            {"label": "Bottleneck"},
        ],
        rows=[
            [
                point["words"],
                *(f"{share[name]:.1f}" if name in share else "–" for name in names),
                point["bottleneck"] or "none known",
            ]
            for point, share in zip(points, shares, strict=True)
        ],
    )


def _station_line(name: str, points: Sequence[Json], number: int) -> Line:
    known = [(point, _shares(point)[name]) for point in points if name in _shares(point)]
    return Line(
        label=name,
        x=[point["value"] for point, _ in known],
        y=[share for _, share in known],
        text=[point["words"] for point, _ in known],
        colour=COLOURS[number % len(COLOURS)],
        symbol=SYMBOLS[number % len(SYMBOLS)],
    )


def _shares(point: Json) -> dict[str, float]:
    return {station["name"]: 100 * float(station["utilisation"]) for station in point["stations"]}


def _bottleneck_words(point: Json) -> str:
    shares, bottleneck = _shares(point), point["bottleneck"]
    if bottleneck in shares:
        return f"the bottleneck is {bottleneck}, {shares[bottleneck]:.0f} % busy"
    busiest = max(shares, key=lambda name: shares[name])
    limit = f"what limits is {bottleneck}" if bottleneck else "no bottleneck is known"
    return f"{limit}; the busiest station is {busiest}, {shares[busiest]:.0f} % busy"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
