"""Fleets, groups and demands for tests that need no catalogue, and plans for those that have one."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import numpy as np

from accounts.models import Account, User
from catalog.models import Location
from jobs.models import Point, PointResult, Run
from jobs.working import work_once
from planner import tasks
from planner.demand import Demand, demand_from_words
from planner.fleet import Fleet, PricedMachine
from planner.models import Plan
from planner.services import plan_start
from planner.shapes import Groups
from simulation.machines import Machine

NOW = datetime(2026, 5, 3, 12, 3, tzinfo=UTC)
WORKERS_KNOW = [tasks]
"""Kinds of runs are registered by the modules that workers import."""
OWN = ("id", "run")
OF_A_DONE_RUN = (
    *("state", "result", "stage", "progress_done", "progress_total", "progress_words"),
    *("started_at", "finished_at", "served_at", "code_version"),
)
_rows_of_answers: dict[str, tuple[Any, list[Any], list[Any]]] = {}
"""By the parameters of a run: they decide every point and every random number of it."""


def make_machine(
    key_name: str,
    *,
    fee: str = "100",
    compute_units: float = 4.0,
    network_mb_s: float = 100.0,
    local_storage_gb: float = 850.0,
    more_fees: Sequence[str] = (),
    once_fee: str = "0",
) -> PricedMachine:
    """Make a machine type of known price; `more_fees` are further order lines, the `once_fee` is of the first one."""
    fees = tuple(Decimal(each) for each in (fee, *more_fees))
    return PricedMachine(
        machine=Machine(
            key_name=key_name,
            compute_units=compute_units,
            network_mb_s=network_mb_s,
            network_is_assumed=False,
            local_storage_gb=local_storage_gb,
            bursts=False,
        ),
        title=key_name,
        package_key_name="server",
        lines=tuple((f"category-{index}", f"{key_name}-{index}") for index in range(len(fees))),
        line_fees=fees,
        once_fees=(Decimal(once_fee), *(Decimal(0) for _ in more_fees)),
    )


def make_fleet(nodes: Sequence[PricedMachine], *, balancers: Sequence[PricedMachine] = ()) -> Fleet:
    """Make a fleet; where no balancers are given the nodes serve as balancers too."""
    return Fleet("USD", "here", "1-test", tuple(nodes), tuple(balancers or nodes), ())


def make_demand(*, goal: str = "", balancer: str = "", **words: str) -> Demand:
    """Read a demand from words such as capacity="2 TB"."""
    return demand_from_words({"goal": goal, "balancer": balancer, **words})


def make_groups(
    demand: Demand,
    *,
    mb_s: Sequence[float] = (100.0,),
    nodes: Sequence[int] = (5,),
    storage_fees: Sequence[str] = ("20",),
    balancer_fee: str = "300",
) -> Groups:
    """Make groups of known throughput, each of its own storage type: a proxy for 100 a month, nodes of 300 GB.

    With five nodes for 20 a month a group costs 200 and holds 500 GB usable; a balancer passes 140 MB/s.
    """
    storages = [make_machine(f"s{index}", fee=fee, local_storage_gb=300.0) for index, fee in enumerate(storage_fees)]
    count = np.array(nodes, dtype=np.int64)
    return Groups(
        fleet=make_fleet([make_machine("p"), *storages], balancers=[make_machine(demand.balancer, fee=balancer_fee)]),
        demand=demand,
        proxy=np.zeros(len(nodes), dtype=np.int64),
        storage=np.arange(1, len(nodes) + 1, dtype=np.int64),
        nodes=count,
        mb_s=np.array(mb_s, dtype=np.float64),
        limit=np.array(["proxy network"] * len(nodes)),
        is_assumed=np.zeros(len(nodes), dtype=np.bool_),
        usable_mgb=count * 300_000,
        balancer_mb_s=140.0,
    )


def make_plan(account: Account, user: User, *, balancer: str = "cc2.8xlarge", **words: str) -> Plan:
    """Start a plan of the loaded catalogue; its answer waits for a worker."""
    return plan_start(
        account=account,
        user=user,
        demand=make_demand(balancer=balancer, **(words or {"capacity": "2TB", "throughput": "175MB/s"})),
        location=Location.objects.get(key_name="us-east-1"),
        now=NOW,
    )


def make_answered_plan(account: Account, user: User, *, balancer: str = "cc2.8xlarge", **words: str) -> Plan:
    """Start a plan and do all that workers do for it; a question asked before has the rows that they wrote then."""
    plan = make_plan(account, user, balancer=balancer, **words)
    question = json.dumps(plan.run.parameters, sort_keys=True)
    if question in _rows_of_answers:
        _write_again(plan.run, *_rows_of_answers[question])
    else:
        work_all()
        _rows_of_answers[question] = (
            Run.objects.filter(pk=plan.run.pk).values(*OF_A_DONE_RUN).get(),
            list(plan.run.points.values(*(field.attname for field in Point._meta.fields if field.name not in OWN))),
            list(plan.run.point_results.values("index", "token", "result")),
        )
    plan.run.refresh_from_db()
    return plan


def _write_again(run: Run, done: Any, points: list[Any], results: list[Any]) -> None:
    run.points.all().delete()
    Point.objects.bulk_create([Point(run=run, **row) for row in points])
    PointResult.objects.bulk_create([PointResult(run=run, **row) for row in results])
    Run.objects.filter(pk=run.pk).update(**done)


def work_all() -> None:
    """Do everything that waits for workers, here and now."""
    while work_once():
        pass
