"""Runs in stages: what comes later depends on what came before, also when workers die and people change their minds."""

from datetime import timedelta
from itertools import pairwise

import pytest

from core.errors import RuleBroken
from jobs import handlers
from jobs.handlers import PointContext, register
from jobs.models import JsonDict, PointResult, PointState, Run, RunState
from jobs.points import point_claim, point_complete, point_fail
from jobs.selectors import broken_invariants
from jobs.services import run_cancel, run_retry
from jobs.stages import run_again_from
from jobs.tests.factories import NOW, claim_next, make_run
from jobs.working import work_once

pytestmark = pytest.mark.django_db

DOUBLINGS = 2


@pytest.fixture(autouse=True)
def no_other_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "_handlers", {})


def double(stage: int, parameters: JsonDict, results: list[JsonDict]) -> list[JsonDict] | None:
    """Two stages more, each with one point less than the one before: sums of neighbours."""
    if stage > DOUBLINGS:
        return None
    values = [result["value"] for result in results if result["stage"] == stage - 1]
    return [{"value": one + other, "stage": stage} for one, other in pairwise(values)]


def answer(context: PointContext, point: JsonDict) -> JsonDict:
    context.say(f"at work on {point['value']}")
    return {"value": point["value"], "stage": point.get("stage", 0), "seed": context.seed}


