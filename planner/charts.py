"""Figures of plans: plain functions from rows to plotly figures. The page's script adds fonts, grid and margins."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.money import Money
from core.units import throughput_words
from planner.demand import Demand
from planner.rows import Row
from planner.shapes import dollars
from planner.words import hover_words

BLUE, VERMILLION, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#b4bac2"
FORBIDDEN_GROUND = "rgba(252,242,235,0.9)"
FORBIDDEN = {"fillcolor": "rgba(213,94,0,0.08)", "line": {"width": 0}, "layer": "below"}
HEADROOM = 1.08
MOST_BEATEN = 100
"""Dominated shapes that the table names."""
WORTH_A_STEP = 1.05
"""A next step on the front that is named delivers at least this many times the best one's throughput."""

Json = dict[str, Any]


def cost_against_throughput(*, demand: Demand, answer: Json, here: Row | None = None) -> Json:
    """Return the figure of cost against MB/s: shapes of all pairs, Pareto front, limit, best one, and `here`."""
    best, front, cloud = answer["best"], answer["front"], answer["cloud"]
    figure = go.Figure(layout={"template": None, "showlegend": False, "hovermode": "closest"})
    figure.add_scatter(
        x=[point["mb_s"] for point in cloud],
        y=[point["cents"] / 100 for point in cloud],
        text=[f"{point['text']}{_beaten_words(point, front, demand)}" for point in cloud],
        mode="markers",
        name="Other shapes",
        marker={"color": GREY, "size": 6},
        hovertemplate="%{text}<extra>other shapes</extra>",
    )
    figure.add_scatter(
        x=[row["mb_s"] for row in front],
        y=[row["cents"] / 100 for row in front],
        text=[hover_words(row, demand) for row in front],
        mode="lines+markers",
        name="Pareto front",
        line={"color": BLUE, "shape": "hv", "width": 1.5},
        marker={"color": BLUE, "size": 7},
        hovertemplate="%{text}<extra>Pareto front</extra>",
    )
    figure.add_scatter(
        x=[best["mb_s"]],
        y=[best["cents"] / 100],
        text=[hover_words(best, demand)],
        mode="markers",
        name="The best one",
        marker={"color": VERMILLION, "size": 17, "symbol": "star", "line": {"width": 2, "color": "#ffffff"}},
        hovertemplate="%{text}<extra>the best one</extra>",
    )
    if here:
        _mark_here(figure, here, demand)
    _set_axes(figure, demand, rows=[best, *front, *cloud, *([here] if here else [])])
    _mark_limits(figure, demand)
    _label_series(figure, front=front, best=best)
    return figure.to_plotly_json()


def beaten_by(point: Json, front: Sequence[Row]) -> Row | None:
    """Return what of the front is at least as fast as a point for no more money; None for a point of the front."""
    for row in front:
        if row["mb_s"] >= point["mb_s"]:
            is_better = (row["cents"], -row["mb_s"]) < (point["cents"], -point["mb_s"])
            return row if is_better and row["cents"] <= point["cents"] else None
    return None


def front_table(
    *, demand: Demand, front: Sequence[Row], cloud: Sequence[Json] = ()
) -> tuple[list[Json], list[list[str]]]:
    """Return the columns and rows of the table beside the chart: the Pareto front, then what it beats."""
    columns: list[Json] = [
        {"label": "Configuration"},
        {"label": "Balancers", "is_number": True},
        {"label": "Throughput", "unit": "MB/s", "is_number": True},
        {"label": "Usable", "unit": "GB", "is_number": True},
        {"label": "Cost", "unit": f"{demand.currency} {demand.cost_words}", "is_number": True},
        {"label": "Beaten by"},
    ]
    rows = [
        [
            row["shape"],
            str(row["balancers"]),
            f"{row['mb_s']:,.1f}",
            f"{row['capacity_gb']:,.0f}",
            f"{dollars(row['cents']):,}",
            "nothing",
        ]
        for row in front
    ]
    beaten = [(point, row) for point in cloud if "shape" in point and (row := beaten_by(point, front))]
    rows += [
        [
            point["shape"],
            "",
            f"{point['mb_s']:,.1f}",
            "",
            f"{dollars(point['cents']):,}",
            f"{row['shape']}: {row['mb_s']:,.1f} MB/s for {_money(row, demand)}",
        ]
        for point, row in beaten[:MOST_BEATEN]
    ]
    return columns, rows


