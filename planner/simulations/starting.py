"""Starting a simulation."""

from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Account, User
from jobs.services import run_start
from planner.measurements.calibrating import kept_of, parameters_for
from planner.models import Simulation
from planner.simulations.asking import Question
from planner.simulations.sweeps import chunks_of, members_for

SIMULATION_KIND = "simulation"
"""The name under which planner/tasks.py registers the work; web code knows no more of it."""
OPERATIONS_OF_ONE = 2_000_000
OPERATIONS_OF_MANY = 250_000
"""A store answers about so many requests in a point: more of them where it is the only one."""
WINDOWS_OF_ONE = 720
WINDOWS_OF_MANY = 120


@transaction.atomic
def simulation_start(*, account: Account, user: User, question: Question, now: datetime) -> Simulation:
    """Write the question down and start the run that answers it, its points shared out in short turns."""
    parameters = parameters_for(account)
    is_one = question.tasks == 1
    members = members_for(question.hardest) if question.with_bands else 0
    run = run_start(
        kind=SIMULATION_KIND,
        account_id=account.pk,
        created_by=user.email,
        parameters={
            "scenario": question.scenario,
            "sweep": question.sweep.as_json() if question.sweep else None,
            "replications": question.replications,
            "members": members,
            "operations": OPERATIONS_OF_ONE if is_one else OPERATIONS_OF_MANY,
            "most_windows": WINDOWS_OF_ONE if is_one else WINDOWS_OF_MANY,
            **kept_of(parameters),
        },
        points=_points(question, members=members),
        now=now,
        seed=question.seed,
    )
    return Simulation.objects.create(
        account=account,
        created_by=user,
        created_at=now,
        name=question.name,
        workload=question.workload.key,
        scenario=question.scenario,
        sweep=question.sweep.as_json() if question.sweep else None,
        replications=question.replications,
        parameter_set=parameters.name,
        run=run,
    )


def _points(question: Question, *, members: int) -> list[dict[str, Any]]:
    chunks = chunks_of(tasks=question.tasks, scenario=question.hardest, members=members)
    return [{"first": chunk.first, "end": chunk.end} for chunk in chunks]
