"""Small makers for tests of the API."""

from datetime import UTC, datetime

from accounts.models import Account, User
from catalog.tests.factories import make_location
from jobs.services import run_start
from jobs.working import work_once
from planner import tasks as planner_tasks
from planner.demand import Demand, Goal
from planner.models import Plan

NOW = datetime(2026, 5, 3, 12, 3, tzinfo=UTC)
WORKERS_KNOW = [planner_tasks]
"""Kinds of runs are registered by the modules that workers import."""


def make_plan(account: Account, user: User) -> Plan:
    """Return a plan that nobody has begun to work out."""
    demand = Demand(goal=Goal.MINIMISE_COST)
    run = run_start(
        kind="plan", account_id=account.pk, created_by=user.email, parameters={"n": Plan.objects.count()}, points=[{}],
        now=NOW,
    )  # fmt: skip
    return Plan.objects.create(
        account=account,
        created_by=user,
        created_at=NOW,
        location=make_location(),
        demand=demand.as_json(),
        words="2 TB at 175 MB/s, as cheap as possible",
        run=run,
    )


def work_all() -> None:
    """Do everything that waits for workers, here and now."""
    while work_once():
        pass
