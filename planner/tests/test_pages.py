"""The pages of plans, as a buyer, a viewer and a stranger see them."""

import csv
import re
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.urls import reverse

from accounts.models import Role
from accounts.tests.factories import client_of, make_account, make_member, make_partner
from jobs.models import RunState
from orders.models import BillingOrder
from orders.states import OrderState
from planner.demand import CostBasis
from planner.mixed import winning_mix
from planner.models import Plan, PlanOrder
from planner.tests.factories import make_answered_plan, make_plan, work_all

LIST_BUDGET = 6
TYPED = {
    "goal": "minimise_cost",
    "capacity": "2 TB",
    "throughput": "175 MB/s",
    "location": "us-east-1",
}


def address(name, *args):
    return reverse(name, args=args)


def body_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.fixture
def buyer(ana):
    return client_of(ana)


@pytest.fixture
def plan(ec2, account, ana):
    return make_answered_plan(account, ana)


def form_of(row):
    """What the button beside a row sends."""
    return {"shape": row["shape"], "balancers": row["balancers"]}


@pytest.mark.journey
def test_from_the_need_to_a_placed_order(ec2, buyer):
    asked = buyer.post(address("plan-new"), TYPED)
    plan = Plan.objects.get()
    waiting = body_of(buyer.get(asked["Location"]))
    work_all()
    answer = body_of(buyer.get(asked["Location"]))
    plan.run.refresh_from_db()
    best = plan.run.result["best"]

    ordered = buyer.post(address("plan-order", plan.pk), form_of(best), follow=True)
    order = BillingOrder.objects.get()
    placed = buyer.post(address("order-place", order.pk), {"shown_monthly": best["total_monthly_cost"]}, follow=True)

    assert asked["Location"] == address("plan-detail", plan.pk)
    assert "<h1>2 TB at 175 MB/s, as cheap as possible</h1>" in waiting
    assert "Waiting for a worker: 0 of 3 parts" in waiting
    assert "2 balancers, 5 proxies, 25 storage nodes: $7,488.00 a month" in answer
    assert ordered.redirect_chain == [(address("order-detail", order.pk), 302)]
    assert "$7,488.00" in body_of(ordered)
    assert "Order 1 is placed." in body_of(placed)
    order.refresh_from_db()
    assert order.state == OrderState.PLACED


def test_the_form_is_filled_in_with_a_sensible_question(ec2, buyer):
    page = body_of(buyer.get(address("plan-new")))

    for value in ("2 TB", "175 MB/s", "9,000", "cc2.8xlarge", "720", "95"):
        assert f'value="{value}"' in page


def test_the_address_fills_the_form_in(plan, buyer):
    answer = body_of(buyer.get(address("plan-detail", plan.pk)))

    (change_url,) = set(re.findall(r'href="(/plans/new/\?[^"]*)"', answer))
    page = body_of(buyer.get(change_url.replace("&amp;", "&")))

    assert 'value="2 TB"' in page
    assert 'value="175 MB/s"' in page


def test_every_mistake_stands_beside_its_field_and_what_was_typed_is_kept(ec2, buyer):
    typed = TYPED | {"capacity": "two", "throughput": "fast", "read_share": "130", "balancer": "cc2.8xlarge"}

    answer = buyer.post(address("plan-new"), typed)

    page = body_of(answer)
    assert answer.status_code == 422
    for name in ("capacity", "throughput", "read_share"):
        assert f'id="id_{name}_error"' in page
    assert page.count('class="field-error"') == 3
    for value in ("two", "fast", "130"):
        assert f'value="{value}"' in page
    assert '<details class="advanced" open>' in page
    assert Plan.objects.count() == 0


def test_a_balancer_that_nobody_sells_is_explained_beside_its_field(ec2, buyer):
    answer = buyer.post(address("plan-new"), TYPED | {"balancer": "abacus"})

    page = body_of(answer)
    assert answer.status_code == 422
    assert 'id="id_balancer_error"' in page
    assert "is not sold as a balancer in us-east-1" in page
    assert Plan.objects.count() == 0


def test_the_blank_that_the_goal_does_not_need_is_not_read(ec2, buyer):
    typed = TYPED | {"goal": "maximise_capacity", "budget": "9,000", "capacity": "whatever"}

    answer = buyer.post(address("plan-new"), typed)

    assert answer.status_code == 302
    assert Plan.objects.get().words == "175 MB/s within $9,000.00 a month, as large as possible"


