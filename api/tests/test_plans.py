from decimal import Decimal

import pytest

from api.tests.factories import make_plan, work_all
from api.v1.calls import names_of
from api.v1.plans.shapes import MixedConfiguration
from jobs.models import RunState
from orders.models import BillingOrder
from planner.models import Plan

pytestmark = pytest.mark.django_db

QUESTION = {"throughput": "175 MB/s", "capacity": "2 TB", "balancers": 2}

PROBLEM = {"limit": "budget", "words": "The budget binds.", "short_by": None, "nearest_possible": None}


def violations(answer):
    return {(violation["code"], violation["field"]) for violation in answer.json()["violations"]}


def started(program, **changes):
    answer = program.post("/api/v1/plans", QUESTION | changes)
    assert answer.status_code == 202, answer.content
    return answer.json()["href"]


def test_a_plan_is_accepted_and_worked_out_later(program, ec2):
    answer = program.post("/api/v1/plans", QUESTION)

    plan = Plan.objects.get()
    assert answer.status_code == 202
    assert answer["Location"] == f"/api/v1/plans/{plan.pk}"
    assert answer.json() == {
        "id": plan.pk,
        "state": "waiting",
        "progress": {"done": 0, "total": plan.run.progress_total, "words": ""},
        "href": f"/api/v1/plans/{plan.pk}",
    }


def test_a_plan_has_no_answer_until_it_is_done(program, ec2):
    href = started(program)

    waiting = program.get(href).json()
    work_all()
    done = program.get(href).json()

    assert (waiting["state"], waiting["answer"], waiting["failure"]) == ("waiting", None, None)
    assert done["state"] == "done"
    assert done["progress"]["done"] == done["progress"]["total"]
    assert done["words"] == "2 TB at 175 MB/s, as cheap as possible"
    best = done["answer"]["best"]
    assert best["mb_s"] >= 0.95 * 175
    assert best["total_monthly_cost"].count(".") == 1
    assert len(done["answer"]["runners_up"]) == 10
    assert all(row["reason"] for row in done["answer"]["runners_up"])


def test_the_answer_tells_its_phases_and_whether_the_simulation_meets_the_demand(program, ec2):
    href = started(program)
    work_all()

    answer = program.get(href).json()["answer"]

    phases = answer["phases"]
    assert phases["sampling"]["pairs"] == 169
    assert {profile["law"] for profile in phases["profiling"]} <= {"line", "saturation", "universal scalability"}
    assert [(each["round"], each["shape"]) for each in phases["optimisation"]] == [(1, answer["best"]["shape"])]
    (validated,) = phases["validation"]
    assert (validated["shape"], validated["verdict"]) == (answer["best"]["shape"], "meets")
    assert validated["needed_mb_s"] <= validated["low_mb_s"] <= validated["mean_mb_s"] <= validated["high_mb_s"]


def test_the_further_settings_of_a_demand_are_read(program, ec2):
    href = started(program, erasure="4+2", fill_limit=75, spare_proxy="yes", latency_ms="900")

    demand = program.get(href).json()["demand"]

    assert (demand["erasure_data"], demand["erasure_parity"], demand["fill_limit"]) == (4, 2, "0.75")
    assert (demand["spare_proxy"], demand["spare_node"], demand["latency_ms"]) == (True, False, "900.00")


def test_limits_on_disks_are_read_and_the_one_that_nothing_keeps_is_named(program, ec2):
    href = started(program, raid="raid10", drives="flash")
    work_all()

    answer = program.get(href).json()

    problem = answer["answer"]["problem"]
    assert (answer["demand"]["raid"], answer["demand"]["drives"]) == ("raid10", "flash")
    assert (problem["limit"], problem["nearest_possible"]) == ("raid and drives", "any disks")


def test_numbers_may_be_sent_as_numbers_and_keep_their_digits(program, ec2):
    href = started(program, goal="maximise_throughput", throughput=None, budget=9000.10, it_cost_per_node=80)

    demand = program.get(href).json()["demand"]

    assert (demand["budget"], demand["it_cost_per_node"]) == ("9000.1", "80")
    assert (demand["goal"], demand["throughput_mb_s"], demand["read_share"]) == ("maximise_throughput", None, "0")


def test_an_impossible_demand_is_done_and_says_which_limit_binds(program, ec2):
    href = started(program, balancers=1)
    work_all()

    answer = program.get(href).json()["answer"]

    assert answer["best"] is None
    assert answer["problem"]["limit"] == "balancers"


