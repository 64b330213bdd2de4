"""Charts of simulation runs: what each panel says and draws, for one run and for two side by side."""

import json
import math
from itertools import pairwise

import pytest

from planner.chart_parts import VERMILLION, Line, line_figure, swept_axis
from planner.simulation_charts import comparison_of, figures_of
from planner.tests.simulation_results import make_point, make_result

READS = {"get": {"mean": 1.0, "p50": 1.0, "p90": 2.0, "p95": 3.0, "p99": 5.0, "p99.9": 20.0}}
WRITES = {"put": {"p50": 4.0, "p99": 40.0}}
BUSY = {"processors": 0.41, "disks": 0.97}


def panels_of(*points, swept="", **asked):
    return {panel.id: panel for panel in figures_of("kv_store", make_result(*points, swept=swept, **asked))}


def compared(first, second):
    return {panel.id: panel for panel in comparison_of(("bare metal", first), ("virtual", second))}


def clients(count, figure, **told):
    return make_point(count, words=f"{count} clients", figure=figure, **told)


def lines_in(figure):
    return [trace for trace in figure["data"] if trace["mode"] != "lines" or "fill" not in trace]


def test_a_sweep_is_drawn_over_its_values_with_the_band():
    panel = panels_of(
        clients(8, 700.0, band=(600.0, 800.0)), clients(16, 1300.0, band=(1100.0, 1500.0)), swept="clients"
    )["simulation-throughput"]

    band, line = panel.figure["data"]
    assert (line["x"], line["y"]) == ([8, 16], [700.0, 1300.0])
    assert (band["x"], band["y"]) == ([8, 16, 16, 8], [600.0, 1100.0, 1500.0, 800.0])
    assert panel.title == "Requests a second: at best 1,300 ops/s with 16 clients"
    assert panel.figure["layout"]["yaxis"]["range"] == [0.0, pytest.approx(1500 * 1.12)]
    assert panel.rows == [
        ["this run", "8 clients", "700", "600 to 800", "–"],
        ["this run", "16 clients", "1,300", "1,100 to 1,500", "–"],
    ]


def test_the_interval_over_replications_stands_where_there_is_no_band():
    panel = panels_of(clients(8, 700.0, interval=10.0), clients(16, 900.0, interval=20.0), swept="clients")[
        "simulation-throughput"
    ]

    assert panel.figure["data"][0]["y"] == [690.0, 880.0, 920.0, 710.0]


def test_least_is_best_where_lower_is_better():
    panel = panels_of(clients(8, 12.0), clients(16, 30.0), swept="clients", better="lower")["simulation-throughput"]

    assert panel.title == "Requests a second: at best 12 ops/s with 8 clients"


def test_a_value_that_the_model_refuses_is_told_and_not_drawn():
    panel = panels_of(
        clients(3, None, problem="needs an even number"), clients(4, 700.0), clients(6, 900.0), swept="clients"
    )["simulation-throughput"]

    assert panel.figure["data"][0]["x"] == [4, 6]
    assert panel.summary == "Not possible: 3 clients (needs an even number)."
    assert panel.rows[0] == ["this run", "3 clients", "needs an even number", "–", "–"]


def test_of_many_refused_values_two_are_told():
    refused = [clients(count, None, problem="needs an even number") for count in (3, 5, 7, 9)]

    panel = panels_of(clients(2, 700.0), *refused, swept="clients")["simulation-throughput"]

    assert panel.summary == (
        "Not possible: 3 clients (needs an even number); 5 clients (needs an even number); and 2 more, in the table."
    )


def test_two_sweeps_are_compared_by_their_promised_percentile_alone():
    runs = [make_result(clients(8, 7.0, latency=READS), clients(16, 9.0, latency=READS), swept="clients")] * 2

    panel = compared(*runs)["simulation-latency"]

    assert [trace["name"] for trace in panel.figure["data"]] == ["bare metal reads p99", "virtual reads p99"]


def test_a_run_of_one_point_has_no_sweep():
    assert "simulation-throughput" not in panels_of(make_point(figure=700.0))


def test_a_result_without_anything_to_draw_has_no_panels():
    assert panels_of(make_point(figure=None, problem="no")) == {}


