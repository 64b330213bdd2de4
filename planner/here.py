"""An order that exists, as a point of a plan's chart: what the cluster that it makes would do."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.errors import RuleBroken
from orders.models import BillingOrder
from orders.selectors import ContainerNode, order_tree
from planner.compare import cents_on_basis, compare
from planner.fleet import Fleet, PricedMachine
from planner.measurements.calibrating import kept_parameters
from planner.models import Plan
from planner.rows import Row
from planner.shapes import dollars

ROLES = {"balancer": "balancers", "prox": "proxies", "storage": "storage"}
"""How an order's item is recognised as a role: by a part of its name."""


def here_of(*, plan: Plan, account_id: int, order: str) -> dict[str, Any] | None:
    """Return an order of the account as a row of the plan, or the words why it cannot be one; None where none is asked.

    A container is the machine that has all of its parts and no other. Its price is that of the plan's own snapshot, on
    the plan's basis, so that both stand on the same scale.
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
    roles: dict[str, Counter[str]] = {name: Counter() for name in ROLES.values()}
    for item in tree.items:
        role = next((role for part, role in ROLES.items() if part in item.item.name.lower()), None)
        if role is None:
            return f"“{item.item.name}” is no role of a storage cloud."
        for node in item.containers:
            machine = _machine_of(node, fleet.balancers if role == "balancers" else fleet.nodes)
            if machine is None:
                return f"a machine of “{item.item.name}” has other parts than all machines that this plan knows."
            roles[role][machine] += node.container.quantity
    if len(roles["proxies"]) != 1 or len(roles["storage"]) != 1 or len(roles["balancers"]) > 1:
        return "it needs one kind of proxy and one kind of storage node."
    return roles


def _machine_of(node: ContainerNode, machines: Sequence[PricedMachine]) -> str | None:
    """Return the key name of the machine with exactly the container's package and parts; None where there is none."""
    parts = sorted((each.line.category_code, each.line.key_name) for each in node.lines)
    package = node.container.package.key_name
    found = (each for each in machines if each.package_key_name == package and sorted(each.lines) == parts)
    return next((each.key_name for each in found), None)


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
    cents = cents_on_basis(row, fleet=fleet, demand=demand)
    row |= {"cents": cents, "cost": str(dollars(cents)), "cost_basis": demand.cost_basis.value}
    return {"order": order, "row": row}
