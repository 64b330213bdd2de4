"""What people do with a plan's answer: run it again, slide, quote, share, compare, and see an order beside it."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from accounts.models import Role
from accounts.tests.factories import client_of, make_account, make_member
from core.models import AuditEntry
from jobs.models import RunState
from jobs.selectors import broken_invariants
from orders.models import BillingOrder, Quote
from planner.models import AnswerShare, Plan
from planner.sharing import share_by_token
from planner.tests.factories import NOW, make_answered_plan, make_plan, work_all


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


def test_the_answer_says_what_the_simulation_found_and_shows_every_phase(plan, buyer):
    page = body_of(buyer.get(address("plan-detail", plan.pk)))

    last = plan.run.result["phases"]["validation"][-1]
    assert last["verdict"] == "meets"
    assert f"{last['low_mb_s']:,.1f} to {last['high_mb_s']:,.1f} MB/s in 19 of 20 cases" in page
    assert "meets what is needed" in page
    for name in ("Sampling", "Profiling", "Optimisation", "Validation"):
        assert f'<p class="page-kicker">{name}</p>' in page
    assert "beaten by" in page


def simulated_groups(answer):
    return [(each["proxy"], each["storage"], each["mb_s"]) for each in answer["phases"]["profiling"]]


def test_a_plan_is_run_again_from_a_phase_as_a_plan_of_its_own(plan, buyer, account):
    answer = buyer.post(address("plan-again", plan.pk), {"stage": "3"})

    again = Plan.objects.exclude(pk=plan.pk).get()
    assert answer["Location"] == address("plan-detail", again.pk)
    assert (again.origin, again.from_stage, again.run.stage, again.words) == (plan, 3, 3, plan.words)
    work_all()
    again.run.refresh_from_db()
    first, second = plan.run.result, again.run.result
    assert again.run.state == RunState.DONE
    assert second["best"] == first["best"]
    assert simulated_groups(second) == simulated_groups(first)
    assert second["phases"]["validation"][0]["mb_s"] != first["phases"]["validation"][0]["mb_s"]
    assert broken_invariants() == []
    assert f'href="{address("plan-detail", plan.pk)}">plan {plan.pk}</a> worked out again' in body_of(
        buyer.get(address("plan-detail", again.pk))
    )


@pytest.mark.parametrize("stage", ["4", "-1", "", "x"])
def test_a_phase_that_is_none_is_not_run_again(plan, buyer, stage):
    page = body_of(buyer.post(address("plan-again", plan.pk), {"stage": stage}, follow=True))

    assert "This work has not come that far yet." in page
    assert Plan.objects.count() == 1


def test_a_viewer_runs_nothing_again_and_shares_nothing(plan, account):
    viewer = client_of(make_member(account, email="vic@north.example", role=Role.VIEWER))

    for name in ("plan-again", "plan-share", "plan-quote"):
        assert viewer.post(address(name, plan.pk), {"stage": "0"}).status_code == 403
    page = body_of(viewer.get(address("plan-detail", plan.pk)))

    assert "Run again from here" not in page
    assert (Plan.objects.count(), AnswerShare.objects.count(), Quote.objects.count()) == (1, 0, 0)


def test_a_plan_becomes_a_quote_in_one_step_at_its_price(plan, buyer):
    best = plan.run.result["best"]

    answer = buyer.post(address("plan-quote", plan.pk), {"shape": best["shape"], "balancers": best["balancers"]})

    quote = Quote.objects.get()
    assert answer["Location"] == address("quote-detail", quote.pk)
    assert quote.document["totals"]["monthly"] == best["total_monthly_cost"]


def test_a_shape_that_the_plan_does_not_show_is_not_quoted_and_leaves_no_draft(plan, buyer):
    page = body_of(buyer.post(address("plan-quote", plan.pk), {"shape": "1 m1.large + 4 m1.small"}, follow=True))

    assert "This plan has no configuration" in page
    assert (Quote.objects.count(), BillingOrder.objects.count()) == (0, 0)


def test_a_slider_answers_what_a_plan_of_the_same_demand_finds(plan, buyer, account, ana):
    page = body_of(
        buyer.get(
            address("plan-slide", plan.pk), {"throughput": "350", "capacity": "4000"}, headers={"HX-Request": "true"}
        )
    )

    best = make_answered_plan(account, ana, throughput="350MB/s", capacity="4TB").run.result["best"]
    assert f"{best['shape']}." in page
    assert f"${Decimal(best['total_monthly_cost']):,}" in page
    assert "<html" not in page


def test_sliders_say_when_nothing_meets_the_demand_and_what_is_wrong_with_it(ec2, account, ana, buyer):
    plan = make_answered_plan(account, ana, capacity="2TB", budget="9000")
    slide = address("plan-slide", plan.pk)

    impossible = buyer.get(slide, {"budget": "1"}, headers={"HX-Request": "true"})
    wrong = buyer.get(slide, {"budget": "-1", "hours_per_month": "many"}, headers={"HX-Request": "true"})

    assert "Nothing meets this." in body_of(impossible)
    assert wrong.status_code == 422
    assert "“many” is not a number." in body_of(wrong)


def test_without_scripts_a_slider_is_a_form_that_keeps_what_was_typed(plan, buyer):
    page = body_of(buyer.get(address("plan-slide", plan.pk), {"throughput": "350"}))

    assert 'name="throughput" data-mirrors="range_throughput" value="350"' in page
    assert "more than the plan's" in page


def test_a_plan_that_is_not_worked_out_has_no_sliders(ec2, account, ana, buyer):
    plan = make_plan(account, ana)

    assert buyer.get(address("plan-slide", plan.pk))["Location"] == address("plan-detail", plan.pk)


def test_a_link_shows_the_answer_to_strangers_until_it_is_taken_back(plan, buyer, client):
    buyer.post(address("plan-share", plan.pk))
    share = AnswerShare.objects.get()
    shared = address("answer-shared", share.token)
    headers = {"HTTP_HOST": "north.localhost"}

    seen = body_of(client.get(shared, **headers))
    assert "2 balancers, 5 proxies, 25 storage nodes" in seen
    assert "Order this plan" not in seen
    assert "Run again from here" not in seen

    buyer.post(address("plan-unshare", plan.pk))

    assert client.get(shared, **headers).status_code == 404
    states = AuditEntry.objects.filter(subject=f"plan:{plan.pk}").values_list("to_state", flat=True)
    assert sorted(states) == ["not_shared", "shared"]


def test_a_link_ends_by_itself(plan, buyer):
    buyer.post(address("plan-share", plan.pk))
    share = AnswerShare.objects.get()
    partner_id = plan.account.partner_id

    assert share_by_token(token=share.token, partner_id=partner_id, at=share.expires_at - timedelta(seconds=1)) == share
    with pytest.raises(AnswerShare.DoesNotExist):
        share_by_token(token=share.token, partner_id=partner_id, at=share.expires_at)
    with pytest.raises(AnswerShare.DoesNotExist):
        share_by_token(token=share.token, partner_id=partner_id + 1, at=share.shared_at)


def test_a_plan_without_an_answer_is_not_shared(ec2, account, ana, buyer):
    plan = make_plan(account, ana)

    page = body_of(buyer.post(address("plan-share", plan.pk), follow=True))

    assert "There is no configuration to show here." in page
    assert AnswerShare.objects.count() == 0


def test_two_plans_stand_side_by_side_on_one_scale(plan, buyer, account, ana):
    other = make_answered_plan(account, ana, throughput="350MB/s", capacity="2TB")

    page = body_of(buyer.get(address("plan-compare"), {"a": plan.pk, "b": other.pk}))

    more = Decimal(other.run.result["best"]["total_monthly_cost"]) - Decimal(
        plan.run.result["best"]["total_monthly_cost"]
    )
    assert f"<h1>Plan {other.pk} costs ${more:,} a month more than plan {plan.pk}</h1>" in page
    assert "2 TB at 350 MB/s, as cheap as possible" in page


@pytest.mark.parametrize("others", [{}, {"b": "x"}, {"b": "9" * 18}])
def test_one_plan_alone_is_not_compared(plan, buyer, others):
    answer = buyer.get(address("plan-compare"), {"a": plan.pk, **others})

    assert answer["Location"] == address("plan-list")


def test_another_accounts_plan_is_not_compared(plan, account):
    stranger = make_member(make_account(partner=account.partner, name="Borealis Films"), email="bo@north.example")

    assert client_of(stranger).get(address("plan-compare"), {"a": plan.pk, "b": plan.pk}).status_code == 404


def test_an_order_that_exists_stands_beside_the_answer(plan, buyer):
    row = plan.run.result["runners_up"][2]
    buyer.post(address("plan-order", plan.pk), {"shape": row["shape"], "balancers": row["balancers"]})
    order = BillingOrder.objects.get()

    page = body_of(buyer.get(address("plan-detail", plan.pk), {"order": order.pk}))

    assert "you are here" in page
    assert row["shape"] in page


@pytest.mark.parametrize("order", ["x", "999999"])
def test_an_order_that_does_not_exist_is_said_to_be_none(plan, buyer, order):
    page = body_of(buyer.get(address("plan-detail", plan.pk), {"order": order}))

    assert "There is no such order." in page
    assert "you are here" not in page


def test_the_form_proposes_disks_that_are_three_quarters_full_and_keeps_what_a_plan_asked(plan, buyer):
    fresh = body_of(buyer.get(address("plan-new")))
    change = re.search(r'href="(/plans/new/\?[^"]+)"', buyer.get(address("plan-detail", plan.pk)).content.decode())
    changed = body_of(buyer.get(change[1].replace("&amp;", "&")))

    assert 'name="fill_limit" value="75"' in fresh
    assert 'name="fill_limit" value="100"' in changed


def test_the_advanced_settings_of_the_form_reach_the_demand(ec2, buyer):
    typed = {
        "goal": "minimise_cost", "capacity": "2 TB", "throughput": "175 MB/s", "location": "us-east-1",
        "erasure": "4+2", "fill_limit": "75", "spare_proxy": "on", "latency_ms": "2000", "cost_basis": "total",
        "months": "36",
    }  # fmt: skip

    buyer.post(address("plan-new"), typed)

    asked = Plan.objects.get().asked
    assert (asked.erasure_data, asked.erasure_parity, asked.fill_limit) == (4, 2, Decimal("0.75"))
    assert (asked.spare_proxy, asked.spare_node, asked.latency_ms) == (True, False, Decimal(2000))
    assert asked.cost_words == "in 36 months"


def test_progress_names_the_phase(ec2, account, ana, buyer):
    plan = make_plan(account, ana)

    page = body_of(buyer.get(address("plan-progress", plan.pk)))

    assert '<li class="step step-current" aria-current="step"> <span class="step-label">Sampling</span>' in page
    assert plan.created_at == NOW


def test_a_plan_over_several_months_says_what_they_cost_in_all(ec2, account, ana, buyer):
    plan = make_answered_plan(account, ana, capacity="2TB", throughput="175MB/s", cost_basis="total", months="36")

    page = body_of(buyer.get(address("plan-detail", plan.pk)))

    best = plan.run.result["best"]
    assert Decimal(best["cost"]) == 36 * Decimal(best["total_monthly_cost"]) + Decimal(best["once_cost"])
    assert f"${Decimal(best['cost']):,} in 36 months</h1>" in page
    assert f"${Decimal(best['total_monthly_cost']):,} a month" in page
