"""The catalogue that comes with the product: complete, without a fault, and every blueprint orderable as it stands."""

import csv
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from accounts.models import Account
from accounts.tests.factories import make_account
from catalog.blueprint_placement import Need
from catalog.blueprints import Role, service_rules
from catalog.lint import catalog_lint
from catalog.loading import shipped_folders
from catalog.models import Blueprint, Item, ItemPrice, Location, Package, PackageConfiguration
from catalog.pricing import Term
from catalog.services import ContainerAnswer, ContainerQuestion, containers_check
from catalog.tests.complete_roles import roles_to_order
from core.errors import RuleBroken

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MONTHLY_OF_A_SERVER = {
    "riak-small": "296.10",
    "riak-medium-sas": "586.00",
    "riak-medium-ssd": "586.00",
    "mongo-small": "224.10",
    "mongo-medium-sas": "666.00",
    "mongo-medium-ssd": "799.52",
    "mongo-large-sas": "1207.05",
    "mongo-large-ssd": "1237.53",
}
"""What the sources of these servers add up to for each."""
pytestmark = pytest.mark.django_db


@pytest.fixture
def shipped(shipped_in_march: None) -> None:
    """The catalogue that the product brings along."""


@pytest.fixture
def account() -> Account:
    return make_account()


def answers_for(roles: tuple[Role, ...], *, account: Account, location: Location, term: Term) -> list[ContainerAnswer]:
    packages = {package.key_name: package for package in Package.objects.all()}
    questions = []
    for role in roles:
        package = packages[role.package_key_name]
        items = {item.key_name: item for item in package.items.filter(key_name__in=[key for _, key in role.parts])}
        questions.append(ContainerQuestion(package, location, term, [(code, items[key]) for code, key in role.parts]))
    return containers_check(account=account, questions=questions, at=NOW)


def monthly(answer: ContainerAnswer) -> Decimal:
    return sum((line.price.monthly.amount for line in answer.lines if line.price.monthly), Decimal(0))


def test_nothing_in_the_shipped_catalogue_is_at_fault(shipped):
    assert catalog_lint(at=NOW) == []


def test_the_raw_package_and_the_overlay_stand_beside_each_other(shipped):
    package = Package.objects.get(key_name="BARE_METAL_SERVER")

    assert (package.source, package.external_id) == ("softlayer", "200")
    assert package.locations.count() == 37
    assert (package.items.count(), ItemPrice.objects.filter(item__packages=package).count()) == (115, 568)
    required = package.configuration.filter(is_required=True).values_list("category__category_code", flat=True)
    assert not {"monitoring", "notification", "response"} & set(required)
    changed = package.configuration.filter(basis="assumed").exclude(source="")
    assert changed.count() == PackageConfiguration.objects.filter(package=package, basis="assumed").count() == 29


def test_the_collision_of_ids_between_two_catalogues_is_none(shipped):
    assert Item.objects.get(source="softlayer", external_id="4113").description.startswith("Dual Intel Xeon E5-2620")
    assert Item.objects.get(source="benchmark-2012", external_id="DUAL_XEON_E5_2620").packages.count() == 1
    assert not Item.objects.filter(source="benchmark-2012", external_id="4113").exists()


def test_ten_prices_of_benchmark_parts_are_illustrative_and_say_so(shipped):
    illustrative = ItemPrice.objects.filter(basis="illustrative")

    assert illustrative.count() == 10
    assert all("no public price found" in price.source for price in illustrative)


@pytest.mark.parametrize("centre", ["ams01", "dal05", "sng01"])
def test_every_blueprint_is_orderable_monthly_as_it_stands(shipped, account, centre):
    location = Location.objects.get(key_name=centre)

    assert Blueprint.objects.count() == 23
    for blueprint in Blueprint.objects.all():
        roles = roles_to_order(blueprint=blueprint, account=account, location=location, term=Term.MONTHLY, at=NOW)
        answers = answers_for(roles, account=account, location=location, term=Term.MONTHLY)
        assert [answer.violations for answer in answers] == [()] * len(roles), (blueprint, location)


def test_presets_are_orderable_by_the_hour_with_the_bandwidth_that_is(shipped, account):
    location = Location.objects.get(key_name="dal05")
    preset = Blueprint.objects.get(key_name="d2620v4-64gb-2x1tb-sata-raid-1")

    (role,) = roles_to_order(blueprint=preset, account=account, location=location, term=Term.HOURLY, at=NOW)
    (answer,) = answers_for((role,), account=account, location=location, term=Term.HOURLY)

    assert ("bandwidth", "BANDWIDTH_0_GB_2") in role.parts
    assert answer.violations == ()