def _beaten_words(point: Json, front: Sequence[Row], demand: Demand) -> str:
    row = beaten_by(point, front)
    if row is None:
        return ""
    return f"<br>beaten by {row['shape']}: {throughput_words(row['mb_s'])} for {_money(row, demand)}"


def _mark_here(figure: go.Figure, here: Row, demand: Demand) -> None:
    figure.add_scatter(
        x=[here["mb_s"]],
        y=[here["cents"] / 100],
        text=[f"{here['shape']}<br>{throughput_words(here['mb_s'])} for {_money(here, demand)}"],
        mode="markers",
        name="You are here",
        marker={"color": GREEN, "size": 15, "symbol": "diamond", "line": {"width": 2, "color": "#ffffff"}},
        hovertemplate="%{text}<extra>you are here</extra>",
    )
    figure.add_annotation(
        x=here["mb_s"], y=here["cents"] / 100, text="<b>you are here</b>", showarrow=True, arrowhead=0,
        arrowcolor=GREEN, ax=-46, ay=-30, xanchor="right", font={"color": "#006b4f"},
        bgcolor="rgba(255,255,255,0.85)",
    )  # fmt: skip


def chart_words(*, demand: Demand, answer: Json) -> tuple[str, str]:
    """Return the message of the chart and its summary for those who cannot see it."""
    best, front = answer["best"], answer["front"]
    title = f"{throughput_words(best['mb_s'])} for {_money(best, demand)} {demand.cost_words}"
    beyond = [row for row in front if row["mb_s"] >= best["mb_s"] * WORTH_A_STEP and row["cents"] > best["cents"]]
    if beyond:
        title += f"; the next step up is {throughput_words(beyond[0]['mb_s'])} for {_money(beyond[0], demand)}"
    summary = (
        f"{answer['considered']:,} shapes were looked at; {answer['front_size']:,} on the Pareto front: "
        "nothing is both cheaper and faster. The star is the best one; "
        "grey points cost more than the front for what they deliver."
    )
    return title, summary


def _set_axes(figure: go.Figure, demand: Demand, *, rows: Sequence[Row]) -> None:
    most_mb_s = max([float(demand.throughput_mb_s or 0), *(row["mb_s"] for row in rows)]) * HEADROOM
    most_cost = max([float(demand.budget or 0), *(row["cents"] / 100 for row in rows)]) * HEADROOM
    figure.update_xaxes(title={"text": "Predicted throughput, MB/s of client traffic"}, range=[0, most_mb_s])
    figure.update_yaxes(
        title={"text": f"Cost, {demand.currency} {demand.cost_words}"},
        range=[0, most_cost],
        tickformat=",.0f",
        automargin=True,
    )


def _mark_limits(figure: go.Figure, demand: Demand) -> None:
    if demand.needed_mb_s:
        figure.add_shape(type="rect", xref="x", yref="paper", x0=0, x1=demand.needed_mb_s, y0=0, y1=1, **FORBIDDEN)
        figure.add_annotation(
            x=demand.needed_mb_s, y=1, xref="x", yref="paper", xanchor="right", yanchor="top", showarrow=False,
            text="too slow ", font={"color": "#8a3d00"}, bgcolor=FORBIDDEN_GROUND,
        )  # fmt: skip
    if demand.budget is not None:
        budget = float(demand.budget)
        figure.add_shape(type="rect", xref="paper", yref="y", x0=0, x1=1, y0=budget, y1=budget * 100, **FORBIDDEN)
        figure.add_annotation(
            x=0, y=budget, xref="paper", yref="y", xanchor="left", yanchor="bottom", showarrow=False,
            text=f" over the budget of {Money(demand.budget, demand.currency)}", font={"color": "#8a3d00"},
            bgcolor=FORBIDDEN_GROUND,
        )  # fmt: skip


def _label_series(figure: go.Figure, *, front: Sequence[Row], best: Row) -> None:
    if front:
        last = front[-1]
        figure.add_annotation(
            x=last["mb_s"], y=last["cents"] / 100, text="Pareto front ", showarrow=False, xanchor="right",
            yanchor="bottom", font={"color": BLUE},
        )  # fmt: skip
    figure.add_annotation(
        x=best["mb_s"], y=best["cents"] / 100, text="<b>the best one</b>", showarrow=True, arrowhead=0,
        arrowcolor=VERMILLION, ax=46, ay=34, xanchor="left", font={"color": "#a84300"},
        bgcolor="rgba(255,255,255,0.85)",
    )  # fmt: skip


def _money(row: Row, demand: Demand) -> Money:
    return Money(dollars(row["cents"]), demand.currency)
