"""A sweep of 200 points while its workers are killed with kill -9: every point ends once, with the same bits.

It runs a real worker and a ticker on PostgreSQL and Redis, and once more on SQLite and the file-system broker. The
moments are drawn from a seed. A process is stopped before it is killed, so that it dies in the middle of a point. The
twin without leases shows that it is the leases that save the work; in another one Redis is killed and comes back.
"""

import logging
import os
import random
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from redis import Redis

from accounts.models import Account, User
from accounts.tests.factories import make_account, make_member
from core import clock
from jobs import bells
from jobs.models import JsonDict, Point, PointState, Run, RunState
from jobs.points import ATTEMPTS
from jobs.selectors import broken_invariants
from jobs.working import work_once
from planner import tasks
from planner.simulations.asking import Question, Sweep
from planner.simulations.fields import KV_STORE
from planner.simulations.scenarios import default_scenario
from planner.simulations.starting import simulation_start
from tests import servers
from tests.house import House, house_of
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

logger = logging.getLogger(__name__)

WORKERS_KNOW = [tasks]
HANDLER = "planner.tasks"
POINTS = 200
KILLS = 10
SEED = 20121217
LEASE_SECONDS = 5
PROCESSES = 2
DEADLINE_SECONDS = 120
MOMENTS = sorted(random.Random(SEED).sample(range(2, POINTS - 20), KILLS))
"""After how many done points the next kill comes."""
SWEEP = Question(
    scenario=default_scenario(KV_STORE) | {"clients": 1, "duration_seconds": 2.0},
    name="200 numbers of clients",
    sweep=Sweep("clients", tuple(range(1, POINTS + 1))),
    with_bands=False,
    seed=SEED,
)


@dataclass
class Killer:
    """Kills processes of a run's workers, each in the middle of a point, and remembers which.

    It spares a point in its last attempt: who kills the same point three times ends its run, by rule.
    """

    run: Run
    killed: list[int] = field(default_factory=list)
    rng: random.Random = field(default_factory=lambda: random.Random(SEED))

    def kill_one(self) -> None:
        """Wait for a process that computes a point, and kill it there."""
        assert wait_until(self._killed_one_at_work, seconds=DEADLINE_SECONDS), "No worker was at work."

    def lost(self) -> int:
        """How many points are still leased by those that were killed."""
        return sum(self._process(point) in self.killed for point in self._leased())

    def _killed_one_at_work(self) -> bool:
        for point in self.rng.sample(found := list(self._leased()), len(found)):
            process = self._process(point)
            if point.attempt == ATTEMPTS or process in self.killed or not is_alive(process):
                continue
            os.kill(process, signal.SIGSTOP)
            if self._leased().filter(worker=point.worker).exists():
                os.kill(process, signal.SIGKILL)
                self.killed.append(process)
                return True
            os.kill(process, signal.SIGCONT)
        return False

    def _leased(self) -> QuerySet[Point]:
        return Point.objects.filter(run=self.run, state=PointState.LEASED)

    def _process(self, point: Point) -> int:
        return int(point.worker.rpartition(":")[2])


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(autouse=True)
def quiet_bells(monkeypatch: pytest.MonkeyPatch) -> None:
    # Bells of this process would go to its own queue; the ticker under test rings instead.
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    lease_seconds = getattr(request, "param", LEASE_SECONDS)
    with house_of(folder=tmp_path, include=HANDLER, lease_seconds=lease_seconds) as house:
        yield house


@pytest.fixture
def ana(transactional_db: None) -> User:
    return make_member(make_account())


def start_sweep(user: User) -> Run:
    account = Account.objects.get()
    return simulation_start(account=account, user=user, question=SWEEP, now=clock.now()).run


def undisturbed_result(user: User) -> JsonDict | None:
    """Compute the same question in this process, where nothing is killed; the kernel is compiled here too."""
    run = start_sweep(user)
    while work_once():
        pass
    run.refresh_from_db()
    assert run.state == RunState.DONE
    return run.result


def done_points(run: Run) -> int:
    return Point.objects.filter(run=run, state=PointState.DONE).count()


def has_done(run: Run, count: int) -> bool:
    return done_points(run) >= count


def started_again(run: Run) -> int:
    return sum(token - 1 for token in run.points.values_list("token", flat=True))


