"""Which machine types of the catalogue a plan may choose from, and why the others are left out."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given

from accounts.models import Account
from accounts.tests.factories import make_account
from catalog.models import Item, ItemPrice, Location, PackageConfiguration
from catalog.tests.book_factories import make_book, make_promotion, make_rule
from catalog.tests.factories import make_item, make_location, make_package, make_price
from core.errors import RuleBroken
from planner.fleet import Fleet
from planner.selectors import LIST_PRICE_ACCOUNT, fleet_of, plan_locations
from planner.tests.brute_force import fleets
from simulation.parameters import load_parameter_set

NOW = datetime(2026, 5, 3, 12, 3, tzinfo=UTC)
FACTS = {"compute_units": "4", "local_storage_gb": "850", "network_mb_s": "100"}


def fleet_at(key_name="us-east-1", *, account=LIST_PRICE_ACCOUNT, hours="720"):
    return fleet_of(
        account=account,
        location=Location.objects.get(key_name=key_name),
        hours_per_month=Decimal(hours),
        at=NOW,
        parameters=load_parameter_set(),
    )


@pytest.fixture
def package(db):
    """A package with one good machine type, a system by default, and load balancing."""
    good = make_item("good", attributes=FACTS)
    system = make_item("debian", category_code="os")
    balancing = make_item("pound", category_code="load_balancing")
    make_price(good, hourly="0.32")
    make_price(system, hourly="0.000001")
    make_price(balancing, hourly="0.01")
    package = make_package(
        items=[good, system, balancing], required=("machine_type", "os"), optional=("load_balancing",)
    )
    PackageConfiguration.objects.filter(package=package, category__category_code="os").update(default_item=system)
    return package


def add_type(package, key_name, *, hourly="0.10", facts=None):
    item = make_item(key_name, attributes=FACTS if facts is None else facts)
    make_price(item, hourly=hourly)
    package.items.add(item)
    return item


def left_out(key_name):
    return dict(fleet_at().left_out)[key_name]


def test_the_shipped_catalogue_sells_thirteen_types_as_nodes_and_as_balancers(ec2):
    fleet = fleet_at()

    assert [len(fleet.nodes), len(fleet.balancers), len(fleet.left_out)] == [13, 13, 0]
    assert (fleet.currency, fleet.location) == ("USD", "us-east-1")
    assert fleet.balancer("cc2.8xlarge").lines[-1][0] == "load_balancing"


def test_a_machine_is_priced_line_by_line_for_the_hours_asked(package):
    fleet = fleet_at(hours="730.5")

    (node,) = fleet.nodes
    assert node.lines == (("machine_type", "good"), ("os", "debian"))
    assert node.line_fees == (Decimal("233.76"), Decimal("0.0007305"))
    assert fleet.balancer("good").lines == (("machine_type", "good"), ("os", "debian"), ("load_balancing", "pound"))
    assert fleet.balancer("good").line_fees[-1] == Decimal("7.305")


def test_an_unpriced_machine_type_is_left_out(package):
    add_type(package, "secret", hourly=None)

    assert left_out("secret") == "secret is unpriced here: Not offered on hourly terms. Unpriced."


def test_a_machine_type_priced_for_others_only_is_left_out(package):
    item = make_item("euro", attributes=FACTS)
    make_price(item, hourly="0.30", currency="EUR")
    package.items.add(item)

    assert left_out("euro") == "euro is unpriced here: No exchange rate from EUR to USD is known. Unpriced."


@pytest.mark.parametrize("name", ["compute_units", "local_storage_gb"])
def test_a_machine_type_without_a_needed_figure_is_left_out(package, name):
    add_type(package, "vague", facts={key: value for key, value in FACTS.items() if key != name})

    assert left_out("vague") == f"The catalogue does not say its {name}."


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"compute_units": "many"}, "Its figures cannot be used: could not convert string to float: 'many'."),
        ({"compute_units": "0"}, "Its figures cannot be used: odd: compute_units must be above zero."),
        ({"local_storage_gb": "-1"}, "Its local_storage_gb is -1."),
        ({"local_storage_gb": "nan"}, "Its local_storage_gb is nan."),
        ({"compute_units": "inf"}, "Its compute_units is inf."),
    ],
)
def test_a_machine_type_with_an_impossible_figure_is_left_out(package, facts, reason):
    add_type(package, "odd", facts=FACTS | facts)

    assert left_out("odd") == reason


def test_an_unpublished_network_is_assumed_by_io_class_and_left_out_without_one(package):
    known = {key: value for key, value in FACTS.items() if key != "network_mb_s"}
    add_type(package, "moderate", facts=known | {"io_class": "Moderate"})
    add_type(package, "unknown", facts=known)

    machines = {node.key_name: node.machine for node in fleet_at().nodes}
    assert machines["moderate"].network_is_assumed
    assert not machines["good"].network_is_assumed
    assert "no network figure" in left_out("unknown")


def test_a_machine_type_that_costs_beyond_reason_is_left_out(package):
    add_type(package, "dear", hourly="99999999")

    assert left_out("dear") == "dear costs more than $1,000,000,000.00 a month."


def test_without_a_default_for_what_the_package_requires_nothing_can_be_planned(package):
    PackageConfiguration.objects.filter(package=package, category__category_code="os").update(default_item=None)

    with pytest.raises(RuleBroken) as refusal:
        fleet_at()

    assert refusal.value.code == "nothing_to_plan_with"
    assert [violation.field for violation in refusal.value.violations] == ["location"]
    assert refusal.value.words.endswith("good: Its package requires os and names no default.")


def test_without_load_balancing_machines_are_nodes_only(package):
    package.items.remove(Item.objects.get(key_name="pound"))

    fleet = fleet_at()

    assert [node.key_name for node in fleet.nodes] == ["good"]
    with pytest.raises(RuleBroken, match="No machine type sold there can balance"):
        fleet.balancer("good")


def test_an_unknown_balancer_is_answered_with_those_that_are_sold(package):
    with pytest.raises(RuleBroken) as refusal:
        fleet_at().balancer("cc2.8xlarge")

    assert refusal.value.words == ("“cc2.8xlarge” is not sold as a balancer in us-east-1. Choose one of: good.")
    assert [violation.field for violation in refusal.value.violations] == ["balancer"]


def test_packages_elsewhere_or_retired_are_not_planned_with(package):
    elsewhere = make_package("elsewhere", locations=[make_location("ams01")])
    add_type(elsewhere, "far")
    retired = make_package("retired")
    add_type(retired, "old")
    type(package).objects.filter(pk=retired.pk).update(is_active=False)

    assert [node.key_name for node in fleet_at().nodes] == ["good"]
    assert [location.key_name for location in plan_locations()] == ["ams01", "us-east-1"]


def test_a_machine_type_that_balances_by_itself_is_listed_once(package):
    item = add_type(package, "appliance")
    item.categories.add(Item.objects.get(key_name="pound").categories.get())

    assert [node.key_name for node in fleet_at().nodes] == ["good", "appliance"]


def test_the_accounts_currency_decides_which_prices_count(package):
    for price in ItemPrice.objects.all():
        make_price(price.item, hourly=str(price.hourly_recurring_fee * 2), currency="EUR")

    fleet = fleet_at(account=Account(name="Lumière", currency="EUR"))

    assert fleet.currency == "EUR"
    assert fleet.nodes[0].line_fees[0] == Decimal("460.80")


def test_the_number_of_queries_does_not_grow_with_the_catalogue(package, django_assert_num_queries):
    location = Location.objects.get()

    def read():
        return fleet_of(
            account=LIST_PRICE_ACCOUNT, location=location, hours_per_month=Decimal(720), at=NOW,
            parameters=load_parameter_set(),
        )  # fmt: skip

    with django_assert_num_queries(10):
        read()
    for index in range(12):
        add_type(package, f"type-{index}")
    with django_assert_num_queries(10):
        assert len(read().nodes) == 13


@given(fleets())
def test_a_fleet_survives_being_stored(fleet):
    assert Fleet.from_json(fleet.as_json()) == fleet


def test_a_plan_counts_the_partners_prices_and_not_a_promotion_that_ends(package):
    account = make_account()
    make_rule(make_book(account.partner), "-50", package)
    make_promotion(percent_off=Decimal(90), lasts_months=3)
    ended = fleet_at(account=account).nodes[0].line_fees[0]
    make_promotion("For good", percent_off=Decimal(10))

    assert ended == Decimal("115.20")
    assert fleet_at(account=make_account(partner=account.partner, name="Other")).nodes[0].line_fees[0] == Decimal(
        "115.20"
    )
    assert fleet_at().nodes[0].line_fees[0] == Decimal("230.40")