def test_everything_wrong_with_a_demand_is_named_at_once(program, ec2):
    body = {
        "throughput": "175 parsecs",
        "capacity": ["2 TB"],
        "budget": "9" * 101,
        "read_share": 120,
        "location": "moon",
        "colour": "red",
    }

    answer = program.post("/api/v1/plans", body)

    assert answer.status_code == 422
    assert violations(answer) == {
        ("not_readable", "throughput"),
        ("not_readable", "capacity"),
        ("too_long", "budget"),
        ("out_of_range", "read_share"),
        ("location_unknown", "location"),
        ("field_unknown", "colour"),
    }
    assert not Plan.objects.exists()


def test_a_demand_that_is_no_object_is_refused(program, ec2):
    assert program.post("/api/v1/plans", [QUESTION]).status_code == 422


def test_words_that_no_answer_could_hold_are_refused_in_words(program, ec2):
    answer = program.post("/api/v1/plans", raw=rb'{"throughput": "\ud800", "capacity": "2 TB"}')

    assert violations(answer) == {("not_readable", "throughput")}


def test_a_balancer_that_is_not_sold_is_a_broken_rule(program, ec2):
    answer = program.post("/api/v1/plans", QUESTION | {"balancer": "m9.huge"})

    assert answer.status_code == 409
    assert violations(answer) == {("balancer_unknown", "balancer")}


def test_plans_are_listed_latest_first_with_their_best_shape(program, ec2, account, ana):
    href = started(program)
    work_all()
    later = make_plan(account, ana)

    page = program.get("/api/v1/plans").json()

    assert page["count"] == 2
    assert [line["id"] for line in page["results"]] == [later.pk, Plan.objects.get(run__state=RunState.DONE).pk]
    best = program.get(href).json()["answer"]["best"]
    done = page["results"][1]
    assert (done["best_shape"], done["total_monthly_cost"]) == (best["shape"], best["total_monthly_cost"])
    assert page["results"][0]["best_shape"] is None


def test_a_cancelled_plan_stops_and_cannot_be_cancelled_again(program, ec2):
    href = started(program)

    first = program.post(f"{href}/cancel")
    again = program.post(f"{href}/cancel")

    assert (first.status_code, first.json()["state"]) == (200, "cancelled")
    assert (again.status_code, again.json()["code"]) == (409, "run_move_refused")


def test_a_failed_plan_says_why(program, account, ana):
    plan = make_plan(account, ana)
    work_all()  # its parameters are none that the planner knows

    shown = program.get(f"/api/v1/plans/{plan.pk}").json()

    assert (shown["state"], shown["failure"]["kind"]) == ("failed", "crashed")
    assert "KeyError" in shown["failure"]["reason"]


def test_the_best_configuration_is_ordered_unless_another_is_named(program, ec2):
    href = started(program)
    work_all()
    answer = program.get(href).json()["answer"]
    other = answer["runners_up"][0]

    best_order = program.post(f"{href}/order")
    other_order = program.post(f"{href}/order", {"shape": other["shape"], "balancers": other["balancers"]})

    assert best_order.status_code == other_order.status_code == 201
    assert best_order["Location"] == best_order.json()["href"]
    assert best_order.json()["name"] == f"Storage cloud: {answer['best']['shape']}"
    assert other_order.json()["name"] == f"Storage cloud: {other['shape']}"
    assert {item["name"]: item["quantity"] for item in best_order.json()["items"]} == {
        "Balancers": answer["best"]["balancers"],
        "Proxies": answer["best"]["proxies"],
        "Storage nodes": answer["best"]["storage_nodes"],
    }


def test_the_cost_that_was_optimised_is_answered_with_what_makes_it_up(program, ec2):
    href = started(program, throughput="20 MB/s", cost_basis="purchase", purchase_months="30", spares="1,500")
    href_of_default = started(program, throughput="20 MB/s", cost_basis="purchase")
    work_all()

    plan, usual = program.get(href).json(), program.get(href_of_default).json()

    assert (plan["demand"]["purchase_months"], plan["demand"]["spares"]) == ("30.00", "1500")
    assert (usual["demand"]["purchase_months"], usual["demand"]["spares"]) == ("24", None)
    best, answer = plan["answer"]["best"], plan["answer"]
    machines = Decimal(best["monthly_cost"]) + Decimal(best["balancer_monthly_cost"])
    assert (best["cost_basis"], best["once_cost"]) == ("purchase", "0.00")
    assert Decimal(best["cost"]) == 30 * machines + 1500
    for row in [*answer["runners_up"], *answer["front"]]:
        assert row["cost_basis"] == "purchase"
        assert Decimal(row["cost"]) >= Decimal(row["total_monthly_cost"])
    first = answer["runners_up"][0]
    assert set(first["change"]) == {"price_drop", "price_share", "throughput_mb_s", "words"}
    assert first["change"]["words"].startswith(f"${Decimal(first['change']['price_drop']):,.2f} to buy off its price")


