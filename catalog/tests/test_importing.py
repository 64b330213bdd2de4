"""Importing price lists in the shape of the SoftLayer API: the real one as it is, and every awkward row."""

import gzip
import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalog.loading import SHIPPED, LoadReport, catalog_import, catalog_load_folder
from catalog.models import (
    CatalogLoad,
    Item,
    ItemAttribute,
    ItemCategory,
    ItemPrice,
    ItemRule,
    LocationGroup,
    Package,
)

MARCH = datetime(2026, 3, 1, tzinfo=UTC)
APRIL = datetime(2026, 4, 1, tzinfo=UTC)
RAW = SHIPPED / "softlayer-200" / "getAllObjects.json.gz"
Json = dict[str, Any]
pytestmark = pytest.mark.django_db


def price(number: int = 11, **fields: Any) -> Json:
    return {"id": number, "itemId": 1, "locationGroupId": None, "recurringFee": "50.5", **fields}


def item(*prices: Json, **fields: Any) -> Json:
    return {
        "keyName": "SSD",
        "description": "An SSD",
        "itemCategory": {"categoryCode": "disk0"},
        "prices": list(prices or [price()]),
        **fields,
    }


def package(*items: Json, **fields: Any) -> Json:
    return {"id": 7, "name": "Storage", "keyName": "STORAGE", "items": list(items or [item()]), **fields}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Any], Path]:
    """Return a function that writes a price list and returns its path."""

    def written(value: Any) -> Path:
        path = tmp_path / "list.json"
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
        return path

    return written


def load(*paths: Path, now: datetime = MARCH, **options: Any) -> LoadReport:
    return catalog_import(paths=paths, now=now, **options)[-1]


def counts() -> tuple[int, ...]:
    return tuple(
        model.objects.count() for model in (Package, Item, ItemPrice, ItemCategory, LocationGroup, CatalogLoad)
    )


def refusals(report: LoadReport) -> list[tuple[str, str]]:
    return [(row.field, row.code) for row in report.refused]


def test_the_raw_package_gives_115_items_and_568_prices_and_again_no_change():
    first = load(RAW)
    second = load(RAW, now=APRIL)

    assert counts()[:3] == (1, 115, 568)
    assert (first.added["packages"], first.added["items"], first.added["prices"]) == (1, 115, 568)
    assert first.refused == ()
    assert second.changes == 0
    assert counts()[:3] == (1, 115, 568)
    assert CatalogLoad.objects.count() == 1


def test_the_raw_package_lists_its_ties_and_unknown_groups():
    load(SHIPPED / "softlayer-200")
    report = load(SHIPPED / "softlayer-200")

    doubts = Counter(row.code for row in report.doubtful)
    assert doubts == {"tie": 45, "group_unknown": 2, "several_groups": 17, "package_unknown": 45}
    unknown = [row for row in report.doubtful if row.code == "group_unknown"]
    assert [row.words.split()[2] for row in unknown] == ["583", "585"]
    assert sorted(LocationGroup.objects.filter(is_active=False).values_list("external_id", flat=True)) == [583, 585]
    assert ItemPrice.objects.filter(location_group__is_active=False).count() == 65
    assert all(row.field.startswith("[0].items[") for row in report.doubtful if row.code == "tie")


def test_a_list_of_groups_makes_those_active_that_prices_alone_could_not():
    load(RAW)
    assert not LocationGroup.objects.filter(is_active=True).exists()

    load(SHIPPED / "softlayer-200")

    assert LocationGroup.objects.get(external_id=503).is_active
    assert not LocationGroup.objects.get(external_id=583).is_active


def test_processors_and_cores_are_read_from_the_description_of_a_server():
    load(RAW)

    facts = ItemAttribute.objects.filter(item__external_id="4113")
    assert dict(facts.values_list("name", "value")) == {"processors": "2", "cores": "12", "clock_ghz": "2.00"}
    assert "E5-2620" in facts.get(name="cores").source


def test_blanks_line_breaks_and_markup_go_from_words(write):
    report = load(write([package(item(description="<b>4.00&nbsp;TB</b>\r\nSATA  <br/>"), name=" Storage\r")]))

    assert Item.objects.get().description == "4.00 TB SATA"
    assert Package.objects.get().name == "Storage"
    assert [row.code for row in report.doubtful] == ["markup"]


def test_fees_are_exact_and_an_absent_one_is_not_zero(write):
    load(write([package(item(price(recurringFee=None, hourlyRecurringFee=".021", setupFee="0")))]))

    stored = ItemPrice.objects.get()
    assert (stored.recurring_fee, stored.hourly_recurring_fee, stored.setup_fee) == (None, Decimal("0.021"), 0)
    assert stored.one_time_fee is None


