"""A plan that was validated: its phases, a slider, a link for others, a second plan beside it, and the quote."""

import pytest
from playwright.sync_api import expect

from orders.models import BillingOrder, Quote
from planner.models import Plan
from planner.selectors import plan_locations
from tests.browser.visitor import Visit
from tests.browser.worker import work_on_one_part, work_until_idle

pytestmark = [pytest.mark.browser, pytest.mark.journey, pytest.mark.django_db(transaction=True)]

PHASES = ["Sampling", "Profiling", "Optimisation", "Validation"]


def test_from_a_plan_over_its_phases_and_a_slider_to_a_quote(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.open("/")
    ana.sign_in("ana@north.example")
    ana.open("/plans/new/")
    ana.click(ana.page.get_by_text("Assumptions:"))
    ana.look("plan-assumptions")
    ana.follow(ana.page.get_by_role("button", name="Find the best configuration"))
    for _ in range(4):
        work_on_one_part()
    expect(ana.page.locator(".step-current .step-label")).to_have_text("Profiling")
    ana.look("plan-profiling")
    work_until_idle()
    expect(ana.page.get_by_role("button", name="Order this plan")).to_be_visible()
    ana.wait_until_ready()
    expect(ana.page.locator(".plan-phase .page-kicker")).to_have_text(PHASES)
    expect(ana.page.locator("dl.figures").first).to_contain_text("in 19 of 20 cases")
    ana.look("plan-validated")

    ana.page.locator("#slide_throughput").fill("350")
    expect(ana.page.locator("#slid .answer-price")).to_be_visible()
    expect(ana.page.locator("#slid")).to_contain_text("more than the plan's")
    assert ana.page.locator("#range_throughput").input_value() == "350"
    ana.look("plan-slid")

    ana.follow(ana.page.get_by_role("button", name="Make a link"))
    link = ana.page.locator("a.breakable").inner_text()
    stranger = visit(width=width)
    stranger.page.goto(link)
    stranger.wait_until_ready()
    assert stranger.heading().startswith("2 balancers, 5 proxies, 25 storage nodes")
    expect(stranger.page.get_by_role("button", name="Order this plan")).to_have_count(0)
    stranger.look("plan-shared")

    ana.follow(ana.page.get_by_role("button", name="Run again from here: validation"))
    work_until_idle()
    expect(ana.page.get_by_role("button", name="Order this plan")).to_be_visible()
    ana.wait_until_ready()
    first, again = Plan.objects.order_by("pk")
    assert (again.origin, again.from_stage) == (first, 3)
    ana.follow(ana.page.get_by_role("button", name="Compare"))
    ana.wait_until_ready()
    ana.look("plan-compare")
    costs = [(each.run.result or {})["best"]["cents"] for each in (first, again)]
    assert ("cost the same" in ana.heading()) == (costs[0] == costs[1])

    ana.open(f"/plans/{first.pk}/")
    ana.follow(ana.page.get_by_role("button", name="Quote it"))
    quote = Quote.objects.get()
    assert quote.order.name == "Storage cloud: 5 m1.large + 25 m1.medium"
    assert ana.address() == f"/orders/quotes/{quote.pk}/"
    ana.look("plan-quote")


def test_without_scripts_the_sliders_are_a_form(visit: Visit) -> None:
    ana = visit(has_javascript=False)
    ana.open("/")
    ana.sign_in("ana@north.example")
    ana.open("/plans/new/")
    ana.follow(ana.page.get_by_role("button", name="Find the best configuration"))
    work_until_idle()
    expect(ana.page.locator("#slide_throughput")).to_be_visible()

    ana.page.locator("#slide_throughput").fill("350")
    ana.page.get_by_role("button", name="Answer").click()

    expect(ana.page.locator("#slid")).to_contain_text("more than the plan's")
    assert ana.page.locator("#slide_throughput").input_value() == "350"


def test_a_purchase_of_servers_says_what_it_rests_on_and_its_mix_becomes_an_order(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.open("/")
    ana.sign_in("ana@north.example")
    servers = plan_locations()[-1].key_name
    ana.open(f"/plans/new/?cost_basis=purchase&fill_limit=75&throughput=900+MB/s&capacity=40+TB&location={servers}")
    ana.follow(ana.page.get_by_role("button", name="Find the best configuration"))
    work_until_idle()
    expect(ana.page.get_by_role("button", name="Order this plan")).to_be_visible()

    ana.click(ana.page.get_by_text("a kit of spares for $2,000.00"))

    expect(ana.page.get_by_text("RAID card")).to_be_visible()
    expect(ana.page.get_by_text("are taken for").first).to_be_visible()
    ana.look("plan-purchase")
    ana.follow(ana.page.get_by_role("button", name="Order the mix"))
    answer = Plan.objects.get().run.result or {}
    assert BillingOrder.objects.get().items.count() == 2 + len(answer["mixed"]["storages"])
    ana.look("plan-mix-ordered")
