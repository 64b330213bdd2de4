"""Measured results by calls: upload, read, refuse, delete."""

import pytest

from planner.models import MeasurementFile

pytestmark = pytest.mark.django_db

TABLE = "configuration;value;unit\nfour nodes;1.234,5;MB/s\neight nodes;2.345,5;MB/s\n"


def test_a_file_of_results_is_kept_with_its_values(program, account):
    answer = program.post("/api/v1/measurements", {"content": TABLE, "file_name": "a.csv", "name": "Version 2"})

    file = MeasurementFile.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, f"/api/v1/measurements/{file.pk}")
    assert (file.account, file.name, file.file_name, file.kind) == (account, "Version 2", "a.csv", "plain")
    told = program.get(f"/api/v1/measurements/{file.pk}").json()
    assert told == answer.json()
    assert [(row["configuration"], row["value"], row["unit"]) for row in told["measurements"]] == [
        ("four nodes", 1234.5, "MB/s"),
        ("eight nodes", 2345.5, "MB/s"),
    ]
    assert {(row["predicted"], row["teaches"]) for row in told["measurements"]} == {(None, "")}
    assert told["factors"] == {}
    assert [row["id"] for row in program.get("/api/v1/measurements").json()["results"]] == [file.pk]


def test_a_cut_off_file_is_refused_with_its_line_and_nothing_is_kept(program):
    answer = program.post("/api/v1/measurements", {"content": '{\n "fio version": "fio-3'})

    assert answer.status_code == 422
    (violation,) = answer.json()["violations"]
    assert (violation["code"], violation["field"]) == ("file_truncated", "content")
    assert violation["words"].startswith("Line 2: Column 17")
    assert MeasurementFile.objects.count() == 0


def test_a_source_that_is_not_there_is_refused(program):
    answer = program.post("/api/v1/measurements", {"content": TABLE, "source": "simulation:4711"})

    assert answer.status_code == 422
    assert [(each["code"], each["field"]) for each in answer.json()["violations"]] == [("source_unfit", "source")]
    assert MeasurementFile.objects.count() == 0


def test_the_same_file_is_a_conflict_and_a_repeated_call_is_not(program):
    first = program.post("/api/v1/measurements", {"content": TABLE}, **{"Idempotency-Key": "one"})
    repeated = program.post("/api/v1/measurements", {"content": TABLE}, **{"Idempotency-Key": "one"})
    again = program.post("/api/v1/measurements", {"content": TABLE})

    assert repeated.json() == first.json()
    assert (again.status_code, again.json()["code"]) == (409, "file_known")
    assert MeasurementFile.objects.count() == 1


def test_a_deleted_file_is_gone(program):
    href = program.post("/api/v1/measurements", {"content": TABLE}).json()["href"]

    answer = program.post(f"{href}/delete")

    assert answer.json() == {"id": int(href.rpartition("/")[2]), "is_deleted": True}
    assert program.get(href).status_code == 404
    assert MeasurementFile.objects.count() == 0
