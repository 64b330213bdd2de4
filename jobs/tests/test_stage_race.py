"""Two workers complete the last two points of a stage at the same moment; the twin shows what the lock is for."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest
from django.db import connection

from jobs import locks, points
from jobs.handlers import PlanStage
from jobs.models import JsonDict, Run
from jobs.points import Claim, point_complete
from jobs.selectors import broken_invariants
from jobs.tests.factories import NOW, claim_next, make_run

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

DEADLINE_SECONDS = 5


def one_more(stage: int, parameters: JsonDict, results: list[JsonDict]) -> list[JsonDict] | None:
    return [{"value": len(results)}] if stage == 1 else None


@contextmanager
def met_before_looking(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let both workers write their results before either looks whether the stage is complete, if nothing keeps them."""
    barrier = threading.Barrier(2)
    opening = points.stage_open

    def meet_then_open(*, run: Run, plan_stage: PlanStage) -> bool:
        with suppress(threading.BrokenBarrierError):  # the lock keeps the other one out, as it should
            barrier.wait(DEADLINE_SECONDS)
        return opening(run=run, plan_stage=plan_stage)

    monkeypatch.setattr(points, "stage_open", meet_then_open)
    yield


def complete_both(claims: list[Claim]) -> list[bool]:
    def complete(claim: Claim) -> bool:
        try:
            return point_complete(claim=claim, result={"by": claim.index}, now=NOW, plan_stage=one_more)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as workers:
        return list(workers.map(complete, claims))


def two_claims() -> tuple[Run, list[Claim]]:
    return make_run(points=2), [claim_next(worker="host:1"), claim_next(worker="host:2")]


def test_the_next_stage_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    run, claims = two_claims()

    with met_before_looking(monkeypatch):
        assert complete_both(claims) == [True, True]

    run.refresh_from_db()
    assert (run.stage, run.progress_done, run.progress_total) == (1, 2, 4)
    assert [point.parameters for point in run.points.filter(stage=1, is_final=False)] == [{"value": 2}]
    assert broken_invariants() == []


def test_without_the_lock_both_think_the_other_one_is_not_done_and_the_stage_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, claims = two_claims()
    monkeypatch.setattr(locks, "run_locked", lambda *, run_id: Run.objects.get(pk=run_id))

    with met_before_looking(monkeypatch):
        complete_both(claims)

    run.refresh_from_db()
    assert run.stage == 0
    assert run.points.filter(is_final=False).count() == 2
    assert claim_next().is_final
