"""Limits on the disks of storage nodes: asked in the form, by the API and the command, and told where plans are."""

import csv
import html
import json
from dataclasses import replace
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from accounts.tests.factories import client_of
from catalog.models import Location
from core.clock import now
from planner.demand import Demand, Goal
from planner.models import Plan
from planner.phases.sampling import sample_part, samples_joined
from planner.plan_comparison import comparison_of
from planner.services import plan_start
from planner.shapes import groups_of
from planner.sliders import slider_answer
from planner.storage_limits import DriveLimit, RaidLimit, limits_words, unfit_reason, weaker_limits
from planner.tests.brute_force import PARAMETERS, with_disks
from planner.tests.factories import make_demand, make_fleet, make_machine, make_plan, work_all

ASKED = {"capacity": "20TB", "throughput": "300MB/s", "raid": "raid10", "drives": "rotating"}


def answered(account, ana, **words):
    plan = plan_start(
        account=account,
        user=ana,
        demand=make_demand(**words),
        location=Location.objects.get(key_name="dal05"),
        now=now(),
    )
    work_all()
    plan.run.refresh_from_db()
    return plan


@pytest.mark.parametrize(
    ("raid", "drive_class", "limits", "reason"),
    [
        ("", "", ("any", "any"), ""),
        ("", "", ("none", "any"), "how its disks are joined is not known"),
        ("", "", ("any", "flash"), "the kind of its disks is not known"),
        ("raid0", "ssd", ("protected", "any"), "the failure of one drive loses its data"),
        ("raid0", "ssd", ("none", "any"), "its disks are joined by RAID"),
        ("raid5", "ssd", ("protected", "flash"), ""),
        ("raid5", "ssd", ("raid10", "any"), "its disks are not in RAID 10"),
        ("raid10", "nvme", ("raid10", "flash"), ""),
        ("raid10", "sas_10k", ("protected", "flash"), "its disks are no flash drives"),
        ("none", "ssd", ("none", "rotating"), "its disks do not rotate"),
        ("none", "network", ("none", "rotating"), "its disks do not rotate"),
    ],
)
def test_disks_keep_a_limit_or_say_why_not(raid, drive_class, limits, reason):
    raid_limit, drive_limit = RaidLimit(limits[0]), DriveLimit(limits[1])

    assert unfit_reason(raid=raid, drive_class=drive_class, raid_limit=raid_limit, drive_limit=drive_limit) == reason


def test_what_asks_for_less_comes_nearest_first():
    assert [limits_words(*limits) for limits in weaker_limits(RaidLimit.RAID_10, DriveLimit.FLASH)] == [
        "flash drives that outlive any one drive", "flash drives", "disks in RAID 10",
        "disks that outlive any one drive", "",
    ]  # fmt: skip
    assert weaker_limits(RaidLimit.ANY, DriveLimit.ANY) == []


def test_unfit_pairs_say_which_disks_they_lack():
    mirrored = with_disks(make_machine("mirrored"), "raid10", "ssd")
    fleet = make_fleet([make_machine("plain"), mirrored, make_machine("diskless", local_storage_gb=0.0)])
    demand = Demand(goal=Goal.MAXIMISE_THROUGHPUT, balancer="plain", raid=RaidLimit.RAID_10)

    groups = groups_of(fleet=fleet, demand=demand, parameters=PARAMETERS)
    samples = samples_joined([sample_part(groups, proxies=3)])

    assert samples["unfit"] == [
        {"storage": "diskless", "reason": "no local storage", "pairs": 3},
        {"storage": "plain", "reason": "how its disks are joined is not known", "pairs": 3},
    ]
    assert {row["storage"] for row in (*samples["kept"], *samples["beaten"])} == {"mirrored"}


def test_where_no_disks_are_what_is_asked_every_pair_says_so():
    fleet = make_fleet([make_machine("plain")])
    demand = Demand(goal=Goal.MAXIMISE_THROUGHPUT, balancer="plain", drives=DriveLimit.FLASH)

    samples = sample_part(groups_of(fleet=fleet, demand=demand, parameters=PARAMETERS), proxies=1)

    assert samples["unfit"] == [{"storage": "plain", "reason": "the kind of its disks is not known", "pairs": 1}]
    assert samples["kept"] == []


