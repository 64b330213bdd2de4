"""Layouts of plain servers: what they hold, do and cost, that each can be ordered, and what is left out."""

from datetime import UTC, datetime
from decimal import Decimal
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import Item, ItemPrice, ItemRule, Location, Package
from catalog.services import ContainerQuestion, containers_check
from orders.checking import order_check
from orders.selectors import order_tree
from planner import complete_servers
from planner.configurations import configuration_of
from planner.demand import DEFAULT_BALANCER
from planner.here import here_of
from planner.planning import plan_now
from planner.selectors import LIST_PRICE_ACCOUNT, fleet_of, plan_locations
from planner.services import plan_order, plan_start
from planner.tests.factories import make_demand, work_all
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
NOW = datetime(2031, 5, 3, 12, 3, tzinfo=UTC)


def fleet_at(key_name):
    return fleet_of(
        account=LIST_PRICE_ACCOUNT,
        location=Location.objects.get(key_name=key_name),
        hours_per_month=Decimal(720),
        at=NOW,
        parameters=PARAMETERS,
    )


def variants(fleet, server):
    return {each.key_name.removeprefix(f"{server}+"): each for each in fleet.nodes if f"{server}+" in each.key_name}


def test_a_plain_server_has_every_layout_that_no_other_is_as_good_as_for_less(ec2):
    found = variants(fleet_at("dal05"), "XEON_E3_1270")

    assert len(found) == 161
    assert {name.split("+")[0] for name in found} == {"100mbps", "1gbps", "2gbps", "20gbps"}
    assert {each.raid for each in found.values()} == {"none", "raid1", "raid5", "raid10"}
    assert {each.machine.drive_class for each in found.values()} == {"sata_7k", "sas_15k", "ssd"}
    assert "2gbps+1x1000gb-sata" in found, "in front, a faster uplink is worth its price"
    assert not found["2gbps+8x300gb-sas15k+raid10"].is_proxy
    assert "1gbps+1x500gb-sata" not in found, "a drive of 1 TB costs less"
    assert "20gbps+1x1000gb-sata" not in found, "its processor passes no more than 2 Gb/s bring"


def random_demand(random, fleet):
    """A demand of any goal, under a limit on disks as often as not."""
    return make_demand(
        **random.choice(
            [
                {
                    "throughput": f"{random.randint(20, 900)} MB/s",
                    "capacity": f"{random.randint(1, 300)} TB",
                    "cost_basis": random.choice(["monthly", "total", "purchase"]),
                },
                {"budget": f"{random.randint(9_000, 40_000)}.37", "capacity": f"{random.randint(1, 30)} TB"},
                {"budget": f"{random.randint(9_000, 40_000)}.37", "throughput": f"{random.randint(20, 100)} MB/s"},
            ]
        ),
        raid=random.choice(["any", "protected", "raid10", "none"]),
        drives=random.choice(["any", "any", "rotating", "flash"]),
        read_share=random.choice(["0", "50", "100"]),
        balancer=fleet.balancer_here(DEFAULT_BALANCER, PARAMETERS),
    )


def merit(answer):
    best = answer["best"]
    return best and (best["cents"], best["machines"], best["mb_s"], best["capacity_gb"])


def test_layouts_that_are_left_out_by_the_prices_of_their_parts_change_no_best_answer(ec2, monkeypatch):
    fleet = fleet_at("dal05")
    monkeypatch.setattr(
        complete_servers, "worth_planning", lambda servers: [list(range(len(each.needs))) for each in servers]
    )
    monkeypatch.setattr(complete_servers, "MOST_VARIANTS", 10**6)
    whole = fleet_at("dal05")
    random = Random(20121217)
    demands = [random_demand(random, whole) for _ in range(20)]

    found = [merit(plan_now(fleet=whole, demand=demand, parameters=PARAMETERS)) for demand in demands]

    assert [merit(plan_now(fleet=fleet, demand=demand, parameters=PARAMETERS)) for demand in demands] == found
    assert sum(each is not None for each in found) >= 15


