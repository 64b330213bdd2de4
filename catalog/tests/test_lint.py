"""Faults planted in a sound catalogue: each is found once, and nothing else."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from catalog.lint import catalog_lint
from catalog.models import Blueprint, BlueprintPart, BlueprintRole, Item, ItemRule, Package, PackageConfiguration, Stock
from catalog.tests.factories import (
    make_category,
    make_group,
    make_item,
    make_location,
    make_package,
    make_price,
)

NOW = datetime(2026, 3, 1, tzinfo=UTC)
FEBRUARY = datetime(2026, 2, 1, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def priced(key_name: str, *, category_code: str = "server", **attributes: str) -> Item:
    item = make_item(key_name, category_code=category_code, attributes=attributes)
    make_price(item, monthly="10")
    return item


def make_role(blueprint: Blueprint, package: Package, *parts: tuple[str, Item]) -> BlueprintRole:
    role = BlueprintRole.objects.create(blueprint=blueprint, name=f"role {blueprint.roles.count()}", package=package)
    for code, item in parts:
        BlueprintPart.objects.create(role=role, category=make_category(code), item=item)
    return role


@pytest.fixture
def server() -> Package:
    """Return a sound package: a server, a disk, a blueprint of both."""
    box, disk = priced("box", disk_slots="2"), priced("disk", category_code="disk0")
    package = make_package("server", items=[box, disk], required=["server"], optional=["disk0", "disk1", "disk2"])
    package.configuration.filter(category__category_code__in=["disk1", "disk2"]).update(
        same_items_as=make_category("disk0")
    )
    blueprint = Blueprint.objects.create(key_name="one-box", name="One box", source="tests")
    make_role(blueprint, package, ("server", box), ("disk1", disk))
    return package


def add(package: Package, *items: Item) -> None:
    package.items.add(*items)


def part_of(package: Package, key_name: str) -> Item:
    return package.items.get(key_name=key_name)


def required_unfillable(package: Package) -> None:
    make_package("unfillable", items=[part_of(package, "box")], required=["server", "monitoring"])


def item_unpriced(package: Package) -> None:
    add(package, make_item("no-price", category_code="server"))


def item_unorderable(package: Package) -> None:
    add(package, priced("orphan", category_code="fan"))


def default_not_offered(package: Package) -> None:
    package.configuration.filter(category__category_code="disk0").update(default_item=part_of(package, "box"))


def rule_cycle(package: Package) -> None:
    one, other = priced("chicken"), priced("egg")
    add(package, one, other)
    ItemRule.objects.create(item=one, kind="requires", other=other)
    ItemRule.objects.create(item=other, kind="requires", other=one)


def rule_contradiction(package: Package) -> None:
    one, other = priced("cat"), priced("dog")
    add(package, one, other)
    ItemRule.objects.create(item=one, kind="requires", other=other)
    ItemRule.objects.create(item=other, kind="conflicts", other=one)


def rule_unreachable(package: Package) -> None:
    needing, needed = priced("needing"), priced("needed", category_code="os")
    add(package, needing)
    make_package("elsewhere", items=[needed], required=["os"])
    ItemRule.objects.create(item=needing, kind="requires", other=needed)


def validity_overlap(package: Package) -> None:
    twice = priced("twice")
    add(package, twice)
    price = twice.prices.get()
    price.external_id = "same"
    price.valid_to = NOW
    price.save()
    make_price(twice, monthly="11", external_id="same", valid_from=FEBRUARY)


def group_without_location(package: Package) -> None:
    make_price(part_of(package, "box"), monthly="12", group=make_group(777))


def blueprint_part_foreign(package: Package) -> None:
    foreign = priced("foreign", category_code="os")
    make_package("systems", items=[foreign], required=["os"])
    make_role(Blueprint.objects.get(), package, ("server", part_of(package, "box")), ("os", foreign))


def blueprint_incomplete(package: Package) -> None:
    make_role(Blueprint.objects.get(), package, ("disk0", part_of(package, "disk")))


def blueprint_slots(package: Package) -> None:
    make_role(
        Blueprint.objects.get(), package, ("server", part_of(package, "box")), ("disk2", part_of(package, "disk"))
    )


def package_nowhere(package: Package) -> None:
    make_package("nowhere", items=[part_of(package, "box")], required=["server"], locations=[])


def package_empty(package: Package) -> None:
    make_package("empty", required=["server"])


def package_requires_nothing(package: Package) -> None:
    make_package("anything", items=[part_of(package, "box")], required=[], optional=["server"])


def same_items_dangling(package: Package) -> None:
    configuration = package.configuration.filter(category__category_code="disk2")
    configuration.update(same_items_as=make_category("tape"))


def blueprint_conflict(package: Package) -> None:
    rival = priced("rival", category_code="disk0")
    add(package, rival)
    ItemRule.objects.create(item=rival, kind="conflicts", other=part_of(package, "box"))
    make_role(Blueprint.objects.get(), package, ("server", part_of(package, "box")), ("disk0", rival))


def blueprint_package_retired(package: Package) -> None:
    old = make_package("old", items=[part_of(package, "box")], required=["server"])
    Package.objects.filter(pk=old.pk).update(is_active=False)
    make_role(Blueprint.objects.get(), old, ("server", part_of(package, "box")))


def rule_contradiction_with_a_category(package: Package) -> None:
    shy = priced("shy", category_code="disk0")
    add(package, shy)
    ItemRule.objects.create(item=shy, kind="conflicts", other_category=make_category("server"))


def rule_contradiction_of_two_rules(package: Package) -> None:
    torn = priced("torn")
    add(package, torn)
    for kind in ("requires", "conflicts"):
        ItemRule.objects.create(item=torn, kind=kind, other_category=make_category("disk0"))


def rule_contradiction_of_a_bundle(package: Package) -> None:
    bundle, rival = priced("bundle"), priced("rival", category_code="disk0")
    add(package, bundle, rival)
    ItemRule.objects.create(item=bundle, kind="includes", other=rival)
    ItemRule.objects.create(item=rival, kind="conflicts", other=bundle)


def rule_unreachable_category(package: Package) -> None:
    needing = priced("needing")
    add(package, needing)
    ItemRule.objects.create(item=needing, kind="requires", other_category=make_category("tape"))


def drives_unsatisfiable(package: Package) -> None:
    """RAID 10 needs four disks, and the largest chassis has two slots."""
    raid = priced("raid", category_code="disk_controller")
    add(package, raid)
    PackageConfiguration.objects.create(package=package, category=make_category("disk_controller"))
    ItemRule.objects.create(item=raid, kind="drives", minimum=4, multiple_of=2)


def capacity_unsatisfiable(package: Package) -> None:
    greedy = priced("greedy", cores="4")
    add(package, greedy)
    ItemRule.objects.create(item=greedy, kind="capacity", restriction="CORE", minimum=64)


def item_nowhere(package: Package) -> None:
    """One that conflicts with the only place where it is sold, beside one that is sold out there."""
    shunned = priced("shunned", category_code="disk0")
    add(package, shunned)
    ItemRule.objects.create(item=shunned, kind="conflicts", location=make_location())


def item_nowhere_in_stock(package: Package) -> None:
    sold_out = priced("sold-out", category_code="disk0")
    add(package, sold_out)
    Stock.objects.create(item=sold_out, location=make_location(), quantity_left=0)


def package_unorderable(package: Package) -> None:
    """Each part is sound, but every server conflicts with every system that is required beside it."""
    bare, system = priced("bare", category_code="frame"), priced("system", category_code="os")
    make_package("pair", items=[bare, system], required=["frame", "os"])
    ItemRule.objects.create(item=bare, kind="conflicts", other=system)


def package_unorderable_there(package: Package) -> None:
    frame = priced("frame", category_code="frame")
    make_package("frames", items=[frame], required=["frame"], locations=[make_location(), make_location("far")])
    Stock.objects.create(item=frame, location=make_location("far"), quantity_left=0)


FAULTS: tuple[Callable[[Package], None], ...] = (
    required_unfillable,
    item_unpriced,
    item_unorderable,
    default_not_offered,
    rule_cycle,
    rule_contradiction,
    rule_unreachable,
    validity_overlap,
    group_without_location,
    blueprint_part_foreign,
    blueprint_incomplete,
    blueprint_slots,
)
OTHERS = (
    package_nowhere,
    package_empty,
    package_requires_nothing,
    same_items_dangling,
    blueprint_conflict,
    blueprint_package_retired,
)
OF_RULES = {
    rule_contradiction_with_a_category: "rule_contradiction",
    rule_contradiction_of_two_rules: "rule_contradiction",
    rule_contradiction_of_a_bundle: "rule_contradiction",
    rule_unreachable_category: "rule_unreachable",
    drives_unsatisfiable: "drives_unsatisfiable",
    capacity_unsatisfiable: "capacity_unsatisfiable",
    item_nowhere: "item_nowhere",
    item_nowhere_in_stock: "item_nowhere",
    package_unorderable: "package_unorderable",
    package_unorderable_there: "package_unorderable",
}


def test_a_sound_catalogue_has_no_finding(server):
    assert catalog_lint(at=NOW) == []


@pytest.mark.parametrize("plant", [*FAULTS, *OTHERS], ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_the_one_finding(server, plant):
    plant(server)

    findings = catalog_lint(at=NOW)

    assert [finding.code for finding in findings] == [plant.__name__]
    assert findings[0].words.endswith(".")


@pytest.mark.parametrize("plant", OF_RULES, ids=lambda plant: plant.__name__)
def test_a_fault_of_rules_or_stock_is_the_one_finding(server, plant):
    plant(server)

    findings = catalog_lint(at=NOW)

    assert [finding.code for finding in findings] == [OF_RULES[plant]]
    assert findings[0].words.endswith(".")


def test_all_faults_of_rules_and_stock_are_found_together(server):
    for plant in OF_RULES:
        plant(server)

    findings = catalog_lint(at=NOW)

    assert sorted(finding.code for finding in findings) == sorted(OF_RULES.values())


def test_twelve_planted_faults_are_twelve_findings(server):
    for plant in FAULTS:
        plant(server)

    findings = catalog_lint(at=NOW)

    assert sorted(finding.code for finding in findings) == sorted(plant.__name__ for plant in FAULTS)
    assert len(findings) == 12


def test_a_retired_package_and_its_items_are_left_alone(server):
    old = make_package("old", items=[make_item("relic")], required=["server"], locations=[])
    Package.objects.filter(pk=old.pk).update(is_active=False)

    assert catalog_lint(at=NOW) == []


def test_a_price_that_has_ended_leaves_the_item_unpriced(server):
    part_of(server, "box").prices.update(valid_to=FEBRUARY)

    assert [finding.code for finding in catalog_lint(at=NOW)] == ["item_unpriced"]


def test_the_lint_takes_as_many_queries_for_a_large_catalogue(server, django_assert_max_num_queries):
    add(server, *(priced(f"disk-{number}", category_code="disk0") for number in range(50)))

    assert connection.features.supports_json_field, "which Django asks the database once in a process"

    with django_assert_max_num_queries(26):
        catalog_lint(at=NOW)


def test_the_command_tells_the_findings_and_fails(server):
    make_location("far")
    item_unpriced(server)
    out = StringIO()

    with pytest.raises(CommandError, match="Faults in the catalogue: 1"):
        call_command("catalog_lint", "--json", stdout=out)

    assert [row["subject"] for row in json.loads(out.getvalue())] == ["tests/no-price"]
