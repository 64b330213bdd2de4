"""Questions about runs. Those that a tenant may ask take the account and have no default."""

from django.db.models import Exists, OuterRef, QuerySet

from core.invariants import Contradictions
from jobs.models import FINISHED_RUN_STATES, OPEN_POINT_STATES, Point, PointResult, PointState, Run, RunState


def runs_of(*, account_id: int) -> QuerySet[Run]:
    """Return the account's runs, latest first."""
    return Run.objects.filter(account_id=account_id)


def run_of(*, account_id: int, run_id: int) -> Run:
    """Return one run of the account; raises Run.DoesNotExist for anybody else's."""
    return runs_of(account_id=account_id).get(pk=run_id)


def broken_invariants() -> list[str]:
    """Return one line for each run or point whose rows contradict each other; none is the healthy answer."""
    own_points = Point.objects.filter(run=OuterRef("pk"))
    unfinished = Exists(own_points.exclude(state=PointState.DONE))
    own_result = PointResult.objects.filter(run=OuterRef("run"), index=OuterRef("index"))
    computed = Point.objects.filter(is_final=False)
    own_computed_point = computed.filter(run=OuterRef("run"), index=OuterRef("index"), state=PointState.DONE)
    return [
        *(f"{run} is done, but not all of its points are." for run in _runs(unfinished, state=RunState.DONE)),
        *(
            f"All points of {run} are done, but it is {run.state}."
            for run in Run.objects.exclude(state=RunState.DONE).filter(Exists(own_points), ~unfinished)
        ),
        *(
            f"{run} is {run.state}, but a point of it is still open."
            for run in _runs(Exists(own_points.filter(state__in=OPEN_POINT_STATES)), state__in=FINISHED_RUN_STATES)
        ),
        *(
            f"{point} is done and has no result.".capitalize()
            for point in computed.filter(~Exists(own_result), state=PointState.DONE)
        ),
        *(
            f"There is a {result}, which is not done."
            for result in PointResult.objects.filter(~Exists(own_computed_point))
        ),
        *(
            f"{run} is in stage {run.stage}, but a point of an earlier stage is not done."
            for run in _runs(Exists(own_points.filter(stage__lt=OuterRef("stage")).exclude(state=PointState.DONE)))
        ),
        *(
            f"{run} is in stage {run.stage}, but has points of a later one."
            for run in _runs(Exists(own_points.filter(stage__gt=OuterRef("stage"))))
        ),
    ]


def runs_contradicted() -> Contradictions:
    """Yield what broken_invariants says, for the command that looks at all rooms."""
    for words in broken_invariants():
        yield "runs", words


def leases_left_over() -> Contradictions:
    """Yield points that nobody works on and that are leased all the same."""
    for point in Point.objects.filter(lease_until__isnull=False).exclude(state=PointState.LEASED):
        yield f"point:{point.pk}", f"{point} is {point.state} and still has a lease.".capitalize()
    for point in Point.objects.filter(state=PointState.LEASED, run__state__in=FINISHED_RUN_STATES):
        yield f"point:{point.pk}", f"{point} is leased, and its run has ended.".capitalize()


def _runs(condition: Exists, **facts: object) -> QuerySet[Run]:
    return Run.objects.filter(condition, **facts)
