import pytest

from api.tests.factories import make_plan, work_all
from jobs.models import RunState
from orders.models import BillingOrder
from planner.models import Plan

pytestmark = pytest.mark.django_db

QUESTION = {"throughput": "175 MB/s", "capacity": "2 TB", "balancers": 2}


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
    other = answer["runners_up"][0]["shape"]

    best_order = program.post(f"{href}/order")
    other_order = program.post(f"{href}/order", {"shape": other})

    assert best_order.status_code == other_order.status_code == 201
    assert best_order["Location"] == best_order.json()["href"]
    assert best_order.json()["name"] == f"Storage cloud: {answer['best']['shape']}"
    assert other_order.json()["name"] == f"Storage cloud: {other}"
    assert {item["name"]: item["quantity"] for item in best_order.json()["items"]} == {
        "Balancers": answer["best"]["balancers"],
        "Proxies": answer["best"]["proxies"],
        "Storage nodes": answer["best"]["storage_nodes"],
    }


def test_a_shape_that_the_plan_does_not_show_cannot_be_ordered(program, ec2):
    href = started(program)
    work_all()

    answer = program.post(f"{href}/order", {"shape": "1 cray-1 + 5 abacus"})

    assert (answer.status_code, answer.json()["code"]) == (409, "shape_unknown")
    assert not BillingOrder.objects.exists()


def test_a_plan_without_an_answer_cannot_be_ordered(program, ec2):
    answer = program.post(f"{started(program)}/order")

    assert (answer.status_code, answer.json()["code"]) == (409, "plan_without_answer")
