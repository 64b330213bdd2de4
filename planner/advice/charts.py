"""The chart of a piece of advice: what configurations cost against its main figure."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from core.money import CENT, Money
from planner.advice.answering import NOISE
from planner.chart_parts import HEADROOM, ChartPanel, with_unit
from planner.figure_words import value_words

Json = dict[str, Any]
BLUE, VERMILLION, GREY = "#0072B2", "#D55E00", "#b4bac2"
FAR, DEAR = 7, 4
"""The chart begins with what is up to so many times as good as the best one, and so many times as dear."""
FORBIDDEN = {"fillcolor": "rgba(213,94,0,0.08)", "line": {"width": 0}, "layer": "below"}


def cost_panel(answer: Json) -> ChartPanel:
    """Return the chart with its message and its table: the front, the best one, and what is beaten in grey."""
    best, front = answer["best"], answer["front"]
    main, currency = best["main"], answer["currency"]
    columns = [
        {"label": "Configuration", "unit": "", "is_number": False},
        {"label": main["label"], "unit": main["unit"], "is_number": True},
        {"label": _cost_label(answer, "Cost a month"), "unit": currency, "is_number": True},
        {"label": "Meets the demand", "unit": "", "is_number": False},
    ]
    return ChartPanel(
        id="advice-chart",
        title=_title(answer),
        summary=_summary(answer),
        figure=_figure(answer),
        columns=columns,
        rows=[_row(point) for point in front],
    )


def _title(answer: Json) -> str:
    best, front, currency = answer["best"], answer["front"], answer["currency"]
    words = _cost_label(answer, f"{_value(best['main'])} for {_money(best, currency)} a month")
    further = [point for point in front if point["cents"] > best["cents"] and point["value"] > best["main"]["value"]]
    if further:
        step = further[0]
        words += (
            f"; the next step up is {value_words(step['value'])} {best['main']['unit']} for {_money(step, currency)}"
        )
    return words


def _summary(answer: Json) -> str:
    return (
        f"{answer['considered']:,} configurations were looked at; nothing is both cheaper and better than the "
        f"{len(answer['front']):,} on the line, of those that keep the other limits. The star is the best one; "
        "grey points are beaten or break another limit: each says which."
    )


def _cost_label(answer: Json, words: str) -> str:
    """Return the words for a cost; where something is metered the chart counts what its use is expected to cost."""
    rows = (answer["best"], *answer["runners_up"])
    is_metered = any(Decimal(row.get("metered_cost", 0)) for row in rows)
    return f"{words} with the use expected" if is_metered else words


def _figure(answer: Json) -> Json:
    best, front, points, currency = (answer[name] for name in ("best", "front", "points", "currency"))
    main = best["main"]
    most_value = max([point["value"] for point in (*front, *points)] + [main["value"]])
    most_cents = max(point["cents"] for point in (*front, *points, best))
    asked = next((need["asked"] for need in best["needs"] if need["is_at_least"]), 0)
    data = [
        _trace(
            points, "beaten", currency, [_beaten_by(point, front) for point in points], mode="markers",
            marker={"color": GREY, "size": 6},
        ),
        _trace(
            front, "front", currency, [""] * len(front), mode="lines+markers", marker={"color": BLUE, "size": 8},
            line={"color": BLUE},
        ),
        {
            "type": "scatter", "mode": "markers", "name": "best", "x": [main["value"]], "y": [best["cents"] / 100],
            "text": [f"{best['title']}<br>{_money(best, currency)} a month"], "hovertemplate": "%{text}<extra></extra>",
            "marker": {"color": VERMILLION, "size": 16, "symbol": "star", "line": {"width": 2, "color": "#ffffff"}},
        },
    ]  # fmt: skip
    layout = {
        "showlegend": False,
        "hovermode": "closest",
        "xaxis": {
            "title": {"text": with_unit(main["label"], main["unit"])},
            "range": [0, min(most_value, FAR * main["value"]) * HEADROOM],
        },
        "yaxis": {
            "title": {"text": f"{_cost_label(answer, 'Monthly cost')}, {currency}"},
            "range": [0, min(most_cents, DEAR * best["cents"]) / 100 * HEADROOM],
            "tickformat": ",.0f",
            "automargin": True,
        },
        "shapes": [{"type": "rect", "xref": "x", "yref": "paper", "x0": 0, "x1": asked, "y0": 0, "y1": 1, **FORBIDDEN}],
        "annotations": [
            {
                "x": main["value"], "y": best["cents"] / 100, "text": "<b>the best one</b>", "showarrow": True,
                "arrowhead": 0, "arrowcolor": VERMILLION, "ax": 46, "ay": 34, "xanchor": "left",
                "font": {"color": "#a84300"}, "bgcolor": "rgba(255,255,255,0.85)",
            }
        ],
    }  # fmt: skip
    return {"data": data, "layout": layout}


def _beaten_by(point: Json, front: Sequence[Json]) -> str:
    """Say what beats a point: the cheapest of the front that is no worse; "" for a point of the front itself."""
    if any(each["key"] == point["key"] for each in front):
        return ""
    better = next((each for each in front if each["value"] * (1 + NOISE) >= point["value"]), None)
    if better is None or better["cents"] > point["cents"]:
        return "breaks another limit"
    return f"beaten by {better['title']}"


def _trace(points: Sequence[Json], name: str, currency: str, notes: Sequence[str], **style: Any) -> Json:
    return {
        "type": "scatter",
        "name": name,
        "x": [point["value"] for point in points],
        "y": [point["cents"] / 100 for point in points],
        "text": [
            "<br>".join(filter(None, (point["title"], f"{_money(point, currency)} a month", note)))
            for point, note in zip(points, notes, strict=True)
        ],
        "hovertemplate": "%{text}<br>%{x:,.4g}<extra></extra>",
        **style,
    }


def _row(point: Json) -> list[str]:
    cost = f"{point['cents'] * CENT:,}"
    return [point["title"], value_words(point["value"]), cost, "yes" if point["meets"] else "no"]


def _value(figure: Json) -> str:
    return f"{value_words(figure['value'])} {figure['unit']}".strip()


def _money(row: Json, currency: str) -> Money:
    return Money(row["cents"] * CENT, currency)
