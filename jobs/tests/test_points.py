from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from jobs.models import PointResult, PointState, RunState
from jobs.points import claim_is_held, lease_renew, point_claim, point_complete, point_fail, progress_say
from jobs.tests.factories import NOW, claim_next, make_run
from jobs.version import code_version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def leases_of_thirty_seconds(settings) -> None:
    settings.LEASE_SECONDS = 30.0


def seconds(count: float) -> timedelta:
    return timedelta(seconds=count)


def test_a_claim_leases_the_first_waiting_point_and_starts_the_run() -> None:
    run = make_run(points=2)

    claim = claim_next(worker="host:42")

    point = run.points.get(index=0)
    run.refresh_from_db()
    assert (claim.point_id, claim.token, claim.parameters) == (point.pk, 1, {"value": 0})
    assert (point.state, point.worker, point.attempt, point.lease_until) == ("leased", "host:42", 1, NOW + seconds(30))
    assert (run.state, run.started_at, run.code_version) == (RunState.RUNNING, NOW, code_version())


def test_the_final_point_waits_for_all_the_others() -> None:
    make_run(points=2)
    first, second = claim_next(), claim_next()
    point_complete(claim=first, result={}, now=NOW)

    assert point_claim(now=NOW, worker="host:1") is None

    point_complete(claim=second, result={}, now=NOW)

    assert claim_next().is_final


def test_a_run_without_points_goes_straight_to_its_end() -> None:
    run = make_run(points=0)

    point_complete(claim=claim_next(), result={"total": 0}, now=NOW)

    run.refresh_from_db()
    assert (run.state, run.result, run.finished_at) == (RunState.DONE, {"total": 0}, NOW)


def test_the_end_of_a_run_and_what_its_room_writes_stand_or_fall_together() -> None:
    run = make_run(points=0)
    claim = claim_next()

    def settle(run_id: int, result: dict) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        point_complete(claim=claim, result={"total": 0}, now=NOW, settle=settle)

    run.refresh_from_db()
    assert (run.state, run.progress_done, run.points.get().state) == (RunState.RUNNING, 0, PointState.LEASED)


def test_a_point_is_not_taken_while_its_lease_is_kept() -> None:
    make_run(points=1)
    claim = claim_next(now=NOW)

    assert lease_renew(claim=claim, now=NOW + seconds(20)) is True
    assert point_claim(now=NOW + seconds(49), worker="host:2") is None
    assert claim_next(now=NOW + seconds(51), worker="host:2").index == claim.index


def test_a_lease_that_ran_out_goes_to_the_next_worker_and_the_late_answer_is_refused() -> None:
    run = make_run(points=1)
    lost = claim_next(now=NOW, worker="host:1")
    taken = claim_next(now=NOW + seconds(31), worker="host:2")
    point = run.points.get(index=0)

    assert (taken.token, point.attempt, point.worker) == (2, 2, "host:2")
    assert claim_is_held(claim=lost) is False
    assert lease_renew(claim=lost, now=NOW + seconds(32)) is False
    assert point_fail(claim=lost, reason="late", now=NOW + seconds(32), is_expected=True) is False
    assert point_complete(claim=lost, result={"from": "lost"}, now=NOW + seconds(32)) is False
    assert PointResult.objects.count() == 0
    point.refresh_from_db()
    assert (point.state, point.lease_until, point.token) == ("leased", NOW + seconds(61), 2)


def test_only_one_of_two_answers_is_stored() -> None:
    run = make_run(points=1)
    claim = claim_next()

    assert point_complete(claim=claim, result={"found": 1}, now=NOW) is True
    assert point_complete(claim=claim, result={"found": 2}, now=NOW) is False

    run.refresh_from_db()
    assert [(each.index, each.token, each.result) for each in run.point_results.all()] == [(0, 1, {"found": 1})]
    assert run.progress_done == 1


@pytest.mark.breaks_invariants("run done = its results complete")
def test_the_database_refuses_a_second_result_of_a_point() -> None:
    run = make_run(points=1)
    PointResult.objects.create(run=run, index=0, token=1, result={})

    with pytest.raises(IntegrityError), transaction.atomic():
        PointResult.objects.create(run=run, index=0, token=2, result={})


def test_with_leases_switched_off_a_lost_point_is_never_taken_again(settings) -> None:
    settings.LEASE_SECONDS = 0
    make_run(points=1)
    claim_next(now=NOW)

    assert point_claim(now=NOW + timedelta(days=3650), worker="host:2") is None


def test_a_point_lost_three_times_fails_the_run_with_the_reason() -> None:
    run = make_run(points=2)
    for lost in range(3):
        assert claim_next(now=NOW + seconds(40 * lost), worker=f"host:{lost}").index == 0

    other = claim_next(now=NOW + seconds(81))
    assert other.index == 1
    assert point_claim(now=NOW + seconds(200), worker="host:9") is None

    run.refresh_from_db()
    assert (run.state, run.failure) == (RunState.FAILED, "crashed")
    assert run.reason == "Point 0 was started 3 times, and its worker (host:2) was lost the last time."
    assert list(run.points.values_list("state", "lease_until")) == [
        ("failed", None),
        ("cancelled", None),
        ("cancelled", None),
    ]


def test_a_crash_is_tried_three_times_and_the_third_fails_the_run() -> None:
    run = make_run(points=1)

    for attempt in (1, 2):
        assert point_fail(claim=claim_next(), reason="KeyError: 'ECU'", now=NOW, is_expected=False) is True
        point = run.points.get(index=0)
        assert (point.state, point.attempt, point.reason) == ("waiting", attempt, "KeyError: 'ECU'")
    point_fail(claim=claim_next(), reason="KeyError: 'ECU'", now=NOW, is_expected=False)

    run.refresh_from_db()
    assert (run.state, run.failure) == (RunState.FAILED, "crashed")
    assert run.reason == "Point 0 failed 3 times. The last time: KeyError: 'ECU'"


def test_a_refusal_fails_the_run_at_once_and_is_not_called_a_crash() -> None:
    run = make_run(points=2)

    point_fail(claim=claim_next(), reason="No machine type stores 4 PB.", now=NOW, is_expected=True)

    run.refresh_from_db()
    assert (run.state, run.failure, run.reason) == (RunState.FAILED, "refused", "No machine type stores 4 PB.")
    assert point_claim(now=NOW, worker="host:1") is None


def test_progress_words_come_only_from_the_worker_that_holds_the_point() -> None:
    run = make_run(points=1)
    lost = claim_next(now=NOW)
    held = claim_next(now=NOW + seconds(31))

    progress_say(claim=held, words="profiling c = 4 of 8")
    progress_say(claim=lost, words="profiling c = 1 of 8")

    run.refresh_from_db()
    assert run.progress_words == "profiling c = 4 of 8"
