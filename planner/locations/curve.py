"""The chart of how many users so many data centres can have inside the limit."""

from collections.abc import Sequence
from typing import Any

from planner.chart_parts import COLOURS, SYMBOLS, VERMILLION, ChartPanel, Line, line_figure
from planner.figure_words import value_words
from planner.locations.demand import LocationsDemand

FULL = 104
"""The end of the axis of shares: room above a hundred per cent for the mark of a point."""


def curve_panel(shares: Sequence[float], *, sites: int, demand: LocationsDemand) -> ChartPanel:
    """Return the chart of the most users that one data centre can reach, two, and so on; `sites` is the answer's."""
    counts = list(range(1, len(shares) + 1))
    words = [f"{count} data centre{'' if count == 1 else 's'}" for count in counts]
    most = Line("", counts, list(shares), words, COLOURS[0], SYMBOLS[0])
    figure = line_figure(
        [most], x_axis={"title": {"text": "Data centres"}, "dtick": 1}, y_words="Users inside the limit, %", most=FULL
    )
    figure["layout"]["shapes"] = [_line_of(demand.share)]
    figure["layout"]["annotations"] = [_label_of(demand.share, counts[-1])]
    limit = value_words(demand.site_limit_ms)
    return ChartPanel(
        id="locations-curve",
        title=_title(shares, sites, limit),
        summary=f"The most users that so many data centres have inside {limit} ms; the broken line is what is asked.",
        figure=figure,
        columns=[
            {"label": "Data centres", "unit": "", "is_number": True},
            {"label": "Users inside the limit", "unit": "%", "is_number": True},
        ],
        rows=[[str(count), f"{share:.1f}"] for count, share in zip(counts, shares, strict=True)],
    )


def _title(shares: Sequence[float], sites: int, limit: str) -> str:
    if sites < len(shares):
        return f"One more data centre could have {shares[sites]:.1f} % of the users inside {limit} ms"
    return f"More data centres would bring nobody else inside {limit} ms"


def _line_of(share: float) -> dict[str, Any]:
    dashed = {"color": VERMILLION, "width": 2, "dash": "dash"}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": share, "y1": share, "line": dashed}


def _label_of(share: float, last: int) -> dict[str, Any]:
    return {
        "x": last, "y": share, "text": f"{value_words(share)} % asked", "showarrow": False, "xanchor": "right",
        "yanchor": "top", "font": {"color": "#a84300"},
    }  # fmt: skip
