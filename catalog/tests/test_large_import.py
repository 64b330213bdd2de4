"""A catalogue of present size, 44,684 prices of 45,000 rows, through our own layout."""

import csv
import gzip
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import call_command

from catalog.models import Item, ItemPrice

MODERN = Path(__file__).parent / "data" / "modern_compute_prices.csv.gz"
STAMP = datetime(2026, 3, 1, tzinfo=UTC)


def write_in_our_layout(folder: Path) -> int:
    """Turn the table of providers, types and regions into items with a price for each region; return its rows."""
    with gzip.open(MODERN, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {f"{row['provider']}/{row['type']}/{row['os']}": row for row in rows}
    items, prices = io.StringIO(), io.StringIO()
    item_writer, price_writer = csv.writer(items), csv.writer(prices)
    item_writer.writerow(["external_id", "key_name", "description", "categories", "packages"])
    item_writer.writerows(
        [key, row["type"], f"{row['type']}, {row['os']}", "machine", "modern"] for key, row in names.items()
    )
    price_writer.writerow(["external_id", "item", "hourly_recurring_fee", "source", "basis"])
    price_writer.writerows(
        [
            f"{number}/{row['region']}",
            f"{row['provider']}/{row['type']}/{row['os']}",
            row["usd_hour"],
            "table",
            "published",
        ]
        for number, row in enumerate(rows)
    )
    structure = {
        "source": "modern",
        "currency": "USD",
        "sources": {"table": "A table of present prices"},
        "categories": [{"category_code": "machine", "name": "Machine"}],
        "packages": [{"key_name": "modern", "name": "Modern"}],
    }
    (folder / "catalog.json").write_text(json.dumps(structure))
    (folder / "items.csv").write_text(items.getvalue())
    (folder / "prices.csv").write_text(prices.getvalue())
    return len(rows)


@pytest.mark.django_db
def test_45_000_rows_are_imported_with_progress_and_again_change_nothing(tmp_path):
    count = write_in_our_layout(tmp_path)
    err, out = io.StringIO(), io.StringIO()

    call_command("catalog_import", str(tmp_path), "--skip-refused", stdout=out, stderr=err)
    call_command("catalog_import", str(tmp_path), "--skip-refused", stdout=out, stderr=io.StringIO())

    assert count == 44_684
    refused = sum(line.startswith("refused") for line in err.getvalue().splitlines())
    assert ItemPrice.objects.count() == count - refused
    assert Item.objects.count() > 1000
    assert "prices: 5,000 of " in err.getvalue()
    assert out.getvalue().splitlines()[-1].endswith("nothing new")
