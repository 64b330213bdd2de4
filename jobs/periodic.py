"""Periodic work: rooms register theirs in a module named periodic, which the ticker imports."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db import IntegrityError, transaction

from jobs import bells
from jobs.models import PeriodicClaim

logger = logging.getLogger(__name__)

Every = timedelta | Literal["month"]
Start = Callable[[datetime], object]

KEPT = timedelta(days=400)


@dataclass(frozen=True)
class PeriodicJob:
    """One thing to start, once in each period."""

    name: str
    every: Every
    start: Start


_jobs: dict[str, PeriodicJob] = {}


def register_periodic(name: str, every: Every, start: Start) -> None:
    """Have `start(now)` called once in each period, by one ticker only.

    Periods are counted from the epoch in UTC, months by the calendar. `start` runs in the transaction that claims
    the period: when it raises, the period is claimed again at the next tick. It must be quick; long work is a run.
    """
    _jobs[name] = PeriodicJob(name=name, every=every, start=start)


def start_due(*, now: datetime) -> list[str]:
    """Start what has not been started in the present period; returns the names of what was started."""
    return [job.name for job in list(_jobs.values()) if _start_once(job=job, now=now)]


def period_of(*, every: Every, now: datetime) -> str:
    """Return the name of the present period: "2012-04" or the moment it began."""
    if every == "month":
        return f"{now:%Y-%m}"
    seconds = every.total_seconds()
    began = now.timestamp() // seconds * seconds
    return datetime.fromtimestamp(began, tz=now.tzinfo).isoformat()


def _start_once(*, job: PeriodicJob, now: datetime) -> bool:
    period = period_of(every=job.every, now=now)
    if PeriodicClaim.objects.filter(job=job.name, period=period).exists():
        return False
    try:
        with transaction.atomic():
            if not _claim(job=job, period=period, now=now):
                return False
            job.start(now)
    except Exception:
        # One broken periodic job must not stop the ticker, which all runs depend on.
        logger.exception("The periodic job %s could not be started.", job.name)
        return False
    return True


def _claim(*, job: PeriodicJob, period: str, now: datetime) -> bool:
    try:
        with transaction.atomic():
            PeriodicClaim.objects.create(job=job.name, period=period, claimed_at=now)
    except IntegrityError:
        return False  # another ticker came first
    return True


def _sweep(now: datetime) -> None:
    bells.sweep_unheard(now=now)
    PeriodicClaim.objects.filter(claimed_at__lt=now - KEPT).delete()


register_periodic("jobs.sweep", timedelta(minutes=1), _sweep)
