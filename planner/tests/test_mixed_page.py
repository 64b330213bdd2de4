"""Mixed fleets on the answer page and as orders, and what else an answer rests on."""

import csv
from decimal import Decimal
from io import StringIO
from random import Random

import pytest
from django.urls import reverse

from accounts.tests.factories import client_of
from catalog.models import Location
from core.errors import RuleBroken
from orders.checking import order_check
from orders.drafting import order_draft
from orders.models import BillingOrder, Quote
from orders.selectors import order_tree
from planner.answer_notes import measured_words, spares_panel, taken_to_be_so
from planner.drawing import drawing_of_mix
from planner.mixed_page import mix_panel, no_mix_words
from planner.planning import plan_now
from planner.selectors import TERM, fleet_of
from planner.services import plan_order, roles_of, row_of
from planner.tests.factories import NOW, make_answered_plan, make_demand
from planner.tests.test_pages import body_of
from simulation.kernels.mixed import solved_mix
from simulation.parameters import load_parameter_set

RANDOM_DEMANDS = 20
MIX = {
    "shape": "5 p + 20 fast + 10 large",
    "proxy": "p",
    "proxies": 5,
    "groups": [
        {"storage": "fast", "nodes_per_proxy": 5, "proxies": 4},
        {"storage": "large", "nodes_per_proxy": 10, "proxies": 1},
    ],
    "storages": {"fast": 20, "large": 10},
    "storage_nodes": 30,
    "balancers": 2,
    "machines": 37,
    "mb_s": 180.0,
    "capacity_gb": 2500.0,
    "cents": 90_000,
    "limit": "balancers",
    "is_mixed": True,
    "is_proven": True,
    "beats_uniform": True,
}
BEST = {"shape": "6 p + 30 fast", "cents": 100_000, "mb_s": 170.0, "capacity_gb": 2000.0}


@pytest.fixture
def plan(ec2, account, ana):
    return make_answered_plan(account, ana)


@pytest.fixture
def buyer(ana):
    return client_of(ana)


def random_demand(random):
    """A demand of any goal that a mix may meet, with odd hours and thousandths of money."""
    limits = random.choice(
        [
            {"throughput": f"{random.randint(50, 900)}MB/s", "capacity": f"{random.randint(1, 90)}TB"},
            {"budget": f"{random.randint(5000, 30000)}.37", "capacity": f"{random.randint(1, 900)}GB"},
            {"budget": f"{random.randint(5000, 30000)}.37", "throughput": f"{random.randint(1, 30)}MB/s"},
        ]
    )
    return make_demand(
        **limits,
        hours_per_month=random.choice(["700.01", "720", "743.99"]),
        it_cost_per_node=random.choice(["0", "0.125", "12.345"]),
        balancer=random.choice(["cc2.8xlarge", "m1.xlarge"]),
    )


def with_mix(plan, **changed):
    """Let a plan's answer have this best mix, whatever was found."""
    plan.run.result["mixed"] = {**plan.run.result["mixed"], **changed}
    plan.run.save(update_fields=["result"])
    return plan.run.result["mixed"]


def page_of(plan, buyer):
    return body_of(buyer.get(reverse("plan-detail", args=[plan.pk])))


def found(**changed):
    return {"best": BEST, "mixed": {**MIX, **changed}, "balancer": {"mb_s": 140.0}}


def test_the_mixes_of_twenty_random_demands_are_ordered_with_no_edit_at_their_price_to_the_cent(ec2, account, ana):
    random, here = Random(2026), Location.objects.get(key_name="us-east-1")
    ordered = mixed = 0
    for _ in range(RANDOM_DEMANDS):
        demand = random_demand(random)
        fleet = fleet_of(
            account=account, location=here, hours_per_month=demand.hours_per_month, at=NOW,
            parameters=load_parameter_set(),
        )  # fmt: skip
        mix = plan_now(fleet=fleet, demand=demand, parameters=load_parameter_set(), solve_mix=solved_mix)["mixed"]
        if mix is None:
            continue

        order = order_draft(
            account=account, user=ana, name=mix["shape"], roles=roles_of(mix, fleet, balancer=demand.balancer),
            location=here, term=TERM, hours_per_month=demand.hours_per_month, now=NOW,
        )  # fmt: skip

        check = order_check(order_id=order.pk, account_id=account.pk, now=NOW)
        assert (check.violations, check.price_changes) == ((), ()), demand
        owed = Decimal(mix["total_monthly_cost"]) - Decimal(mix["it_monthly_cost"])
        assert (check.totals.monthly.known.amount, check.totals.monthly.is_exact) == (owed, True), demand
        assert check.totals.once.known.amount == Decimal(mix["once_cost"])
        assert Decimal(mix["cost"]) == Decimal(mix["total_monthly_cost"])
        assert len(order_tree(order_id=order.pk, account_id=account.pk).items) == 2 + len(mix["storages"])
        ordered += 1
        mixed += mix["is_mixed"]
    assert ordered >= 0.8 * RANDOM_DEMANDS
    assert mixed