def test_progress_says_what_is_being_done_and_then_asks_for_a_reload(ec2, account, ana, buyer):
    plan = make_plan(account, ana)

    waiting = buyer.get(address("plan-progress", plan.pk))
    work_all()
    done = buyer.get(address("plan-progress", plan.pk))

    assert "Waiting for a worker: 0 of 3 parts" in body_of(waiting)
    assert "<html" not in waiting.content.decode()
    assert "HX-Refresh" not in waiting
    assert (done["HX-Refresh"], done.content) == ("true", b"")


def test_a_plan_can_be_cancelled_and_taken_up_again(ec2, account, ana, buyer):
    plan = make_plan(account, ana)

    cancelled = body_of(buyer.post(address("plan-cancel", plan.pk), follow=True))
    again = body_of(buyer.post(address("plan-retry", plan.pk), follow=True))
    work_all()

    assert "This plan was cancelled." in cancelled
    assert "Waiting for a worker" in again
    plan.run.refresh_from_db()
    assert plan.run.state == RunState.DONE


@pytest.mark.parametrize("name", ["plan-cancel", "plan-retry"])
def test_a_plan_that_is_done_stays_done(plan, buyer, name):
    page = body_of(buyer.post(address(name, plan.pk), follow=True))

    plan.run.refresh_from_db()
    assert plan.run.state == RunState.DONE
    assert "2 balancers, 5 proxies, 25 storage nodes" in page


@pytest.mark.parametrize(
    ("factors", "is_assumed", "tag"),
    [
        ({}, False, '<span class="tag tag-calibrated">calibrated</span>'),
        ({"network.m1.large": 0.7}, False, '<span class="tag tag-measured">measured</span>'),
        ({"network.m1.medium": 1.1}, False, '<span class="tag tag-measured">measured</span>'),
        ({"network.cc2.8xlarge": 1.1}, False, '<span class="tag tag-measured">measured</span>'),
        ({"drive.sata": 0.7}, False, '<span class="tag tag-measured">measured</span>'),
        ({"network.m1.xlarge": 0.7, "drive.ssd": 0.7}, False, '<span class="tag tag-calibrated">calibrated</span>'),
        ({"network.m1.large": 0.7}, True, '<span class="tag tag-assumed">rests on an assumed figure</span>'),
    ],
)
def test_the_predicted_throughput_says_how_it_is_known(plan, buyer, factors, is_assumed, tag):
    run, best = plan.run, plan.run.result["best"]
    assert (best["proxy"], best["storage"], best["balancers"]) == ("m1.large", "m1.medium", 2)
    storage = next(each for each in run.parameters["fleet"]["nodes"] if each["machine"]["key_name"] == "m1.medium")
    storage["machine"]["drive_class"] = "sata"
    run.parameters["factors"], best["is_assumed"] = factors, is_assumed
    run.save(update_fields=["parameters", "result"])

    page = body_of(buyer.get(address("plan-detail", plan.pk)))

    headline = page[page.index("<dt>Predicted throughput</dt>") : page.index("how far to trust this")]
    assert re.findall(r'<span class="tag.*?</span>', headline) == [tag]


def test_the_budget_is_asked_on_the_cost_basis_that_is_chosen(ec2, buyer):
    page = body_of(buyer.get(address("plan-new")))
    styles = Path("static/css/plan.css").read_text()

    words = dict(re.findall(r'<span class="basis-words basis-words-(\w+)"> ([\w ]+),</span>', page))
    assert words == {"monthly": "a month", "total": "in all of its months", "purchase": "to buy"}
    for basis in CostBasis:
        assert f'[value="{basis}"]:checked) .basis-words-{basis}' in styles
    assert "Budget a month" not in page


def test_the_answer_says_price_machines_limit_and_why_others_lost(plan, buyer):
    page = body_of(buyer.get(address("plan-detail", plan.pk)))

    result = plan.run.result
    assert "<h1>2 balancers, 5 proxies, 25 storage nodes: $7,488.00 a month</h1>" in page
    assert "$4,032.00 nodes + $3,456.00 balancers, 720 hours" in page
    assert f"limits: {result['best']['limit']}" in page
    assert f"The best of {result['considered']:,} shapes" in page
    for row in result["runners_up"]:
        assert row["shape"] in page
        assert row["reason"] in page
    assert page.count("Order this plan") == 1


