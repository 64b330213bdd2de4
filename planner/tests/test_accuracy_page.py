"""The accuracy page: promises held against figures, the chart, and the page for whoever is signed in."""

import math
import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.tests.factories import client_of
from planner.accuracy_chart import RED, accuracy_figure, chart_words, marks_of
from planner.accuracy_page import promises_of, workloads_of
from simulation.figures import shipped_figures
from simulation.parameters import load_parameter_set
from simulation.stored_accuracy import stored_report

DRIVES = {"workload": "block_io", "array": {"drive_class": "ssd", "drives": 4}}


def entry(published, *, id="a", workload="block_io", metric="iops", use="calibration"):
    return {
        "id": id,
        "source": "a paper",
        "scenario": {**DRIVES, "workload": workload},
        "metric": metric,
        "unit": "IOPS",
        "published": published,
        "use": use,
    }


def row(published, predicted, *, id="a", error=None, status="ok"):
    return {
        "id": id,
        "published": published,
        "predicted": predicted,
        "low": None,
        "high": None,
        "error": error,
        "status": status,
    }


def workloads(*pairs):
    """Put entries and rows together; the summary is not looked at."""
    totals = {"median": None, "mean": None, "worst": None, "inside": 1.0}
    names = {each["scenario"]["workload"] for each, _ in pairs}
    report = {"entries": [found for _, found in pairs], "summary": dict.fromkeys(names, totals)}
    return workloads_of([each for each, _ in pairs], report)


@pytest.fixture
def shipped():
    return workloads_of(shipped_figures(), stored_report(load_parameter_set().name))


@pytest.fixture
def page(ana):
    def page(path=""):
        return re.sub(r"\s+", " ", client_of(ana).get(reverse("accuracy") + path).content.decode())

    return page


def test_every_shipped_figure_stands_on_the_page_with_its_source(page):
    words = page()

    for figure in shipped_figures():
        assert f'id="{figure["id"]}"' in words
    assert len(re.findall(r'<li id="source-\d+">', words)) == len({each["source"] for each in shipped_figures()})


def test_the_page_says_how_many_promises_hold(page, shipped):
    promises = promises_of(shipped)

    words = page()

    assert words.count('<span class="tag tag-done">holds</span>') == sum(each.is_kept for each in promises)
    assert words.count('<span class="tag tag-wrong">not met</span>') == sum(not each.is_kept for each in promises)


def test_one_workload_may_be_shown_alone(page):
    words = page("?workload=build")

    assert 'id="cmp.linux.8"' in words
    assert 'id="riak.t3.bm.tput"' not in words


def test_an_unknown_workload_shows_them_all(page):
    assert 'id="riak.t3.bm.tput"' in page("?workload=teapot")


def test_strangers_are_asked_to_sign_in(db):
    answer = Client().get(reverse("accuracy"))

    assert answer.status_code == 302
    assert "/sign-in/" in answer["Location"]


def test_a_promise_that_is_not_met_is_said_in_red(page, monkeypatch):
    report = stored_report(load_parameter_set().name)
    for each in report["entries"]:
        if each["id"] == "cmp.linux.8":
            each |= {"predicted": 4.4, "error": 1.0, "status": "miss"}
    monkeypatch.setattr("planner.accuracy_views.stored_report", lambda name: report)

    words = page()

    assert words.count('<span class="tag tag-wrong">not met</span>') == 1
    assert "Build farm: minutes and speed-ups are off by at most 5%" in words
    assert '<tr id="cmp.linux.8" class="is-miss">' in words


@pytest.mark.parametrize(
    ("errors", "mean_is_kept", "worst_is_kept"),
    [((0.08, -0.08), True, True), ((0.05, -0.2), False, True), ((0.0, 0.21), False, False)],
)
def test_drives_are_promised_in_the_mean_and_at_worst(errors, mean_is_kept, worst_is_kept):
    pairs = [(entry(100, id=str(error)), row(100, 100 * (1 + error), id=str(error), error=error)) for error in errors]

    mean, worst = promises_of(workloads(*pairs))[:2]

    assert (mean.is_kept, worst.is_kept) == (mean_is_kept, worst_is_kept)


