"""The chart of spend, as plain data for plotly."""

from typing import Any

from django.urls import reverse

from orders.billing.months import Month
from orders.billing.spending import Spend

BLUE, SKY, VERMILLION = "#0072B2", "#56B4E9", "#D55E00"


def month_address(month: Month) -> str:
    """Return where a month's spend is broken down."""
    return f"{reverse('spend')}?month={month}"


def spend_figure(spend: Spend, *, budget: str | None) -> dict[str, Any]:
    """Return bars of what each month owed, this month's so far and still to come apart, and the budget as a line.

    Each bar leads to its month.
    """
    months = [month.words for month, _ in spend.by_month]
    addresses = [month_address(month) for month, _ in spend.by_month]
    past = [amount.text for _, amount in spend.by_month[:-1]]
    to_come = (spend.forecast.amount - spend.committed.amount).quantize(spend.forecast.owed().amount)
    data: list[dict[str, Any]] = [
        {
            "type": "bar",
            "name": "owed",
            "x": months,
            "y": [*past, spend.committed.text],
            "customdata": addresses,
            "marker": {"color": BLUE},
        },
        {
            "type": "bar",
            "name": "forecast",
            "x": months[-1:],
            "y": [str(to_come)],
            "customdata": addresses[-1:],
            "marker": {"color": SKY, "pattern": {"shape": "/"}},
        },
    ]
    layout: dict[str, Any] = {
        "barmode": "stack",
        "showlegend": True,
        "xaxis": {"type": "category"},
        "yaxis": {"title": {"text": f"Spend, {spend.forecast.currency} a month"}, "rangemode": "tozero"},
    }
    if budget is not None:
        line = {"color": VERMILLION, "width": 2, "dash": "dash"}
        layout["shapes"] = [
            {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": budget, "y1": budget, "line": line}
        ]
        layout["annotations"] = [
            {
                "xref": "paper",
                "x": 1,
                "xanchor": "right",
                "y": budget,
                "yanchor": "bottom",
                "text": "budget",
                "showarrow": False,
            }
        ]
    return {"data": data, "layout": layout}
