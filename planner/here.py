"""An order that exists, as a point of a plan's chart: what the cluster that it makes would do."""

from collections import Counter
from dataclasses import replace
from typing import Any

from core.errors import RuleBroken
from orders.models import BillingOrder
from orders.selectors import order_tree
from planner.compare import compare
from planner.fleet import Fleet
from planner.measurements.calibrating import kept_parameters
from planner.models import Plan
from planner.rows import Row

ROLES = {"balancer": "balancers", "prox": "proxies", "storage": "storage"}
"""How an order's item is recognised as a role: by a part of its name."""


def here_of(*, plan: Plan, account_id: int, order: str) -> dict[str, Any] | None:
    """Return an order of the account as a row of the plan, or the words why it cannot be one; None where none is asked.

    Its price is that of the plan's own snapshot, so that both stand on the same scale.
    """
    if not order:
        return None
    if not (order.isascii() and order.isdecimal() and len(order) < 18):
        return {"problem": "There is no such order."}
    try:
        tree = order_tree(order_id=int(order), account_id=account_id)
    except BillingOrder.DoesNotExist:
        return {"problem": "There is no such order."}
    fleet = Fleet.from_json(plan.run.parameters["fleet"])
    roles = _roles(tree, fleet)
    if isinstance(roles, str):
        return {"problem": f"Order {order} cannot be shown here: {roles}"}
    return _row(plan, fleet, roles, order=order)


def _roles(tree: Any, fleet: Fleet) -> dict[str, Counter[str]] | str:
    """Return the machines of each role with their counts, or why the order has none."""
    known = {machine.key_name for machine in (*fleet.nodes, *fleet.balancers)}
    roles: dict[str, Counter[str]] = {name: Counter() for name in ROLES.values()}
    for item in tree.items:
        role = next((role for part, role in ROLES.items() if part in item.item.name.lower()), None)
        if role is None:
            return f"“{item.item.name}” is no role of a storage cloud."
        for node in item.containers:
            machine = next((each.line.key_name for each in node.lines if each.line.key_name in known), None)
            if machine is None:
                return f"its {role} are no machines that this plan knows."
            roles[role][machine] += node.container.quantity
    if len(roles["proxies"]) != 1 or len(roles["storage"]) != 1 or len(roles["balancers"]) > 1:
        return "it needs one kind of proxy and one kind of storage node."
    return roles


def _row(plan: Plan, fleet: Fleet, roles: dict[str, Counter[str]], *, order: str) -> dict[str, Any]:
    (proxy, proxies), (storage, nodes) = next(iter(roles["proxies"].items())), next(iter(roles["storage"].items()))
    balancer, balancers = next(iter(roles["balancers"].items()), (plan.asked.balancer, 0))
    demand = replace(plan.asked, balancer=balancer, balancers=balancers)
    try:
        found = compare(
            fleet=fleet,
            demand=demand,
            texts=[f"{proxies} {proxy} + {nodes} {storage}"],
            parameters=kept_parameters(plan.run.parameters),
        )
    except RuleBroken as refusal:
        return {"problem": f"Order {order} cannot be shown here: {refusal.words}"}
    row: Row = found["shapes"][0]
    return {"order": order, "row": row}
