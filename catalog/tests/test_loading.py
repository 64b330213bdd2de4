"""Loading catalogues: everything or nothing, once, and never over what staff changed since."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from catalog.cells import Cells
from catalog.loading import catalog_load_folder, shipped_folders
from catalog.models import CatalogLoad, Item, ItemAttribute, ItemPrice, ItemRule, Package, PackageConfiguration
from catalog.reading import read_folder
from catalog.selectors import catalog_version
from catalog.services import price_close
from catalog.tests.factories import make_package, make_price

MARCH = datetime(2026, 3, 1, tzinfo=UTC)
APRIL = datetime(2026, 4, 1, tzinfo=UTC)
MAY = datetime(2026, 5, 1, tzinfo=UTC)
STRUCTURE: dict[str, Any] = {
    "source": "small",
    "currency": "USD",
    "sources": {"list": "A price list"},
    "location_groups": [{"external_id": 503, "name": "Amsterdam"}],
    "locations": [{"key_name": "ams01", "name": "Amsterdam 1", "source": "A list", "groups": [503]}],
    "categories": [{"category_code": "disk0", "name": "First disk"}],
    "packages": [
        {
            "key_name": "storage",
            "name": "Storage",
            "locations": ["ams01"],
            "configuration": [{"category_code": "disk0", "is_required": True}],
        }
    ],
}
ITEMS = """external_id,key_name,description,categories,packages
1,SSD,An SSD,disk0,storage
2,SATA,A SATA disk,disk0,storage
"""
PRICES = """external_id,item,recurring_fee,location_group,source,basis
11,1,50.5,,list,published
12,1,55,503,list,published
"""
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a small catalogue, with some files replaced, and returns its folder."""

    def written(**files: str | bytes) -> Path:
        texts: dict[str, str | bytes] = {
            "catalog.json": json.dumps(STRUCTURE),
            "items.csv": ITEMS,
            "prices.csv": PRICES,
        }
        texts |= {name.replace("_", "."): text for name, text in files.items()}
        for name, text in texts.items():
            (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path

    return written


def counts() -> tuple[int, ...]:
    return tuple(
        model.objects.count()
        for model in (Package, PackageConfiguration, Item, ItemAttribute, ItemPrice, ItemRule, CatalogLoad)
    )


@pytest.mark.django_db
def test_the_shipped_catalogue_has_13_machine_types_and_six_volumes():
    for folder in shipped_folders():
        assert catalog_load_folder(folder=folder, now=MARCH).refused == ()

    server, volume = (
        Package.objects.get(key_name="ec2-virtual-server"),
        Package.objects.get(key_name="ec2-block-volume"),
    )
    machine_types = server.items.filter(categories__category_code="machine_type")
    assert machine_types.count() == 13
    assert not ItemPrice.objects.filter(item__in=machine_types, recurring_fee__isnull=False).exists()
    assert list(volume.items.order_by("pk").values_list("prices__recurring_fee", flat=True)) == [1, 5, 10, 25, 50, 100]
    assert [location.key_name for location in server.locations.all()] == ["us-east-1"]
    assert list(server.configuration.values_list("category__category_code", "is_required")) == [
        ("machine_type", True),
        ("os", True),
        ("load_balancing", False),
    ]
    published = ItemAttribute.objects.filter(name="network_mb_s").values_list("item__key_name", "value")
    assert dict(published) == {
        "m1.large": "100",
        "m1.xlarge": "120",
        "c1.xlarge": "100",
        "cc1.4xlarge": "1200",
        "cc2.8xlarge": "1200",
    }
    assert ItemAttribute.objects.get(name="bursts").item.key_name == "t1.micro"
    assert not ItemPrice.objects.filter(source="").exists()


@pytest.mark.django_db
def test_a_second_loading_changes_nothing(write):
    folder = write()
    first = catalog_load_folder(folder=folder, now=MARCH)
    version = catalog_version()

    second = catalog_load_folder(folder=folder, now=APRIL)

    assert first.added["items"] == 2
    assert first.added["prices"] == 2
    assert (second.added, second.changed, second.closed, second.refused) == ({}, {}, {}, ())
    assert catalog_version() == version


@pytest.mark.django_db
def test_a_second_loading_leaves_what_staff_changed(write):
    folder = write()
    catalog_load_folder(folder=folder, now=MARCH)
    Item.objects.filter(external_id="1").update(description="Our best disk")
    price_close(price_id=ItemPrice.objects.get(external_id="11").pk, who="op", now=APRIL)

    catalog_load_folder(folder=folder, now=MAY)

    assert Item.objects.get(external_id="1").description == "Our best disk"
    assert ItemPrice.objects.get(external_id="11").valid_to == APRIL


@pytest.mark.django_db
def test_a_changed_price_is_closed_and_replaced(write):
    catalog_load_folder(folder=write(), now=MARCH)
    old = ItemPrice.objects.get(external_id="11")

    report = catalog_load_folder(folder=write(prices_csv=PRICES.replace("50.5", "49.25")), now=APRIL)

    old.refresh_from_db()
    new = ItemPrice.objects.get(external_id="11", valid_to=None)
    assert (old.recurring_fee, old.valid_to) == (Decimal("50.5"), APRIL)
    assert (new.recurring_fee, new.valid_from) == (Decimal("49.25"), APRIL)
    assert (report.added, report.changed, report.closed) == ({}, {"prices": 1}, {"prices": 1})


@pytest.mark.django_db
def test_a_change_that_begins_later_leaves_the_old_price_until_then(write):
    catalog_load_folder(folder=write(), now=MARCH)
    prices = "external_id,item,recurring_fee,valid_from,source,basis\n11,1,60,2026-05-01,list,published\n"

    catalog_load_folder(folder=write(prices_csv=prices), now=APRIL)

    periods = ItemPrice.objects.filter(external_id="11").values_list("recurring_fee", "valid_from", "valid_to")
    assert list(periods) == [(Decimal("50.5"), MARCH, MAY), (Decimal(60), MAY, None)]


@pytest.mark.django_db
def test_a_price_that_never_came_to_count_goes_without_trace(write):
    catalog_load_folder(folder=write(), now=MARCH)

    catalog_load_folder(folder=write(prices_csv=PRICES.replace("50.5", "49")), now=MARCH)

    assert ItemPrice.objects.get(external_id="11").recurring_fee == Decimal(49)


@pytest.mark.django_db
def test_a_new_file_leaves_a_price_that_staff_closed_and_those_that_staff_added(write):
    catalog_load_folder(folder=write(), now=MARCH)
    price_close(price_id=ItemPrice.objects.get(external_id="11").pk, who="op", now=APRIL)
    ours = make_price(Item.objects.get(external_id="1"), monthly="40", external_id="staff-1")

    catalog_load_folder(folder=write(items_csv=ITEMS.replace("An SSD", "A fast SSD")), now=MAY)

    ours.refresh_from_db()
    assert Item.objects.get(external_id="1").description == "A fast SSD"
    assert ItemPrice.objects.get(external_id="11").valid_to == APRIL
    assert ours.valid_to is None


@pytest.mark.django_db
def test_a_price_ends_where_the_file_says_so(write):
    catalog_load_folder(folder=write(), now=MARCH)
    header = "external_id,item,recurring_fee,valid_from,valid_to,source,basis"
    prices = f"{header}\n11,1,50.5,2012-01-01,2026-05-01,list,published\n"

    report = catalog_load_folder(folder=write(prices_csv=prices), now=APRIL)

    assert ItemPrice.objects.get(external_id="11").valid_to == MAY
    assert report.closed == {"prices": 1}


@pytest.mark.django_db
def test_an_item_follows_the_file_into_another_category(write):
    catalog_load_folder(folder=write(), now=MARCH)
    structure = STRUCTURE | {"categories": [*STRUCTURE["categories"], {"category_code": "disk1", "name": "Second"}]}

    catalog_load_folder(
        folder=write(catalog_json=json.dumps(structure), items_csv=ITEMS.replace("An SSD,disk0", "An SSD,disk1")),
        now=APRIL,
    )

    assert [category.category_code for category in Item.objects.get(external_id="1").categories.all()] == ["disk1"]


@pytest.mark.django_db
def test_rules_and_attributes_are_loaded_once(write):
    files = {
        "rules_csv": "item,kind,other\n1,conflicts,2\n",
        "attributes_csv": "item,name,value,unit,source,basis\n1,size_gb,400,GB,list,assumed\n",
    }
    catalog_load_folder(folder=write(**files), now=MARCH)

    report = catalog_load_folder(folder=write(**files, items_csv=ITEMS + "3,X,X,disk0,storage\n"), now=APRIL)

    assert report.added == {"items": 1}
    assert ItemRule.objects.get().kind == "conflicts"
    assert str(ItemAttribute.objects.get()) == "size_gb 400 GB"


@pytest.mark.django_db
def test_every_refused_row_is_told_and_nothing_is_applied(write):
    header = "external_id,item,recurring_fee,hourly_recurring_fee,restriction,restriction_minimum,restriction_maximum"
    prices = f"""{header},source,basis
11,1,NaN,,,,,list,published
12,1,1e308,,,,,list,published
13,1,-4,,,,,list,published
14,1,5,,PROCESSOR,4,2,list,published
15,9,5,,,,,list,published
16,1,5,,,,,gossip,hearsay
17,1,0.1234567,abc,,,,list,published
17,1,5,,,,,list,published
18,1,5
"""
    before = counts()

    report = catalog_load_folder(folder=write(prices_csv=prices), now=MARCH)

    assert [(row.line, row.field, row.code) for row in report.refused] == [
        (2, "recurring_fee", "out_of_range"),
        (3, "recurring_fee", "out_of_range"),
        (4, "recurring_fee", "out_of_range"),
        (5, "restriction_minimum", "above_maximum"),
        (6, "item", "unknown_name"),
        (7, "source", "unknown_word"),
        (7, "basis", "unknown_word"),
        (8, "recurring_fee", "out_of_range"),
        (8, "hourly_recurring_fee", "not_a_number"),
        (9, "external_id", "repeated"),
        (10, "", "row_shape"),
    ]
    assert {Path(row.path).name for row in report.refused} == {"prices.csv"}
    assert counts() == before


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"items_csv": ITEMS.encode("utf-16")}, "not_utf8"),
        ({"items_csv": ITEMS.replace("An SSD", 'An "SSD').replace("A SATA disk", '"A SATA disk')}, "not_csv"),
        ({"items_csv": ITEMS.replace("packages", "parcels")}, "column_missing"),
        ({"items_csv": ITEMS.replace("An SSD", "An\0SSD")}, "control_character"),
        ({"items_csv": ITEMS.replace("An SSD", "x" * 301)}, "too_long"),
        ({"items_csv": ITEMS.replace("disk0", "disk7")}, "unknown_name"),
        ({"catalog_json": json.dumps(STRUCTURE)[:-20]}, "not_json"),
        ({"catalog_json": "[1, 2]"}, "not_json"),
        ({"catalog_json": json.dumps(STRUCTURE | {"source": 7})}, "not_text"),
        ({"catalog_json": json.dumps(STRUCTURE | {"packages": "none"})}, "not_a_list"),
        ({"catalog_json": json.dumps(STRUCTURE | {"locations": STRUCTURE["locations"] * 2})}, "repeated"),
        ({"catalog_json": json.dumps(STRUCTURE | {"locations": []})}, "unknown_name"),
        ({"prices_csv": PRICES.replace("503", "509")}, "unknown_name"),
        ({"prices_csv": PRICES.replace("503", "5.5")}, "not_whole"),
    ],
)
@pytest.mark.django_db
def test_a_spoilt_file_is_refused_in_words_and_nothing_is_applied(write, files, code):
    before = counts()

    report = catalog_load_folder(folder=write(**files), now=MARCH)

    assert code in {row.code for row in report.refused}
    assert all(row.words.endswith(".") for row in report.refused)
    assert counts() == before


