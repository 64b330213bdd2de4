import json
import math

import pytest

from simulation.accuracy import accuracy_report
from simulation.figures import shipped_figures
from simulation.parameters import load_parameter_set
from simulation.predict import METRICS_BY_WORKLOAD, Prediction, judge

PARAMETERS = load_parameter_set()
LIGHT = {
    "id": "light",
    "scenario": {"workload": "light_path", "metres": 299_792.458},
    "metric": "light_one_way_ms",
    "published": 1.0,
    "use": "check",
}


def report(*entries: dict, members: int = 4) -> dict:
    return accuracy_report(
        list(entries),
        parameters=PARAMETERS,
        metrics=METRICS_BY_WORKLOAD,
        band_metrics=METRICS_BY_WORKLOAD,
        members=members,
    )


def test_an_entry_is_reported_with_its_error_and_band():
    answer = report(LIGHT)

    assert answer["parameter_set"] == "2026-11"
    assert answer["entries"] == [
        {
            "id": "light",
            "published": 1.0,
            "predicted": 1.0,
            "low": 1.0,
            "high": 1.0,
            "error": 0.0,
            "status": "ok",
        }
    ]
    assert answer["summary"]["light_path"] == {"entries": 1, "median": 0.0, "mean": 0.0, "worst": 0.0, "inside": 1.0}


def test_what_has_no_model_is_a_miss_and_says_why():
    answer = report(LIGHT, {**LIGHT, "metric": "colour"}, {**LIGHT, "scenario": {"workload": "teapot"}})

    assert [row["status"] for row in answer["entries"]] == ["ok", "no_model", "no_model"]
    assert answer["entries"][2]["reason"] == "no model of the workload teapot"
    assert answer["summary"]["all"]["inside"] == pytest.approx(1 / 3)


def test_a_missing_field_is_named_and_counts_as_a_miss():
    row = report({**LIGHT, "scenario": {"workload": "light_path"}})["entries"][0]

    assert (row["status"], row["predicted"], row["error"]) == ("no_model", None, None)
    assert row["reason"] == "metres: is missing"


def test_an_entry_without_a_published_number_has_no_error_and_is_not_counted():
    answer = report(LIGHT, {**LIGHT, "published": None})

    assert answer["entries"][1]["status"] == "no_published_number"
    assert answer["entries"][1]["predicted"] == 1.0
    assert answer["summary"]["all"]["entries"] == 1


def test_the_larger_error_of_two_observed_ends_counts():
    entry = {"scenario": {"workload": "kv_store"}, "metric": "throughput_range_ops", "published": [50, 600]}

    judgement = judge(entry, Prediction((45.0, 540.0)))
    missed = judge(entry, Prediction((50.0, 400.0)))

    assert (judgement.error, judgement.status) == (pytest.approx(-0.1), "ok")
    assert (missed.error, missed.status) == (pytest.approx(-1 / 3), "miss")


def test_a_band_holds_its_prediction_and_widens_with_the_models_error():
    entries = [entry for entry in shipped_figures() if entry["scenario"]["workload"] == "block_io"]

    rows = report(*entries, members=16)["entries"]

    for row in rows:
        assert row["low"] < row["predicted"] < row["high"]
        assert row["high"] / row["low"] >= math.exp(2 * 1.645 * PARAMETERS.value("block_io.model_error")) * (1 - 1e-9)
    assert sum(row["low"] <= row["published"] <= row["high"] for row in rows) >= 0.8 * len(rows)


def test_a_report_is_plain_json_without_infinities():
    answer = report({**LIGHT, "published": 0})

    assert answer["entries"][0]["error"] is None
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