def test_an_impossible_plan_names_the_limit_and_cannot_be_ordered(ec2, account, ana, buyer):
    plan = make_answered_plan(account, ana, capacity="2TB", budget="900")

    page = body_of(buyer.get(address("plan-detail", plan.pk)))
    refused = body_of(buyer.post(address("plan-order", plan.pk), {"shape": "1 a + 5 b"}, follow=True))

    assert "The limit that binds: budget." in page
    assert "$842.40 more than the budget" in page
    assert "Order this plan" not in page
    assert "This plan has no configuration to order. Change the demand." in refused
    assert BillingOrder.objects.count() == 0


def test_a_shape_that_the_plan_does_not_show_is_refused_with_a_word(plan, buyer):
    page = body_of(buyer.post(address("plan-order", plan.pk), {"shape": "999 m1.large + 4995 m1.small"}, follow=True))

    assert "This plan has no configuration “999 m1.large + 4995 m1.small”. Choose one it shows." in page
    assert BillingOrder.objects.count() == 0


@pytest.mark.parametrize("rank", ["best", "runner-up"])
def test_the_button_beside_a_row_orders_that_row_though_its_shape_stands_with_other_balancers_too(plan, buyer, rank):
    result = plan.run.result
    row = result["best"] if rank == "best" else result["runners_up"][0]
    result["front"].append({**row, "balancers": row["balancers"] + 1})
    plan.run.save(update_fields=["result"])
    page = body_of(buyer.get(address("plan-detail", plan.pk)))
    fields = re.findall(
        rf'name="shape" value="{re.escape(row["shape"])}">\s*<input [^>]*name="balancers" value="(\d+)"', page
    )

    refused = body_of(buyer.post(address("plan-order", plan.pk), {"shape": row["shape"]}, follow=True))
    unread = body_of(buyer.post(address("plan-order", plan.pk), {**form_of(row), "balancers": "two"}, follow=True))
    count = BillingOrder.objects.count()
    buyer.post(address("plan-order", plan.pk), {"shape": row["shape"], "balancers": fields[0]})

    assert set(fields) == {str(row["balancers"])}
    assert f"or {row['balancers'] + 1} balancers. Say with how many it is meant." in refused
    assert "That is no number of balancers." in unread
    assert count == 0
    assert PlanOrder.objects.get().shape == row


def test_an_order_says_from_which_plan_it_came(plan, buyer):
    buyer.post(address("plan-order", plan.pk), form_of(plan.run.result["best"]))
    order = BillingOrder.objects.get()

    fragment = body_of(buyer.get(address("plan-of-order", order.pk)))

    assert address("plan-detail", plan.pk) in fragment
    assert "2 TB at 175 MB/s, as cheap as possible" in fragment
    assert buyer.get(address("plan-of-order", order.pk + 1)).content.strip() == b""


def test_the_shapes_come_as_a_table_for_spreadsheets(plan, buyer):
    answer = buyer.get(address("plan-csv", plan.pk))

    rows = list(csv.DictReader(StringIO(answer.content.decode())))
    result = plan.run.result
    assert answer["Content-Disposition"] == f'attachment; filename="plan-{plan.pk}.csv"'
    ranks = ["best", *map(str, range(2, 12)), *["front"] * len(result["front"]), *["mixed"] * bool(winning_mix(result))]
    assert [row["rank"] for row in rows] == ranks
    assert (rows[0]["shape"], rows[0]["total_monthly_cost"]) == ("5 m1.large + 25 m1.medium", "7488.00")
    assert [row["shape"] for row in rows[1:11]] == [row["shape"] for row in result["runners_up"]]
    assert [row["change"] for row in rows[1:11]] == [row["change"]["words"] for row in result["runners_up"]]


def test_the_table_has_the_cost_that_was_optimised_beside_the_monthly_one(ec2, account, ana, buyer):
    plan = make_answered_plan(account, ana, capacity="2TB", throughput="20MB/s", cost_basis="total", months="36")

    rows = list(csv.DictReader(StringIO(buyer.get(address("plan-csv", plan.pk)).content.decode())))

    best = plan.run.result["best"]
    monthly = Decimal(best["total_monthly_cost"])
    assert (rows[0]["cost_basis"], rows[0]["cost"], rows[0]["once_cost"]) == ("total", f"{36 * monthly:.2f}", "0.00")
    assert rows[0]["total_monthly_cost"] == best["total_monthly_cost"]