def assert_ended_once(run: Run, *, undisturbed: JsonDict | None, kills: int) -> None:
    """Every point is done, has one result of its last start, and the whole is what nobody disturbed."""
    run.refresh_from_db()
    assert run.state == RunState.DONE
    assert broken_invariants() == []
    points = list(run.points.filter(is_final=False).values_list("index", "token"))
    assert len(points) == POINTS
    assert list(run.point_results.values_list("index", "token")) == points
    assert run.result == undisturbed
    logger.warning(
        "%s points on %s and %s: %s kills, %s points started again, each ended once",
        *(POINTS, connection.vendor, settings.CELERY_BROKER_URL.partition(":")[0], kills, started_again(run)),
    )
    assert 1 <= started_again(run) <= kills


@pytest.mark.journey
def test_a_sweep_whose_workers_are_killed_ten_times_ends_once_with_the_same_bits(house: House, ana: User) -> None:
    undisturbed = undisturbed_result(ana)
    run = start_sweep(ana)
    house.start_ticker()
    house.start_worker(processes=PROCESSES)
    killer = Killer(run)

    for moment in MOMENTS:
        assert wait_until(partial(has_done, run, moment), seconds=DEADLINE_SECONDS)
        killer.kill_one()

    assert wait_until(partial(has_done, run, POINTS + 1), seconds=DEADLINE_SECONDS)
    assert len(set(killer.killed)) == KILLS
    assert_ended_once(run, undisturbed=undisturbed, kills=KILLS)


@pytest.mark.journey
@pytest.mark.parametrize("house", [0], indirect=True, ids=["leases off"])
def test_without_leases_the_same_kills_lose_points(house: House, ana: User) -> None:
    run = start_sweep(ana)
    house.start_ticker()
    house.start_worker(processes=PROCESSES)
    killer = Killer(run)

    for moment in MOMENTS:
        assert wait_until(partial(has_done, run, moment), seconds=DEADLINE_SECONDS)
        killer.kill_one()

    def only_lost_points_are_left() -> bool:
        return 0 < killer.lost() == POINTS - done_points(run)

    assert wait_until(only_lost_points_are_left, seconds=DEADLINE_SECONDS)
    run.refresh_from_db()
    assert (run.state, run.result) == (RunState.RUNNING, None)
    assert run.points.get(is_final=True).state == PointState.WAITING
    assert started_again(run) == -1  # the final point was never started, the others once


class FragileRedis:
    """A Redis of this test alone, which can be killed and comes back empty on the same port."""

    def __init__(self, stack: ExitStack) -> None:
        owner = servers.server_owner()
        folder = stack.enter_context(servers.folder_of(owner))
        programs = servers.find_programs(owner=owner, folder=folder)
        self._start = partial(servers.redis, programs=programs, owner=owner, folder=folder)
        self._stack = stack
        self.url = stack.enter_context(self._start())
        self._port = int(self.url.rpartition(":")[2])

    def kill_and_restart(self) -> None:
        client = Redis.from_url(self.url)
        os.kill(client.info()["process_id"], signal.SIGKILL)
        assert wait_until(partial(servers.is_free, self._port), seconds=DEADLINE_SECONDS)
        self._stack.enter_context(self._start(port=self._port))


@pytest.mark.postgres
def test_a_sweep_survives_that_redis_and_workers_are_killed_in_turn(tmp_path: Path, ana: User) -> None:
    undisturbed = undisturbed_result(ana)
    run = start_sweep(ana)
    killer = Killer(run)
    with ExitStack() as stack:
        redis = FragileRedis(stack)
        brokers = {"CELERY_BROKER_URL": f"{redis.url}/0", "REDIS_URL": f"{redis.url}/1"}
        house = stack.enter_context(house_of(folder=tmp_path, include=HANDLER, lease_seconds=LEASE_SECONDS, **brokers))
        house.start_ticker()
        house.start_worker(processes=PROCESSES)

        for number, moment in enumerate(MOMENTS):
            assert wait_until(partial(has_done, run, moment), seconds=DEADLINE_SECONDS)
            if number % 2:
                redis.kill_and_restart()
            else:
                killer.kill_one()

        assert wait_until(partial(has_done, run, POINTS + 1), seconds=DEADLINE_SECONDS)
    assert_ended_once(run, undisturbed=undisturbed, kills=len(killer.killed))
