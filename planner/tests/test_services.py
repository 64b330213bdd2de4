"""Asking plans, working them out, and ordering what they found."""

from datetime import timedelta
from decimal import Decimal

import pytest

from accounts.tests.factories import make_account
from catalog.models import CatalogLoad, Item, ItemPrice, Location
from catalog.tests.factories import make_price
from core.errors import RuleBroken
from jobs.models import Run, RunState
from jobs.selectors import broken_invariants
from jobs.services import run_cancel, run_retry
from orders.checking import order_check
from orders.models import BillingOrder
from orders.selectors import order_tree
from planner.demand import Demand
from planner.fleet import Fleet
from planner.models import Plan, PlanOrder
from planner.planning import plan_now
from planner.selectors import LIST_PRICE_ACCOUNT, fleet_of, plan_of, plan_order_of, plan_summaries, plans_of
from planner.services import plan_order, plan_start, row_of
from planner.tests.factories import NOW, make_answered_plan, make_demand, make_plan, work_all
from simulation.kernels.mixed import solved_mix
from simulation.parameters import load_parameter_set

GOALS = [
    {"capacity": "2TB", "throughput": "175MB/s"},
    {"capacity": "2TB", "budget": "9000"},
    {"throughput": "100MB/s", "budget": "9000"},
]


@pytest.fixture
def plan(ec2, account, ana):
    return make_answered_plan(account, ana)


def total_of(order):
    return order_tree(order_id=order.pk, account_id=order.account_id).totals.monthly


def order_of(plan, row, *, account, user):
    return plan_order(
        plan_id=plan.pk, account=account, user=user, shape=row["shape"], balancers=row["balancers"], now=NOW
    )


@pytest.mark.journey
@pytest.mark.parametrize("words", GOALS)
def test_workers_find_the_answer_of_the_command_line_with_what_their_simulations_taught(ec2, account, ana, words):
    plan = make_answered_plan(account, ana, **words)

    fleet = Fleet.from_json(plan.run.parameters["fleet"])
    demand = Demand.from_json(plan.run.parameters["demand"])
    assert plan.run.state == RunState.DONE
    found = {name: value for name, value in plan.run.result.items() if name != "phases"}
    found["runners_up"] = [
        {name: value for name, value in row.items() if name != "change"} for row in found["runners_up"]
    ]
    taught = plan.run.result["phases"]["optimisation"][-1]["corrections"]
    assert found == plan_now(
        fleet=fleet, demand=demand, parameters=load_parameter_set(), corrections=taught, solve_mix=solved_mix
    )
    assert broken_invariants() == []


def test_a_plan_keeps_the_question_the_prices_and_who_asked(ec2, account, ana):
    plan = make_plan(account, ana)

    assert (plan.account, plan.created_by, plan.created_at) == (account, ana, NOW)
    assert (str(plan), plan.location.key_name) == ("2 TB at 175 MB/s, as cheap as possible", "us-east-1")
    assert plan.asked == make_demand(capacity="2TB", throughput="175MB/s")
    assert (plan.run.kind, plan.run.account_id, plan.run.created_by) == ("plan", account.pk, "ana@north.example")
    assert sorted(
        index for point in plan.run.points.filter(is_final=False) for index in point.parameters["proxies"]
    ) == [*range(13)]


def test_equal_machines_and_prices_get_the_same_random_numbers_after_another_load(ec2, account, ana):
    first = make_plan(account, ana)
    CatalogLoad.objects.create(source="again", digest="other", loaded_at=NOW)
    again, other = make_plan(account, ana), make_plan(account, ana, capacity="2TB", throughput="200MB/s")

    versions = {plan.run.parameters["fleet"]["catalog_version"] for plan in (first, again)}
    assert len(versions) == 2
    assert first.run.seed == again.run.seed != other.run.seed


def test_a_plan_is_in_the_accounts_currency(ec2, account, ana):
    for price in ItemPrice.objects.all():
        make_price(
            price.item,
            hourly=None if price.hourly_recurring_fee is None else str(price.hourly_recurring_fee),
            currency="EUR",
        )
    account.currency = "EUR"
    account.save()

    plan = make_answered_plan(account, ana)

    assert (plan.asked.currency, plan.run.result["currency"]) == ("EUR", "EUR")
    assert plan.run.result["best"]["total_monthly_cost"] == "7488.00"


