from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, transaction

from core.errors import RuleBroken
from jobs.models import Point, PointState, Run, RunState
from jobs.points import point_complete, point_fail
from jobs.selectors import run_of, runs_of
from jobs.services import run_cancel, run_retry, run_start
from jobs.states import RUN_MOVES, run_move
from jobs.tests.factories import LONG_AFTER, NOW, claim_next, make_run

pytestmark = pytest.mark.django_db


def test_a_started_run_waits_with_its_points_and_a_final_one() -> None:
    run = make_run(points=2)

    assert (run.state, run.progress_done, run.progress_total, run.attempt) == (RunState.WAITING, 0, 3, 1)
    assert list(run.points.values_list("index", "is_final", "state", "parameters")) == [
        (0, False, "waiting", {"value": 0}),
        (1, False, "waiting", {"value": 1}),
        (2, True, "waiting", {}),
    ]


def test_the_same_question_gets_the_same_seed_and_another_question_another() -> None:
    start = partial(run_start, kind="plan", account_id=1, created_by="nora", points=[], now=NOW)

    first = start(parameters={"a": 1, "b": 2})
    again = start(parameters={"b": 2, "a": 1})
    other = start(parameters={"a": 1, "b": 3})
    given = start(parameters={"a": 1, "b": 2}, seed=7)

    assert first.seed == again.seed
    assert len({first.seed, other.seed, given.seed}) == 3
    assert given.seed == 7


def test_bells_ring_only_after_the_run_is_committed(rung: list[int], django_capture_on_commit_callbacks) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        make_run(points=1)

    assert rung == []

    callbacks[0]()

    assert len(rung) == 1


def test_cancelling_stops_the_run_and_takes_its_points_from_the_workers() -> None:
    run = make_run(points=3)
    done, leased = claim_next(), claim_next()
    point_complete(claim=done, result={"found": 0}, now=NOW)

    run_cancel(run_id=run.pk, account_id=1, now=LONG_AFTER)

    run.refresh_from_db()
    assert (run.state, run.finished_at, run.progress_done) == (RunState.CANCELLED, LONG_AFTER, 1)
    assert list(run.points.values_list("state", "lease_until")) == [("done", None)] + [("cancelled", None)] * 3
    assert point_complete(claim=leased, result={"found": 1}, now=LONG_AFTER) is False
    assert list(run.point_results.values_list("index", flat=True)) == [0]


def test_a_finished_run_cannot_be_cancelled() -> None:
    run = make_run(points=0)
    point_complete(claim=claim_next(), result={"total": 0}, now=NOW)

    with pytest.raises(RuleBroken) as refusal:
        run_cancel(run_id=run.pk, account_id=1, now=LONG_AFTER)

    run.refresh_from_db()
    assert (refusal.value.code, run.state, run.finished_at) == ("run_move_refused", RunState.DONE, NOW)


def test_a_retry_repeats_only_unfinished_points() -> None:
    run = make_run(points=2)
    point_complete(claim=claim_next(), result={"found": 0}, now=NOW)
    point_fail(claim=claim_next(), reason="No drive fits.", now=NOW, is_expected=True)

    run_retry(run_id=run.pk, account_id=1, now=LONG_AFTER)

    run.refresh_from_db()
    assert (run.state, run.attempt, run.failure, run.reason) == (RunState.WAITING, 2, "", "")
    assert list(run.points.values_list("index", "state", "attempt")) == [
        (0, "done", 1),
        (1, "waiting", 0),
        (2, "waiting", 0),
    ]

    point_complete(claim=claim_next(now=LONG_AFTER), result={"found": 1}, now=LONG_AFTER)
    point_complete(claim=claim_next(now=LONG_AFTER), result={"total": 1}, now=LONG_AFTER)

    run.refresh_from_db()
    assert (run.state, run.result, run.progress_done) == (RunState.DONE, {"total": 1}, 3)