def test_the_table_of_an_impossible_plan_has_only_its_header(ec2, account, ana, buyer):
    plan = make_answered_plan(account, ana, capacity="2TB", budget="900")

    lines = buyer.get(address("plan-csv", plan.pk)).content.decode().splitlines()

    assert len(lines) == 1
    assert lines[0].startswith("rank,shape,")


def test_a_viewer_reads_plans_and_changes_nothing(plan, account):
    viewer = client_of(make_member(account, email="vera@north.example", role=Role.VIEWER))

    page = body_of(viewer.get(address("plan-detail", plan.pk)))

    assert "2 balancers, 5 proxies, 25 storage nodes" in page
    assert "Order this plan" not in page
    assert viewer.get(address("plan-new")).status_code == 403
    for name in ("plan-cancel", "plan-retry", "plan-order"):
        assert viewer.post(address(name, plan.pk)).status_code == 403
    assert BillingOrder.objects.count() == 0


def test_the_other_partners_buyer_finds_no_such_plan(plan):
    harbor = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    ben = client_of(make_member(harbor, email="ben@harbor.example"), host="harbor.localhost")

    for name in ("plan-detail", "plan-progress", "plan-csv"):
        assert ben.get(address(name, plan.pk)).status_code == 404
    for name in ("plan-cancel", "plan-retry", "plan-order"):
        assert ben.post(address(name, plan.pk), {"shape": "5 m1.large + 25 m1.medium"}).status_code == 404
    assert "2 TB at 175 MB/s" not in body_of(ben.get(address("plan-list")))
    assert BillingOrder.objects.count() == 0


def test_strangers_are_sent_to_the_sign_in(plan):
    answer = client_of(None).get(address("plan-detail", plan.pk))

    assert (answer.status_code, answer["Location"]) == (302, f"/sign-in/?next=/plans/{plan.pk}/")


def test_an_empty_list_offers_the_first_step(account, buyer):
    for name in ("plan-list", "plan-recent"):
        page = body_of(buyer.get(address(name)))
        assert "No plans yet" in page
        assert address("plan-new") in page


def test_the_list_shows_the_question_and_what_came_of_it(plan, account, ana, buyer):
    make_answered_plan(account, ana, capacity="2TB", budget="900")
    make_plan(account, ana, capacity="1TB", throughput="10MB/s")

    page = body_of(buyer.get(address("plan-list")))

    assert "3 plans of Aurora Studios" in page
    assert "5 m1.large + 25 m1.medium" in page
    assert "$7,488.00" in page
    assert "impossible" in page
    assert "waiting" in page


@pytest.mark.parametrize("name", ["plan-list", "plan-recent"])
def test_the_lists_of_many_plans_take_few_queries(ec2, account, ana, buyer, name, django_assert_max_num_queries):
    for _ in range(12):
        make_plan(account, ana)

    with django_assert_max_num_queries(LIST_BUDGET):
        buyer.get(address(name))


def test_a_failed_plan_says_why_and_can_be_tried_again(ec2, account, ana, buyer):
    plan = make_plan(account, ana)
    plan.run.parameters = {}
    plan.run.save()

    work_all()

    page = body_of(buyer.get(address("plan-detail", plan.pk)))
    assert "This plan could not be worked out." in page
    assert "Take it up again" in page


def test_staff_read_plans_in_the_admin_and_cannot_edit_them(plan, admin_client):
    listed = body_of(admin_client.get(address("admin:planner_plan_changelist")))
    page = admin_client.get(address("admin:planner_plan_change", plan.pk))
    refused = admin_client.post(address("admin:planner_plan_change", plan.pk), {"words": "Mine"})

    assert "2 TB at 175 MB/s, as cheap as possible" in listed
    assert "Done" in listed
    assert page.status_code == 200
    assert refused.status_code == 403
    assert admin_client.get(address("admin:planner_plan_add")).status_code == 403
    plan.refresh_from_db()
    assert plan.words == "2 TB at 175 MB/s, as cheap as possible"
