"""Other workloads than a storage cloud: chosen from pictures, asked in a sentence, answered, ordered or quoted."""

from decimal import Decimal

import pytest
from playwright.sync_api import expect

from orders.models import BillingOrder, Quote
from planner.advice.models import Advice
from planner.tests.advice.factories import answer_of
from tests.browser.visitor import Visit
from tests.browser.worker import work_until_idle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUESTIONS = [
    pytest.param("RAID and disks", {"Usable capacity": "2 TB", "Random I/O": "1,000 IOPS"}, id="raid"),
    pytest.param("Database server", {"Data": "200 GB", "Operations": "1,000 ops/s"}, id="database"),
    pytest.param("Build farm", {"Time of a build today": "45 min", "Developers": "20"}, id="build_farm"),
    pytest.param("Replicated writes", {"Writes in a second": "2,000 IOPS", "Size of one write": "64 KiB"}, id="writes"),
    pytest.param("Network", {"Traffic out in a month": "8 TB", "Peak rate": "1 Gb/s"}, id="network"),
    pytest.param(
        "Locations", {"Where your users are": "New York, 5,000\nLos Angeles, 4k\nMoscow, 300"}, id="locations"
    ),
]


@pytest.mark.parametrize(("title", "typed"), QUESTIONS)
def test_a_buyer_asks_what_a_workload_needs_and_orders_it(
    title: str, typed: dict[str, str], visit: Visit, width: int
) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open("/plans/advice/")
    ana.look(f"advice-list-{title}")
    ana.follow(ana.page.get_by_role("link", name=title))
    for label, words in typed.items():
        ana.page.get_by_label(label, exact=True).fill(words)
    ana.look(f"advice-new-{title}")
    ana.follow(ana.page.get_by_role("button", name="Find the best configuration"))
    ana.look(f"advice-waiting-{title}")

    work_until_idle()
    expect(ana.page.get_by_role("button", name="Order this")).to_be_visible()
    ana.wait_until_ready()
    best = answer_of(Advice.objects.get())["best"]
    assert ana.heading() == f"{best['title']}: ${Decimal(best['monthly_cost']):,} a month"
    ana.page.get_by_text("What is in it").click()
    for table in ana.page.get_by_text("Show data").all():
        table.click()
    ana.look(f"advice-answer-{title}")
    ana.follow(ana.page.get_by_role("button", name="Make a link"))
    ana.look(f"advice-linked-{title}")
    stranger = visit(width=width)
    stranger.page.goto(ana.page.locator("a.breakable").inner_text())
    stranger.wait_until_ready()
    assert stranger.heading() == ana.heading()
    stranger.look(f"advice-shared-{title}")
    ana.follow(ana.page.get_by_role("button", name="Quote"))
    expect(ana.page.get_by_role("heading", level=1)).to_be_visible()

    quote = Quote.objects.get()
    assert quote.document["totals"]["monthly"] == best["monthly_cost"]
    assert BillingOrder.objects.get() == quote.order


def test_a_buyer_without_javascript_hears_that_nothing_can_do_it(visit: Visit, width: int) -> None:
    ana = visit(width=width, has_javascript=False)
    ana.sign_in("ana@north.example")
    ana.open("/plans/advice/new/raid/?capacity=900+TB")
    ana.page.get_by_role("button", name="Find the best configuration").click()
    work_until_idle()
    ana.page.reload()

    expect(ana.page.locator("main .problem[role=alert]")).to_contain_text("The limit that binds: Usable capacity.")
    expect(ana.page.get_by_role("heading", name="The nearest there is")).to_be_visible()
