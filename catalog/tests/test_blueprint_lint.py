"""Faults planted among the services of a sound blueprint: each is found once, and nothing else."""

import pytest

from catalog.lint import catalog_lint
from catalog.models import Blueprint, BlueprintNeed, BlueprintRole, BlueprintService, Package
from catalog.tests.factories import make_category, make_package
from catalog.tests.test_lint import NOW, add, make_role, part_of, priced

pytestmark = pytest.mark.django_db


@pytest.fixture
def cloud() -> Package:
    """Return a sound package with a blueprint of a controller and of a store that may be left out."""
    box, disk, slow = (
        priced("box", disk_slots="2"),
        priced("disk", category_code="disk0"),
        priced("slow", category_code="port"),
    )
    package = make_package(
        "server", items=[box, disk, slow], required=["server"], optional=["disk0", "disk1", "disk2", "port"]
    )
    package.configuration.filter(category__category_code__in=["disk1", "disk2"]).update(
        same_items_as=make_category("disk0")
    )
    blueprint = Blueprint.objects.create(key_name="cloud", name="Cloud", source="tests")
    controller = make_role(blueprint, package, ("server", box), ("disk0", disk))
    store = make_role(blueprint, package, ("server", box))
    BlueprintRole.objects.filter(pk=store.pk).update(is_optional=True, quantity=0)
    service = BlueprintService.objects.create(role=store, otherwise=controller, key_name="block", name="Block")
    need(service, "disk0", "disk")
    return package


def need(service: BlueprintService, category_code: str, key_name: str, count: int = 1) -> None:
    item = Package.objects.get(key_name="server").items.get(key_name=key_name)
    BlueprintNeed.objects.create(service=service, category=make_category(category_code), item=item, count=count)


def controller() -> BlueprintRole:
    return BlueprintRole.objects.get(blueprint__key_name="cloud", name="role 0")


def block() -> BlueprintService:
    return BlueprintService.objects.get(key_name="block")


def service_elsewhere(package: Package) -> None:
    other = Blueprint.objects.create(key_name="other", name="Other", source="tests")
    role = make_role(other, package, ("server", part_of(package, "box")))
    BlueprintService.objects.create(role=controller(), agents=role, key_name="lost", name="Lost")


def service_twice(package: Package) -> None:
    BlueprintService.objects.create(role=controller(), key_name="block", name="Block again")


def service_homeless(package: Package) -> None:
    BlueprintService.objects.filter(pk=block().pk).update(otherwise=None)


def service_need_foreign(package: Package) -> None:
    service = BlueprintService.objects.create(role=controller(), key_name="web", name="Web")
    need(service, "port", "box")


def service_needs_clash(package: Package) -> None:
    add(package, priced("fast", category_code="port"))
    need(block(), "port", "fast")
    need(BlueprintService.objects.create(role=controller(), key_name="web", name="Web"), "port", "slow")


def blueprint_slots(package: Package) -> None:
    """The controller has a disk in one of two slots, and the store that may share it needs two."""
    block().needs.update(count=2)


PLANTED = (
    service_elsewhere,
    service_twice,
    service_homeless,
    service_need_foreign,
    service_needs_clash,
    blueprint_slots,
)


def test_a_sound_placement_has_no_finding(cloud):
    assert catalog_lint(at=NOW) == []


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_fault_of_a_placement_is_the_one_finding(cloud, plant):
    plant(cloud)

    findings = catalog_lint(at=NOW)

    assert [finding.code for finding in findings] == [plant.__name__]
    assert findings[0].words.endswith(".")
