"""A point that waits for something outside gives its worker free and is taken up again in time."""

from datetime import timedelta

import pytest

from core import clock
from jobs import handlers
from jobs.handlers import PointContext, TryLater, register
from jobs.models import JsonDict, Point, Run, RunState
from jobs.points import ATTEMPTS, point_claim, point_postpone
from jobs.selectors import broken_invariants
from jobs.services import run_cancel, run_retry
from jobs.tests.factories import LONG_AFTER, NOW, claim_next, make_run
from jobs.working import work_once

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


class Time:
    """What time it is."""

    at = NOW


@pytest.fixture(autouse=True)
def time(monkeypatch):
    Time.at = NOW
    monkeypatch.setattr(handlers, "_handlers", {})
    monkeypatch.setattr(clock, "now", lambda: Time.at)
    return Time


def starts_of_three(context: PointContext, point: JsonDict) -> JsonDict:
    if context.start < 3:
        raise TryLater(clock.now() + context.start * MINUTE, f"Start {context.start} came too early.")
    return {"start": context.start}


def finish(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    return {"starts": [result["start"] for result in results]}


@pytest.fixture
def run() -> Run:
    register("test.sum", execute=starts_of_three, finish=finish)
    return make_run(points=1)


def test_a_point_is_taken_up_again_when_its_time_has_come_and_not_before(run, time) -> None:
    assert work_once()
    point = run.points.get(index=0)
    assert (point.state, point.not_before, point.lease_until) == ("waiting", NOW + MINUTE, None)
    assert (point.attempt, point.reason) == (0, "Start 1 came too early.")

    time.at = NOW + MINUTE - timedelta(microseconds=1)
    assert not work_once()
    time.at = NOW + MINUTE
    assert work_once()
    assert not work_once(), "it wants two minutes now"
    time.at = NOW + 3 * MINUTE
    while work_once():
        pass

    run.refresh_from_db()
    assert (run.state, run.result) == (RunState.DONE, {"starts": [3]})
    assert broken_invariants() == []


def test_waiting_is_no_failure_however_often_it_happens(run, monkeypatch, time) -> None:
    def never(context: PointContext, point: JsonDict) -> JsonDict:
        raise TryLater(clock.now() + MINUTE, "Not yet.")

    register("test.sum", execute=never, finish=finish)

    for _ in range(5 * ATTEMPTS):
        assert work_once()
        time.at += MINUTE

    run.refresh_from_db()
    assert (run.state, run.points.get(index=0).token) == (RunState.RUNNING, 5 * ATTEMPTS)


def test_other_points_of_the_run_do_not_wait_with_it(time) -> None:
    def second_waits(context: PointContext, point: JsonDict) -> JsonDict:
        if point["value"] == 1 and context.start == 1:
            raise TryLater(clock.now() + MINUTE, "Not yet.")
        return {"start": context.start}

    register("test.sum", execute=second_waits, finish=finish)
    run = make_run(points=3)

    while work_once():
        pass

    assert sorted(run.points.filter(state="done").values_list("index", flat=True)) == [0, 2]


def test_a_claim_that_was_overtaken_postpones_nothing() -> None:
    make_run(points=1)
    late = claim_next()
    claim_next(now=LONG_AFTER)

    assert not point_postpone(claim=late, until=NOW + MINUTE, reason="Not yet.")
    assert Point.objects.get(index=0).not_before is None


def test_a_cancelled_run_is_not_waited_for_and_one_taken_up_again_begins_at_once(time) -> None:
    run = make_run(points=1)
    point_postpone(claim=claim_next(), until=NOW + MINUTE, reason="Not yet.")
    run_cancel(run_id=run.pk, account_id=1, now=NOW)
    time.at = LONG_AFTER
    assert point_claim(now=LONG_AFTER, worker="host:1") is None

    run_retry(run_id=run.pk, account_id=1, now=NOW)

    assert claim_next().index == 0