def test_an_answer_from_before_the_retry_is_refused() -> None:
    run = make_run(points=1)
    early = claim_next()
    run_cancel(run_id=run.pk, account_id=1, now=NOW)
    run_retry(run_id=run.pk, account_id=1, now=NOW)
    late = claim_next()

    assert point_complete(claim=early, result={"found": "early"}, now=NOW) is False
    assert point_complete(claim=late, result={"found": "late"}, now=NOW) is True
    assert [result.result for result in run.point_results.all()] == [{"found": "late"}]


@pytest.mark.parametrize("service", [run_cancel, run_retry])
def test_nobody_moves_the_run_of_another_account(service) -> None:
    run = make_run(account_id=1)

    with pytest.raises(Run.DoesNotExist):
        service(run_id=run.pk, account_id=2, now=NOW)

    run.refresh_from_db()
    assert (run.state, run.attempt) == (RunState.WAITING, 1)


def test_selectors_show_an_account_its_own_runs_only() -> None:
    own, foreign = make_run(account_id=1), make_run(account_id=2)

    assert list(runs_of(account_id=1)) == [own]
    assert run_of(account_id=1, run_id=own.pk) == own
    with pytest.raises(Run.DoesNotExist):
        run_of(account_id=1, run_id=foreign.pk)


@pytest.mark.parametrize("start", RunState)
@pytest.mark.parametrize("to", RunState)
@pytest.mark.breaks_invariants("run done = its results complete")
def test_every_move_outside_the_table_is_refused_and_leaves_no_trace(start: RunState, to: RunState) -> None:
    run = make_run(points=0)
    for step in PATHS[start]:
        run_move(run=run, to=step, now=NOW, **FACTS[step])
    facts = FACTS[to]

    if to in RUN_MOVES[start]:
        run_move(run=run, to=to, now=LONG_AFTER, **facts)
        expected = to
    else:
        with pytest.raises(RuleBroken, match="cannot become"):
            run_move(run=run, to=to, now=LONG_AFTER, **facts)
        expected = start

    run.refresh_from_db()
    assert run.state == expected


PATHS = {
    RunState.WAITING: [],
    RunState.RUNNING: [RunState.RUNNING],
    RunState.DONE: [RunState.RUNNING, RunState.DONE],
    RunState.FAILED: [RunState.RUNNING, RunState.FAILED],
    RunState.CANCELLED: [RunState.CANCELLED],
}
FACTS: dict[RunState, dict] = {
    RunState.WAITING: {},
    RunState.RUNNING: {},
    RunState.DONE: {"result": {}},
    RunState.FAILED: {"failure": "crashed", "reason": "It broke."},
    RunState.CANCELLED: {},
}


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"state": "done", "started_at": NOW, "finished_at": NOW}, "a_run_has_a_result_exactly_when_done"),
        ({"result": {"total": 1}}, "a_run_has_a_result_exactly_when_done"),
        ({"state": "cancelled"}, "a_run_has_an_end_exactly_when_finished"),
        ({"finished_at": NOW}, "a_run_has_an_end_exactly_when_finished"),
        (
            {"state": "failed", "started_at": NOW, "finished_at": NOW, "failure": "crashed"},
            "a_run_has_a_reason_exactly_when_failed",
        ),
        ({"failure": "refused", "reason": "No."}, "a_run_has_a_reason_exactly_when_failed"),
        ({"state": "running"}, "a_run_that_ran_has_a_start"),
        ({"progress_done": 4}, "run_progress_is_at_most_its_total"),
    ],
)
def test_the_database_refuses_a_run_that_contradicts_itself(changes: dict, rule: str) -> None:
    run = make_run(points=2)

    with pytest.raises(IntegrityError, match=rule), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(**changes)


@pytest.mark.parametrize("state", [state for state in PointState if state != PointState.LEASED])
def test_the_database_refuses_a_lease_on_a_point_that_nobody_works_on(state: PointState) -> None:
    run = make_run(points=1)
    is_finished = state != PointState.WAITING

    with pytest.raises(IntegrityError, match="a_point_has_a_lease_exactly_when_leased"), transaction.atomic():
        run.points.filter(index=0).update(
            state=state, lease_until=NOW + timedelta(seconds=30), finished_at=NOW if is_finished else None
        )

    assert Point.objects.get(run=run, index=0).state == PointState.WAITING
