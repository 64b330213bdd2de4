import os
from datetime import timedelta

import pytest
from celery import current_app
from kombu.exceptions import OperationalError

from core import clock
from jobs import bells
from jobs.models import Bell
from jobs.tests.factories import NOW, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def two_worker_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(current_app.conf, "worker_concurrency", 2)


def test_nothing_rings_when_nothing_waits(rung: list[int]) -> None:
    assert bells.ring_for_waiting(now=NOW) == 0
    assert rung == []


def test_one_bell_rings_for_one_point(rung: list[int]) -> None:
    make_run(points=1)

    assert bells.ring_for_waiting(now=NOW) == 1
    assert bells.ring_for_waiting(now=NOW) == 0
    assert rung == [Bell.objects.get().pk]


def test_at_most_two_bells_per_worker_process_are_unanswered(rung: list[int]) -> None:
    make_run(points=1000)

    assert bells.ring_for_waiting(now=NOW) == 4
    assert bells.ring_for_waiting(now=NOW) == 0

    bells.answer(bell_id=rung[0])

    assert bells.ring_for_waiting(now=NOW) == 1
    assert len(rung) == 5
    assert Bell.objects.count() == 4


def test_a_bell_that_nobody_answers_is_rung_again(settings, rung: list[int]) -> None:
    make_run(points=1)
    bells.ring_for_waiting(now=NOW)

    assert bells.ring_for_waiting(now=NOW + timedelta(seconds=settings.BELL_SECONDS - 1)) == 0
    assert bells.ring_for_waiting(now=NOW + timedelta(seconds=settings.BELL_SECONDS + 1)) == 1
    assert len(rung) == 2


def test_a_broker_that_is_down_costs_no_work_and_keeps_no_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    make_run(points=1)

    def refuse(*args: object, **options: object) -> None:
        raise OperationalError("Connection refused")

    monkeypatch.setattr(current_app, "send_task", refuse)

    assert bells.ring_for_waiting(now=NOW) == 0
    assert Bell.objects.count() == 0


def test_bells_that_nobody_heard_are_swept_from_the_folder(settings, tmp_path) -> None:
    settings.BROKER_DIR = tmp_path
    now = clock.now()
    queue = current_app.conf.task_default_queue
    old, fresh, foreign = (tmp_path / name for name in (f"1_a.{queue}.msg", f"2_b.{queue}.msg", "3_c.other.msg"))
    for path in (old, fresh, foreign):
        path.write_text("{}")
    long_ago = now.timestamp() - 3 * settings.BELL_SECONDS
    os.utime(old, (long_ago, long_ago))
    os.utime(foreign, (long_ago, long_ago))

    assert bells.sweep_unheard(now=now) == 1
    assert sorted(tmp_path.iterdir()) == [fresh, foreign]


def test_bells_need_no_receipt_from_a_worker_whose_broker_died() -> None:
    queues = current_app.amqp.queues.values()

    assert [(queue.name, queue.no_ack) for queue in queues] == [(current_app.conf.task_default_queue, True)]
