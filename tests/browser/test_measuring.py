"""Learning from measurements: upload what fio wrote, see what it changes, and set two series side by side."""

from decimal import Decimal

import pytest
from playwright.sync_api import FilePayload, expect

from accounts.models import Account, User
from catalog.models import BlueprintRole, Location
from core import clock
from planner.demand import Demand, Goal
from planner.measurements.services import measurement_delete
from planner.models import MeasurementFile
from planner.services import plan_start
from planner.storage_limits import RaidLimit
from planner.tests.test_measurements import made_fio
from tests.browser.visitor import Visit
from tests.browser.worker import work_until_idle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TABLE = "configuration;value;unit\n{rows}"
SPEEDS = {"1 node": 98.4, "2 nodes": 195.25, "4 nodes": 371.5, "8 nodes": 690.75, "16 nodes": 1204.5}


def table(*, factor: float) -> FilePayload:
    """A table with decimal commas, as a spreadsheet saves it."""
    rows = "".join(
        f"{name};{value * (factor + number / 100):.2f};MB/s\n".replace(".", ",")
        for number, (name, value) in enumerate(SPEEDS.items())
    )
    return {"name": "speeds.csv", "mimeType": "text/csv", "buffer": TABLE.format(rows=rows).encode()}


def test_a_slow_array_changes_the_advice_and_says_why(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    user = User.objects.get(email="ana@north.example")
    account = Account.objects.get(memberships__user=user, partner__slug="north")
    plan_start(
        account=account,
        user=user,
        demand=Demand(
            goal=Goal.MINIMISE_COST, throughput_mb_s=Decimal(800), capacity_gb=Decimal(40_000), raid=RaidLimit.NONE
        ),
        location=Location.objects.get(key_name="dal05"),
        now=clock.now(),
    )
    work_until_idle()
    ana.sign_in("ana@north.example")
    ana.open("/measurements/")
    expect(ana.page.get_by_text("Nothing measured yet")).to_be_visible()
    ana.look("measurement-empty")
    ana.follow(ana.page.get_by_role("link", name="Upload results").first)
    ana.look("measurement-new")

    fio: FilePayload = {"name": "fio.json", "mimeType": "application/json", "buffer": made_fio(share=0.7)}
    ana.page.get_by_label("File of results").set_input_files(fio)
    ana.follow(ana.page.get_by_role("button", name="Read the file"))
    assert ana.heading() == "3 values read: what was measured?"
    ana.look("measurement-preview")
    role = BlueprintRole.objects.get(blueprint__key_name="mongo-small")
    ana.page.get_by_label("What was measured").select_option(f"role:{role.pk}")
    ana.page.get_by_label("Name of this series").fill("Mirrored SATA drives")
    ana.follow(ana.page.get_by_role("button", name="Keep these values"))

    assert ana.heading() == "Mirrored SATA drives"
    expect(ana.page.get_by_text("−30.0 %").first).to_be_visible()
    ana.look("measurement-waiting")
    work_until_idle()
    expect(ana.page.get_by_text("would be answered otherwise at its own prices")).to_be_visible()
    expect(ana.page.get_by_text("writes of its disks").first).to_be_visible()
    ana.look("measurement-detail")
    ana.open("/measurements/")
    ana.look("measurement-list")
    for file in MeasurementFile.objects.all():
        measurement_delete(account=account, file_id=file.pk)


def test_two_versions_are_set_side_by_side(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.refusals.add("422")
    ana.sign_in("ana@north.example")
    for name, factor in (("Version 1.1", 1.0), ("Version 2.0", 1.1)):
        ana.open("/measurements/new/")
        ana.page.get_by_label("File of results").set_input_files(table(factor=factor))
        ana.follow(ana.page.get_by_role("button", name="Read the file"))
        ana.page.get_by_label("Name of this series").fill(name)
        ana.follow(ana.page.get_by_role("button", name="Keep these values"))
    ana.follow(ana.page.get_by_role("button", name="Compare"))

    assert ana.heading() == "Version 2.0 beats Version 1.1 by 9.8 % on 5 configurations: more than noise"
    ana.look("measurement-compare")

    cut: FilePayload = {"name": "fio.json", "mimeType": "application/json", "buffer": b'{\n "fio version": "fio-3'}
    ana.open("/measurements/new/")
    ana.page.get_by_label("File of results").set_input_files(cut)
    ana.follow(ana.page.get_by_role("button", name="Read the file"))
    expect(ana.page.get_by_text("Line 2: Column 17").first).to_be_visible()
    ana.look("measurement-refused")
