import json

import pytest

from simulation.parameters import load_parameter_set, parameter_set_from_json, parameter_set_to_json


def document_with(*, value: float = 2.0, **source: object) -> str:
    row = {"name": "disk.speed", "value": value, "unit": "MB/s", "low": 1.0, "high": 3.0, "source": source}
    return json.dumps({"name": "test", "version": 1, "date": "2026-11-21", "parameters": [row]})


def test_the_shipped_set_is_named_and_holds_what_the_models_ask_for():
    parameters = load_parameter_set()

    assert parameters.name == "2026-11"
    assert parameters.value("object_store.streams_per_proxy") == 48


def test_a_parameter_set_survives_writing_and_reading():
    shipped = load_parameter_set()

    assert parameter_set_from_json(parameter_set_to_json(shipped)) == shipped


def test_with_values_changes_a_copy():
    shipped = load_parameter_set()

    changed = shipped.with_values({"object_store.stream_mb_s": 9.0})

    assert changed.value("object_store.stream_mb_s") == 9.0
    assert shipped.value("object_store.stream_mb_s") != 9.0


def test_an_assumption_without_a_reason_is_refused():
    with pytest.raises(ValueError, match=r"disk\.speed"):
        parameter_set_from_json(document_with(kind="assumed"))


def test_a_fitted_parameter_without_ids_is_refused():
    with pytest.raises(ValueError, match=r"disk\.speed"):
        parameter_set_from_json(document_with(kind="fitted", reason="because"))


def test_a_value_outside_its_interval_is_refused():
    with pytest.raises(ValueError, match=r"4\.0 lies outside 1\.0 to 3\.0"):
        parameter_set_from_json(document_with(value=4.0, kind="specification", reason="data sheet"))


def test_an_unknown_parameter_set_is_not_found():
    with pytest.raises(FileNotFoundError):
        load_parameter_set("1999-01")