def values(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    return {"values": [result["value"] for result in results]}


def make_staged(points: int = 3) -> Run:
    register("test.stages", execute=answer, finish=values, plan_stage=double)
    return make_run(points=points, kind="test.stages")


def work_off() -> int:
    turns = 0
    while work_once():
        turns += 1
    return turns


def complete_next(run: Run, value: int = 0) -> None:
    run.refresh_from_db()
    result = {"value": value, "stage": run.stage}
    assert point_complete(claim=claim_next(), result=result, now=NOW, plan_stage=double)


def test_each_stage_starts_from_what_the_one_before_found() -> None:
    run = make_staged()

    assert work_off() == 3 + 2 + 1 + 1

    run.refresh_from_db()
    assert (run.state, run.stage, run.progress_done, run.progress_total) == (RunState.DONE, 2, 7, 7)
    assert run.result == {"values": [0, 1, 2, 1, 3, 4]}
    assert list(run.points.values_list("index", "stage", "is_final")) == [
        *((0, 0, False), (1, 0, False), (2, 0, False), (3, 1, False), (4, 1, False), (5, 2, False), (6, 2, True)),
    ]
    assert broken_invariants() == []


def test_the_points_of_a_stage_are_written_when_the_last_one_before_is_done() -> None:
    run = make_staged(points=2)
    complete_next(run)
    assert (run.points.count(), run.stage) == (3, 0)

    complete_next(run, value=7)

    run.refresh_from_db()
    assert (run.stage, run.progress_total, run.points.count()) == (1, 4, 4)
    assert run.points.get(stage=1, is_final=False).parameters == {"value": 7, "stage": 1}
    assert claim_next().index == 2


def test_a_kind_of_runs_without_stages_knows_none() -> None:
    register("test.sum", execute=answer, finish=values)
    run = make_run(points=2)

    assert work_off() == 3

    run.refresh_from_db()
    assert (run.state, run.stage, run.progress_total) == (RunState.DONE, 0, 3)


def test_no_stage_is_opened_by_an_answer_that_comes_too_late() -> None:
    run = make_staged(points=1)
    lost = claim_next(now=NOW)
    held = claim_next(now=NOW + timedelta(seconds=31))

    assert point_complete(claim=lost, result={"value": 1, "stage": 0}, now=NOW, plan_stage=double) is False
    assert (run.points.count(), PointResult.objects.count()) == (2, 0)
    assert held.index == 0


def test_a_stage_that_cannot_be_planned_leaves_its_point_undone_and_fails_after_three_starts() -> None:
    def stumble(stage: int, parameters: JsonDict, results: list[JsonDict]) -> list[JsonDict] | None:
        raise ZeroDivisionError("no stage")

    register("test.stages", execute=answer, finish=values, plan_stage=stumble)
    run = make_run(points=1, kind="test.stages")

    assert work_off() == 3

    run.refresh_from_db()
    assert (run.state, run.failure, run.progress_done) == (RunState.FAILED, "crashed", 0)
    assert run.reason == "Point 0 failed 3 times. The last time: ZeroDivisionError: no stage"
    assert PointResult.objects.count() == 0
    assert broken_invariants() == []


def test_a_run_cancelled_in_a_later_stage_is_taken_up_again_there() -> None:
    run = make_staged()
    for _ in range(4):
        complete_next(run)
    run_cancel(run_id=run.pk, account_id=1, now=NOW)
    assert point_claim(now=NOW, worker="host:1") is None

    run_retry(run_id=run.pk, account_id=1, now=NOW)

    run.refresh_from_db()
    assert (run.stage, run.progress_done, run.progress_total) == (1, 4, 6)
    assert claim_next().index == 4
    assert run.points.filter(stage=0).exclude(state=PointState.DONE).count() == 0


def test_a_crash_in_a_later_stage_keeps_what_the_earlier_ones_found() -> None:
    run = make_staged()
    for _ in range(3):
        complete_next(run, value=5)
    for _ in range(3):
        point_fail(claim=claim_next(), reason="It broke.", now=NOW, is_expected=False)

    run_retry(run_id=run.pk, account_id=1, now=NOW)
    work_off()

    run.refresh_from_db()
    assert (run.state, run.attempt) == (RunState.DONE, 2)
    assert run.result == {"values": [5, 5, 5, 10, 10, 20]}


def test_a_run_is_computed_again_from_a_stage_on_in_a_new_run() -> None:
    first = make_staged()
    work_off()
    first.refresh_from_db()

    again = run_again_from(run_id=first.pk, account_id=1, stage=1, created_by="lou@north.example", now=NOW, seed=99)

    assert (again.state, again.stage, again.seed, again.created_by) == (RunState.WAITING, 1, 99, "lou@north.example")
    assert (again.progress_done, again.progress_total) == (3, 6)
    assert work_off() == 2 + 1 + 1
    again.refresh_from_db()
    assert (again.state, again.result) == (RunState.DONE, first.result)
    seeds = [[each.result["seed"] for each in run.point_results.all()] for run in (first, again)]
    assert [one == other for one, other in zip(*seeds, strict=True)] == [True] * 3 + [False] * 3
    first.refresh_from_db()
    assert first.progress_done == 7
    assert broken_invariants() == []


def test_without_another_seed_the_new_run_finds_the_same() -> None:
    first = make_staged()
    work_off()

    again = run_again_from(run_id=first.pk, account_id=1, stage=0, created_by="lou@north.example", now=NOW)
    work_off()

    found = [[each.result for each in run.point_results.all()] for run in (first, again)]
    assert found[0] == found[1]


@pytest.mark.parametrize("stage", [1, 2, 9])
def test_a_stage_that_was_not_reached_cannot_be_computed_again(stage: int) -> None:
    run = make_staged()
    complete_next(run)

    with pytest.raises(RuleBroken) as refusal:
        run_again_from(run_id=run.pk, account_id=1, stage=stage, created_by="lou@north.example", now=NOW)

    assert refusal.value.code == "stage_not_reached"
    assert Run.objects.count() == 1


def test_another_accounts_run_cannot_be_computed_again() -> None:
    run = make_staged()
    work_off()

    with pytest.raises(Run.DoesNotExist):
        run_again_from(run_id=run.pk, account_id=2, stage=0, created_by="lou@north.example", now=NOW)

    assert Run.objects.count() == 1


@pytest.mark.breaks_invariants("run done = its results complete")
def test_points_ahead_of_their_run_and_left_behind_are_reported() -> None:
    run = make_run(points=2)
    run.points.filter(index=1).update(stage=1)
    assert broken_invariants() == [f"{run} is in stage 0, but has points of a later one."]

    Run.objects.filter(pk=run.pk).update(stage=1)
    run.points.filter(is_final=True).update(stage=1)
    assert broken_invariants() == [f"{run} is in stage 1, but a point of an earlier stage is not done."]
