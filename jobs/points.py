"""What workers do with points: claim one, keep its lease, and end it. A claim that was overtaken changes nothing."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Q, QuerySet

from jobs import locks
from jobs.fairness import runs_in_turn
from jobs.handlers import PlanStage, Settle
from jobs.models import (
    ACTIVE_RUN_STATES,
    Failure,
    JsonDict,
    Point,
    PointResult,
    PointState,
    Run,
    RunState,
    point_is_free,
)
from jobs.services import close_open_points
from jobs.stages import stage_open
from jobs.states import run_move
from jobs.version import code_version

ATTEMPTS = 3
CANDIDATES = 8  # of one run, tried in turn when several workers ask at the same moment
NEVER_RUNS_OUT = timedelta(days=36_500)


@dataclass(frozen=True)
class Claim:
    """The right to compute one point, good as long as no later claim has a higher token."""

    run_id: int
    kind: str
    run_seed: int
    run_parameters: JsonDict
    point_id: int
    index: int
    is_final: bool
    parameters: JsonDict
    token: int


def point_claim(*, now: datetime, worker: str) -> Claim | None:
    """Give the worker the next point by fair share among accounts, or None when nothing waits."""
    while run_ids := runs_in_turn(now=now):
        for run_id in run_ids:
            for point in Point.objects.claimable(now=now).filter(run=run_id).order_by("index")[:CANDIDATES]:
                if point.attempt >= ATTEMPTS:
                    _give_up(point=point, now=now)
                elif claim := _take(point=point, now=now, worker=worker):
                    return claim
    return None


def lease_renew(*, claim: Claim, now: datetime) -> bool:
    """Make the lease last longer; False when the point is no longer the claimant's."""
    return bool(_held(claim).update(lease_until=_lease_end(now)))


def claim_is_held(*, claim: Claim) -> bool:
    """Say whether anybody still wants the answer: False after a cancel, a failed run or a lost lease."""
    return _held(claim).exists()


def progress_say(*, claim: Claim, words: str) -> None:
    """Tell the people who wait what is being done."""
    Run.objects.filter(Exists(_held(claim)), pk=claim.run_id).update(progress_words=words[:300])


@transaction.atomic
def point_complete(
    *,
    claim: Claim,
    result: JsonDict,
    now: datetime,
    settle: Settle | None = None,
    plan_stage: PlanStage | None = None,
) -> bool:
    """Store what the point found; False, and nothing is written, when the claim was overtaken.

    The last point of a stage writes the points of the next one, as `plan_stage` says. The final point's result ends
    the run, together with what `settle` writes. Each happens in the same transaction.
    """
    run = locks.run_locked(run_id=claim.run_id)
    if not _held(claim).update(state=PointState.DONE, lease_until=None, finished_at=now, reason=""):
        return False
    if claim.is_final:
        run_move(run=run, to=RunState.DONE, now=now, result=result)
        if settle:
            settle(run.pk, result)
    else:
        PointResult.objects.create(run=run, index=claim.index, token=claim.token, result=result)
        if plan_stage:
            stage_open(run=run, plan_stage=plan_stage)
    Run.objects.filter(pk=run.pk).update(progress_done=F("progress_done") + 1)
    return True


@transaction.atomic
def point_fail(*, claim: Claim, reason: str, now: datetime, is_expected: bool) -> bool:
    """Record that the point came to nothing; False, and nothing is written, when the claim was overtaken.

    An expected failure is a refusal, which trying again does not change: the run fails at once. After a crash
    the point waits for its next attempt, and the third crash fails the run.
    """
    run = locks.run_locked(run_id=claim.run_id)
    point = _held(claim).first()
    if point is None:
        return False
    if is_expected:
        _fail_run(run=run, point=point, failure=Failure.REFUSED, reason=reason, now=now)
    elif point.attempt >= ATTEMPTS:
        words = f"{_name(point)} failed {ATTEMPTS} times. The last time: {reason}"
        _fail_run(run=run, point=point, failure=Failure.CRASHED, reason=words, now=now)
    else:
        _held(claim).update(state=PointState.WAITING, lease_until=None, reason=reason)
    return True


@transaction.atomic
def point_postpone(*, claim: Claim, until: datetime, reason: str) -> bool:
    """Let the point wait for something outside; False, and nothing is written, when the claim was overtaken."""
    locks.run_locked(run_id=claim.run_id)
    waiting = _held(claim).update(
        state=PointState.WAITING, lease_until=None, attempt=0, not_before=until, reason=reason
    )
    return bool(waiting)


@transaction.atomic
def _take(*, point: Point, now: datetime, worker: str) -> Claim | None:
    run = locks.run_locked(run_id=point.run_id)
    if run.state not in ACTIVE_RUN_STATES:
        return None
    taken = Point.objects.filter(_unchanged(point=point, now=now)).update(
        state=PointState.LEASED,
        not_before=None,
        lease_until=_lease_end(now),
        token=F("token") + 1,
        attempt=F("attempt") + 1,
        worker=worker,
        started_at=now,
    )
    if not taken:
        return None
    if run.state == RunState.WAITING:
        run_move(run=run, to=RunState.RUNNING, now=now)
    Run.objects.filter(pk=run.pk).update(served_at=now, code_version=code_version())
    return Claim(
        run_id=run.pk,
        kind=run.kind,
        run_seed=run.seed,
        run_parameters=run.parameters,
        point_id=point.pk,
        index=point.index,
        is_final=point.is_final,
        parameters=point.parameters,
        token=point.token + 1,
    )


def _unchanged(*, point: Point, now: datetime) -> Q:
    """The condition that lets only one worker have a point that several of them saw free."""
    return Q(pk=point.pk, token=point.token) & point_is_free(now=now)


@transaction.atomic
def _give_up(*, point: Point, now: datetime) -> None:
    run = locks.run_locked(run_id=point.run_id)
    if run.state in ACTIVE_RUN_STATES and Point.objects.filter(_unchanged(point=point, now=now)).exists():
        words = f"{_name(point)} was started {ATTEMPTS} times, and its worker ({point.worker}) was lost the last time."
        _fail_run(run=run, point=point, failure=Failure.CRASHED, reason=words, now=now)


def _fail_run(*, run: Run, point: Point, failure: Failure, reason: str, now: datetime) -> None:
    Point.objects.filter(pk=point.pk).update(state=PointState.FAILED, lease_until=None, finished_at=now, reason=reason)
    run_move(run=run, to=RunState.FAILED, now=now, failure=failure, reason=reason)
    close_open_points(run=run, now=now)


def _held(claim: Claim) -> QuerySet[Point]:
    return Point.objects.filter(pk=claim.point_id, token=claim.token, state=PointState.LEASED)


def _lease_end(now: datetime) -> datetime:
    return now + (timedelta(seconds=settings.LEASE_SECONDS) or NEVER_RUNS_OUT)


def _name(point: Point) -> str:
    return "The final point" if point.is_final else f"Point {point.index}"
