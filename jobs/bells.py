"""Bells wake workers and carry no work. Losing one loses nothing: the ticker rings again for whatever waits.

The number of unanswered bells is limited by slots, two for each worker process, so that no queue can grow.
"""

import logging
import os
from datetime import datetime, timedelta

from celery import current_app
from django.conf import settings
from django.db import IntegrityError, transaction
from kombu.exceptions import ChannelError, OperationalError

from jobs.models import Bell, Point

logger = logging.getLogger(__name__)

TASK = "jobs.work"
BELLS_PER_PROCESS = 2


def ring_for_waiting(*, now: datetime) -> int:
    """Ring for the points that wait, as far as there are free slots; returns how many bells were rung.

    Call it after commit: a worker that answers sooner finds nothing.
    """
    expired = now - timedelta(seconds=settings.BELL_SECONDS)
    rung_at = dict(Bell.objects.values_list("slot", "rung_at"))
    lost = [slot for slot, moment in rung_at.items() if moment < expired]
    if lost:
        Bell.objects.filter(slot__in=lost, rung_at__lt=expired).delete()
    unanswered = rung_at.keys() - set(lost)
    free = [slot for slot in range(slots()) if slot not in unanswered]
    if not free:
        return 0
    waiting = Point.objects.claimable(now=now)[: slots()].count()
    return sum(_ring(slot=slot, now=now) for slot in free[: max(0, waiting - len(unanswered))])


def answer(*, bell_id: int) -> None:
    """Free the slot of a bell that a worker has heard."""
    Bell.objects.filter(pk=bell_id).delete()


def slots() -> int:
    """Return how many bells may be unanswered: two for each worker process of this installation."""
    return BELLS_PER_PROCESS * int(current_app.conf.worker_concurrency or os.cpu_count() or 1)


def sweep_unheard(*, now: datetime) -> int:
    """Delete expired bells that lie in the folder of the file-system broker; returns how many.

    They gather when no worker runs for a long time. Redis has no such folder and workers drop what has expired.
    """
    oldest = now.timestamp() - 2 * settings.BELL_SECONDS
    swept = 0
    for path in settings.BROKER_DIR.glob(f"*.{current_app.conf.task_default_queue}.msg"):
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
                swept += 1
        except FileNotFoundError:
            continue  # a worker heard it after all
    return swept


def _ring(*, slot: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            bell = Bell.objects.create(slot=slot, rung_at=now)
    except IntegrityError:
        return False  # another process rang this one
    try:
        current_app.send_task(TASK, args=[bell.pk], expires=settings.BELL_SECONDS, retry=False, ignore_result=True)
    except (OperationalError, ChannelError) as error:
        # The work is safe in its rows; the ticker rings again when the broker is back.
        logger.warning("The broker did not take a bell: %s", error)
        bell.delete()
        return False
    return True
