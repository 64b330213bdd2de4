"""Whatever workers, users and accidents do, and in whatever order, the rows of a run never contradict each other."""

from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import RuleBroken
from jobs.models import PointResult, Run, RunState
from jobs.points import Claim, lease_renew, point_claim, point_complete, point_fail
from jobs.selectors import broken_invariants
from jobs.services import run_cancel, run_retry
from jobs.tests.factories import NOW, claim_next, make_run

pytestmark = pytest.mark.django_db

STEPS = ("claim", "complete", "complete late", "crash", "refuse", "renew", "lose the worker", "cancel", "retry")


@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 3)), max_size=25))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_order_of_events_breaks_an_invariant(steps: list[tuple[str, int]]) -> None:
    Run.objects.all().delete()
    runs = [make_run(points=2, account_id=1), make_run(points=1, account_id=2)]
    claims: list[Claim] = []
    now = NOW

    for step, choice in steps:
        now += timedelta(seconds=31 if step == "lose the worker" else 1)
        happen(step=step, choice=choice, runs=runs, claims=claims, now=now)
        assert broken_invariants() == []

    for run in Run.objects.all():
        is_complete = run.point_results.count() == run.progress_total - 1 and run.result is not None
        assert (run.state == RunState.DONE) == is_complete
        assert run.progress_done == run.points.filter(state="done").count()


def happen(*, step: str, choice: int, runs: list[Run], claims: list[Claim], now: datetime) -> None:
    run = runs[choice % len(runs)]
    if step == "claim" and (claim := point_claim(now=now, worker=f"host:{choice}")):
        claims.append(claim)
    with suppress(RuleBroken):
        if step == "cancel":
            run_cancel(run_id=run.pk, account_id=run.account_id, now=now)
        elif step == "retry":
            run_retry(run_id=run.pk, account_id=run.account_id, now=now)
    if not claims:
        return
    if step in ("complete", "complete late"):
        claim = claims.pop() if step == "complete" else claims[choice % len(claims)]
        point_complete(claim=claim, result={"by": claim.token}, now=now)
    elif step in ("crash", "refuse"):
        point_fail(claim=claims.pop(), reason="It broke.", now=now, is_expected=step == "refuse")
    elif step == "renew":
        lease_renew(claim=claims[choice % len(claims)], now=now)


@pytest.mark.breaks_invariants("run done = its results complete")
def test_a_done_run_with_an_unfinished_point_is_reported() -> None:
    run = make_run(points=1)
    Run.objects.filter(pk=run.pk).update(state="done", result={}, started_at=NOW, finished_at=NOW)

    assert broken_invariants() == [
        f"{run} is done, but not all of its points are.",
        f"{run} is done, but a point of it is still open.",
    ]


@pytest.mark.breaks_invariants("run done = its results complete")
def test_an_open_run_whose_points_are_all_done_is_reported() -> None:
    run = make_run(points=0)
    run.points.update(state="done", finished_at=NOW)

    assert broken_invariants() == [f"All points of {run} are done, but it is waiting."]


@pytest.mark.breaks_invariants("run done = its results complete")
def test_a_done_point_without_result_and_a_result_without_done_point_are_reported() -> None:
    run = make_run(points=2)
    point_complete(claim=claim_next(), result={}, now=NOW)
    PointResult.objects.filter(run=run).update(index=1)

    assert broken_invariants() == [
        f"Point 0 of run {run.pk} is done and has no result.",
        f"There is a result of point 1 of run {run.pk}, which is not done.",
    ]