@pytest.mark.parametrize(
    ("values", "kind"),
    [([1, 2, 4, 128], "log"), ([2, 4, 8], None), (["raid5", "raid10"], "category"), ([0, 100], None)],
)
def test_the_axis_suits_the_swept_values(values, kind):
    assert swept_axis(values, words="Clients").get("type") == kind


def test_a_logarithmic_axis_marks_swept_values_that_do_not_touch():
    axis = swept_axis(list(range(1, 129)), words="Clients")

    assert axis["tickvals"][0] == 1
    assert 8 <= len(axis["tickvals"]) <= 13
    assert set(axis["tickvals"]) <= set(range(1, 129))
    assert axis["ticktext"][0] == "1"


def test_percentiles_of_one_run_stand_on_a_logarithmic_axis():
    panel = panels_of(make_point(latency=READS | WRITES))["simulation-latency"]

    reads, writes = panel.figure["data"]
    assert panel.figure["layout"]["yaxis"]["type"] == "log"
    assert (reads["x"], reads["y"]) == (["50 %", "90 %", "95 %", "99 %", "99.9 %"], [1.0, 2.0, 3.0, 5.0, 20.0])
    assert (writes["x"], writes["y"]) == (["50 %", "99 %"], [4.0, 40.0])
    assert panel.title == "99 % of reads within 5 ms, of writes within 40 ms"
    assert ["reads", "99 %", "5"] in panel.rows


def test_percentiles_of_a_sweep_stand_over_its_values():
    panel = panels_of(clients(8, 700.0, latency=READS), clients(16, 900.0, latency=READS), swept="clients")[
        "simulation-latency"
    ]

    assert [trace["name"] for trace in panel.figure["data"]] == ["reads p50", "reads p99"]
    assert panel.figure["data"][1]["x"] == [8, 16]
    assert panel.title == "99 % of reads within 5 ms with 16 clients"


def test_throughput_over_time_names_its_span():
    panel = panels_of(make_point(windows=[900.0, 50.0, 600.0]))["simulation-time"]

    (line,) = panel.figure["data"]
    assert (line["x"], line["y"]) == ([10.0, 20.0, 30.0], [900.0, 50.0, 600.0])
    assert panel.title == "Throughput in windows of 10 s: 50 to 900 ops/s"


def test_of_a_long_sweep_the_first_the_best_and_the_last_are_drawn_over_time():
    points = [clients(count, float(figure), windows=[float(figure)]) for count, figure in enumerate([1, 5, 9, 7], 1)]

    panel = panels_of(*points, swept="clients")["simulation-time"]

    assert [trace["name"] for trace in panel.figure["data"]] == ["1 clients", "3 clients", "4 clients"]


def test_the_bottleneck_is_named_and_stands_out():
    panel = panels_of(make_point(stations=BUSY, bottleneck="disks"))["simulation-stations"]

    (bars,) = panel.figure["data"]
    assert panel.title == "The bottleneck is disks, 97 % busy"
    assert bars["x"] == [41.0, 97.0]
    assert bars["marker"]["color"][1] == VERMILLION != bars["marker"]["color"][0]
    assert [label["text"] for label in panel.figure["layout"]["annotations"]] == ["the bottleneck"]


@pytest.mark.parametrize(
    ("bottleneck", "title"),
    [
        ("queue depth", "What limits is queue depth; the busiest station is disks, 97 % busy"),
        ("", "No bottleneck is known; the busiest station is disks, 97 % busy"),
    ],
)
def test_a_limit_that_is_no_station_is_said(bottleneck, title):
    assert panels_of(make_point(stations=BUSY, bottleneck=bottleneck))["simulation-stations"].title == title


def test_stations_of_a_sweep_are_lines_over_its_values():
    panel = panels_of(
        clients(8, 700.0, stations={"disks": 0.3, "processors": 0.2}, bottleneck="clients"),
        clients(16, 900.0, stations={"disks": 0.9, "processors": 0.4}, bottleneck="disks"),
        swept="clients",
    )["simulation-stations"]

    assert [(trace["name"], trace["y"]) for trace in panel.figure["data"]] == [
        ("disks", [30.0, 90.0]),
        ("processors", [20.0, 40.0]),
    ]
    assert panel.title == "The bottleneck is disks, 90 % busy, with 16 clients"
    assert panel.rows == [["8 clients", "30.0", "20.0", "clients"], ["16 clients", "90.0", "40.0", "disks"]]


