"""kill -9 of a worker in the middle of a point: nothing is lost and nothing is done twice.

It runs real worker and ticker processes on the database and the broker of the test run: PostgreSQL and Redis, and once
more SQLite and the file-system broker. The twin without leases shows that it is the lease that saves the work.
"""

import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from core import clock
from jobs import bells
from jobs.models import JsonDict, Point, PointState, Run, RunState
from jobs.selectors import broken_invariants
from jobs.services import run_start
from jobs.working import work_once
from tests import pausing_handler
from tests.house import House, house_of
from tests.waiting import wait_until

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

logger = logging.getLogger(__name__)

DEADLINE_SECONDS = 60
LEASE_SECONDS = 2
PAUSING_POINT = 1


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    # Bells of this process would go to its own queue; the ticker under test rings instead.
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)
    lease_seconds = getattr(request, "param", LEASE_SECONDS)
    with house_of(folder=tmp_path, include="tests.pausing_handler", lease_seconds=lease_seconds) as house:
        yield house


def start_run(house: House) -> Run:
    return run_start(
        kind=pausing_handler.KIND,
        account_id=1,
        created_by="nora@north.example",
        parameters={"folder": str(house.folder)},
        points=[{"pauses": index == PAUSING_POINT} for index in range(3)],
        now=clock.now(),
    )


def wait_for_pause(house: House) -> int:
    """Return the id of the worker process that pauses between two chunks."""
    paused = house.folder / pausing_handler.PAUSED
    words = wait_until(lambda: paused.exists() and paused.read_text(), seconds=DEADLINE_SECONDS)
    assert words, "No worker came to the pausing point."
    return int(words)


def kill_process(process_id: int) -> None:
    logger.warning("Killing worker process %s with SIGKILL, on %s and %s", process_id, connection.vendor, broker())
    os.kill(process_id, signal.SIGKILL)


def broker() -> str:
    return str(settings.CELERY_BROKER_URL).partition(":")[0]


def is_done(run: Run) -> bool:
    return Run.objects.filter(pk=run.pk, state=RunState.DONE).exists()


def go_on(house: House) -> None:
    (house.folder / pausing_handler.GO_ON).touch()


def undisturbed_result(house: House) -> JsonDict | None:
    """Compute the same question in this process, where nothing is killed and no worker takes a point of it."""
    house.close()
    run = start_run(house)
    while work_once():
        pass
    run.refresh_from_db()
    assert run.state == RunState.DONE
    return run.result


@pytest.mark.parametrize("whole_worker", [False, True], ids=["its pool process", "all of it"])
def test_a_killed_worker_s_run_ends_once_with_the_same_result(house: House, whole_worker: bool) -> None:
    run = start_run(house)
    house.start_ticker()
    worker = house.start_worker()
    victim = wait_for_pause(house)
    point = Point.objects.get(run=run, index=PAUSING_POINT)
    assert (point.state, point.token) == (PointState.LEASED, 1)
    assert point.worker.endswith(f":{victim}")

    kill_process(victim)
    if whole_worker:
        house.kill(worker)
        house.start_worker()
    go_on(house)

    assert wait_until(lambda: is_done(run), seconds=DEADLINE_SECONDS)
    assert broken_invariants() == []
    run.refresh_from_db()
    starts = dict(run.points.values_list("index", "token"))
    assert starts == {0: 1, PAUSING_POINT: 2, 2: 1, 3: 1}
    assert dict(run.point_results.values_list("index", "token")) == {0: 1, PAUSING_POINT: 2, 2: 1}
    assert run.result == undisturbed_result(house)


@pytest.mark.parametrize("house", [0], indirect=True, ids=["leases off"])
def test_without_leases_the_killed_worker_s_work_is_lost(house: House) -> None:
    run = start_run(house)
    house.start_ticker()
    worker = house.start_worker()
    victim = wait_for_pause(house)

    kill_process(victim)
    house.kill(worker)
    go_on(house)
    house.start_worker()

    others = run.points.filter(index=2, state=PointState.DONE)
    assert wait_until(others.exists, seconds=DEADLINE_SECONDS), "The second worker did nothing at all."
    assert not wait_until(lambda: is_done(run), seconds=3 * LEASE_SECONDS)
    run.refresh_from_db()
    point = run.points.get(index=PAUSING_POINT)
    assert (run.state, run.progress_done) == (RunState.RUNNING, 2)
    assert (point.state, point.token) == (PointState.LEASED, 1)
    assert point.worker.endswith(f":{victim}")
