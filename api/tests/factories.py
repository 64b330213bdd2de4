"""Small makers for tests of the API."""

from datetime import UTC, datetime

from accounts.models import Account, User
from catalog.models import Blueprint, BlueprintPart, BlueprintRole, ItemCategory
from catalog.tests.factories import make_location
from jobs.services import run_start
from jobs.working import work_once
from orders.tests.factories import Shop
from planner import tasks as planner_tasks
from planner.demand import Demand, Goal
from planner.models import Plan, Simulation
from planner.simulations.asking import Question
from planner.simulations.fields import BLOCK_IO
from planner.simulations.scenarios import default_scenario
from planner.simulations.starting import simulation_start

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


def make_blueprint(shop: Shop, key_name: str, *roles: tuple[str, int, str]) -> Blueprint:
    """Return a blueprint of these roles: name, number of machines, and key name of the machine type."""
    blueprint = Blueprint.objects.create(key_name=key_name, name=key_name.capitalize(), source="tests")
    category = ItemCategory.objects.get(category_code="machine_type")
    for sequence, (name, quantity, machine) in enumerate(roles):
        role = BlueprintRole.objects.create(
            blueprint=blueprint, name=name, sequence=sequence, package=shop.package, quantity=quantity
        )
        BlueprintPart.objects.create(role=role, category=category, item=shop.items[machine])
    return blueprint


def make_simulation(account: Account, user: User) -> Simulation:
    """Return a simulation that nobody has begun to run."""
    question = Question(scenario=default_scenario(BLOCK_IO), name="Four drives")
    return simulation_start(account=account, user=user, question=question, now=NOW)


def work_all() -> None:
    """Do everything that waits for workers, here and now."""
    while work_once():
        pass
