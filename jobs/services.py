"""What people and rooms do with runs: start, cancel, try again. What workers do with points is in points.py."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import F

from jobs import bells, locks
from jobs.models import OPEN_POINT_STATES, JsonDict, Point, PointState, Run, RunState
from jobs.selectors import run_of
from jobs.states import run_move


@transaction.atomic
def run_start(
    *,
    kind: str,
    account_id: int,
    created_by: str,
    parameters: JsonDict,
    points: Sequence[JsonDict],
    now: datetime,
    seed: int | None = None,
) -> Run:
    """Write a run with its points, and ring for workers once it is committed.

    Each entry of `points` is the parameters of one point; a final point that joins their results is added.
    Without a seed it follows from kind and parameters: the same question gets the same random numbers.
    """
    run = Run.objects.create(
        kind=kind,
        account_id=account_id,
        created_by=created_by,
        parameters=parameters,
        seed=seed_of(kind=kind, parameters=parameters) if seed is None else seed,
        progress_total=len(points) + 1,
        created_at=now,
    )
    Point.objects.bulk_create(
        [Point(run=run, index=index, parameters=each) for index, each in enumerate(points)]
        + [Point(run=run, index=len(points), is_final=True)],
        batch_size=1000,
    )
    transaction.on_commit(partial(bells.ring_for_waiting, now=now))
    return run


@transaction.atomic
def run_cancel(*, run_id: int, account_id: int, now: datetime) -> Run:
    """Stop a run at once: what a worker still computes for it is refused. Raises Run.DoesNotExist, RuleBroken."""
    run = _own_run_locked(run_id=run_id, account_id=account_id)
    run_move(run=run, to=RunState.CANCELLED, now=now)
    close_open_points(run=run, now=now)
    return run


@transaction.atomic
def run_retry(*, run_id: int, account_id: int, now: datetime) -> Run:
    """Take a failed or cancelled run up again where it was: only its unfinished points are computed.

    Raises Run.DoesNotExist, RuleBroken.
    """
    run = _own_run_locked(run_id=run_id, account_id=account_id)
    run_move(run=run, to=RunState.WAITING, now=now)
    Run.objects.filter(pk=run.pk).update(attempt=F("attempt") + 1, progress_words="")
    run.points.exclude(state=PointState.DONE).update(
        state=PointState.WAITING, not_before=None, attempt=0, worker="", reason="", started_at=None, finished_at=None
    )
    transaction.on_commit(partial(bells.ring_for_waiting, now=now))
    run.refresh_from_db()
    return run


def close_open_points(*, run: Run, now: datetime) -> None:
    """Take every open point of a locked run away from its worker; its answer will come too late."""
    run.points.filter(state__in=OPEN_POINT_STATES).update(state=PointState.CANCELLED, lease_until=None, finished_at=now)


def _own_run_locked(*, run_id: int, account_id: int) -> Run:
    return locks.run_locked(run_id=run_of(account_id=account_id, run_id=run_id).pk)


def seed_of(*, kind: str, parameters: JsonDict) -> int:
    """Return the seed of a question: the same one for the same kind and parameters."""
    digest = hashlib.sha256(json.dumps([kind, parameters], sort_keys=True).encode()).digest()
    return int.from_bytes(digest[:7], "big")
