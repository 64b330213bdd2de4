import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from simulation.figures import shipped_figures
from simulation.parameters import load_parameter_set, parameter_set_from_json
from simulation.stored_accuracy import report_to_json, stored_report

DISKS = {
    "workload": "block_io",
    "array": {"drive_class": "sas_15k", "drive_gb": 300, "drives": 4, "raid": "raid10"},
    "mount": "data",
    "block_kib": 8,
    "queue_depth": 128,
    "access": "random",
    "operation": "read",
}


def output_of(*arguments: str) -> str:
    output = StringIO()
    call_command(*arguments, stdout=output)
    return output.getvalue()


def written(folder, document: object):
    path = folder / "file.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def answer(tmp_path_factory):
    path = written(tmp_path_factory.mktemp("figures"), shipped_figures())
    return json.loads(output_of("accuracy", "--measurements", str(path), "--json"))


def summary(answer: dict, workload: str) -> dict:
    return answer["summary"][workload]


def test_every_published_figure_is_predicted_in_the_promised_form(answer):
    assert [row["id"] for row in answer["entries"]] == [entry["id"] for entry in shipped_figures()]
    assert {row["status"] for row in answer["entries"]} <= {"ok", "miss"}
    assert {frozenset(row) for row in answer["entries"]} == {
        frozenset({"id", "published", "predicted", "low", "high", "error", "status"})
    }


def test_the_figures_that_were_fitted_hold_as_promised(answer):
    assert summary(answer, "block_io")["mean"] <= 0.08
    assert summary(answer, "block_io")["worst"] <= 0.20
    assert summary(answer, "build")["worst"] <= 0.05
    assert summary(answer, "object_store")["inside"] >= 9 / 11
    for workload in ("document_store", "light_path", "raid", "replicated_write"):
        assert summary(answer, workload)["inside"] == 1.0


def test_the_report_that_the_page_shows_is_what_accuracy_finds(answer):
    """After a change to a model or a fit: run `manage.py accuracy --store`."""
    stored = stored_report(answer["parameter_set"])

    assert [(row["id"], row["status"]) for row in stored["entries"]] == [
        (row["id"], row["status"]) for row in answer["entries"]
    ]
    for kept, found in zip(stored["entries"], answer["entries"], strict=True):
        for name in ("predicted", "low", "high", "error"):
            is_text = found[name] is None or isinstance(found[name], str)
            assert kept[name] == (found[name] if is_text else pytest.approx(found[name], rel=1e-6)), found["id"]
    assert stored["summary"] == {name: pytest.approx(totals) for name, totals in answer["summary"].items()}


def test_a_report_on_other_figures_is_not_stored(tmp_path):
    path = written(tmp_path, shipped_figures()[:1])

    with pytest.raises(CommandError, match="--store keeps the report on the shipped figures"):
        output_of("accuracy", "--measurements", str(path), "--store")


def test_the_key_value_store_holds_in_throughput_and_percentiles(answer):
    rows = {row["id"]: row for row in answer["entries"]}

    for name in ("t3.bm.tput", "t1.vm.tput.trend", "t1.vm.get.p99", "t1.vm.put.p99"):
        assert rows[f"riak.{name}"]["status"] == "ok", name


def test_accuracy_says_in_words_what_misses_and_succeeds(tmp_path):
    entries = [
        {"id": "a", "scenario": DISKS, "metric": "iops", "published": 17, "use": "check"},
        {"id": "b", "scenario": {**DISKS, "queue_depth": None}, "metric": "iops", "published": 17, "use": "check"},
    ]

    words = output_of("accuracy", "--measurements", str(written(tmp_path, entries))).splitlines()

    assert words[0].startswith("a: published 17, predicted ")
    assert words[0].endswith(": miss")
    assert words[1] == "b: published 17, no model: queue_depth: is missing"
    assert words[2].startswith("block_io: 0% of 2 inside tolerance")


