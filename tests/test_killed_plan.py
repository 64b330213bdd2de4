"""A plan while its workers are killed with kill -9 in each of its phases: it goes on in the phase where it was.

It runs a real worker and a ticker. The first point of each phase hangs until its process is killed; only that point is
started again, what else was found is never computed twice, and the answer is what nobody disturbed.
"""

import os
import signal
from collections.abc import Iterator
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from accounts.models import Account, User
from accounts.tests.factories import make_account, make_member
from catalog.models import Location
from core import clock
from jobs import bells
from jobs.models import PointState, Run, RunState
from jobs.selectors import broken_invariants
from jobs.working import work_once
from planner import tasks
from planner.demand import demand_from_words
from planner.phases.stages import PHASES
from planner.services import plan_start
from tests.house import House, house_of
from tests.test_killed_sweep import DEADLINE_SECONDS, LEASE_SECONDS, PROCESSES, has_done
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS_KNOW = [tasks]
HANDLER = "tests.hanging_plan"
DEMAND = {"throughput": "2GB/s", "capacity": "2TB"}
"""A demand that takes refinement: nearly all of the balancers is used at first."""


@pytest.fixture(autouse=True)
def quiet_bells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with house_of(folder=tmp_path, include=HANDLER, lease_seconds=LEASE_SECONDS) as house:
        yield house


@pytest.fixture
def ana(transactional_db: None) -> User:
    call_command("catalog_load", stdout=StringIO())
    return make_member(make_account())


def start_plan(user: User) -> Run:
    return plan_start(
        account=Account.objects.get(),
        user=user,
        demand=demand_from_words(DEMAND),
        location=Location.objects.get(key_name="us-east-1"),
        now=clock.now(),
    ).run


def undisturbed(user: User) -> Run:
    run = start_plan(user)
    while work_once():
        pass
    run.refresh_from_db()
    assert run.state == RunState.DONE
    return run


def was_killed_in(run: Run, phase: str) -> bool:
    """Kill the process that hangs in a phase; False while none does."""
    first = run.points.filter(parameters__phase=phase).order_by("index").first()
    if first is None or first.state != PointState.LEASED:
        return False
    os.kill(int(first.worker.rpartition(":")[2]), signal.SIGKILL)
    return True


@pytest.mark.journey
def test_a_plan_whose_workers_are_killed_in_every_phase_goes_on_where_it_was(house: House, ana: User) -> None:
    calm = undisturbed(ana)
    run = start_plan(ana)
    house.start_ticker()
    house.start_worker(processes=PROCESSES)

    for phase in PHASES:
        assert wait_until(partial(was_killed_in, run, phase), seconds=DEADLINE_SECONDS), f"Nobody began {phase}."

    assert wait_until(partial(has_done, run, calm.progress_total), seconds=DEADLINE_SECONDS)
    run.refresh_from_db()
    again = [point.parameters.get("phase", "the end") for point in run.points.filter(token__gt=1).order_by("index")]
    assert (run.state, run.stage, run.result) == (RunState.DONE, calm.stage, calm.result)
    assert again == list(PHASES)
    assert calm.result is not None
    assert len(calm.result["phases"]["validation"]) > 1
    assert broken_invariants() == []
