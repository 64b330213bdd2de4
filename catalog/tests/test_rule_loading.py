"""Loading rules: every kind of them, once, with numbers that follow the data; what means nothing is refused."""

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from catalog.loading import LoadReport, catalog_load_folder
from catalog.models import ItemRule
from catalog.tests.test_loading import APRIL, ITEMS, MARCH, MAY, STRUCTURE

pytestmark = pytest.mark.django_db


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., LoadReport]:
    """Return a function that loads a small catalogue with these rules."""
    (tmp_path / "catalog.json").write_text(json.dumps(STRUCTURE))
    (tmp_path / "items.csv").write_text(ITEMS)

    def load(rules: str, *, at: datetime) -> LoadReport:
        (tmp_path / "rules.csv").write_text(rules)
        return catalog_load_folder(folder=tmp_path, now=at)

    return load


RULES = """item,category,kind,other,other_category,location,restriction,minimum,maximum,multiple_of,equality
1,,conflicts,2,,,,,,,
1,,requires,,disk0,,,,,,
,disk0,conflicts,,,ams01,,,,,
2,,includes,1,,,,,,,
2,,capacity,,,,CORE,4,,,
,disk0,drives,,,,,4,,2,each_multiple
"""


def test_rules_of_every_kind_are_loaded_and_their_numbers_follow_the_data(load):
    load(RULES, at=MARCH)
    loaded = [str(rule) for rule in ItemRule.objects.order_by("pk")]

    report = load(RULES.replace("CORE,4,", "CORE,8,16"), at=APRIL)
    again = load(RULES.replace("CORE,4,", "CORE,8,16") + "\n", at=MAY)

    assert loaded == [
        "An SSD conflicts with A SATA disk",
        "An SSD requires First disk",
        "First disk conflicts with Amsterdam 1",
        "A SATA disk includes An SSD",
        "A SATA disk needs at least 4 cores",
        "First disk needs an even number of disks, at least 4, equal in pairs",
    ]
    assert (report.added, report.changed) == ({}, {"rules": 1})
    assert (again.added, again.changed) == ({}, {})
    assert str(ItemRule.objects.get(kind="capacity")) == "A SATA disk needs 8 to 16 cores"


def test_rules_that_mean_nothing_are_refused_with_their_field(load):
    rows = """1,,conflicts,2,,,,,,,
1,,conflicts,2,,,,,,,
,,conflicts,2,,,,,,,
1,disk0,conflicts,2,,,,,,,
1,,requires,,,ams01,,,,,
1,,requires,2,disk0,,,,,,
1,,capacity,,,,RAM,,,,
1,,capacity,,,,CORE,5,4,,
1,,drives,,,,,,,1,
2,,drives,,,,,,,,pairs
1,,includes,2,,,,4,,,
1,,requires,,tape,,,,,,
1,,conflicts,,,mars,,,,,
"""
    report = load(RULES.partition("\n")[0] + "\n" + rows, at=MARCH)

    assert [(note.line, note.field, note.code) for note in report.refused] == [
        (3, "kind", "repeated"),
        (4, "item", "missing"),
        (5, "item", "missing"),
        (6, "location", "misplaced"),
        (6, "other", "missing"),
        (7, "other", "missing"),
        (8, "minimum", "missing"),
        (8, "restriction", "unknown_word"),
        (9, "minimum", "above_maximum"),
        (10, "multiple_of", "not_whole"),
        (10, "minimum", "missing"),
        (11, "equality", "unknown_word"),
        (12, "minimum", "misplaced"),
        (13, "other_category", "unknown_name"),
        (14, "location", "unknown_name"),
    ]
    assert ItemRule.objects.count() == 0