@pytest.mark.parametrize("document", [{}, [1], [{"id": "a"}]])
def test_a_file_that_holds_no_measurements_is_refused(tmp_path, document):
    with pytest.raises(CommandError):
        output_of("accuracy", "--measurements", str(written(tmp_path, document)))


def test_simulate_tells_every_metric_of_a_scenario(tmp_path):
    answer = json.loads(output_of("simulate", str(written(tmp_path, DISKS)), "--json"))

    assert set(answer["figures"]) == {"iops", "throughput_mb_s", "latency_ms", "bottleneck"}
    assert answer["figures"]["bottleneck"] == "drives"


STORE = {
    "workload": "kv_store",
    "nodes": 5,
    "clients": 8,
    "gets_per_put": 10,
    "keys": 1_000_000,
    "value_bytes": {"distribution": "constant", "bytes": 50_000},
    "replicas": 3,
    "acks": 2,
    "duration_seconds": 5,
    "node": {"platform": "bare_metal", "ram_gb": 36, "array": DISKS["array"], "network_gbps": 2, "cores": 12},
}


def test_simulate_tells_the_largest_load_that_keeps_a_promise(tmp_path):
    promising = {**STORE, "promise": {"percent": 99, "within_ms": 500}}

    answer = json.loads(output_of("simulate", str(written(tmp_path, promising)), "--json"))

    assert answer["figures"]["sustainable_ops"] > 0


def test_replications_come_with_their_intervals_and_again_the_same(tmp_path):
    arguments = ("simulate", str(written(tmp_path, STORE)), "--replications", "4", "--seed", "7")

    answer = json.loads(output_of(*arguments, "--json"))

    assert answer["replications"] == 4
    assert 0 < answer["intervals"]["throughput_ops"] < 0.2 * answer["figures"]["throughput_ops"]
    assert json.loads(output_of(*arguments, "--json")) == answer
    assert output_of(*arguments).startswith("throughput_ops: ")
    assert " ± " in output_of(*arguments).splitlines()[0]


@pytest.mark.parametrize("count", ["0", "1001"])
def test_an_impossible_number_of_replications_is_refused(tmp_path, count):
    with pytest.raises(CommandError, match="--replications"):
        output_of("simulate", str(written(tmp_path, DISKS)), "--replications", count)


def test_simulate_names_the_field_that_is_missing(tmp_path):
    with pytest.raises(CommandError, match="array: is missing"):
        output_of("simulate", str(written(tmp_path, {"workload": "block_io"})))


def test_simulate_refuses_an_unknown_workload(tmp_path):
    with pytest.raises(CommandError, match="workload: must be one of block_io"):
        output_of("simulate", str(written(tmp_path, {"workload": "teapot"})))


def test_calibrate_writes_a_dated_set(tmp_path):
    target = tmp_path / "set.json"

    words = output_of("calibrate", "--workload", "build", "--name", "trial", "--output", str(target))

    fitted = parameter_set_from_json(target.read_text(encoding="utf-8"))
    assert (fitted.name, fitted.version) == ("trial", 1)
    assert words.endswith(f"Wrote {target}.\n")


def test_calibrate_shows_every_parameter_with_its_source():
    words = output_of("calibrate", "--show")

    assert "drive.rotating.reorder_exponent: " in words
    assert "fitted on fio.md4sas.logs.read" in words


def test_parameters_prints_every_parameter_in_words_or_as_json():
    words, shipped = output_of("parameters"), load_parameter_set()

    lines = words.splitlines()
    assert lines[0] == f"Parameter set {shipped.name}, version {shipped.version}, {shipped.date}"
    assert {line.split(":")[0] for line in lines} >= set(shipped.parameters)
    assert parameter_set_from_json(output_of("parameters", "--json")) == shipped


def test_parameters_of_an_unknown_set_are_refused():
    with pytest.raises(CommandError, match="There is no parameter set 1999-01"):
        output_of("parameters", "--parameter-set", "1999-01")


def test_a_stored_report_reads_back_as_it_was(answer):
    assert json.loads(report_to_json(answer)) == answer
