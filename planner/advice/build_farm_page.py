"""What the answer of a build farm shows besides: where more processors stop helping, and what a build costs."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from core.money import Money
from planner.advice.build_farm_machines import FarmDemand
from planner.chart_parts import COLOURS, INK, ChartPanel, Line, line_figure, swept_axis
from planner.figure_words import value_words
from simulation.build import knee
from simulation.parameters import ParameterSet
from simulation.shared_machines import mean_wait

MOST_PROCESSORS = 64
PROCESSORS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)

Json = dict[str, Any]


def build_part(
    demand: FarmDemand, row: Mapping[str, Any], currency: str, *, working_minutes: float, parameters: ParameterSet
) -> Json:
    """Return the curve with its knee, what a build costs, and how long one waits on average.

    `working_minutes` are those of a developer in a month.
    """
    figures = {figure["key"]: figure["value"] for figure in row["figures"]}
    return {
        "panel": _panel(demand, figures, parameters),
        "facts": _facts(demand, row, figures, currency, working_minutes),
    }


def _panel(demand: FarmDemand, figures: Mapping[str, float], parameters: ParameterSet) -> ChartPanel:
    def minutes_of(processors: int) -> float:
        return demand.project.minutes(
            speed=figures["speed"] / 100, processors=processors, ram_gb=figures["ram"], parameters=parameters
        )

    bend = knee(minutes_of, most=MOST_PROCESSORS)
    shown = sorted({*PROCESSORS, bend, min(MOST_PROCESSORS, int(figures["cores"]))})
    curve = [minutes_of(each) for each in shown]
    line = Line(
        label="Time of a build",
        x=list(shown),
        y=curve,
        text=[f"{each} processors: {value_words(minutes)} min" for each, minutes in zip(shown, curve, strict=True)],
        colour=COLOURS[0],
        symbol="circle",
    )
    figure = line_figure(
        [line], x_axis=swept_axis(shown, words="Processors of one machine"), y_words="Time of one build, min"
    )
    figure["layout"]["shapes"] = [_upright(bend)]
    columns = [
        {"label": "Processors", "unit": "", "is_number": True},
        {"label": "Time of one build", "unit": "min", "is_number": True},
        {"label": "Twice as many save", "unit": "%", "is_number": True},
    ]
    rows = [[str(each), value_words(minutes_of(each)), value_words(_saved(minutes_of, each))] for each in shown]
    return ChartPanel(
        id="build-chart",
        title=_title(bend),
        summary=(
            f"One build on one machine like these, by the number of its processors. The dashed line marks {bend}, from "
            f"where more help little; the advised machines have {int(figures['cores'])}."
        ),
        figure=figure,
        columns=columns,
        rows=rows,
    )


def _title(bend: int) -> str:
    if bend == MOST_PROCESSORS:
        return f"Up to {bend} processors, twice as many save at least 20 % of a build"
    return f"From {bend} processors on, twice as many save less than 20 % of a build"


def _saved(minutes_of: Callable[[int], float], processors: int) -> float:
    return 100 * (1 - minutes_of(2 * processors) / minutes_of(processors))


def _upright(at: float) -> Json:
    line = {"color": INK, "width": 1, "dash": "dash"}
    return {"type": "line", "xref": "x", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1, "line": line}


def _facts(
    demand: FarmDemand, row: Mapping[str, Any], figures: Mapping[str, float], currency: str, working_minutes: float
) -> list[Json]:
    pause = demand.cycle_minutes - figures["minutes"]
    if pause <= 0:
        return []
    machines = int(row["machines"])
    wait = mean_wait(people=demand.developers, machines=machines, job=figures["minutes"], pause=pause)
    between = demand.cycle_minutes + wait
    a_month = demand.developers * working_minutes / between
    busy = demand.developers * figures["minutes"] / between / machines
    cost = Money(Decimal(row["monthly_cost"]) / Decimal(str(a_month)), currency)
    return [
        {"label": "Mean wait for a machine", "words": f"{value_words(wait)} min"},
        {"label": "Machines busy in working hours", "words": f"{value_words(100 * busy)} %"},
        {"label": "Builds in a month", "words": value_words(round(a_month))},
        {"label": "Cost of a build", "words": str(cost)},
    ]
