"""What people do with plans: ask one, and order what it found."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Account, User
from catalog.blueprints import Role
from catalog.models import Location
from catalog.pricing import Term
from core.errors import RuleBroken
from jobs.services import run_start, seed_of
from orders.drafting import order_draft
from orders.models import BillingOrder, Quote
from orders.quoting import quote_issue
from planner.demand import Demand
from planner.fleet import Fleet, PricedMachine
from planner.measurements.calibrating import kept_of, parameters_for
from planner.mixed import winning_mix
from planner.models import Plan, PlanOrder
from planner.phases.stages import first_points
from planner.rows import Row
from planner.selectors import TERM, fleet_of, plan_of

PLAN_KIND = "plan"
"""The name under which planner/tasks.py registers the work; web code knows no more of it."""
MOST_LETTERS = 120
"""Of the name of an order, and of an item in it."""


@transaction.atomic
def plan_start(*, account: Account, user: User, demand: Demand, location: Location, now: datetime) -> Plan:
    """Write the question down with the prices of this moment, and start the run that answers it.

    The run keeps its own copy of machine types and prices, so that every part of it sees the same catalogue. Equal
    machines at equal prices are simulated with the same random numbers, however often they were loaded. Raises
    RuleBroken where nothing here can be planned with.
    """
    parameters = parameters_for(account)
    demand = replace(demand, currency=account.currency)
    fleet = fleet_of(
        account=account, location=location, hours_per_month=demand.hours_per_month, at=now, parameters=parameters
    )
    demand = replace(demand, balancer=fleet.balancer_here(demand.balancer, parameters))
    fleet.balancer(demand.balancer)
    question: dict[str, Any] = {"demand": demand.as_json(), "fleet": fleet.as_json(), **kept_of(parameters)}
    of_any_load = {**question, "fleet": {**question["fleet"], "catalog_version": ""}}
    run = run_start(
        kind=PLAN_KIND,
        account_id=account.pk,
        created_by=user.email,
        parameters=question,
        points=first_points(fleet),
        seed=seed_of(kind=PLAN_KIND, parameters=of_any_load),
        now=now,
    )
    return Plan.objects.create(
        account=account,
        created_by=user,
        created_at=now,
        location=location,
        demand=demand.as_json(),
        words=demand.words,
        run=run,
    )


@transaction.atomic
def plan_order(
    *, plan_id: int, account: Account, user: User, now: datetime, shape: str | None = None, balancers: int | None = None
) -> BillingOrder:
    """Make a draft order of one shape of the plan's answer, with an item for each role.

    `shape` and `balancers` name the row as `row_of` reads them; without a shape it is the best. Raises
    Plan.DoesNotExist for another account's plan, and what `row_of` raises.
    """
    plan = plan_of(account_id=account.pk, plan_id=plan_id)
    row = row_of(plan, shape, balancers=balancers)
    fleet = Fleet.from_json(plan.run.parameters["fleet"])
    order = order_draft(
        account=account,
        user=user,
        name=f"Storage cloud: {row['shape']}"[:MOST_LETTERS],
        roles=roles_of(row, fleet, balancer=plan.asked.balancer),
        location=plan.location,
        term=TERM,
        hours_per_month=plan.asked.hours_per_month,
        now=now,
    )
    PlanOrder.objects.create(plan=plan, order=order, shape=row)
    return order


@transaction.atomic
def plan_quote(
    *, plan_id: int, account: Account, user: User, now: datetime, shape: str | None = None, balancers: int | None = None
) -> Quote:
    """Make a quote of one shape of the plan's answer in one step: the order for it, and the promise of its prices.

    Nothing is kept where the order cannot be promised. Raises what `plan_order` and `quote_issue` raise.
    """
    order = plan_order(plan_id=plan_id, account=account, user=user, shape=shape, balancers=balancers, now=now)
    return quote_issue(order_id=order.pk, account_id=account.pk, user=user, now=now)


def row_of(plan: Plan, shape: str | None = None, *, balancers: int | None = None) -> Row:
    """Return the row of the plan's answer with that shape, such as "5 m1.large + 25 m1.medium", behind so many
    balancers; without a shape the best uniform one, which was simulated, or the mix where there is no other.

    Raises RuleBroken with the way out where there is none, and where a shape stands behind several numbers of balancers
    and none is named.
    """
    answer: dict[str, Any] = plan.run.result or {}
    best, mix = answer.get("best"), winning_mix(answer)
    sold: Row | None = best or mix
    if sold is None:
        raise RuleBroken("plan_without_answer", "This plan has no configuration to order. Change the demand.")
    if shape is None:
        return sold
    uniform = (best, *answer["runners_up"], *answer["front"]) if best else ()
    shown = [row for row in (*uniform, *([mix] if mix else [])) if row["shape"] == shape]
    counts = sorted({row["balancers"] for row in shown})
    rows = [row for row in shown if balancers in (None, row["balancers"])]
    if not rows:
        raise RuleBroken("shape_unknown", _no_such_shape(shape, balancers, counts), field="shape")
    if balancers is None and len(counts) > 1:
        words = f"This plan shows “{shape}” with {_either(counts)} balancers. Say with how many it is meant."
        raise RuleBroken("shape_ambiguous", words, field="balancers")
    return rows[0]


def _no_such_shape(shape: str, balancers: int | None, counts: Sequence[int]) -> str:
    if counts:
        return (
            f"This plan shows “{shape}” with {_either(counts)} balancers, not with {balancers}. Choose what it shows."
        )
    return f"This plan has no configuration “{shape}”. Choose one it shows."


def _either(counts: Sequence[int]) -> str:
    *others, last = map(str, counts)
    return f"{', '.join(others)} or {last}" if others else last


def roles_of(row: Row, fleet: Fleet, *, balancer: str) -> tuple[Role, ...]:
    """Return the roles of a shape as a blueprint: proxies, storage nodes of each type, and balancers where there are
    any."""
    machines = {priced.key_name: priced for priced in fleet.nodes}
    storages: dict[str, int] = row.get("storages") or {row["storage"]: row["storage_nodes"]}
    roles = [_role("Proxies", machines[row["proxy"]], row["proxies"])]
    for key_name, count in storages.items():
        name = "Storage nodes" if len(storages) == 1 else f"Storage nodes, {key_name}"[:MOST_LETTERS]
        roles.append(_role(name, machines[key_name], count))
    if row["balancers"]:
        roles.insert(0, _role("Balancers", fleet.balancer(balancer), row["balancers"]))
    return tuple(roles)


def _role(name: str, machine: PricedMachine, quantity: int) -> Role:
    return Role(
        name=name,
        package_key_name=machine.package_key_name,
        quantity=quantity,
        parts=machine.lines,
        term=Term(machine.term),
    )