def test_a_layout_holds_does_and_costs_what_its_parts_say(ec2):
    found = variants(fleet_at("dal05"), "XEON_E3_1270")["2gbps+8x300gb-sas15k+raid10"]

    assert found.title == (
        "Single Intel Xeon E3-1270 (4 Cores, 3.40 GHz) with 8 × 300 GB SAS (15K RPM) in RAID 10 and 2 Gb/s"
    )
    assert found.equipment == "8 × 300 GB SAS (15K RPM) in RAID 10, 2 Gb/s"
    assert (found.raid, found.machine.drive_class, found.machine.local_storage_gb) == ("raid10", "sas_15k", 1200)
    assert (found.machine.network_mb_s, found.machine.compute_units) == (250, 5396 / 200)
    assert found.machine.disk_write_mb_s == pytest.approx(217.1, rel=0.001)
    assert [line for line in found.lines if line[0].startswith("disk")] == [
        ("disk_controller", "RAID_10"), *((f"disk{slot}", "HD_300_GB_SAS_15K") for slot in range(8))
    ]  # fmt: skip
    assert dict(found.lines)["port_speed"] == "PORT_1_GBPS_REDUNDANT"
    # Server and memory, RAID card, eight drives, the uplink.
    assert sum(found.line_fees) == Decimal("142.10") + 30 + 8 * 50 + 40


def test_every_layout_of_every_server_anywhere_is_ordered_with_no_edit(ec2):
    items = {item.key_name: item for item in Item.objects.prefetch_related("attributes")}
    packages = {package.key_name: package for package in Package.objects.all()}
    queries = set()
    for location in plan_locations():
        with CaptureQueriesContext(
            connection,
        ) as captured:
            fleet = fleet_at(location.key_name)
        queries.add(len(captured))
        layouts = [machine for machine in fleet.nodes if "bps+" in machine.key_name]
        questions = [
            ContainerQuestion(
                packages[each.package_key_name], location, each.term, [(code, items[key]) for code, key in each.lines]
            )
            for each in layouts
        ]

        answers = containers_check(account=LIST_PRICE_ACCOUNT, questions=questions, at=NOW)

        assert [answer.violations for answer in answers] == [()] * len(layouts)
        for machine, question in zip(layouts, questions, strict=True):
            built = configuration_of(title="", quantity=1, parts=question.choices)
            assert (built.raid, built.equipment_words) == (machine.raid, machine.equipment)
            assert len(machine.key_name) <= 120
        assert len({each.key_name for each in fleet.nodes}) == len(fleet.nodes)
    assert queries == {11, 23}


def test_what_a_rule_refuses_is_not_planned_with(ec2):
    drive = Item.objects.get(key_name="SSD_400_GB", source="benchmark-2012")
    location = Location.objects.get(key_name="dal05")
    assert any("x400gb-ssd" in name for name in variants(fleet_at("dal05"), "XEON_E3_1270"))

    ItemRule.objects.create(item=drive, kind="conflicts", location=location, source="test", basis="assumed")

    fleet = fleet_at("dal05")
    assert not any("x400gb-ssd" in name for name in variants(fleet, "XEON_E3_1270"))
    assert not any("gbps+" in name for name, _ in fleet.left_out)


def test_an_uplink_without_a_price_is_in_no_layout(ec2):
    ItemPrice.objects.filter(item__key_name="PORT_1_GBPS").delete()

    assert not any(name.startswith("1gbps") for name in variants(fleet_at("dal05"), "XEON_E3_1270"))


def test_an_uplink_that_reaches_fewer_networks_is_in_no_layout(ec2):
    found = variants(fleet_at("dal05"), "INTEL_SINGLE_XEON_1270_3_40_2")

    assert {dict(each.lines)["port_speed"] for each in found.values()} <= {
        "100_MBPS_PUBLIC_PRIVATE_NETWORK_UPLINKS", "1_GBPS_PUBLIC_PRIVATE_NETWORK_UPLINKS",
        "10_GBPS_REDUNDANT_PUBLIC_PRIVATE_NETWORK_UPLINKS",
    }  # fmt: skip


def test_of_very_many_layouts_the_cheapest_are_planned_with(ec2, monkeypatch):
    monkeypatch.setattr(complete_servers, "MOST_VARIANTS", 8)

    fleet = fleet_at("dal05")

    found = variants(fleet, "XEON_E3_1270")
    assert len(found) <= 8
    assert dict(fleet.left_out)["XEON_E3_1270, other layouts"] == (
        "The 8 cheapest of its 163 layouts that are worth it are planned with."
    )
    assert {"1gbps+1x1000gb-sata", "2gbps+1x1000gb-sata", "1gbps+1x64gb-ssd"} <= found.keys()


