"""Two hundred random demands, each from the question to the order: with no edit, to the cent, and told as simulated."""

import html
from decimal import Decimal
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Account, User
from accounts.tests.factories import client_of, make_account, make_member
from catalog.models import Location
from core.clock import now
from orders.checking import order_check
from orders.selectors import order_tree
from planner.demand import Demand
from planner.models import Plan
from planner.phases.panels import validation_words
from planner.selectors import plan_locations
from planner.services import plan_order, plan_start
from planner.tests.factories import make_demand, work_all

SHARES = 4
DEMANDS_IN_A_SHARE = 50
MACHINE_TYPES = "us-east-1"


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


@pytest.fixture
def ana(account: Account) -> User:
    return make_member(account)


def random_demand(random: Random, *, location: Location) -> Demand:
    """A demand of any goal under any conditions, with odd hours and thousandths of money; where servers are
    sold, one in four limits their disks."""
    large = random.random() < 0.1
    throughput = f"{random.randint(1, 9_000 if large else 900)}MB/s"
    budget = f"{random.randint(3_000, 300_000 if large else 30_000)}.37"
    words = random.choice(
        [
            {"throughput": throughput, "capacity": f"{random.randint(1, 90)}TB"},
            {"budget": budget, "capacity": f"{random.randint(1, 900)}GB"},
            {"budget": budget, "throughput": f"{random.randint(1, 30)}MB/s"},
        ]
    )
    if location.key_name != MACHINE_TYPES and random.random() < 0.25:
        words |= {
            "raid": random.choice(["any", "protected", "raid10", "none"]),
            "drives": random.choice(["any", "rotating", "flash"]),
        }
    return make_demand(
        **words,
        hours_per_month=random.choice(["700.01", "720", "730.49", "743.99"]),
        it_cost_per_node=random.choice(["0", "0.125", "12.345"]),
        balancer=random.choice(["cc2.8xlarge", "m1.xlarge"]) if location.key_name == MACHINE_TYPES else "",
        read_share=random.choice(["0", "50", "100"]),
        erasure=random.choice(["", "", "4+2"]),
        fill_limit=random.choice(["75", "100"]),
        balancer_headroom=random.choice(["", "", "yes"]),
        spare_node=random.choice(["", "", "yes"]),
    )


def page_of(plan: Plan, client: Client) -> str:
    response = client.get(reverse("plan-detail", args=[plan.pk]))
    assert response.status_code == 200
    return html.unescape(response.content.decode())


@pytest.mark.parametrize("share", range(SHARES))
def test_what_a_random_demand_finds_is_ordered_with_no_edit_at_its_price_and_shown_as_simulated(
    share: int, shipped_catalogue: None, account: Account, ana: User
) -> None:
    random, client, places = Random(share), client_of(ana), plan_locations()
    ordered = 0
    for number in range(DEMANDS_IN_A_SHARE):
        location = places[0] if number % 2 else random.choice(places[1:])
        demand = random_demand(random, location=location)
        plan = plan_start(account=account, user=ana, demand=demand, location=location, now=now())
        work_all()
        plan.run.refresh_from_db()
        answer = plan.run.result
        assert answer is not None
        if answer["best"] is None:
            assert answer["problem"]["words"] in page_of(plan, client)
            continue
        best = answer["best"]

        order = plan_order(
            plan_id=plan.pk, account=account, user=ana, shape=best["shape"], balancers=best["balancers"], now=now()
        )

        assert order_check(order_id=order.pk, account_id=account.pk, now=now()).violations == (), demand
        totals = order_tree(order_id=order.pk, account_id=account.pk).totals
        owed = Decimal(best["total_monthly_cost"]) - Decimal(best["it_monthly_cost"])
        assert (totals.monthly.known.amount, totals.monthly.is_exact) == (owed, True), demand
        assert (totals.once.known.amount, totals.once.is_exact) == (Decimal(best["once_cost"]), True), demand
        simulated = validation_words(answer)
        assert simulated is not None, demand
        page = page_of(plan, client)
        assert f"{simulated['low']} to {simulated['high']} MB/s in 19 of 20 cases" in page
        assert simulated["verdict_words"] in page
        ordered += 1
    assert ordered >= 0.8 * DEMANDS_IN_A_SHARE