def test_a_price_without_any_fee_is_unpriced_and_told(write):
    report = load(write([package(item(price(recurringFee=None)))]))

    assert ItemPrice.objects.get().is_unpriced
    assert [row.code for row in report.doubtful] == ["unpriced"]


def test_an_item_takes_its_id_from_its_prices_or_is_refused(write):
    anonymous = item(price(itemId=None))
    torn = item(price(1, itemId=5), price(2, itemId=6))

    report = load(write([package(item(), anonymous, torn)]))

    assert refusals(report) == [
        ("[0].items[1].id", "missing"),
        ("[0].items[2].prices", "ids_differ"),
        ("[0].items[2].id", "missing"),
    ]
    assert counts() == (0, 0, 0, 0, 0, 0)


def test_two_items_of_the_same_words_stay_two(write):
    load(write([package(item(), item(price(12, itemId=2)))]))

    assert Item.objects.filter(description="An SSD").count() == 2


def test_prices_may_bring_their_items_and_several_categories(write):
    several = price(categories=[{"categoryCode": "disk0", "name": "First disk"}, {"categoryCode": "disk1"}])
    several["item"] = {"id": 1, "keyName": "SSD", "description": "An SSD"}

    load(write([{"id": 7, "name": "Storage", "keyName": "STORAGE", "itemPrices": [several]}]))

    stored = ItemPrice.objects.get()
    assert sorted(stored.categories.values_list("category_code", flat=True)) == ["disk0", "disk1"]
    assert stored.item.packages.get().key_name == "STORAGE"
    assert ItemCategory.objects.get(category_code="disk0").name == "First disk"


def test_an_item_without_a_category_is_taken_and_told(write):
    report = load(write([package(item(itemCategory=None))]))

    assert [row.code for row in report.doubtful] == ["no_category"]
    assert Item.objects.get().categories.count() == 0


def test_a_list_of_items_or_prices_without_a_package_is_taken_and_told(write):
    report = load(write([item()]))

    assert [row.code for row in report.doubtful] == ["no_package"]
    assert counts()[:3] == (0, 1, 1)


def test_requirements_become_rules_and_dangling_ones_are_told(write):
    needing = item(
        requirements=[{"requiredItemId": 2}, {"requiredItemId": 99}],
        conflicts=[{"resourceTableId": 3}],
        upgradeItemId=98,
    )

    report = load(write([package(needing, item(price(12, itemId=2)), item(price(13, itemId=3)))]))

    rules = ItemRule.objects.values_list("item__external_id", "kind", "other__external_id")
    assert sorted(rules) == [("1", "conflicts", "3"), ("1", "requires", "2")]
    assert [(row.field, row.code) for row in report.doubtful] == [
        ("[0].items[0].requirements[1].requiredItemId", "dangling"),
        ("[0].items[0].upgradeItemId", "dangling"),
    ]


def test_a_retired_package_is_imported_as_retired(write):
    load(write([package(isActive=0)]))

    assert not Package.objects.get().is_active


def test_a_second_package_leaves_the_first_its_items(write):
    load(write([package()]))

    load(write([package(item(price(12, itemId=2)), id=8, keyName="OTHER", name="Other")]))

    assert Package.objects.get(key_name="STORAGE").items.count() == 1
    assert Package.objects.get(key_name="OTHER").items.get().external_id == "2"


def test_a_range_from_0_to_0_is_none_and_one_upside_down_is_refused(write):
    none = price(1, capacityRestrictionType="PROCESSOR", capacityRestrictionMinimum="0", capacityRestrictionMaximum="0")
    reversed_ = price(2, capacityRestrictionType="CORE", capacityRestrictionMinimum="4", capacityRestrictionMaximum="2")

    report = load(write([package(item(none, reversed_))]), skips_refused=True)

    assert refusals(report) == [("[0].items[0].prices[1].capacityRestrictionMinimum", "above_maximum")]
    assert [(each.external_id, each.restriction) for each in ItemPrice.objects.all()] == [("1", "")]