def test_a_folder_without_a_catalogue_is_refused(tmp_path):
    data, notes = read_folder(tmp_path / "nowhere")

    assert data is None
    assert [row.code for row in notes.refused] == ["no_file"]


@pytest.mark.django_db
def test_a_package_of_another_catalogue_is_not_taken_over(write):
    make_package("storage", required=())

    report = catalog_load_folder(folder=write(), now=MARCH)

    assert [row.code for row in report.refused] == ["key_name_taken"]
    assert Item.objects.count() == 0


def test_a_range_from_zero_to_zero_is_no_restriction(write):
    prices = (
        "external_id,item,recurring_fee,restriction,restriction_minimum,restriction_maximum,source,basis\n"
        "11,1,.021,PROCESSOR,0,0,list,published\n"
    )

    data, _ = read_folder(write(prices_csv=prices))

    assert data is not None
    assert (data.prices[0].restriction, data.prices[0].restriction_minimum) == ("", None)
    assert dict(data.prices[0].fees)["recurring_fee"] == Decimal("0.021")


@given(text=st.text(max_size=30) | st.decimals(allow_nan=True, allow_infinity=True).map(str))
def test_a_fee_is_either_refused_or_exactly_what_was_written(text):
    refused = []
    cells = Cells(path="prices.csv", line=2, values={"fee": text}, refused=refused)

    fee = cells.decimal("fee")

    if refused:
        assert fee is None
    elif text.strip():
        assert fee == Decimal(text.strip())
        assert 0 <= fee < 10**9
    else:
        assert fee is None