def test_the_best_mix_stands_beside_the_best_uniform_shape_and_becomes_a_quote_in_one_step(plan, buyer):
    mix = with_mix(plan, beats_uniform=True)

    page = page_of(plan, buyer)
    answer = buyer.post(reverse("plan-quote", args=[plan.pk]), {"shape": mix["shape"], "balancers": mix["balancers"]})

    assert f'value="{mix["shape"]}"' in page
    assert "Order the mix" in page
    assert "Predicted, not simulated." in page
    quote = Quote.objects.get()
    assert answer["Location"] == reverse("quote-detail", args=[quote.pk])
    assert quote.document["totals"]["monthly"] == mix["total_monthly_cost"]


def test_a_mix_that_does_no_better_is_one_line_and_cannot_be_ordered(plan, account, ana, buyer):
    mix = with_mix(plan, beats_uniform=False, is_proven=True, shape="the mix")

    page = page_of(plan, buyer)
    with pytest.raises(RuleBroken) as refusal:
        plan_order(plan_id=plan.pk, account=account, user=ana, shape=mix["shape"], now=NOW)

    assert "No mix of storage types is cheaper." in page
    assert "Order the mix" not in page
    assert refusal.value.code == "shape_unknown"
    assert BillingOrder.objects.count() == 0


def test_the_table_of_shapes_ends_with_the_mix(plan, buyer):
    with_mix(plan, **MIX)

    rows = list(csv.DictReader(StringIO(buyer.get(reverse("plan-csv", args=[plan.pk])).content.decode())))

    last = rows[-1]
    assert (last["rank"], last["storage"], last["nodes_per_proxy"]) == ("mixed", "20 fast + 10 large", "5 and 10")
    assert last["storage_nodes"] == "30"


def test_where_only_a_mix_meets_the_demand_it_is_shown_and_ordered(ec2, account, ana, buyer):
    plan = make_answered_plan(account, ana, capacity="2TB", budget="900")
    asked = make_answered_plan(account, ana)
    plan.run.result["mixed"] = asked.run.result["mixed"] | {"beats_uniform": True}
    plan.run.save(update_fields=["result"])

    page = page_of(plan, buyer)

    assert "No uniform configuration can do this" in page
    assert "Order the mix" in page
    assert row_of(plan, plan.run.result["mixed"]["shape"]) == plan.run.result["mixed"]


def test_the_picture_of_a_mix_has_its_storage_types_beside_each_other():
    from_types = [
        (role["key"], role["count"], role["machine_type"], role["note"], role.get("is_beside", False))
        for role in drawing_of_mix(MIX, make_demand(capacity="2TB", throughput="175MB/s"), balancer_mb_s=140.0)
    ]

    assert from_types == [
        ("balancers", 2, "cc2.8xlarge", "each passes 140 MB/s", False),
        ("proxies", 5, "p", "three copies of everything", False),
        ("storage", 20, "fast", "5 behind each of 4 proxies", False),
        ("storage", 10, "large", "10 behind 1 proxy", True),
    ]


@pytest.mark.parametrize(
    ("words", "heading", "saving"),
    [
        (
            {"capacity": "2TB", "throughput": "175MB/s"},
            "With storage types mixed: $100.00 less a month",
            "10.0 % cheaper than 6 p + 30 fast",
        ),
        (
            {"capacity": "2TB", "budget": "1000"},
            "With storage types mixed: 10 MB/s more",
            "5.9 % faster than 6 p + 30 fast",
        ),
        (
            {"throughput": "100MB/s", "budget": "1000"},
            "With storage types mixed: 500 GB more",
            "25.0 % larger than 6 p + 30 fast",
        ),
    ],
)
def test_the_panel_says_what_the_mix_saves(words, heading, saving):
    panel = mix_panel(found(), make_demand(**words))

    assert (panel["heading"], panel["saving"]) == (heading, saving)