def test_a_preset_costs_the_sum_of_its_parts(shipped, account):
    location = Location.objects.get(key_name="dal05")
    preset = Blueprint.objects.get(key_name="d2690-256gb-4x600gbsas-raid10-raid-10")

    roles = roles_to_order(blueprint=preset, account=account, location=location, term=Term.MONTHLY, at=NOW)
    (answer,) = answers_for(roles, account=account, location=location, term=Term.MONTHLY)

    # Server, 256 GB, four disks, RAID and the redundant power supply that the package requires.
    assert monthly(answer) == Decimal("261") + Decimal("635.1") + 4 * Decimal("78.3") + Decimal("30") + Decimal("7.25")


@pytest.mark.parametrize("key_name", MONTHLY_OF_A_SERVER)
def test_a_benchmark_server_costs_what_its_parts_did(shipped, account, key_name):
    location = Location.objects.get(key_name="dal05")
    blueprint = Blueprint.objects.get(key_name=key_name)

    roles = roles_to_order(blueprint=blueprint, account=account, location=location, term=Term.MONTHLY, at=NOW)
    (answer,) = answers_for(roles, account=account, location=location, term=Term.MONTHLY)

    assert monthly(answer) == Decimal(MONTHLY_OF_A_SERVER[key_name])
    assert roles[0].quantity == (5 if key_name.startswith("riak") else 1)


def test_a_solution_has_several_roles_of_several_packages(shipped, account):
    location = Location.objects.get(key_name="ams01")
    blueprint = Blueprint.objects.get(key_name="mongo-large-set")

    roles = roles_to_order(blueprint=blueprint, account=account, location=location, term=Term.MONTHLY, at=NOW)

    assert [(role.name, role.quantity, role.package_key_name) for role in roles] == [
        ("Replica set members", 3, "benchmark-server"),
        ("Arbiter", 1, "benchmark-server"),
        ("Load balancer", 1, "load-balancer"),
    ]


def test_a_swift_cloud_has_proxies_a_balancer_and_at_least_five_storage_nodes_without_raid(shipped, account):
    location = Location.objects.get(key_name="ams01")
    blueprint = Blueprint.objects.get(key_name="swift-cloud")

    roles = roles_to_order(blueprint=blueprint, account=account, location=location, term=Term.MONTHLY, at=NOW)

    assert [(role.name, role.quantity) for role in roles] == [
        ("Proxies", 2),
        ("Storage nodes", 5),
        ("Load balancer", 1),
    ]
    assert blueprint.roles.get(name="Storage nodes").least == 5
    assert dict(roles[1].parts)["disk_controller"] == "NON_RAID"
    assert [item for code, item in roles[1].parts if code.startswith("disk") and code != "disk_controller"] == [
        "HD_4_TB_SATA"
    ] * 12


@pytest.mark.parametrize("key_name", ["mongo-medium-sas", "mongo-medium-ssd", "mongo-large-sas", "mongo-large-ssd"])
def test_a_larger_mongodb_server_has_a_second_array_for_the_journal(shipped, key_name):
    parts = Blueprint.objects.get(key_name=key_name).roles.get().parts

    assert list(parts.filter(item__key_name="SSD_64_GB").values_list("category__category_code", flat=True)) == [
        "disk0",
        "disk1",
    ]
    assert "RAID 1, for the journal" in Blueprint.objects.get(key_name=key_name).description


def test_an_openstack_cloud_has_eleven_services_and_what_they_need(shipped):
    rules = service_rules(Blueprint.objects.get(key_name="openstack-cloud"))

    assert len(rules) == 11
    assert {rule.otherwise for rule in rules} == {"Controller"}
    assert {rule.key_name: rule.shares_up_to for rule in rules if rule.shares_up_to} == {"image": 36, "block": 36}
    assert {rule.key_name: rule.needs for rule in rules if rule.needs} == {
        "network": (Need("port_speed", "10_GBPS_REDUNDANT_PUBLIC_PRIVATE_NETWORK_UPLINKS"),),
        "block": (
            Need("disk_controller", "DISK_CONTROLLER_RAID_10"),
            Need("disk0", "HARD_DRIVE_600_GB_SAS_15K_RPM", 4),
        ),
    }


def test_a_blueprint_is_not_offered_where_its_package_is_not_sold(shipped, account):
    blueprint = Blueprint.objects.get(key_name="riak-small")
    virginia = Location.objects.get(key_name="us-east-1")

    with pytest.raises(RuleBroken) as caught:
        roles_to_order(blueprint=blueprint, account=account, location=virginia, term=Term.MONTHLY, at=NOW)

    assert caught.value.code == "location_not_sold"