@pytest.mark.parametrize(("error", "is_kept"), [(0.5, True), (0.51, False), (-1 / 3, True), (-0.34, False)])
def test_percentiles_are_promised_within_a_factor_either_way(error, is_kept):
    pair = (entry(800, workload="kv_store", metric="get_p99_ms"), row(800, 800 * (1 + error), error=error))

    promise = promises_of(workloads(pair))[3]

    assert promise.is_kept is is_kept


def test_nine_of_eleven_object_store_figures_are_enough():
    def pairs(right):
        return [
            (entry(5, id=str(each), workload="object_store"), row(5, 5, id=str(each), status=status))
            for each, status in enumerate(["ok"] * right + ["miss"] * (11 - right))
        ]

    found = [promises_of(workloads(*pairs(right)))[4] for right in (9, 8)]

    assert [promise.is_kept for promise in found] == [True, False]
    assert found[1].found == "8 of 11"


def test_what_has_no_model_keeps_no_promise():
    missing = (entry(100, id="b"), row(100, None, id="b", status="no_model"))
    known = (entry(100), row(100, 100, error=0.0))

    mean, worst = promises_of(workloads(known, missing))[:2]

    assert (mean.is_kept, worst.is_kept) == (False, False)


def test_a_bound_that_does_not_hold_breaks_the_promise_of_bounds():
    bound = (entry({"at_least": 2}), row({"at_least": 2}, 1.0, status="miss"))

    promise = promises_of(workloads(bound))[6]

    assert (promise.found, promise.is_kept) == ("0 of 1", False)


def test_a_report_on_other_figures_is_refused():
    with pytest.raises(ValueError, match="the report is on other figures"):
        workloads_of([entry(1)], {"entries": [], "summary": {}})


def test_a_miss_is_drawn_in_red_and_named():
    found = workloads(
        (entry(100), row(100, 101.0, error=0.01)), (entry(10, id="b"), row(10, 20.0, id="b", error=1.0, status="miss"))
    )

    figure = accuracy_figure(found)

    missed = [trace for trace in figure["data"] if trace.get("marker", {}).get("color") == RED]
    assert [(trace["x"], trace["y"]) for trace in missed] == [([10.0], [20.0])]
    assert "b" in [label["text"] for label in figure["layout"]["annotations"]]
    assert chart_words(found)[0] == "1 of 2 published figures are predicted within their tolerance"
    assert "Misses, in red: b." in chart_words(found)[1]


def test_ranges_are_bars_bounds_are_arrows_and_words_are_told_not_drawn():
    found = workloads(
        (entry([4, 9], id="range"), row([4, 9], 6.0, id="range", error=0.0)),
        (entry({"at_most": 3}, id="bound"), row({"at_most": 3}, 2.0, id="bound")),
        (entry("m1.small:5", id="words"), row("m1.small:5", "m1.small:5", id="words")),
        (entry([50, 600], id="ends"), row([50, 600], [46.0, 550.0], id="ends", error=-0.08)),
    )

    marks = {mark.figure.id: mark for mark in marks_of(found[0].figures)}

    assert (marks["range"].x, marks["range"].x_low, marks["range"].x_high) == (6.0, 4.0, 9.0)
    assert (marks["bound"].x, marks["bound"].y, marks["bound"].arrow) == (3.0, 2.0, "arrow-bar-left")
    assert (marks["ends"].x, marks["ends"].y) == (600.0, 550.0)
    assert "words" not in marks
    assert "Not drawn, for they are words or have no number: words." in chart_words(found)[1]


def test_both_axes_are_logarithmic_and_the_same(shipped):
    layout = accuracy_figure(shipped)["layout"]

    assert layout["xaxis"]["type"] == layout["yaxis"]["type"] == "log"
    assert layout["xaxis"]["range"] == layout["yaxis"]["range"]


def test_every_shipped_number_is_drawn_inside_the_axes(shipped):
    figures = [figure for each in shipped for figure in each.figures]
    low, high = accuracy_figure(shipped)["layout"]["xaxis"]["range"]

    drawn = {mark.figure.id for mark in marks_of(figures)}

    assert {figure.id for figure in figures} - drawn == {"swift.opt.quad.best"}
    assert all(low < math.log10(value) < high for mark in marks_of(figures) for value in (mark.x, mark.y))