@pytest.mark.parametrize(
    ("raid", "drives", "levels", "classes"),
    [
        ("raid10", "", {"raid10"}, {"sata_7k", "sas_15k", "ssd"}),
        ("protected", "", {"raid1", "raid5", "raid6", "raid10"}, {"sata_7k", "sas_15k", "ssd"}),
        ("none", "", {"none"}, {"sata_7k", "sas_15k", "ssd"}),
        ("", "flash", {"none", "raid1", "raid5", "raid6", "raid10"}, {"ssd"}),
        ("raid10", "rotating", {"raid10"}, {"sata_7k", "sas_15k"}),
    ],
)
def test_a_limit_on_disks_binds_storage_nodes_alone(ec2, raid, drives, levels, classes):
    fleet = fleet_at("dal05")
    known = {machine.key_name: machine for machine in fleet.nodes}
    demand = make_demand(capacity="20TB", throughput="300MB/s", raid=raid, drives=drives, balancer="mongo-small")

    answer = plan_now(fleet=fleet, demand=demand, parameters=PARAMETERS)

    rows = [answer["best"], *answer["runners_up"], *answer["front"]]
    assert {known[row["storage"]].raid for row in rows} <= levels
    assert {known[row["storage"]].machine.drive_class for row in rows} <= classes
    assert (known[answer["best"]["proxy"]].raid, known[answer["best"]["proxy"]].machine.drive_class) == (
        "none",
        "sata_7k",
    )


def test_a_plan_under_raid_10_is_ordered_with_its_controller_and_drives(ec2, account, ana):
    plan = plan_start(
        account=account,
        user=ana,
        demand=make_demand(capacity="20TB", throughput="300MB/s", raid="raid10", drives="rotating"),
        location=Location.objects.get(key_name="dal05"),
        now=NOW,
    )
    work_all()
    plan.run.refresh_from_db()
    best = plan.run.result["best"]

    order = plan_order(
        plan_id=plan.pk, account=account, user=ana, shape=best["shape"], balancers=best["balancers"], now=NOW
    )

    assert plan.words == "20 TB at 300 MB/s on rotating disks in RAID 10, as cheap as possible"
    assert order_check(order_id=order.pk, account_id=account.pk, now=NOW).violations == ()
    assert here_of(plan=plan, account_id=account.pk, order=str(order.pk))["row"]["shape"] == best["shape"]
    tree = order_tree(order_id=order.pk, account_id=account.pk)
    assert tree.totals.monthly.known.amount == Decimal(best["total_monthly_cost"])
    storage = next(item for item in order.items.all() if item.name == "Storage nodes")
    lines = dict(storage.containers.get().lines.values_list("category_code", "description"))
    assert lines["disk_controller"] == "RAID 10"
    assert {lines[f"disk{slot}"] for slot in range(4)} == {"1.00 TB SATA"}


def test_a_limit_that_nothing_sold_keeps_names_itself_and_the_nearest(ec2):
    fleet = fleet_at("us-east-1")
    demand = make_demand(capacity="2TB", throughput="175MB/s", raid="raid10")

    answer = plan_now(fleet=fleet, demand=demand, parameters=PARAMETERS)

    anything = plan_now(fleet=fleet, demand=make_demand(capacity="2TB", throughput="175MB/s"), parameters=PARAMETERS)
    shape = anything["best"]["shape"]
    assert answer["best"] is None
    assert answer["problem"] == {
        "limit": "raid",
        "words": (
            "The limit on disks binds: nothing sold here does this on disks in RAID 10. On any disks the best "
            f"configuration is {shape}: 3.42 TB at 166.6 MB/s for $7,488.00 a month."
        ),
        "short_by": None,
        "nearest_possible": "any disks",
    }


def test_of_two_limits_the_one_that_binds_is_named(ec2):
    fleet = fleet_at("dal05")
    no_raid_10 = [each for each in fleet.nodes if not (each.raid == "raid10" and each.machine.drive_class == "ssd")]
    demand = make_demand(capacity="2TB", throughput="175MB/s", raid="raid10", drives="flash", balancer="mongo-small")

    problem = plan_now(
        fleet=type(fleet)(**{**vars(fleet), "nodes": tuple(no_raid_10)}), demand=demand, parameters=PARAMETERS
    )["problem"]

    assert (problem["limit"], problem["nearest_possible"]) == ("raid", "flash drives that outlive any one drive")
