"""Repairing with one click: in the composer and on the draft, with JavaScript and without."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import NARROW, Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

THREE_DISKS = "".join(f"&choice-disk{slot}=HARD_DRIVE_1_00_TB_SATA_2" for slot in range(3))
WRONG = (
    "/orders/compose/?package=BARE_METAL_SERVER&location=dal05&term=monthly&quantity=3&hosts=web-1+web-2"
    "&choice-server=INTEL_XEON_2620_2_00&choice-disk_controller=DISK_CONTROLLER_RAID_10"
    f"{THREE_DISKS}&choice-bandwidth=BANDWIDTH_UNLIMITED_100_MBPS_UPLINK"
    "&choice-port_speed=1_GBPS_PUBLIC_PRIVATE_NETWORK_UPLINKS"
)


@pytest.mark.parametrize("has_javascript", [True, False], ids=["script", "plain"])
def test_a_wrong_choice_is_settled_with_one_click_and_so_is_a_wrong_draft(visit: Visit, width: int, has_javascript):
    ana = visit(width=width, has_javascript=has_javascript)
    ana.sign_in("ana@north.example")
    ana.open(WRONG)
    ana.look(f"composer-with-repairs-{'script' if has_javascript else 'plain'}")
    summary = ana.page.locator("#compose-summary")
    if width == NARROW and has_javascript:
        ana.click(summary.locator(".summary-more > summary").first)
    expect(summary.get_by_text("RAID 10 needs an even number of disks")).to_be_visible()

    ana.follow(ana.page.get_by_role("button", name="Start an order"))
    expect(ana.page.get_by_role("button", name="Add 1.00 TB SATA: $52.20 more a month").first).to_be_visible()
    ana.look(f"draft-with-repairs-{'script' if has_javascript else 'plain'}")
    ana.follow(ana.page.locator(".tree-problem").get_by_role("button", name="Add 1.00 TB SATA").first)
    expect(ana.page.get_by_text("left to settle.")).to_be_visible()
    if width == NARROW and has_javascript:
        ana.click(ana.page.locator(".summary-more > summary").first)
    ana.follow(ana.page.get_by_role("button", name="Repair all"))

    expect(ana.page.get_by_text("Nothing is in the way now.")).to_be_visible()
    expect(ana.page.get_by_role("button", name="Place this order")).to_be_visible()
    ana.look(f"draft-repaired-{'script' if has_javascript else 'plain'}")


def test_the_composer_settles_everything_with_one_click(visit: Visit):
    ana = visit()
    ana.sign_in("ana@north.example")
    ana.open(WRONG)

    ana.follow(ana.page.locator(".repair-all"))

    expect(ana.page.get_by_text("can be ordered")).to_be_visible()
    expect(ana.page.locator("#category-disk3 .category-chosen")).to_have_text("1.00 TB SATA")