@pytest.mark.parametrize("is_alone", [False, True])
def test_a_mix_that_does_better_is_answered_and_ordered_where_it_is_alone(program, ec2, is_alone):
    href = started(program, balancers=None)
    work_all()
    plan = Plan.objects.get()
    mix = plan.run.result["mixed"]
    mix["beats_uniform"] = True
    if is_alone:
        plan.run.result |= {"best": None, "runners_up": [], "front": [], "problem": PROBLEM}
    plan.run.save(update_fields=["result"])

    answer = program.get(href).json()["answer"]
    order = program.post(f"{href}/order").json()

    assert (answer["best"] is None, answer["problem"]) == (is_alone, PROBLEM if is_alone else None)
    assert answer["mixed"] == {name: mix[name] for name in names_of(MixedConfiguration)}
    ordered = mix if is_alone else plan.run.result["best"]
    assert (order["name"], order["totals"]["monthly"]) == (
        f"Storage cloud: {ordered['shape']}",
        ordered["total_monthly_cost"],
    )


def test_a_mix_that_does_no_better_is_not_answered(program, ec2):
    href = started(program, balancers=None)
    work_all()
    plan = Plan.objects.get()
    plan.run.result["mixed"]["beats_uniform"] = False
    plan.run.save(update_fields=["result"])

    answer = program.get(href).json()["answer"]
    order = program.post(f"{href}/order").json()

    assert answer["mixed"] is None
    assert order["name"] == f"Storage cloud: {answer['best']['shape']}"


def test_a_cheaper_row_of_the_front_is_ordered_by_its_shape_and_its_balancers(program, ec2):
    href = started(program, balancers=None)
    work_all()
    front = program.get(href).json()["answer"]["front"]
    cheap = next(a for a in front for b in front if a["shape"] == b["shape"] and a["balancers"] < b["balancers"])

    unnamed = program.post(f"{href}/order", {"shape": cheap["shape"]})
    count = BillingOrder.objects.count()
    order = program.post(f"{href}/order", {"shape": cheap["shape"], "balancers": cheap["balancers"]})

    assert (unnamed.status_code, violations(unnamed), count) == (409, {("shape_ambiguous", "balancers")}, 0)
    assert order.status_code == 201
    assert order.json()["totals"]["monthly"] == cheap["total_monthly_cost"]


@pytest.mark.parametrize(
    ("sent", "refused"),
    [
        ({"balancers": 2}, ("required", "shape")),
        ({"shape": "5 m1.large + 25 m1.medium", "balancers": -1}, ("min_value", "balancers")),
    ],
)
def test_balancers_are_named_with_their_shape_and_never_below_none(program, ec2, sent, refused):
    answer = program.post(f"{started(program)}/order", sent)

    assert (answer.status_code, violations(answer)) == (422, {refused})
    assert not BillingOrder.objects.exists()


def test_a_plan_of_an_older_version_is_answered_with_a_months_cost(program, ec2):
    href = started(program)
    work_all()
    plan = Plan.objects.get()
    for row in [plan.run.result["best"], *plan.run.result["runners_up"], *plan.run.result["front"]]:
        for name in ("once_cost", "cost_basis", "cost", "change"):
            row.pop(name, None)
    del plan.run.result["mixed"]
    plan.run.save(update_fields=["result"])

    answer = program.get(href).json()["answer"]

    best = answer["best"]
    assert (best["cost"], best["cost_basis"], best["once_cost"]) == (best["total_monthly_cost"], "monthly", None)
    assert (answer["mixed"], answer["runners_up"][0]["change"]) == (None, None)


def test_a_shape_that_the_plan_does_not_show_cannot_be_ordered(program, ec2):
    href = started(program)
    work_all()

    answer = program.post(f"{href}/order", {"shape": "1 cray-1 + 5 abacus"})

    assert (answer.status_code, answer.json()["code"]) == (409, "shape_unknown")
    assert not BillingOrder.objects.exists()


def test_a_plan_without_an_answer_cannot_be_ordered(program, ec2):
    answer = program.post(f"{started(program)}/order")

    assert (answer.status_code, answer.json()["code"]) == (409, "plan_without_answer")
