"""Runs in stages: what comes later is written down when everything before it is done, in view of what that found."""

from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import F

from core.errors import RuleBroken
from jobs import bells, locks
from jobs.handlers import PlanStage
from jobs.models import JsonDict, Point, PointResult, PointState, Run, RunState
from jobs.selectors import run_of

BATCH = 1000


def stage_open(*, run: Run, plan_stage: PlanStage) -> bool:
    """Write the next stage's points where all points of a locked run are done; False where there is nothing to write.

    The final point moves behind them, so that points are numbered in the order of their stages.
    """
    computed = run.points.filter(is_final=False)
    if computed.exclude(state=PointState.DONE).exists():
        return False
    points = plan_stage(run.stage + 1, run.parameters, results_of(run_id=run.pk))
    if not points:
        return False
    first = computed.count()
    run.points.filter(is_final=True).update(index=first + len(points), stage=run.stage + 1)
    Point.objects.bulk_create(
        [
            Point(run=run, index=index, stage=run.stage + 1, parameters=each)
            for index, each in enumerate(points, start=first)
        ],
        batch_size=BATCH,
    )
    Run.objects.filter(pk=run.pk).update(stage=F("stage") + 1, progress_total=F("progress_total") + len(points))
    return True


def results_of(*, run_id: int) -> list[JsonDict]:
    """Return the results so far, in the order of the points."""
    return list(PointResult.objects.filter(run=run_id).order_by("index").values_list("result", flat=True))


@transaction.atomic
def run_again_from(
    *, run_id: int, account_id: int, stage: int, created_by: str, now: datetime, seed: int | None = None
) -> Run:
    """Start a new run that keeps what the earlier stages of another one found, and computes from `stage` on again.

    The other run stays as it is. Without a seed the new one has its seed, and finds the same. Raises Run.DoesNotExist,
    and RuleBroken where the other run has not come as far as that stage.
    """
    origin = locks.run_locked(run_id=run_of(account_id=account_id, run_id=run_id).pk)
    kept = list(origin.points.filter(is_final=False, stage__lt=stage))
    repeated = list(origin.points.filter(is_final=False, stage=stage))
    if not repeated or any(point.state != PointState.DONE for point in kept):
        raise RuleBroken(
            "stage_not_reached", "This work has not come that far yet. Wait for it, or start at the front."
        )
    run = Run.objects.create(
        kind=origin.kind,
        account_id=account_id,
        created_by=created_by,
        state=RunState.WAITING,
        parameters=origin.parameters,
        seed=origin.seed if seed is None else seed,
        stage=stage,
        progress_done=len(kept),
        progress_total=len(kept) + len(repeated) + 1,
        created_at=now,
    )
    last = Point(run=run, index=len(kept) + len(repeated), stage=stage, is_final=True)
    Point.objects.bulk_create(
        [*(_kept(point, run) for point in kept), *(_waiting(point, run) for point in repeated), last], batch_size=BATCH
    )
    results = PointResult.objects.filter(run=origin, index__lt=len(kept))
    PointResult.objects.bulk_create(
        [PointResult(run=run, index=each.index, token=each.token, result=each.result) for each in results],
        batch_size=BATCH,
    )
    transaction.on_commit(partial(bells.ring_for_waiting, now=now))
    return run


def _kept(point: Point, run: Run) -> Point:
    return Point(
        run=run,
        index=point.index,
        stage=point.stage,
        parameters=point.parameters,
        state=PointState.DONE,
        attempt=point.attempt,
        token=point.token,
        worker=point.worker,
        started_at=point.started_at,
        finished_at=point.finished_at,
    )


def _waiting(point: Point, run: Run) -> Point:
    return Point(run=run, index=point.index, stage=point.stage, parameters=point.parameters)
