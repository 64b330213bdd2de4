"""Staff write a blueprint as two small tables; nothing is kept while one line is wrong."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from accounts.tests.factories import client_of, make_operator
from catalog.blueprint_writing import BlueprintText, blueprint_text, blueprint_write
from catalog.blueprints import service_rules
from catalog.loading import catalog_load_folder, shipped_folders
from catalog.models import Blueprint, BlueprintNeed, BlueprintPart, BlueprintRole, BlueprintService
from catalog.selectors import catalog_version
from catalog.tests.factories import make_category, make_item, make_package, make_price
from core.errors import InputRefused

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PARTS = """role,count,least,most,optional,package,category,item
Front,2,2,,,server,server,box
Front,2,2,,,server,disk0,disk
Store,0,1,9,yes,server,server,box
"""
SERVICES = """service,name,role,otherwise,agents,shares_up_to,needs
web,Web,Front,,,,
block,Block store,Store,Front,Front,12,disk0:disk disk0:disk
"""


@pytest.fixture
def package():
    items = [make_item("box", category_code="server"), make_item("disk", category_code="disk0")]
    for item in items:
        make_price(item, monthly="10")
    package = make_package("server", items=items, required=["server"], optional=["disk0", "disk1", "disk2", "disk3"])
    package.configuration.exclude(category__category_code__in=["server", "disk0"]).update(
        same_items_as=make_category("disk0")
    )
    return package


def text(*, parts=PARTS, services=SERVICES):
    return BlueprintText("pair", "A pair", "Two in front.", "Our own", "assumed", parts, services)


def counts():
    models = (Blueprint, BlueprintRole, BlueprintPart, BlueprintService, BlueprintNeed)
    return [model.objects.count() for model in models]


def refusals(*, parts=PARTS, services=SERVICES):
    with pytest.raises(InputRefused) as caught:
        blueprint_write(text=text(parts=parts, services=services), who="op", now=NOW)
    return {(each.code, each.field) for each in caught.value.violations}


def test_a_blueprint_is_written_with_roles_parts_services_and_needs(package):
    version = catalog_version()

    blueprint = blueprint_write(text=text(), who="op", now=NOW)

    assert list(blueprint.roles.values_list("name", "quantity", "least", "most", "is_optional")) == [
        ("Front", 2, 2, None, False),
        ("Store", 0, 1, 9, True),
    ]
    web, block = service_rules(blueprint)
    assert (web.role, web.otherwise, web.needs) == ("Front", "", ())
    assert (block.role, block.otherwise, block.agents, block.shares_up_to) == ("Store", "Front", "Front", 12)
    assert [(need.category_code, need.value, need.count) for need in block.needs] == [("disk0", "disk", 2)]
    assert catalog_version() != version


def test_what_was_written_reads_back_as_it_was_and_writing_it_again_changes_nothing(package):
    blueprint = blueprint_write(text=text(), who="op", now=NOW)
    roles = list(blueprint.roles.values_list("pk", flat=True))

    assert blueprint_text(blueprint) == text()
    blueprint_write(text=blueprint_text(blueprint), who="op", now=NOW)

    assert list(blueprint.roles.values_list("pk", flat=True)) == roles


def test_every_shipped_blueprint_can_be_written_from_its_own_tables():
    for folder in shipped_folders():
        catalog_load_folder(folder=folder, now=NOW)

    for blueprint in Blueprint.objects.all():
        before = counts()
        written = blueprint_text(blueprint)
        blueprint_write(text=written, who="op", now=NOW)
        assert (counts(), blueprint_text(blueprint)) == (before, written)


@pytest.mark.parametrize(
    ("parts", "services", "expected"),
    [
        ("", "", {("parts_missing", "parts")}),
        ("role,count\n", SERVICES, {("column_missing", "parts")}),
        (PARTS.replace("2,2,,,server,server,box", "1,2,,,server,server,box"), "", {("below_least", "parts")}),
        (PARTS.replace("0,1,9", "10,1,9"), "", {("above_most", "parts")}),
        (PARTS.replace("server,disk0", "server,tape"), SERVICES, {("unknown_name", "parts")}),
        (PARTS.replace("disk0,disk", "disk0,tape"), SERVICES, {("unknown_name", "parts")}),
        (PARTS.replace("Front,2,2,,,server,disk0", "Front,3,2,,,server,disk0"), SERVICES, {("role_differs", "parts")}),
        (PARTS + "Front,2,2,,,server,disk1,disk\n", SERVICES, {("role_split", "parts")}),
        (PARTS, SERVICES.replace("Store,Front,Front", "Store,Store,Front"), {("same_role", "services")}),
        (PARTS, SERVICES.replace("Store,Front,Front", "Back,Front,Front"), {("unknown_name", "services")}),
        (PARTS, SERVICES.replace("Web,Front,,,", "Web,Front,,,7"), {("shares_nothing", "services")}),
        (PARTS, SERVICES.replace("disk0:disk disk0:disk", "disk0"), {("not_a_need", "services")}),
        (PARTS, SERVICES.replace("Store,Front,Front,12", "Store,,Front,"), {("service_homeless", "parts")}),
        (PARTS.replace("server,disk0,disk", "server,disk1,box"), SERVICES, {("blueprint_part_foreign", "parts")}),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_and_nothing_is_kept(package, parts, services, expected):
    version = catalog_version()

    assert refusals(parts=parts, services=services) == expected
    assert (counts(), catalog_version()) == ([0, 0, 0, 0, 0], version)


def test_every_wrong_line_is_told_at_once(package):
    parts = PARTS.replace("Front,2,2,,,server,server", "Front,many,2,,,server,server")

    assert refusals(parts=parts, services=SERVICES.replace("disk0:disk disk0:disk", ":x")) == {
        ("not_whole", "parts"),
        ("not_a_need", "services"),
        ("below_least", "parts"),
    }


@pytest.fixture
def operator():
    return client_of(make_operator(), host="localhost")


def fields(**changed):
    return {
        "key_name": "pair", "name": "A pair", "description": "", "source": "Our own", "basis": "assumed",
        "parts": PARTS, "services": SERVICES,
    } | changed  # fmt: skip


def test_staff_add_a_blueprint_in_the_console(operator, package):
    response = operator.post(reverse("admin:catalog_blueprint_add"), fields())

    assert (response.status_code, Blueprint.objects.get().name) == (302, "A pair")


def test_staff_see_every_problem_beside_its_table_and_keep_what_they_typed(operator, package):
    page = operator.post(reverse("admin:catalog_blueprint_add"), fields(parts=PARTS.replace("box", "boxer")))

    words = page.content.decode()
    assert "“server/boxer” is not there." in words
    assert "Front,2,2,,,server,server,boxer" in words
    assert not Blueprint.objects.exists()


def test_staff_change_a_blueprint_but_not_its_key(operator, package):
    blueprint = blueprint_write(text=text(), who="op", now=NOW)
    address = reverse("admin:catalog_blueprint_change", args=[blueprint.pk])
    shown = operator.get(address).content.decode()

    operator.post(address, fields(key_name="other", parts=PARTS.replace("Front,2", "Front,3")))

    assert "Front,2,2,,,server,disk0,disk" in shown
    changed = Blueprint.objects.get()
    assert (changed.key_name, changed.roles.get(name="Front").quantity) == ("pair", 3)


def test_staff_delete_a_blueprint_with_its_roles(operator, package):
    blueprint = blueprint_write(text=text(), who="op", now=NOW)

    operator.post(reverse("admin:catalog_blueprint_delete", args=[blueprint.pk]), {"post": "yes"})

    assert counts() == [0, 0, 0, 0, 0]
