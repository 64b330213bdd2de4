"""Complete servers as machines of a plan: what their lines say, what they cost, and why others are left out."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from catalog.models import Item, ItemPrice, Location, Package
from catalog.pricing import Term
from orders.checking import order_check
from orders.drafting import order_draft
from orders.selectors import order_tree
from planner.demand import DEFAULT_BALANCER
from planner.planning import plan_now
from planner.selectors import LIST_PRICE_ACCOUNT, fleet_of, plan_locations
from planner.services import plan_order, plan_start, roles_of
from planner.tests.factories import make_demand, work_all
from simulation.parameters import load_parameter_set
from simulation.scores import PROCESSORS, processor_named_in, processor_score, score_compute_units

PARAMETERS = load_parameter_set()
NOW = datetime(2031, 5, 3, 12, 3, tzinfo=UTC)
"""Prices without a date of their own count from when they were loaded."""


def fleet_at(key_name, *, account=LIST_PRICE_ACCOUNT, hours="720"):
    return fleet_of(
        account=account,
        location=Location.objects.get(key_name=key_name),
        hours_per_month=Decimal(hours),
        at=NOW,
        parameters=PARAMETERS,
    )


def node(fleet, key_name):
    return next(machine for machine in fleet.nodes if machine.key_name == key_name)


@pytest.mark.parametrize(
    ("words", "processor"),
    [
        ("Dual Intel Xeon E5-2620 (12 Cores, 2.00 GHz)", "E5-2620"),
        ("Dual Intel Xeon E5-2620 v4 (16 Cores, 2.10 GHz)", "E5-2620 v4"),
        ("Dual Intel Xeon X5670 (12 Cores, 2.93 GHz)", "X5670"),
        ("2.27 GHz Xeon L5640", "L5640"),
        ("A server of 2012 with 8 cores", None),
    ],
)
def test_a_description_names_its_processor_with_the_version(words, processor):
    assert processor_named_in(words) == processor


def test_scores_of_two_suites_are_never_mixed():
    assert processor_score("E3-1270") == 5396
    assert processor_score("E3-1270", suite="2020 (before version 10)") == 8238
    assert processor_score("E5-2620 v4") is None
    assert processor_score("X5570", suite="2014") is None


@pytest.mark.parametrize(("processor", "published"), [("X5570", 33.5), ("E5-2670", 88)])
def test_the_conversion_meets_the_published_compute_units_of_both_machine_types(processor, published):
    score = PROCESSORS[processor].scores["2022-08 (version 10)"]

    assert score_compute_units(score, processors=2, parameters=PARAMETERS) == pytest.approx(published, rel=0.03)


def test_a_preset_becomes_a_machine_by_its_lines(ec2):
    riak = node(fleet_at("dal05"), "riak-medium-sas")

    machine = riak.machine
    assert machine.compute_units == 2 * 6095 / 200
    assert machine.network_mb_s == 2 * 125
    assert machine.local_storage_gb == 600
    assert (machine.drive_class, machine.disk_write_mb_s) == ("sas_15k", pytest.approx(119.4, rel=0.01))
    assert (machine.compute_units_are_assumed, machine.network_is_assumed) == (True, False)
    assert (riak.term, sum(riak.line_fees)) == ("monthly", Decimal(586))
    assert any("taken for 61.0 ECU" in note for note in riak.notes)


def test_a_journal_apart_adds_no_room(ec2):
    mongo = node(fleet_at("dal05"), "mongo-medium-ssd")

    assert mongo.machine.local_storage_gb == 2 * 400
    assert "2 × 64 GB SSD are taken to be a journal apart: their room is not counted." in mongo.notes


def test_a_plain_server_comes_with_the_defaults_of_its_package(ec2):
    plain = node(fleet_at("dal05"), "DUAL_XEON_X5670")

    assert plain.lines == (
        ("server", "DUAL_XEON_X5670"), ("ram", "RAM_8_GB"), ("disk_controller", "NON_RAID"), ("disk0", "HD_1_TB_SATA"),
        ("port_speed", "PORT_100_MBPS"), ("bandwidth", "BW_500"), ("os", "OS_CENTOS_6_64"),
    )  # fmt: skip
    assert (plain.machine.network_mb_s, plain.machine.local_storage_gb) == (12.5, 1000)


def test_a_processor_without_a_score_is_left_out_and_says_so(ec2):
    left_out = dict(fleet_at("dal05").left_out)

    assert left_out["INTEL_XEON_2690_2_90"] == (
        "No score of its processor, E5-2690, is known in the suite of 2022-08 (version 10)."
    )


@pytest.mark.parametrize(
    ("item", "attribute", "reason"),
    [
        ("PORT_1_GBPS_REDUNDANT", "uplink_mbps", "The catalogue does not say how fast its uplink is."),
        ("XEON_E3_1270", "processors", "The catalogue does not say how many processors it has."),
        (
            "HD_500_GB_SATA",
            "capacity_gb",
            "The catalogue does not say what kind of disk 500 GB SATA II is, or its size.",
        ),
    ],
)
def test_what_the_catalogue_does_not_say_is_not_planned_with(ec2, item, attribute, reason):
    Item.objects.get(key_name=item, source="benchmark-2012").attributes.filter(name=attribute).delete()

    fleet = fleet_at("dal05")

    assert dict(fleet.left_out)["riak-small"] == reason
    assert "riak-small" not in {machine.key_name for machine in fleet.nodes}


def test_a_server_with_an_unpriced_part_is_left_out(ec2):
    ItemPrice.objects.filter(item__key_name="RAID_10", item__source="benchmark-2012").delete()

    fleet = fleet_at("dal05")

    assert "riak-small" not in {machine.key_name for machine in fleet.nodes}
    assert dict(fleet.left_out)["riak-small"].startswith("It cannot be ordered as it is: RAID 10 has no price")


def test_every_planned_server_orders_as_it_is_at_its_price(ec2, account, ana):
    fleet = fleet_at("dal05", account=account)
    assert len(fleet.nodes) >= 200

    row = {"proxies": 1, "storage_nodes": 5, "balancers": 0, "proxy": "riak-small"}
    for machine in [*fleet.nodes[:16], *fleet.nodes[16::16]]:
        order = order_draft(
            account=account,
            user=ana,
            name=machine.key_name,
            roles=roles_of(row | {"storage": machine.key_name}, fleet, balancer="")[1:],
            location=Location.objects.get(key_name="dal05"),
            term=Term.HOURLY,
            hours_per_month=Decimal(720),
            now=NOW,
        )

        assert order_check(order_id=order.pk, account_id=account.pk, now=NOW).violations == ()
        totals = order_tree(order_id=order.pk, account_id=account.pk).totals
        assert totals.monthly.known.amount == 5 * sum(machine.line_fees)
        assert totals.once.known.amount == 5 * sum(machine.once_fees)


def test_a_plan_of_complete_servers_is_ordered_at_its_price(ec2, account, ana):
    plan = plan_start(
        account=account,
        user=ana,
        demand=make_demand(capacity="20TB", throughput="300MB/s"),
        location=Location.objects.get(key_name="dal05"),
        now=NOW,
    )
    work_all()
    plan.run.refresh_from_db()
    best = plan.run.result["best"]

    order = plan_order(
        plan_id=plan.pk, account=account, user=ana, shape=best["shape"], balancers=best["balancers"], now=NOW
    )

    assert order_check(order_id=order.pk, account_id=account.pk, now=NOW).violations == ()
    assert order_tree(order_id=order.pk, account_id=account.pk).totals.monthly.known.amount == Decimal(
        best["total_monthly_cost"]
    )


def test_where_the_usual_balancer_is_not_sold_the_cheapest_for_its_throughput_balances(ec2):
    fleet = fleet_at("dal05")

    assert fleet.balancer_here(DEFAULT_BALANCER, PARAMETERS) == "DUAL_XEON_X5670+1gbps+1x1000gb-sata"
    assert fleet.balancer_here("riak-small", PARAMETERS) == "riak-small"
    assert fleet_at("us-east-1").balancer_here(DEFAULT_BALANCER, PARAMETERS) == DEFAULT_BALANCER


def test_a_plan_over_virtual_and_bare_metal_machines_ranks_both(ec2):
    Package.objects.get(key_name="ec2-virtual-server").locations.add(Location.objects.get(key_name="dal05"))
    fleet = fleet_at("dal05")

    answer = plan_now(fleet=fleet, demand=make_demand(capacity="1TB", throughput="50MB/s"), parameters=PARAMETERS)

    rows = [answer["best"], *answer["runners_up"], *answer["front"]]
    storages = {row["storage"] for row in rows}
    assert storages & {"m1.medium", "m1.large", "m1.xlarge", "m1.small", "c1.xlarge"}
    assert storages & {"XEON_E3_1270", "XEON_E3_1270+1gbps+1x600gb-sas15k"}


def test_places_that_sell_only_complete_servers_stand_behind_those_with_machine_types(ec2):
    places = [location.key_name for location in plan_locations()]

    assert places[:3] == ["us-east-1", "ams01", "ams03"]
    assert len(places) == 38


def test_hourly_fees_follow_the_hours_and_monthly_fees_do_not(ec2):
    hourly, monthly = fleet_at("us-east-1"), fleet_at("dal05")

    assert hourly.at_hours(Decimal("500.5")) == fleet_at("us-east-1", hours="500.5")
    assert monthly.at_hours(Decimal(100)) == monthly


def test_the_number_of_queries_does_not_grow_with_the_servers(ec2, django_assert_num_queries):
    location = Location.objects.get(key_name="dal05")
    package = Package.objects.get(key_name="benchmark-server")

    def read():
        return fleet_of(
            account=LIST_PRICE_ACCOUNT, location=location, hours_per_month=Decimal(720), at=NOW, parameters=PARAMETERS
        )  # fmt: skip

    with django_assert_num_queries(22):
        before = read()
    for item in Item.objects.filter(source="softlayer", categories__category_code="server"):
        package.items.add(item)
    with django_assert_num_queries(22):
        assert len(read().nodes) > len(before.nodes)