def test_a_plan_keeps_its_answer_when_the_catalogue_changes(ec2, account, ana):
    plan = make_plan(account, ana)
    later = NOW + timedelta(days=1000)
    ItemPrice.objects.update(valid_to=later)
    for item in Item.objects.all():
        make_price(item, hourly="9.99", valid_from=later)

    work_all()

    before = plan_now(
        fleet=fleet_of(
            account=LIST_PRICE_ACCOUNT, location=plan.location, hours_per_month=Decimal(720), at=NOW,
            parameters=load_parameter_set(),
        ),
        demand=plan.asked,
        parameters=load_parameter_set(),
    )  # fmt: skip
    plan.run.refresh_from_db()
    assert plan.run.result["best"] == before["best"]


def test_an_impossible_plan_is_done_and_says_why(ec2, account, ana):
    plan = make_answered_plan(account, ana, capacity="2TB", budget="900")

    assert plan.run.state == RunState.DONE
    assert plan.run.result["best"] is None
    assert plan.run.result["problem"]["short_by"] == "842.40 USD"


def test_a_balancer_that_nobody_sells_is_refused_before_any_work(ec2, account, ana):
    with pytest.raises(RuleBroken) as refusal:
        make_plan(account, ana, balancer="abacus", capacity="2TB", budget="900")

    assert [violation.field for violation in refusal.value.violations] == ["balancer"]
    assert (Plan.objects.count(), Run.objects.count()) == (0, 0)


def test_a_location_that_sells_nothing_is_refused_before_any_work(db, account, ana):
    nowhere = Location.objects.create(key_name="nowhere", name="Nowhere", source="test")

    with pytest.raises(RuleBroken) as refusal:
        plan_start(
            account=account, user=ana, demand=make_demand(capacity="2TB", budget="900"), location=nowhere, now=NOW
        )

    assert refusal.value.code == "nothing_to_plan_with"
    assert (Plan.objects.count(), Run.objects.count()) == (0, 0)


def test_a_cancelled_plan_can_be_taken_up_again_and_ends_the_same(ec2, account, ana):
    plan = make_plan(account, ana)
    run_cancel(run_id=plan.run_id, account_id=account.pk, now=NOW)
    work_all()
    plan.run.refresh_from_db()
    assert (plan.run.state, plan.run.result) == (RunState.CANCELLED, None)

    run_retry(run_id=plan.run_id, account_id=account.pk, now=NOW)
    work_all()

    plan.run.refresh_from_db()
    assert plan.run.result["best"]["shape"] == make_answered_plan(account, ana).run.result["best"]["shape"]


@pytest.mark.journey
@pytest.mark.parametrize("words", GOALS)
def test_ordering_a_plan_makes_a_valid_draft_of_the_same_price(ec2, account, ana, words):
    plan = make_answered_plan(account, ana, **words, it_cost_per_node="80")
    best = plan.run.result["best"]

    order = order_of(plan, best, account=account, user=ana)

    check = order_check(order_id=order.pk, account_id=account.pk, now=NOW)
    assert (check.violations, check.price_changes) == ((), ())
    assert check.totals.monthly.is_exact
    owed = Decimal(best["total_monthly_cost"]) - Decimal(best["it_monthly_cost"])
    assert check.totals.monthly.known.amount == owed
    assert order.hours_per_month == Decimal(720)


def test_the_order_of_a_plan_has_an_item_for_each_role(plan, account, ana):
    best = plan.run.result["best"]

    order = order_of(plan, best, account=account, user=ana)

    tree = order_tree(order_id=order.pk, account_id=account.pk)
    assert [(node.item.name, node.quantity) for node in tree.items] == [
        ("Balancers", best["balancers"]),
        ("Proxies", best["proxies"]),
        ("Storage nodes", best["storage_nodes"]),
    ]
    machines = [node.lines[0].line.key_name for node in tree.containers]
    assert machines == ["cc2.8xlarge", best["proxy"], best["storage"]]
    origin = plan_order_of(account_id=account.pk, order_id=order.pk)
    assert (origin.plan, origin.shape) == (plan, best)


def test_a_single_proxy_is_ordered_without_balancers(ec2, account, ana):
    plan = make_answered_plan(account, ana, capacity="1GB", throughput="10MB/s")

    order = order_of(plan, plan.run.result["best"], account=account, user=ana)

    tree = order_tree(order_id=order.pk, account_id=account.pk)
    assert [node.item.name for node in tree.items] == ["Proxies", "Storage nodes"]


def test_a_runner_up_can_be_ordered_too(plan, account, ana):
    row = plan.run.result["runners_up"][3]

    order = order_of(plan, row, account=account, user=ana)

    assert total_of(order).known.amount == Decimal(row["total_monthly_cost"])


