"""The machine types of the 2020s: loaded when asked for, planned with as far as they are known, holes left holes."""

from decimal import Decimal
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command

from catalog.models import Item, ItemPrice, Location
from core import clock
from planner.management.modern_fleet import fleet_of_2020s
from planner.selectors import LIST_PRICE_ACCOUNT, fleet_of
from planner.shapes import groups_of
from planner.tests.factories import make_demand
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()


@pytest.fixture
def modern(db):
    call_command("catalog_load", str(settings.BASE_DIR / "catalog" / "data" / "aws-2020s"), stdout=StringIO())


def fleet_at(key_name):
    return fleet_of(
        account=LIST_PRICE_ACCOUNT,
        location=Location.objects.get(key_name=key_name),
        hours_per_month=Decimal(720),
        at=clock.now(),
        parameters=PARAMETERS,
    )


def test_every_type_is_loaded_and_a_hole_in_the_table_is_unpriced_there(modern):
    types = Item.objects.filter(source="aws-2020s", categories__category_code="machine_type")
    assert (types.count(), ItemPrice.objects.filter(item__in=types).count()) == (785, 1820)

    east, singapore = fleet_at("aws-us-east-1"), fleet_at("aws-ap-southeast-1")

    assert len(east.nodes) + len(east.left_out) == len(singapore.nodes) + len(singapore.left_out) == 785
    assert "is unpriced here" in dict(singapore.left_out)["a1.xlarge"]
    assert "a1.xlarge" in {machine.key_name for machine in east.nodes}
    assert dict(east.left_out)["t1.micro"] == "The catalogue does not say its compute_units."


def test_what_was_taken_to_be_so_is_marked_on_the_machine(modern):
    machines = {node.key_name: node.machine for node in fleet_at("aws-us-east-1").nodes}

    published, up_to, without_units = machines["m5d.8xlarge"], machines["m5.2xlarge"], machines["a1.xlarge"]

    assert (published.compute_units, published.network_mb_s, published.local_storage_gb) == (128, 1250, 1200)
    assert (published.compute_units_are_assumed, published.network_is_assumed) == (False, False)
    assert (up_to.network_mb_s, up_to.network_is_assumed) == (1250, True)
    assert without_units.compute_units_are_assumed
    assert without_units.compute_units == pytest.approx(1.33 * 4 * 2.3, abs=0.05)


def test_a_type_with_network_storage_only_is_no_storage_node():
    fleet = fleet_of_2020s(PARAMETERS)
    demand = make_demand(capacity="50 TB", throughput="500 MB/s", balancer="m5.large")
    names = [machine.key_name for machine in fleet.nodes]

    groups = groups_of(fleet=fleet, demand=demand, parameters=PARAMETERS, proxies=[names.index("m5.large")])

    stored = {names[index] for index in groups.storage}
    assert "m5d.large" in stored
    assert "m5.large" not in stored


def test_the_fleet_of_the_benchmark_is_that_of_the_catalogue(modern):
    loaded = {machine.key_name: machine for machine in fleet_at("aws-us-east-1").nodes}

    for machine in fleet_of_2020s(PARAMETERS).nodes:
        assert machine.machine.network_mb_s == loaded[machine.key_name].machine.network_mb_s
        assert sum(machine.line_fees) == sum(loaded[machine.key_name].line_fees)
    assert len(loaded) == len(fleet_of_2020s(PARAMETERS).nodes)
