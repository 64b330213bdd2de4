"""An order that exists beside a plan's answer: which machines it is made of, and what it costs on the plan's basis."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from catalog.blueprints import Role
from catalog.models import Location
from catalog.pricing import Term
from orders.drafting import order_draft
from planner.fleet import Fleet
from planner.here import here_of
from planner.services import plan_order, plan_start
from planner.tests.factories import NOW, make_answered_plan, make_demand

LATER = datetime(2031, 5, 3, 12, 3, tzinfo=UTC)
"""Prices of servers without a date of their own count from when they were loaded."""


def server_plan(account, user, **words):
    """Start a plan over complete servers; nothing has to be worked out to set an order beside it."""
    return plan_start(
        account=account,
        user=user,
        demand=make_demand(capacity="20TB", throughput="300MB/s", balancer="mongo-medium-ssd", **words),
        location=Location.objects.get(key_name="dal05"),
        now=LATER,
    )


def machine_of(plan, key_name):
    fleet = Fleet.from_json(plan.run.parameters["fleet"])
    return next(machine for machine in fleet.nodes if machine.key_name == key_name)


def role(name, machine, quantity, *, parts=None):
    return Role(
        name=name, package_key_name=machine.package_key_name, quantity=quantity, parts=parts or machine.lines,
        term=Term(machine.term),
    )  # fmt: skip


def drafted(plan, account, user, roles):
    return order_draft(
        account=account,
        user=user,
        name="What stands there",
        roles=roles,
        location=plan.location,
        term=Term.HOURLY,
        hours_per_month=Decimal(720),
        now=LATER,
    )


def beside(plan, account, order):
    return here_of(plan=plan, account_id=account.pk, order=str(order.pk))


def test_a_container_is_the_preset_that_has_all_its_parts_and_not_the_plain_server_in_it(ec2, account, ana):
    plan = server_plan(account, ana)
    preset, plain = machine_of(plan, "mongo-small"), machine_of(plan, "XEON_E3_1270")
    assert ("server", "XEON_E3_1270") in preset.lines
    assert (preset.machine.network_mb_s, plain.machine.network_mb_s) == (125, 12.5)
    turned = role("Storage nodes", preset, 5, parts=tuple(reversed(preset.lines)))
    order = drafted(plan, account, ana, [role("Proxies", plain, 1), turned])

    found = beside(plan, account, order)

    assert found["row"]["shape"] == "1 XEON_E3_1270 + 5 mongo-small"
    raw = 5 * preset.machine.local_storage_gb
    assert found["row"]["capacity_gb"] == pytest.approx(raw / 3)


def test_a_container_with_parts_that_no_machine_has_is_said_to_be_none(ec2, account, ana):
    plan = server_plan(account, ana)
    preset = machine_of(plan, "mongo-small")
    order = drafted(plan, account, ana, [role("Proxies", preset, 1), role("Storage nodes", preset, 5)])
    line = order.items.get(name="Storage nodes").containers.get().lines.get(category_code="ram")
    line.key_name = "RAM_OF_ANOTHER_SERVER"
    line.save(update_fields=["key_name"])

    found = beside(plan, account, order)

    assert found == {
        "problem": f"Order {order.pk} cannot be shown here: a machine of “Storage nodes” has other parts than all "
        "machines that this plan knows."
    }


@pytest.mark.parametrize(
    "basis",
    [
        {"cost_basis": "total", "months": "36", "it_cost_per_node": "7.50"},
        {"cost_basis": "purchase", "months": "24", "it_cost_per_node": "7.50"},
    ],
)
def test_an_order_of_a_plans_shape_stands_where_it_stands_when_months_or_a_purchase_count(ec2, account, ana, basis):
    plan = make_answered_plan(account, ana, capacity="2TB", throughput="175MB/s", **basis)
    row = plan.run.result["runners_up"][2]
    order = plan_order(
        plan_id=plan.pk, account=account, user=ana, shape=row["shape"], balancers=row["balancers"], now=NOW
    )

    standing = beside(plan, account, order)["row"]

    compared = ("shape", "balancers", "cents", "cost", "cost_basis", "total_monthly_cost")
    assert {name: standing[name] for name in compared} == {name: row[name] for name in compared}
    assert Decimal(standing["cost"]) > 20 * Decimal(standing["total_monthly_cost"])