@pytest.mark.parametrize(
    ("server", "system", "term", "monthly_fee"),
    [
        ("INTEL_SINGLE_XEON_1270_3_40_2", "OS_RHEL_7_1_64_BIT", Term.MONTHLY, "32.63"),
        ("INTEL_XEON_2620_2_00", "OS_RHEL_7_1_64_BIT", Term.MONTHLY, "65.25"),
        ("INTEL_XEON_2620_2_00", "OS_WINDOWS_2016_FULL_STD_64_BIT", Term.MONTHLY, "52.20"),
        ("INTEL_INTEL_XEON_E52690_V4_2_60", "OS_WINDOWS_2016_FULL_STD_64_BIT", Term.MONTHLY, "91.35"),
        ("INTEL_INTEL_XEON_E52690_V4_2_60", "OS_WINDOWS_SERVER_2016_DATACENTER_EDITION_WITH_HYPERV_64_BIT",
         Term.MONTHLY, None),
        ("INTEL_XEON_2620_2_00", "OS_RHEL_7_1_64_BIT", Term.HOURLY, None),
    ],
)  # fmt: skip
def test_a_system_costs_by_the_processors_and_cores_of_its_server(shipped, account, server, system, term, monthly_fee):
    role = Role("Servers", "BARE_METAL_SERVER", 1, (("server", server), ("os", system)))

    (answer,) = answers_for((role,), account=account, location=Location.objects.get(key_name="dal05"), term=term)

    price = answer.lines[1].price
    assert (price.monthly.text if price.monthly else None) == monthly_fee
    assert (("unpriced", "os") in {(each.code, each.field) for each in answer.violations}) == (monthly_fee is None)


@pytest.mark.parametrize(("server", "refused"), [("INTEL_INTEL_XEON_E52620_V4_2_10", True),
                                                 ("INTEL_INTEL_XEON_E52620_V4_2_10_2U", False)])  # fmt: skip
def test_a_fifth_disk_needs_the_chassis_of_two_units(shipped, account, server, refused):
    disks = tuple((f"disk{slot}", "HARD_DRIVE_1_00_TB_SATA_2") for slot in range(5))
    role = Role("Servers", "BARE_METAL_SERVER", 1, (("server", server), *disks))

    (answer,) = answers_for(
        (role,), account=account, location=Location.objects.get(key_name="dal05"), term=Term.MONTHLY
    )

    slots = [(each.code, each.field) for each in answer.violations if each.code == "disk_slots"]
    assert slots == ([("disk_slots", "disk4")] if refused else [])
    assert not any(each.code == "item_not_in_category" for each in answer.violations)


def test_unlimited_bandwidth_requires_the_100_mbps_uplink(shipped, account):
    parts = (
        ("bandwidth", "BANDWIDTH_UNLIMITED_100_MBPS_UPLINK"),
        ("port_speed", "1_GBPS_PUBLIC_PRIVATE_NETWORK_UPLINKS"),
    )
    role = Role("Servers", "BARE_METAL_SERVER", 1, parts)

    (answer,) = answers_for(
        (role,), account=account, location=Location.objects.get(key_name="dal05"), term=Term.MONTHLY
    )

    assert ("requires", "bandwidth") in {(each.code, each.field) for each in answer.violations}


@pytest.mark.parametrize("key_name", ["file-storage", "block-storage", "load-balancer", "hardware-firewall"])
def test_storage_balancers_and_firewalls_are_ordered_without_a_server(shipped, account, key_name):
    package = Package.objects.get(key_name=key_name)
    code = package.configuration.get().category.category_code
    role = Role("One", key_name, 1, ((code, package.items.order_by("pk")[0].key_name),))

    (answer,) = answers_for(
        (role,), account=account, location=Location.objects.get(key_name="ams01"), term=Term.MONTHLY
    )

    assert answer.violations == ()
    assert monthly(answer) > 0


def test_no_two_items_of_a_package_share_a_key(shipped):
    """Orders name items by key within a package."""
    for package in Package.objects.all():
        keys = list(package.items.values_list("key_name", flat=True))
        assert len(keys) == len(set(keys)), package


def test_the_tables_of_presets_map_each_preset_once(shipped):
    folder = next(folder for folder in shipped_folders() if folder.name == "overlay")
    with open(folder / "blueprints.csv", encoding="utf-8", newline="") as file:
        keys = {row["blueprint"] for row in csv.DictReader(file) if row["source"] == "preset"}

    assert len(keys) == 12
