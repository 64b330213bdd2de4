"""Advice for programs: asked in words, worked out by a job, ordered by its key."""

import pytest

from planner.advice.models import Advice
from planner.advice.registry import KINDS
from planner.tests.advice.factories import metered_answer
from planner.tests.factories import work_all

pytestmark = pytest.mark.django_db


ASKED = {"kind": "raid", "words": {"capacity": "2 TB", "iops": "1,000 IOPS"}}


def test_advice_is_asked_worked_out_and_ordered(program, shipped_catalogue):
    started = program.post("/api/v1/advice", ASKED)
    href = started["Location"]
    waiting = program.get(href).json()
    work_all()
    done = program.get(href).json()
    best = done["answer"]["best"]
    second = done["answer"]["runners_up"][0]

    ordered = program.post(f"{href}/order", {})
    other = program.post(f"{href}/order", {"configuration": second["key"]})

    assert started.status_code == 202
    assert (waiting["state"], waiting["answer"]) == ("waiting", None)
    assert (done["state"], done["demand"]["capacity"], done["location"]) == ("done", "2 TB", None)
    assert all(need["is_met"] for need in best["needs"])
    assert ordered.status_code == other.status_code == 201
    assert ordered.json()["totals"]["monthly"] == best["monthly_cost"]
    assert other.json()["totals"]["monthly"] == second["monthly_cost"]
    assert [line["best"] for line in program.get("/api/v1/advice").json()["results"]] == [best["title"]]


def test_the_use_that_is_expected_is_told_beside_the_cost(program):
    href = program.post("/api/v1/advice", {"kind": "network"})["Location"]
    work_all()
    advice = Advice.objects.get()
    now_kept = metered_answer()
    before = metered_answer()
    for row in (before["best"], *before["runners_up"], *before["front"]):
        row.pop("metered_cost")
    advice.run.result = now_kept
    advice.run.save()
    told = program.get(href).json()["answer"]
    (line,) = program.get("/api/v1/advice").json()["results"]

    advice.run.result = before
    advice.run.save()
    old = program.get(href).json()["answer"]
    (old_line,) = program.get("/api/v1/advice").json()["results"]

    for row, kept in zip(
        (told["best"], *told["runners_up"], *told["front"]),
        (now_kept["best"], *now_kept["runners_up"], *now_kept["front"]),
        strict=True,
    ):
        assert row["metered_cost"] == kept["metered_cost"]
    assert (told["best"]["monthly_cost"], told["best"]["metered_cost"]) == ("50.00", "10.00")
    assert (line["monthly_cost"], line["metered_cost"]) == ("50.00", "10.00")
    assert old["best"]["metered_cost"] == old["front"][0]["metered_cost"] == "0.00"
    assert old_line["metered_cost"] is None


def test_every_mistake_of_a_question_is_named(program, shipped_catalogue):
    answer = program.post("/api/v1/advice", {"kind": "raid", "words": {"capacity": "much", "colour": "red"}})
    unknown = program.post("/api/v1/advice", {"kind": "cooking"})

    assert answer.status_code == 422
    named = {(violation["code"], violation["field"]) for violation in answer.json()["violations"]}
    assert named == {("not_readable", "capacity"), ("field_unknown", "colour")}
    assert unknown.json()["code"] == "kind_unknown"
    assert not Advice.objects.exists()


def test_what_cannot_be_done_says_what_binds(program, shipped_catalogue):
    href = program.post("/api/v1/advice", {"kind": "raid", "words": {"capacity": "900 TB"}})["Location"]
    work_all()

    answer = program.get(href).json()["answer"]
    refused = program.post(f"{href}/order", {})

    assert answer["best"] is None
    assert answer["problem"]["limit"] == "Usable capacity"
    assert answer["problem"]["nearest"]["meets"] is False
    assert (refused.status_code, refused.json()["code"]) == (409, "advice_without_answer")


def test_the_kinds_are_told_with_their_fields(program):
    kinds = program.get("/api/v1/advice-kinds").json()["kinds"]

    assert [kind["key"] for kind in kinds] == list(KINDS)
    assert {"location", "term", "hours_per_month"} <= {blank["name"] for blank in kinds[0]["blanks"]}


def test_advice_that_waits_is_cancelled(program, shipped_catalogue):
    href = program.post("/api/v1/advice", ASKED)["Location"]

    cancelled = program.post(f"{href}/cancel", {})

    assert cancelled.json()["state"] == "cancelled"
    assert not work_all()