def test_two_sweeps_of_the_same_field_share_one_pair_of_axes():
    first = make_result(clients(8, 700.0), clients(16, 900.0), swept="clients")
    second = make_result(clients(8, 100.0), clients(32, 300.0), swept="clients")

    panel = compared(first, second)["simulation-throughput"]

    assert [trace["name"] for trace in panel.figure["data"]] == ["bare metal", "virtual"]
    assert panel.figure["layout"]["yaxis"]["range"] == [0.0, pytest.approx(900 * 1.12)]
    assert panel.title == "bare metal: at best 900 ops/s with 16 clients; virtual: at best 300 ops/s with 32 clients"
    assert {label["text"] for label in panel.figure["layout"]["annotations"]} == {"bare metal", "virtual"}


def test_runs_that_share_no_swept_value_stand_as_bars_beside_each_other():
    first = make_result(clients(8, 700.0), clients(16, 900.0), swept="clients")
    second = make_result(make_point(figure=300.0, band=(200.0, 400.0)))

    panel = compared(first, second)["simulation-throughput"]

    assert [(trace["type"], trace["x"], trace["y"]) for trace in panel.figure["data"]] == [
        ("bar", ["bare metal"], [900.0]),
        ("bar", ["virtual"], [300.0]),
    ]
    assert panel.figure["data"][1]["error_y"]["arrayminus"] == [100.0]
    assert panel.title == "bare metal: at best 900 ops/s with 16 clients; virtual: 300 ops/s"


def test_two_runs_are_compared_in_latency_time_and_stations():
    first = make_result(make_point(latency=READS, windows=[5.0, 6.0], stations=BUSY, bottleneck="disks"))
    second = make_result(make_point(latency=WRITES, windows=[1.0], stations={"disks": 0.5}, bottleneck=""))

    panels = compared(first, second)

    names = {name: [trace["name"] for trace in panel.figure["data"]] for name, panel in panels.items()}
    assert names["simulation-latency"] == ["bare metal reads", "virtual writes"]
    assert names["simulation-time"] == ["bare metal", "virtual"]
    assert names["simulation-stations"] == ["bare metal", "virtual"]
    assert panels["simulation-stations"].title == (
        "Bare metal: the bottleneck is disks, 97 % busy; virtual: no bottleneck is known; "
        "the busiest station is disks, 50 % busy"
    )


def test_runs_of_two_workloads_are_not_compared():
    with pytest.raises(ValueError, match="no scale in common"):
        compared(make_result(make_point()), make_result(make_point(), workload="build"))


def test_a_result_of_another_workload_is_refused():
    with pytest.raises(ValueError, match="one of build"):
        figures_of("kv_store", make_result(make_point(), workload="build"))


def test_figures_are_plain_json_and_every_panel_has_a_table():
    point = clients(8, 700.0, band=(600.0, 800.0), latency=READS | WRITES, windows=[7.0], stations=BUSY)
    panels = figures_of("kv_store", make_result(point, clients(16, 800.0, stations=BUSY), swept="clients"))

    assert len(panels) == 4
    for panel in panels:
        assert json.loads(json.dumps(panel.figure, allow_nan=False)) == panel.figure
        assert panel.rows
        assert all(len(row) == len(panel.columns) for row in panel.rows)


def test_labels_at_the_ends_of_lines_do_not_touch():
    lines = [Line(name, [1, 2], [1.0, 10.0], ["", ""], "#0072B2", "circle") for name in ("a", "b", "c")]

    figure = line_figure(lines, x_axis={}, y_words="y")

    heights = [label["y"] for label in figure["layout"]["annotations"]]
    gaps = [upper - lower for lower, upper in pairwise(heights)]
    assert heights[0] == 10.0
    assert all(math.isclose(gap, 0.07 * 11.2) for gap in gaps)
