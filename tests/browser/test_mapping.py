"""From virtual to physical: a table of scores is brought, a measured machine is asked for, its server is ordered."""

import pytest
from playwright.sync_api import FilePayload, expect

from orders.models import BillingOrder
from planner.advice.models import Advice
from planner.tests.advice.factories import answer_of
from tests.browser.visitor import Visit
from tests.browser.worker import work_until_idle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HEADER = "suite,version,cpu,score\n"
OURS = f"{HEADER}Our Mark,3,Xeon E5-2620 v3 @ 2.40GHz,9100\nOur Mark,3,Xeon E3-1270,4100\n"


def sent(text: str) -> FilePayload:
    return {"name": "scores.csv", "mimeType": "text/csv", "buffer": text.encode()}


def test_partner_staff_bring_scores_and_a_buyer_orders_the_server(visit: Visit, width: int) -> None:
    nora = visit(width=width)
    nora.refusals.add("422")
    nora.sign_in("nora@north.example")
    nora.open("/plans/score-tables/")
    nora.page.get_by_label("Table of scores").set_input_files(sent(f"{OURS}Our Mark,4,Xeon E5649,1\n"))
    nora.page.get_by_label("Where the scores are from").fill("Our laboratory, spring 2026.")
    nora.follow(nora.page.get_by_role("button", name="Import it"))
    expect(nora.page.locator(".form-errors")).to_contain_text("Line 4: the version is “4”, above it is “3”.")
    nora.look("score-tables-refused")
    nora.page.get_by_label("Table of scores").set_input_files(sent(OURS))
    nora.follow(nora.page.get_by_role("button", name="Import it"))
    assert nora.heading() == "Our Mark, 3: 2 processors"
    nora.look("score-table")

    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open("/plans/advice/new/virtual_to_physical/")
    ana.page.get_by_label("CPU score", exact=True).fill("8,500")
    ana.page.get_by_label("Suite and version of the score").select_option("Our Mark, 3")
    ana.look("mapping-new")
    ana.follow(ana.page.get_by_role("button", name="Find the best configuration"))
    work_until_idle()
    expect(ana.page.get_by_role("button", name="Order this")).to_be_visible()
    ana.wait_until_ready()
    best = answer_of(Advice.objects.get())["best"]
    assert ana.heading() == f"{best['title']}: ${best['monthly_cost']} a month"
    assert "E5-2620 v3" in ana.heading()
    ana.page.get_by_text("What a published study named").click()
    ana.look("mapping-answer")
    ana.follow(ana.page.get_by_role("button", name="Order this"))

    container = BillingOrder.objects.get().items.get().containers.get()
    assert "Dual Intel Xeon E5-2620 v3 (12 Cores, 2.40 GHz)" in {line.description for line in container.lines.all()}


def test_the_machines_of_a_plan_are_asked_for_as_servers(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open("/plans/new/?throughput=175+MB%2Fs&capacity=2+TB")
    ana.follow(ana.page.locator("main form.sentence-form button.btn-primary"))
    work_until_idle()
    link = ana.page.get_by_role("link", name="storage node", exact=False).filter(has_text="the ")
    expect(link).to_be_visible()
    ana.wait_until_ready()
    ana.follow(link)

    expect(ana.page.locator("main, .messages").get_by_text("are taken for").first).to_be_visible()
    ana.look("mapping-of-plan")
    ana.follow(ana.page.get_by_role("button", name="Find the best configuration"))
    work_until_idle()
    expect(ana.page.get_by_role("button", name="Order this")).to_be_visible()
    ana.wait_until_ready()
    ana.look("mapping-of-plan-answer")
