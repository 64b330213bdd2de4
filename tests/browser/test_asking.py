"""The question: wrong words, the other goals, what cannot be had, and a plan given up and taken up again."""

from decimal import Decimal

import pytest
from playwright.sync_api import expect

from core.money import Money
from jobs.models import RunState
from planner.models import Plan
from tests.browser.visitor import Visit, Visitor
from tests.browser.worker import work_on_one_part, work_until_idle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def ask(visitor: Visitor, *, goal: str = "as cheap as possible", **limits: str) -> None:
    """Fill in the sentence and send it."""
    page = visitor.page
    visitor.open("/plans/new/")
    visitor.click(page.locator(".segmented label", has_text=goal))
    for name, words in limits.items():
        page.locator(f"input[name={name}]").fill(words)
    visitor.follow(page.get_by_role("button", name="Find the best configuration"))


def test_all_wrong_words_are_shown_at_once_beside_their_fields_and_kept(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.refusals.add("422")
    ana.sign_in("ana@north.example")

    ask(ana, capacity="2 bananas", throughput="")

    capacity, throughput = ana.page.get_by_label("Usable capacity"), ana.page.get_by_label("Throughput, such as")
    expect(capacity).to_have_value("2 bananas")
    expect(throughput).to_have_value("")
    for field in (capacity, throughput):
        expect(field).to_have_attribute("aria-invalid", "true")
    expect(capacity).to_have_accessible_description("“bananas” is not a unit known here. Write it like 2 TB.")
    expect(throughput).to_have_accessible_description(
        "Say the throughput: this goal starts from throughput and capacity."
    )
    expect(ana.page.get_by_role("alert").filter(has_text="correction")).to_be_focused()
    ana.look("errors")
    assert Plan.objects.count() == 0


def test_the_budget_says_on_which_cost_basis_it_is_asked(visit: Visit, width: int) -> None:
    ana = visit(width=width, has_javascript=False)
    ana.sign_in("ana@north.example")
    ana.open("/plans/new/")
    ana.click(ana.page.locator(".segmented label", has_text="as fast as possible"))
    words = ana.page.locator(".basis-words:visible")

    expect(words).to_have_text(["a month,"])
    ana.click(ana.page.locator("details.advanced summary"))
    for basis, said in (("total", "in all of its months"), ("purchase", "to buy")):
        ana.page.get_by_label("Cost and budget count").select_option(basis)
        expect(words).to_have_text([f"{said},"])
    ana.look("basis")


@pytest.mark.parametrize(
    ("goal", "limit"),
    [("as fast as possible", {"capacity": "2 TB"}), ("as large as possible", {"throughput": "100 MB/s"})],
    ids=["fast", "large"],
)
def test_the_other_goals_answer_within_the_budget(visit: Visit, width: int, goal: str, limit: dict[str, str]) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")

    ask(ana, goal=goal, budget="9,000", **limit)
    work_until_idle()

    expect(ana.page.get_by_role("button", name="Order this plan")).to_be_visible()
    found = Plan.objects.get().run.result or {}
    cost = Decimal(found["best"]["total_monthly_cost"])
    assert cost <= 9000
    assert ana.heading().endswith(f": {Money(cost, 'USD')} a month")
    expect(ana.page.locator(".lede")).to_contain_text(goal)
    ana.look(f"answer-{goal.split()[1]}")


def test_an_impossible_demand_says_which_limit_binds_and_by_how_much(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open("/plans/new/")

    ana.click(ana.page.get_by_text("Assumptions:"))
    ana.page.get_by_label("Number of balancers").fill("1")
    ana.look("plan-form-assumptions")
    ana.follow(ana.page.get_by_role("button", name="Find the best configuration"))
    work_until_idle()

    problem = ana.page.get_by_role("alert").filter(has_text="The limit that binds: balancers.")
    expect(problem).to_contain_text("That passes at most 140 MB/s, and 166.3 MB/s is needed: 26.3 MB/s short.")
    assert ana.heading() == "Nothing can do this: 2 TB at 175 MB/s, as cheap as possible"
    ana.look("impossible")
    ana.follow(ana.page.get_by_role("link", name="Change the demand"))
    expect(ana.page.get_by_label("Usable capacity")).to_have_value("2 TB")
    expect(ana.page.locator("input[name=balancers]")).to_have_value("1")


def test_a_plan_is_cancelled_while_it_runs_and_taken_up_again(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ask(ana, capacity="2 TB", throughput="175 MB/s")
    work_on_one_part()
    expect(ana.page.get_by_role("status")).to_contain_text("1 of 3 parts")

    ana.follow(ana.page.get_by_role("button", name="Cancel"))

    expect(ana.page.get_by_role("status")).to_contain_text("This plan was cancelled.")
    assert Plan.objects.get().run.state == RunState.CANCELLED
    ana.look("cancelled")
    ana.follow(ana.page.get_by_role("button", name="Take it up again"))
    work_until_idle()
    expect(ana.page.get_by_role("button", name="Order this plan")).to_be_visible()
    assert ana.heading() == "2 balancers, 5 proxies, 25 storage nodes: $7,488.00 a month"