def test_every_refused_row_is_told_at_once_with_its_path_and_nothing_is_applied(write):
    rows = [
        price(1, recurringFee="NaN"),
        price(2, recurringFee="1e308"),
        price(3, recurringFee="-1"),
        price(4, setupFee="many"),
        price(5, locationGroupId="Amsterdam"),
    ]
    text = json.dumps([package(item(*rows, price(6)))]).replace('"recurringFee": "50.5"}]', '"recurringFee": 1e308}]')

    report = load(write(text.encode()))

    assert refusals(report) == [
        ("[0].items[0].prices[0].recurringFee", "out_of_range"),
        ("[0].items[0].prices[1].recurringFee", "out_of_range"),
        ("[0].items[0].prices[2].recurringFee", "out_of_range"),
        ("[0].items[0].prices[3].setupFee", "not_a_number"),
        ("[0].items[0].prices[4].locationGroupId", "not_whole"),
        ("[0].items[0].prices[5].recurringFee", "out_of_range"),
    ]
    assert not report.is_applied
    assert counts() == (0, 0, 0, 0, 0, 0)


def test_nan_as_json_writes_it_is_refused_too(write):
    report = load(write(json.dumps([package(item(price(recurringFee=float("nan"))))]).encode()))

    assert refusals(report) == [("[0].items[0].prices[0].recurringFee", "out_of_range")]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (gzip.compress(json.dumps([package()]).encode())[:-9], "not_gzip"),
        (json.dumps([package()]).encode()[:-7], "not_json"),
        (json.dumps([package()]).encode("utf-16"), "not_utf8"),
        (b'"words"', "shape_unknown"),
        (b'[{"abacus": 1}]', "shape_unknown"),
        (b"[" * 100_000, "not_json"),
        (b'{"n": ' + b"9" * 5000 + b"}", "not_json"),
    ],
)
def test_a_spoilt_file_is_told_and_changes_nothing_even_when_skipping(write, content, code):
    report = load(write(content), skips_refused=True)

    assert [row.code for row in report.refused] == [code]
    assert counts() == (0, 0, 0, 0, 0, 0)


def test_a_file_that_is_not_there_is_told(tmp_path):
    assert [row.code for row in load(tmp_path / "nowhere.json").refused] == ["no_file"]


def test_of_several_files_one_that_is_refused_stops_all(write, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text("[")

    reports = catalog_import(paths=[write([package()]), bad], now=MARCH)

    assert [report.is_applied for report in reports] == [False, False]
    assert counts() == (0, 0, 0, 0, 0, 0)


def test_a_changed_fee_closes_the_old_price(write):
    load(write([package()]))

    report = load(write([package(item(price(recurringFee="49")))]), now=APRIL)

    periods = ItemPrice.objects.values_list("recurring_fee", "valid_from", "valid_to")
    assert list(periods) == [(Decimal("50.5"), MARCH, APRIL), (Decimal(49), APRIL, None)]
    assert (report.added, report.changed, report.closed) == ({}, {"prices": 1}, {"prices": 1})


def test_a_dry_run_tells_what_would_be_and_changes_nothing(write):
    report = load(write([package()]), is_dry_run=True)

    assert (report.added["items"], report.is_applied) == (1, False)
    assert counts() == (0, 0, 0, 0, 0, 0)


def test_an_import_of_the_shipped_list_changes_nothing_and_the_next_start_leaves_it(db):
    for folder in (SHIPPED / "softlayer-200", SHIPPED / "overlay"):
        catalog_load_folder(folder=folder, now=MARCH)
    required = Package.objects.get().configuration.get(category__category_code="monitoring")

    again = catalog_import(paths=[RAW, SHIPPED / "softlayer-200"], now=APRIL)

    assert [report.changes for report in again] == [0, 0]
    required.refresh_from_db()
    assert not required.is_required
    assert catalog_load_folder(folder=SHIPPED / "overlay", now=APRIL).changes == 0


def test_the_command_tells_doubts_and_counts(write):
    out, err = StringIO(), StringIO()

    call_command("catalog_import", str(RAW), stdout=out, stderr=err)

    assert "items 115, packages 1" in out.getvalue()
    assert "prices 568" in out.getvalue()
    assert "group_unknown" not in err.getvalue()
    assert "Location group 583 is in no list" in err.getvalue()


def test_the_command_tells_in_json_and_fails_where_a_row_is_refused(write):
    out = StringIO()

    with pytest.raises(CommandError, match="1 refused; nothing was applied"):
        call_command("catalog_import", str(write([package(item(price(recurringFee="x")))])), "--json", stdout=out)

    (report,) = json.loads(out.getvalue())
    assert report["refused"][0]["field"] == "[0].items[0].prices[0].recurringFee"
    assert report["is_applied"] is False


def test_the_command_skips_refused_rows_when_told_to(write):
    path = write([package(item(price(1, recurringFee="x"), price(2)))])

    call_command("catalog_import", str(path), "--skip-refused", stdout=StringIO(), stderr=StringIO())

    assert ItemPrice.objects.get().external_id == "2"
