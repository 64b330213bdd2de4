"""Reading simulations. Every question names the account that asks; there is no default."""

from typing import Any

from django.db.models import QuerySet

from jobs.models import RunState
from planner.models import Simulation


def simulations_of(*, account_id: int) -> QuerySet[Simulation]:
    """Return the account's simulations with their runs, latest first."""
    return Simulation.objects.filter(account_id=account_id).select_related("run", "created_by")


def simulation_of(*, account_id: int, simulation_id: int) -> Simulation:
    """Return one simulation of the account; raises Simulation.DoesNotExist for anybody else's."""
    return simulations_of(account_id=account_id).get(pk=simulation_id)


def simulation_summaries(*, account_id: int) -> QuerySet[Any, Any]:
    """Return a line for each simulation of the account, latest first. The results are large and stay where they are."""
    return Simulation.objects.filter(account_id=account_id).values(
        "pk", "name", "workload", "sweep", "created_at", "created_by__email", "run__state",
        "run__progress_done", "run__progress_total",
    )  # fmt: skip


def comparable_with(simulation: Simulation) -> QuerySet[Simulation]:
    """Return the account's other finished simulations of the same workload, latest first, without their results."""
    others = Simulation.objects.filter(
        account_id=simulation.account_id, workload=simulation.workload, run__state=RunState.DONE
    )
    return others.exclude(pk=simulation.pk).only("pk", "name", "created_at")