@pytest.mark.parametrize(
    ("rounds", "taught", "is_untaught"), [(0, [], False), (1, [], False), (2, [], True), (1, [{"factor": 0.9}], True)]
)
def test_a_mix_beside_shapes_that_simulations_lowered_is_untaught(rounds, taught, is_untaught):
    answer = found() | {"phases": {"validation": [{}] * rounds, "optimisation": [{"corrections": taught}]}}

    assert mix_panel(answer, make_demand(capacity="2TB", throughput="175MB/s"))["is_untaught"] == is_untaught


@pytest.mark.parametrize(
    ("changed", "words", "line"),
    [
        ({}, {}, ""),
        ({"beats_uniform": False}, {}, "No mix of storage types is cheaper."),
        (
            {"beats_uniform": False, "is_proven": False},
            {},
            "No mix of storage types was found that is cheaper.",
        ),
        (
            {"beats_uniform": False},
            {"spare_node": "yes"},
            "Mixes of storage types were not looked for: they keep no promise about spare machines, a number of "
            "balancers or what is paid once.",
        ),
    ],
)
def test_one_line_says_why_no_mix_is_shown(changed, words, line):
    demand = make_demand(capacity="2TB", throughput="175MB/s", **words)

    assert no_mix_words(found(**changed), demand) == line
    assert no_mix_words({"best": BEST}, demand) == ""


def test_a_purchase_shows_its_kit_of_spares_part_by_part_as_illustrative(ec2, account, ana, buyer):
    plan = make_answered_plan(account, ana, capacity="2TB", throughput="20MB/s", cost_basis="purchase")

    page = page_of(plan, buyer)

    assert 'a kit of spares for $2,000.00 <span class="tag tag-illustrative">illustrative</span>' in page
    assert "<dt>RAID card</dt><dd>$400.00</dd>" in page
    assert "24 times its monthly price" in page


def test_a_kit_of_spares_that_was_named_has_no_illustrative_parts():
    demand = make_demand(capacity="2TB", throughput="20MB/s", cost_basis="purchase", spares="1,234.50")

    panel = spares_panel(demand)

    assert (panel["is_illustrative"], panel["parts"], str(panel["total"])) == (False, [], "$1,234.50")
    assert spares_panel(make_demand(capacity="2TB", throughput="20MB/s")) is None


def test_what_was_taken_to_be_so_of_the_chosen_machines_is_told():
    fleet = {
        "nodes": [
            {"machine": {"key_name": "p"}, "notes": ["Taken for 61 ECU."]},
            {"machine": {"key_name": "fast"}},
            {"machine": {"key_name": "large"}, "notes": ["A journal apart."]},
        ],
        "balancers": [{"machine": {"key_name": "cc2.8xlarge"}, "notes": []}],
    }

    told = taken_to_be_so(fleet, MIX, make_demand(capacity="2TB", throughput="175MB/s"))

    assert told == [
        {"machine_type": "p", "notes": ["Taken for 61 ECU."]},
        {"machine_type": "large", "notes": ["A journal apart."]},
    ]


def test_a_plan_that_rests_on_measurements_says_so_and_leads_to_them(plan, buyer):
    before = page_of(plan, buyer)
    plan.run.parameters["factors"] = {"network.m1.large": 0.7}
    plan.run.save(update_fields=["parameters"])

    page = page_of(plan, buyer)

    assert "This plan rests on" not in before
    assert "This plan rests on your measurements" in page
    assert f'href="{reverse("measurement-list")}"' in page
    assert "<li>The network of m1.large: 0.70 times what is taken without measurements</li>" in page
    assert measured_words({}) == []


def test_an_answer_costs_five_queries(plan, buyer, django_assert_num_queries):
    buyer.get(reverse("plan-detail", args=[plan.pk]))

    with django_assert_num_queries(5):
        buyer.get(reverse("plan-detail", args=[plan.pk]))
