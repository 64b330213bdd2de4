"""Two workers reach for one point at the same moment, and the twin shows what the condition is for."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.db.models import Q

from jobs import locks, points
from jobs.models import Point, Run
from jobs.points import Claim, point_claim
from jobs.tests.factories import NOW, make_run

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

DEADLINE_SECONDS = 20


@pytest.fixture
def both_have_seen_the_point_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold both workers between looking and taking, until both have looked."""
    barrier = threading.Barrier(2)
    arrived = threading.local()
    lock = locks.run_locked

    def meet_then_lock(*, run_id: int) -> Run:
        if not hasattr(arrived, "before"):
            arrived.before = True
            barrier.wait(DEADLINE_SECONDS)
        return lock(run_id=run_id)

    monkeypatch.setattr(locks, "run_locked", meet_then_lock)


def claim_from_two_workers() -> list[Claim]:
    def claim(worker: str) -> Claim | None:
        try:
            return point_claim(now=NOW, worker=worker)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as workers:
        return [claimed for claimed in workers.map(claim, ["host:1", "host:2"]) if claimed]


@pytest.mark.usefixtures("both_have_seen_the_point_free")
def test_of_two_workers_only_one_gets_the_point() -> None:
    make_run(points=1)

    claims = claim_from_two_workers()

    point = Point.objects.get(is_final=False)
    assert [claim.token for claim in claims] == [1]
    assert (point.token, point.attempt) == (1, 1)


@pytest.mark.usefixtures("both_have_seen_the_point_free")
def test_without_the_condition_both_workers_get_the_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "_unchanged", lambda *, point, now: Q(pk=point.pk))
    make_run(points=1)

    claims = claim_from_two_workers()

    assert len(claims) == 2
    assert Point.objects.get(is_final=False).attempt == 2


@pytest.mark.usefixtures("both_have_seen_the_point_free")
def test_the_worker_that_comes_second_gets_the_next_point() -> None:
    make_run(points=2)

    assert sorted(claim.index for claim in claim_from_two_workers()) == [0, 1]
