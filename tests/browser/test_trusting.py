"""How far to trust a prediction, and what a configuration is predicted to do, as people see it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_buyer_sees_how_far_to_trust_a_prediction(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")

    ana.follow(ana.page.get_by_role("link", name="How far to trust predictions"))

    expect(ana.page.locator("h1")).to_have_text(re.compile(r"\d+ of \d+ published figures are predicted"))
    expect(ana.page.locator("#promises + ul > li")).to_have_count(7)
    expect(ana.page.locator("[data-figure=accuracy-chart] .main-svg").first).to_be_visible()
    ana.look("accuracy")
    ana.follow(ana.page.get_by_role("link", name="The parameters behind it"))
    ana.look("parameters")


def test_a_package_and_the_composer_show_what_is_predicted(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")

    ana.open("/catalog/benchmark-server/?location=dal05&category=ram")
    expect(ana.page.get_by_role("heading", name="What it is predicted to do")).to_be_visible()
    ana.look("predicted-of-package")

    ana.open("/orders/compose/?package=benchmark-server&location=dal05&term=monthly")
    if not ana.page.locator(".summary-more").evaluate("each => each.open"):
        ana.click(ana.page.locator(".summary-more > summary"))
    expect(ana.page.get_by_text("Random reads")).to_be_visible()
    ana.look("predicted-of-composed")


def test_without_javascript_the_accuracy_page_still_tells_every_figure(visit: Visit) -> None:
    ana = visit(has_javascript=False)
    ana.sign_in("ana@north.example")

    ana.open("/accuracy/?workload=build")

    expect(ana.page.locator("#figures ~ .table-frame tr[id]")).to_have_count(5)
    expect(ana.page.get_by_role("button", name="Show", exact=True)).to_be_visible()
