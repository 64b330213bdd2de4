"""The question asked without a mouse."""

import pytest
from playwright.sync_api import Page, expect

from planner.models import Plan
from tests.browser.visitor import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_STOPS = 40
FOCUSED = "document.activeElement.name || document.activeElement.innerText.trim()"
# A radio button of a segmented control is drawn by its label, which then shows the focus.
SHOWS_FOCUS = """(() => [document.activeElement, document.activeElement.closest("label")].some(each => {
    if (!each) return false;
    const {outlineStyle, outlineWidth, opacity} = getComputedStyle(each);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && opacity !== "0";
}))()"""


def tab_to(page: Page, name: str) -> None:
    """Press Tab until this control has the focus; each stop on the way must show that it has it."""
    stops: list[str] = []
    while not stops or stops[-1] != name:
        assert len(stops) < MOST_STOPS, f"Tab never came to {name}: {stops}"
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUSED))
        assert page.evaluate(SHOWS_FOCUS), f"{stops[-1]} does not show that it has the focus"


def test_the_question_is_asked_with_the_keyboard_alone(visit: Visit) -> None:
    ana = visit()
    ana.sign_in("ana@north.example")
    ana.open("/plans/new/")
    page = ana.page

    tab_to(page, "capacity")
    page.keyboard.type("3 TB")
    tab_to(page, "throughput")
    page.keyboard.type("100 MB/s")
    with page.expect_navigation():
        page.keyboard.press("Enter")

    assert ana.heading() == "3 TB at 100 MB/s, as cheap as possible"
    assert Plan.objects.count() == 1
    assert ana.clicks == 1


def test_the_skip_link_is_the_first_stop_and_leads_past_the_navigation(visit: Visit) -> None:
    ana = visit()
    ana.sign_in("ana@north.example")
    skip = ana.page.get_by_role("link", name="Skip to content")
    expect(skip).not_to_be_in_viewport()

    ana.page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    ana.page.keyboard.press("Enter")
    expect(ana.page.get_by_role("main")).to_be_focused()
    ana.page.keyboard.press("Tab")

    expect(ana.page.get_by_role("main").get_by_role("link", name="Plan a storage cloud").first).to_be_focused()