def test_a_shape_shown_with_several_numbers_of_balancers_is_refused_until_one_is_named(plan, account, ana):
    front = plan.run.result["front"]
    fewer, more = next((a, b) for a in front for b in front if a["shape"] == b["shape"] and a["mb_s"] < b["mb_s"])
    counts = (fewer["balancers"], more["balancers"])

    with pytest.raises(RuleBroken) as refusal:
        plan_order(plan_id=plan.pk, account=account, user=ana, shape=fewer["shape"], now=NOW)

    (violation,) = refusal.value.violations
    assert (violation.code, violation.field) == ("shape_ambiguous", "balancers")
    assert violation.words == (
        f"This plan shows “{fewer['shape']}” with {counts[0]} or {counts[1]} balancers. Say with how many it is meant."
    )
    assert BillingOrder.objects.count() == 0
    orders = [
        plan_order(plan_id=plan.pk, account=account, user=ana, shape=fewer["shape"], balancers=count, now=NOW)
        for count in counts
    ]
    assert [total_of(order).known.amount for order in orders] == [
        Decimal(fewer["total_monthly_cost"]), Decimal(more["total_monthly_cost"]),
    ]  # fmt: skip


def test_a_shape_with_a_number_of_balancers_that_the_plan_does_not_show_is_refused(plan, account, ana):
    shape = plan.run.result["best"]["shape"]

    with pytest.raises(RuleBroken) as refusal:
        plan_order(plan_id=plan.pk, account=account, user=ana, shape=shape, balancers=99, now=NOW)

    assert refusal.value.code == "shape_unknown"
    assert "not with 99" in refusal.value.words
    assert BillingOrder.objects.count() == 0


def test_every_row_that_a_plan_shows_is_named_by_its_shape_and_its_balancers(plan):
    result = plan.run.result
    shown = [result["best"], *result["runners_up"], *result["front"]]

    assert [row_of(plan, row["shape"], balancers=row["balancers"])["cents"] for row in shown] == [
        row["cents"] for row in shown
    ]


@pytest.mark.parametrize("meant", ["best", "mixed"])
def test_without_a_shape_the_best_is_meant_or_the_mix_where_nothing_else_meets_the_demand(plan, meant):
    plan.run.result["mixed"]["beats_uniform"] = True
    if meant == "mixed":
        plan.run.result["best"] = None

    assert row_of(plan) == plan.run.result[meant]


@pytest.mark.parametrize("shape", ["", "1 m1.large + 4 m1.small"])
def test_a_shape_that_the_plan_does_not_show_is_refused(plan, account, ana, shape):
    with pytest.raises(RuleBroken) as refusal:
        plan_order(plan_id=plan.pk, account=account, user=ana, shape=shape, now=NOW)

    assert refusal.value.code == "shape_unknown"
    assert (BillingOrder.objects.count(), PlanOrder.objects.count()) == (0, 0)


@pytest.mark.parametrize("is_worked_out", [False, True])
def test_a_plan_without_an_answer_cannot_be_ordered(ec2, account, ana, is_worked_out):
    plan = make_plan(account, ana, capacity="2TB", budget="900")
    if is_worked_out:
        work_all()

    with pytest.raises(RuleBroken) as refusal:
        plan_order(plan_id=plan.pk, account=account, user=ana, shape="5 m1.large + 25 m1.medium", now=NOW)

    assert refusal.value.code == "plan_without_answer"
    assert BillingOrder.objects.count() == 0


def test_another_accounts_plan_does_not_exist(plan, account, ana):
    other = make_account(partner=account.partner, name="Borealis Films")

    with pytest.raises(Plan.DoesNotExist):
        plan_of(account_id=other.pk, plan_id=plan.pk)
    with pytest.raises(Plan.DoesNotExist):
        plan_order(plan_id=plan.pk, account=other, user=ana, shape=plan.run.result["best"]["shape"], now=NOW)

    assert list(plans_of(account_id=other.pk)) == []
    assert list(plan_summaries(account_id=other.pk)) == []
    assert BillingOrder.objects.count() == 0


def test_another_account_is_not_told_from_which_plan_an_order_came(plan, account, ana):
    other = make_account(partner=account.partner, name="Borealis Films")
    order = order_of(plan, plan.run.result["best"], account=account, user=ana)

    assert plan_order_of(account_id=other.pk, order_id=order.pk) is None


def test_summaries_tell_the_state_and_the_best_shape(plan, account, ana):
    waiting = make_plan(account, ana, capacity="1GB", throughput="1MB/s")

    first, second = plan_summaries(account_id=account.pk)

    best = plan.run.result["best"]
    assert (first["pk"], first["run__state"], first["best_shape"], first["best_cost"]) == (
        waiting.pk, "waiting", None, None,
    )  # fmt: skip
    assert (second["pk"], second["best_shape"], second["best_cost"], second["currency"]) == (
        plan.pk, best["shape"], best["total_monthly_cost"], "USD",
    )  # fmt: skip
