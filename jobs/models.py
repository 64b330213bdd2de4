"""Runs and their points: the record of truth for all work that outlives a request. Celery is only the doorbell."""

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Exists, F, OuterRef, Q

JsonDict = dict[str, Any]


class RunState(models.TextChoices):
    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class Failure(models.TextChoices):
    """Why a run failed: the work said no by a rule, or it broke."""

    REFUSED = "refused", "Refused"
    CRASHED = "crashed", "Crashed"


class PointState(models.TextChoices):
    WAITING = "waiting", "Waiting"
    LEASED = "leased", "Leased"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


ACTIVE_RUN_STATES = (RunState.WAITING, RunState.RUNNING)
FINISHED_RUN_STATES = (RunState.DONE, RunState.FAILED, RunState.CANCELLED)
OPEN_POINT_STATES = (PointState.WAITING, PointState.LEASED)
FINISHED_POINT_STATES = (PointState.DONE, PointState.FAILED, PointState.CANCELLED)


class Run(models.Model):
    """One piece of work that somebody asked for, such as computing a plan, from the question to its answer."""

    kind = models.CharField(max_length=60)
    account_id = models.BigIntegerField()
    created_by = models.CharField(max_length=150)
    state = models.CharField(max_length=10, choices=RunState, default=RunState.WAITING)
    parameters = models.JSONField(default=dict)
    seed = models.BigIntegerField(help_text="With the point's index it seeds all randomness of that point.")
    attempt = models.PositiveIntegerField(default=1, help_text="1, and one more for each retry of the whole run.")
    progress_done = models.PositiveIntegerField(default=0, help_text="Points that are done, the final one included.")
    progress_total = models.PositiveIntegerField()
    progress_words = models.CharField(max_length=300, blank=True)
    stage = models.PositiveSmallIntegerField(
        default=0, help_text="Whose points are worked on; stays 0 where what comes later depends on nothing."
    )
    result = models.JSONField(null=True, blank=True)
    failure = models.CharField(max_length=10, choices=Failure, blank=True)
    reason = models.TextField(blank=True)
    code_version = models.CharField(max_length=64, blank=True, help_text="The code that computed the last point.")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    served_at = models.DateTimeField(null=True, blank=True, help_text="When a worker last took a point of this run.")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["account_id", "served_at"], name="run_by_account_and_turn"),
            models.Index(fields=["id"], condition=Q(state__in=ACTIVE_RUN_STATES), name="run_active"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=FINISHED_RUN_STATES, finished_at__isnull=False)
                | Q(state__in=ACTIVE_RUN_STATES, finished_at__isnull=True),
                name="a_run_has_an_end_exactly_when_finished",
            ),
            models.CheckConstraint(
                condition=Q(state=RunState.DONE, result__isnull=False)
                | (~Q(state=RunState.DONE) & Q(result__isnull=True)),
                name="a_run_has_a_result_exactly_when_done",
            ),
            models.CheckConstraint(
                condition=(Q(state=RunState.FAILED) & ~Q(failure="") & ~Q(reason=""))
                | (~Q(state=RunState.FAILED) & Q(failure="", reason="")),
                name="a_run_has_a_reason_exactly_when_failed",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=[RunState.RUNNING, RunState.DONE, RunState.FAILED])
                | Q(started_at__isnull=False),
                name="a_run_that_ran_has_a_start",
            ),
            models.CheckConstraint(
                condition=Q(progress_done__lte=F("progress_total")), name="run_progress_is_at_most_its_total"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} #{self.pk}"

    @property
    def is_finished(self) -> bool:
        return self.state in FINISHED_RUN_STATES


def point_is_free(*, now: datetime) -> Q:
    """The condition for a point that nobody works on: waiting and due, or leased by a worker that let it run out."""
    is_due = Q(not_before__isnull=True) | Q(not_before__lte=now)
    return Q(is_due, state=PointState.WAITING) | Q(state=PointState.LEASED, lease_until__lt=now)


class PointQuerySet(models.QuerySet["Point"]):
    def claimable(self, *, now: datetime) -> "PointQuerySet":
        """Free points of active runs; the final point only when all the others of its run are done."""
        unfinished = Point.objects.filter(run=OuterRef("run"), is_final=False).exclude(state=PointState.DONE)
        return self.filter(
            point_is_free(now=now),
            Q(is_final=False) | ~Exists(unfinished),
            run__state__in=ACTIVE_RUN_STATES,
        )


class Point(models.Model):
    """One independent share of a run, small enough to be repeated when its worker dies."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="points")
    index = models.PositiveIntegerField()
    stage = models.PositiveSmallIntegerField(
        default=0, help_text="Points of a stage are written when those of the stage before are done."
    )
    is_final = models.BooleanField(default=False, help_text="The final point joins the results of all the others.")
    parameters = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=PointState, default=PointState.WAITING)
    attempt = models.PositiveSmallIntegerField(default=0, help_text="Starts in this attempt of the run.")
    not_before = models.DateTimeField(
        null=True, blank=True, help_text="Nobody takes it before this time: it waits for something outside."
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    token = models.PositiveIntegerField(default=0, help_text="One higher at each claim, so that late answers show.")
    worker = models.CharField(max_length=150, blank=True)
    reason = models.TextField(blank=True, help_text="Why the last start came to nothing.")
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = PointQuerySet.as_manager()

    class Meta:
        ordering = ["run_id", "index"]
        indexes = [
            models.Index(fields=["run", "state", "index"], name="point_by_run_and_state"),
            models.Index(fields=["lease_until"], condition=Q(state=PointState.LEASED), name="point_leased"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["run", "index"], name="a_run_has_one_point_per_index"),
            models.UniqueConstraint(fields=["run"], condition=Q(is_final=True), name="a_run_has_one_final_point"),
            models.CheckConstraint(
                condition=Q(state=PointState.LEASED, lease_until__isnull=False)
                | (~Q(state=PointState.LEASED) & Q(lease_until__isnull=True)),
                name="a_point_has_a_lease_exactly_when_leased",
            ),
            models.CheckConstraint(
                condition=Q(state__in=FINISHED_POINT_STATES, finished_at__isnull=False)
                | Q(state__in=OPEN_POINT_STATES, finished_at__isnull=True),
                name="a_point_has_an_end_exactly_when_finished",
            ),
        ]

    def __str__(self) -> str:
        return f"the final point of run {self.run_id}" if self.is_final else f"point {self.index} of run {self.run_id}"


class PointResult(models.Model):
    """What one point of a run found; together they are the run's result set, which the final point joins."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="point_results")
    index = models.PositiveIntegerField()
    token = models.PositiveIntegerField(help_text="The claim under which it was computed.")
    result = models.JSONField()

    class Meta:
        ordering = ["run_id", "index"]
        constraints = [
            models.UniqueConstraint(fields=["run", "index"], name="a_point_has_one_result"),
        ]

    def __str__(self) -> str:
        return f"result of point {self.index} of run {self.run_id}"


class Bell(models.Model):
    """A bell that was rung for the workers and that nobody has answered yet."""

    slot = models.PositiveSmallIntegerField(unique=True, help_text="Numbered slots limit how many there are.")
    rung_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"bell {self.slot}"


class PeriodicClaim(models.Model):
    """The right to start one periodic job in one period, taken by whichever ticker came first."""

    job = models.CharField(max_length=80)
    period = models.CharField(max_length=40)
    claimed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "period"], name="a_periodic_job_starts_once_per_period"),
        ]

    def __str__(self) -> str:
        return f"{self.job} {self.period}"