def test_the_form_asks_for_the_disks_of_storage_nodes(ec2, ana):
    client = client_of(ana)

    page = client.get(reverse("plan-new")).content.decode()
    posted = client.post(reverse("plan-new"), ASKED | {"goal": "minimise_cost", "location": "dal05"})

    assert '<option value="raid10">RAID 10</option>' in page
    assert '<option value="any" selected>any</option>' in page
    assert posted.status_code == 302
    plan = Plan.objects.get()
    assert plan.words == "20 TB at 300 MB/s on rotating disks in RAID 10, as cheap as possible"
    assert (plan.asked.raid, plan.asked.drives) == (RaidLimit.RAID_10, DriveLimit.ROTATING)


def test_a_limit_that_the_form_does_not_know_stands_beside_its_field(ec2, ana):
    answer = client_of(ana).post(
        reverse("plan-new"), ASKED | {"goal": "minimise_cost", "location": "dal05", "raid": "raid7"}
    )

    assert answer.status_code == 422
    assert 'id="id_raid_error"' in answer.content.decode()
    assert Plan.objects.count() == 0


def test_the_answer_and_the_table_say_disks_and_uplink_of_what_was_chosen(ec2, account, ana):
    plan, client = answered(account, ana, **ASKED), client_of(ana)
    fleet = {machine["machine"]["key_name"]: machine for machine in plan.run.parameters["fleet"]["nodes"]}
    best = plan.run.result["best"]

    page = html.unescape(client.get(reverse("plan-detail", args=[plan.pk])).content.decode())
    table = client.get(reverse("plan-csv", args=[plan.pk])).content.decode()

    equipment = fleet[best["storage"]]["equipment"]
    assert equipment == "4 × 1.00 TB SATA in RAID 10, 1 Gb/s"
    assert f'<p class="machine-note">{equipment}</p>' in page
    assert f'<p class="machine-note">{fleet[best["proxy"]]["equipment"]}</p>' in page
    assert "its disks are not in RAID 10" in page
    (first, *_) = csv.DictReader(StringIO(table))
    assert (first["storage_equipment"], first["proxy_equipment"]) == (equipment, fleet[best["proxy"]]["equipment"])


def test_sliders_and_mixes_keep_the_limits_on_disks(ec2, account, ana):
    plan = answered(account, ana, **ASKED)
    raids = {machine["machine"]["key_name"]: machine["raid"] for machine in plan.run.parameters["fleet"]["nodes"]}

    for throughput in (50, 700, 1200):
        row = slider_answer(plan.run.result["slider"], demand=replace(plan.asked, throughput_mb_s=Decimal(throughput)))
        assert raids[row["storage"]] == "raid10"
    assert {raids[key_name] for key_name in plan.run.result["mixed"]["storages"]} == {"raid10"}


def test_two_plans_side_by_side_say_their_limits_on_disks(ec2, account, ana):
    one = answered(account, ana, **ASKED)
    other = answered(account, ana, capacity="20TB", throughput="300MB/s")

    rows = {row["label"]: row for row in comparison_of(one, other)["rows"]}

    assert rows["Disks of storage nodes"]["cells"] == ["rotating disks in RAID 10", "any"]
    assert rows["Disks of storage nodes"]["is_different"]


def test_an_impossible_limit_is_told_on_the_page(ec2, account, ana):
    plan = make_plan(account, ana, capacity="2TB", throughput="175MB/s", drives="flash")
    work_all()

    page = html.unescape(client_of(ana).get(reverse("plan-detail", args=[plan.pk])).content.decode())

    assert "The limit on disks binds: nothing sold here does this on flash drives." in page
    assert "the kind of its disks is not known" in page


def test_the_command_takes_both_limits(ec2):
    out = StringIO()

    call_command(
        "plan", throughput="300MB/s", capacity="20TB", raid="raid10", drives="flash", location="dal05", json=True,
        stdout=out,
    )  # fmt: skip

    answer = json.loads(out.getvalue())
    assert (answer["demand"]["raid"], answer["demand"]["drives"]) == ("raid10", "flash")
    assert answer["best"]["storage"].endswith("-ssd+raid10")
