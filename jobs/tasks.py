"""The one Celery task: answer a bell and do one point."""

from celery import shared_task

from jobs import bells
from jobs.working import work_once


@shared_task(name=bells.TASK, ignore_result=True)
def work(bell_id: int) -> None:
    bells.answer(bell_id=bell_id)
    work_once()
