"""The chart of cost against throughput: a valid figure, and a table that says the same."""

import json
import math

import plotly.graph_objects as go
import pytest

from core.units import throughput_words
from planner.benchmarks import fleet_of_2012
from planner.charts import beaten_by, chart_words, cost_against_throughput, front_table
from planner.planning import plan_now
from planner.tests.factories import make_demand
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
FLEET_2012 = fleet_of_2012(PARAMETERS)
GOALS = [
    {"capacity": "2TB", "throughput": "175MB/s"},
    {"capacity": "2TB", "budget": "9000"},
    {"throughput": "100MB/s", "budget": "9000"},
]


def answered(**words):
    demand = make_demand(**words)
    return {"demand": demand, "answer": plan_now(fleet=FLEET_2012, demand=demand, parameters=PARAMETERS)}


def numbers_in(value):
    if isinstance(value, dict):
        return [number for each in value.values() for number in numbers_in(each)]
    if isinstance(value, list | tuple):
        return [number for each in value for number in numbers_in(each)]
    return [value] if isinstance(value, float) else []


@pytest.mark.parametrize("words", GOALS)
def test_the_figure_is_one_that_plotly_accepts_and_a_browser_can_read(words):
    figure = cost_against_throughput(**answered(**words))

    assert go.Figure(figure).to_plotly_json()["data"] == figure["data"]
    assert json.loads(json.dumps(figure, allow_nan=False))
    assert all(math.isfinite(number) for number in numbers_in(figure))


@pytest.mark.parametrize("words", GOALS)
def test_the_figure_shows_other_shapes_the_front_and_the_best_one(words):
    asked = answered(**words)
    best, front = asked["answer"]["best"], asked["answer"]["front"]

    cloud_trace, front_trace, best_trace = cost_against_throughput(**asked)["data"]

    assert len(cloud_trace["x"]) == len(asked["answer"]["cloud"]) > 100
    assert list(front_trace["x"]) == [row["mb_s"] for row in front]
    assert list(front_trace["y"]) == [row["cents"] / 100 for row in front]
    assert (best_trace["x"], best_trace["y"]) == ([best["mb_s"]], [best["cents"] / 100])
    assert best["shape"] in best_trace["text"][0]


def test_the_throughput_asked_is_a_shaded_region():
    (region,) = cost_against_throughput(**answered(**GOALS[0]))["layout"]["shapes"]

    assert (region["x0"], region["x1"], region["yref"]) == (0, 166.25, "paper")


def test_the_budget_is_a_shaded_region():
    figure = cost_against_throughput(**answered(**GOALS[1]))

    (region,) = figure["layout"]["shapes"]
    assert (region["y0"], region["xref"]) == (9000.0, "paper")
    assert any("over the budget of $9,000.00" in note["text"] for note in figure["layout"]["annotations"])


@pytest.mark.parametrize("words", GOALS)
def test_axes_begin_at_zero_and_hold_everything(words):
    layout = cost_against_throughput(**answered(**words))["layout"]

    assert layout["xaxis"]["range"][0] == layout["yaxis"]["range"][0] == 0
    front = answered(**words)["answer"]["front"]
    assert layout["xaxis"]["range"][1] > max(row["mb_s"] for row in front)
    assert layout["yaxis"]["range"][1] > max(row["cents"] for row in front) / 100


@pytest.mark.parametrize("words", GOALS)
def test_the_table_has_a_row_for_each_shape_of_the_front(words):
    asked = answered(**words)
    front = asked["answer"]["front"]

    columns, rows = front_table(demand=asked["demand"], front=front)

    assert [column["label"] for column in columns] == [
        *("Configuration", "Balancers", "Throughput", "Usable", "Cost", "Beaten by"),
    ]
    assert [row[0] for row in rows] == [row["shape"] for row in front]
    assert [row[-2].replace(",", "") for row in rows] == [row["total_monthly_cost"] for row in front]
    assert {row[-1] for row in rows} == {"nothing"}


@pytest.mark.parametrize("words", GOALS)
def test_what_beats_a_dominated_shape_is_no_dearer_and_no_slower(words):
    asked = answered(**words)
    front, cloud = asked["answer"]["front"], asked["answer"]["cloud"]

    beaten = [(point, beaten_by(point, front)) for point in cloud]

    assert any(row for _, row in beaten)
    for point, row in beaten:
        if row:
            assert row["cents"] <= point["cents"]
            assert row["mb_s"] >= point["mb_s"]
            assert (row["cents"], row["mb_s"]) != (point["cents"], point["mb_s"])


def test_a_shape_of_the_front_is_beaten_by_nothing():
    front = answered(**GOALS[0])["answer"]["front"]

    assert [beaten_by(row, front) for row in front] == [None] * len(front)


def test_an_order_that_exists_is_marked():
    asked = answered(**GOALS[0])
    here = {**asked["answer"]["best"], "mb_s": 1000.0, "shape": "ours"}

    figure = cost_against_throughput(**asked, here=here)

    assert [trace["name"] for trace in figure["data"]][-1] == "You are here"
    assert figure["layout"]["xaxis"]["range"][1] > 1000


def test_title_and_summary_say_what_the_chart_shows():
    asked = answered(**GOALS[0])
    answer = asked["answer"]

    title, summary = chart_words(**asked)

    assert title.startswith(f"{throughput_words(answer['best']['mb_s'])} for $7,488.00 a month")
    assert summary.startswith(f"{answer['considered']:,} shapes were looked at; {answer['front_size']:,} on the Pareto")