@pytest.mark.django_db
def test_the_command_loads_the_shipped_catalogues_and_tells_so_in_json():
    out = StringIO()

    call_command("catalog_load", "--json", stdout=out)

    reports = json.loads(out.getvalue())
    assert {report["source"]: report["added"].get("prices") for report in reports} == {
        "ec2-2012-04": 24,
        "softlayer": 568,
        "overlay": None,
        "benchmark-2012": 63,
    }


@pytest.mark.django_db
def test_the_command_fails_and_names_line_and_field_of_a_refused_row(write):
    err = StringIO()

    with pytest.raises(CommandError, match="1 refused"):
        call_command("catalog_load", str(write(prices_csv=PRICES.replace("50.5", "many"))), stderr=err)

    assert "prices.csv:2: recurring_fee: “many” is not a number." in err.getvalue()


@pytest.mark.django_db
def test_a_catalogue_may_be_loaded_from_any_folder(tmp_path):
    copy = Path(shutil.copytree(shipped_folders()[0], tmp_path / "copy"))

    call_command("catalog_load", str(copy), stdout=StringIO())

    assert Package.objects.count() == 2


@pytest.mark.django_db
def test_tiers_of_use_are_loaded_and_one_without_a_rate_is_refused(write):
    prices = """external_id,item,recurring_fee,usage_rate,tier,source,basis
11,1,0,0.1,,list,published
12,1,,0.08,1000,list,published
"""
    catalog_load_folder(folder=write(prices_csv=prices), now=MARCH)
    assert list(ItemPrice.objects.values_list("tier", "usage_rate")) == [
        (None, Decimal("0.1")),
        (1000, Decimal("0.08")),
    ]

    report = catalog_load_folder(folder=write(prices_csv=prices.replace("0.08", "")), now=APRIL)

    assert [(row.line, row.code) for row in report.refused] == [(3, "rate_missing")]
    assert catalog_load_folder(folder=write(prices_csv=prices), now=APRIL).changed == {}
