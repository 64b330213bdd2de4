"""Loading blueprints with their placement: written as a whole, once; what names nothing is refused with its field."""

import json

import pytest
from django.db import IntegrityError, transaction

from catalog.blueprints import roles_of, service_rules
from catalog.loading import catalog_load_folder
from catalog.models import Blueprint, BlueprintRole, BlueprintService
from catalog.tests.test_loading import APRIL, ITEMS, MARCH, MAY, STRUCTURE

pytestmark = pytest.mark.django_db

BLUEPRINTS = """blueprint,name,role,count,package,category,item,source,basis,least,most,optional
pair,A pair,Front,2,storage,disk0,1,list,assumed,2,,
pair,A pair,Store,0,storage,disk0,2,list,assumed,,9,yes
"""
PLACEMENT = """blueprint,service,name,role,otherwise,agents,shares_up_to,needs
pair,block,Block store,Store,Front,Front,12,disk0:2 disk0:2
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that loads a small catalogue with these blueprints."""
    (tmp_path / "catalog.json").write_text(json.dumps(STRUCTURE))
    (tmp_path / "items.csv").write_text(ITEMS)

    def load(*, blueprints=BLUEPRINTS, placement=PLACEMENT, at=MARCH):
        (tmp_path / "blueprints.csv").write_text(blueprints)
        (tmp_path / "placement.csv").write_text(placement)
        return catalog_load_folder(folder=tmp_path, now=at)

    return load


def test_roles_and_services_are_loaded_once_and_follow_the_data(load):
    load()
    (rule,) = service_rules(Blueprint.objects.get())
    roles = list(BlueprintRole.objects.values_list("name", "quantity", "least", "most", "is_optional"))

    again = load(placement=PLACEMENT + "\n", at=APRIL)
    changed = load(placement=PLACEMENT.replace(",12,", ",24,"), at=MAY)

    assert roles == [("Front", 2, 2, None, False), ("Store", 0, 1, 9, True)]
    assert (rule.role, rule.otherwise, rule.agents, rule.shares_up_to) == ("Store", "Front", "Front", 12)
    assert [(need.category_code, need.value, need.count) for need in rule.needs] == [("disk0", "SATA", 2)]
    assert (again.added, again.changed) == ({}, {})
    assert (changed.added, changed.changed) == ({}, {"blueprints": 1})
    assert BlueprintService.objects.get().shares_up_to == 24


def test_the_roles_of_a_blueprint_have_what_the_services_on_them_need(load):
    load()
    blueprint = Blueprint.objects.get()

    shared = roles_of(blueprint)
    blueprint.roles.filter(name="Store").update(quantity=1)
    apart = roles_of(blueprint)

    assert [(role.name, role.parts) for role in shared] == [
        ("Front", (("disk0", "SSD"), ("disk1", "SATA"), ("disk2", "SATA")))
    ]
    assert [(role.name, role.parts) for role in apart] == [
        ("Front", (("disk0", "SSD"),)),
        ("Store", (("disk0", "SATA"), ("disk1", "SATA"), ("disk2", "SATA"))),
    ]


def test_a_blueprint_without_services_needs_no_placement(load):
    load(placement=PLACEMENT.partition("\n")[0] + "\n")

    assert (BlueprintRole.objects.count(), BlueprintService.objects.count()) == (2, 0)


def test_services_that_mean_nothing_are_refused_with_their_field(load):
    rows = """pair,one,One,Store,Store,,,
pair,two,Two,Front,,,12,
pair,three,Three,Front,,,,disk0
pair,four,Four,Front,,,,tape:1
pair,five,Five,Front,,,,disk0:9
pair,six,Six,Front,,,0,
pair,six,Six,Front,,,,
,,,,,,,
"""
    report = load(placement=PLACEMENT.partition("\n")[0] + "\n" + rows)

    assert [(note.line, note.field, note.code) for note in report.refused] == [
        (2, "otherwise", "same_role"),
        (3, "shares_up_to", "shares_nothing"),
        (4, "needs", "not_a_need"),
        (5, "needs", "unknown_name"),
        (6, "needs", "unknown_name"),
        (7, "shares_up_to", "not_whole"),
        (8, "service", "repeated"),
        (9, "blueprint", "missing"),
        (9, "service", "missing"),
        (9, "name", "missing"),
        (9, "role", "missing"),
    ]
    assert Blueprint.objects.count() == 0


def test_services_of_roles_that_are_not_there_are_refused(load):
    rows = """pair,block,Block store,Back,Front,Front,12,
pair,image,Image store,Store,Back,,,
pair,web,Web,Front,,Back,,
other,mail,Mail,Front,,,,
"""
    report = load(placement=PLACEMENT.partition("\n")[0] + "\n" + rows)

    assert [(note.field, note.code) for note in report.refused] == [
        ("placement.role", "unknown_name"),
        ("placement.otherwise", "unknown_name"),
        ("placement.agents", "unknown_name"),
        ("placement.blueprint", "unknown_name"),
    ]
    assert Blueprint.objects.count() == 0


@pytest.mark.parametrize(
    ("numbers", "rule"),
    [
        ({"quantity": 1, "least": 2}, "a_role_has_at_least_the_fewest_machines"),
        ({"quantity": 0}, "a_role_has_at_least_the_fewest_machines"),
        ({"least": 0}, "the_fewest_machines_are_at_least_one"),
        ({"quantity": 3, "most": 2}, "a_role_has_at_most_the_most_machines"),
        ({"quantity": 0, "least": 3, "most": 2, "is_optional": True}, "a_role_has_at_most_the_most_machines"),
    ],
)
def test_the_database_keeps_out_numbers_of_machines_that_cannot_be(load, numbers, rule):
    load(placement=PLACEMENT.partition("\n")[0] + "\n")
    role = BlueprintRole.objects.get(name="Front")
    for field, value in ({"least": 1, "is_optional": False} | numbers).items():
        setattr(role, field, value)

    with pytest.raises(IntegrityError, match=rule):
        role.save()


def test_the_database_keeps_out_a_service_that_shares_its_own_role_or_has_a_limit_alone(load):
    load()
    service = BlueprintService.objects.get()

    for otherwise, limit, rule in (
        (service.role, None, "a_service_shares_another_role"),
        (None, 5, "only_a_service_that_shares_has_a_limit"),
    ):
        service.otherwise, service.shares_up_to = otherwise, limit
        with pytest.raises(IntegrityError, match=rule), transaction.atomic():
            service.save()


@pytest.mark.parametrize(
    ("role", "field", "code"),
    [
        ("Front,1,storage,disk0,1,list,assumed,2,,", "count", "below_least"),
        ("Front,0,storage,disk0,1,list,assumed,,,", "count", "below_least"),
        ("Front,9,storage,disk0,1,list,assumed,,8,", "count", "above_most"),
        ("Front,1,storage,disk0,1,list,assumed,0,,", "least", "not_whole"),
        ("Front,1,storage,disk0,1,list,assumed,,,perhaps", "optional", "unknown_word"),
    ],
)
def test_numbers_of_machines_that_contradict_each_other_are_refused(load, role, field, code):
    report = load(blueprints=f"{BLUEPRINTS.partition(chr(10))[0]}\npair,A pair,{role}\n", placement="")

    assert {(note.field, note.code) for note in report.refused if note.line == 2} == {(field, code)}
    assert Blueprint.objects.count() == 0
