"""The I/O audit in a browser: a file of measurements sent, its charts and tables read, the smaller array ordered."""

from decimal import Decimal

import numpy as np
import pytest
from playwright.sync_api import expect

from orders.models import BillingOrder
from planner.advice.models import Advice
from planner.tests.advice.factories import answer_of
from planner.tests.audit.factories import table
from tests.browser.visitor import Visit
from tests.browser.worker import work_until_idle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def measured() -> bytes:
    """A week of a database by five minutes, with a backup of large reads at 01:30 for an hour."""
    slots = np.arange(288 * 7)
    base = (900 + 300 * np.sin(2 * np.pi * (slots / 288 - 0.35))) * np.random.default_rng(7).normal(1, 0.06, len(slots))
    backup = np.where((slots % 288 >= 18) & (slots % 288 < 30), 2500.0, 0.0)
    rows = [
        f"{0.7 * steady + extra:.1f},{0.3 * steady:.1f},{(steady + extra * 16) * 8192 / 1e6:.2f},{4 + extra / 200:.1f}"
        for steady, extra in zip(base, backup, strict=True)
    ]
    return table(rows, header="time,r/s,w/s,MB/s,latency ms").encode()


def test_an_architect_audits_a_file_before_buying(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open("/plans/advice/")
    ana.follow(ana.page.get_by_role("link", name="I/O audit"))
    ana.page.get_by_label("I/O over time, as a file").set_input_files(
        {"name": "sda.csv", "mimeType": "text/csv", "buffer": measured()}
    )
    ana.page.get_by_label("What it costs a month").fill("1,200.00")
    ana.look("audit-new")
    ana.follow(ana.page.get_by_role("button", name="Find the best configuration"))

    work_until_idle()
    expect(ana.page.get_by_role("button", name="Order this")).to_be_visible()
    ana.wait_until_ready()
    best = answer_of(Advice.objects.get())["best"]
    expect(ana.page.get_by_role("heading", name="Today's array is busy")).to_contain_text("every day at 01:30")
    expect(ana.page.get_by_role("heading", name="What to buy, with and without")).to_be_visible()
    parts = ana.page.get_by_role("region", name="The parts of the load")
    expect(parts).to_contain_text("The job every day at 01:30")
    expect(parts).to_contain_text("7 of 7 times")
    ladder = {(row["level"], row["without"]): row["monthly_cost"] for row in best["extra"]["ladder"]}
    saved = Decimal(ladder["p95", ""]) - Decimal(ladder["p95", "job1"])
    expect(ana.page.get_by_role("region", name="The cheapest array with and without each job")).to_contain_text(
        f"${saved:,.2f} a month less"
    )
    ana.look("audit-answer")
    assert ana.page.get_by_role("button", name="Delete").is_visible()
    ana.follow(ana.page.get_by_role("button", name="Order this"))

    assert BillingOrder.objects.count() == 1


def test_a_file_that_is_cut_off_is_refused_with_its_line_and_nothing_is_asked(visit: Visit, width: int) -> None:
    ana = visit(width=width, has_javascript=False)
    ana.sign_in("ana@north.example")
    ana.refusals.add("422")
    ana.open("/plans/advice/new/io_audit/")
    ana.page.get_by_label("I/O over time, as a file").set_input_files(
        {"name": "sda.csv", "mimeType": "text/csv", "buffer": measured().rpartition(b",")[0]}
    )
    ana.page.get_by_role("button", name="Find the best configuration").click()

    expect(ana.page.locator(".field-error").first).to_contain_text(
        "Line 2017: 4 of 5 columns: the file is cut off here."
    )
    assert not Advice.objects.exists()
