"""An oracle that reads only the raw price list and its table of data centres agrees with the product everywhere."""

import csv
import gzip
import json
from collections import defaultdict
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from accounts.tests.factories import make_account
from catalog.loading import SHIPPED, catalog_load_folder
from catalog.models import Item, Location
from catalog.pricing import PriceQuestion, Term, answer_price
from catalog.selectors import explain_price, groups_by_location, price_question, prices_by_item

NOW = datetime(2026, 3, 1, tzinfo=UTC)
FOLDER = SHIPPED / "softlayer-200"
FEE = {Term.MONTHLY: "recurringFee", Term.HOURLY: "hourlyRecurringFee"}
Json = dict[str, Any]
Range = tuple[str, int] | None


def raw_prices() -> dict[str, list[Json]]:
    """Return the raw prices by item id."""
    with gzip.open(FOLDER / "getAllObjects.json.gz", "rt", encoding="utf-8") as file:
        (package,) = json.load(file, parse_float=str)
    return {str(item["prices"][0]["itemId"]): item["prices"] for item in package["items"]}


def groups_of_data_centres() -> dict[str, list[int]]:
    with open(FOLDER / "locations.csv", encoding="utf-8", newline="") as file:
        return {
            row["location_name"]: sorted(int(group) for group in row["price_group_ids"].split("|") if group)
            for row in csv.DictReader(file)
            if row["package_id"] == "200"
        }


def oracle(prices: list[Json], groups: list[int], term: Term, capacity: Range) -> Decimal | None:
    """Say what the raw list wants: the lowest group's prices, else the standard ones; the highest fee of those left."""
    local = next(([price for price in prices if price["locationGroupId"] == group] for group in groups if any(
        price["locationGroupId"] == group for price in prices)), None)  # fmt: skip
    left = local if local is not None else [price for price in prices if price["locationGroupId"] is None]
    left = [price for price in left if suits(price, capacity)]
    fees = [Decimal(price[FEE[term]]) for price in left if price.get(FEE[term]) is not None]
    return max(fees, default=None)


def suits(price: Json, capacity: Range) -> bool:
    kind = price.get("capacityRestrictionType")
    if kind is None:
        return True
    low, high = int(price["capacityRestrictionMinimum"]), int(price["capacityRestrictionMaximum"])
    return capacity is not None and capacity[0] == kind and low <= capacity[1] <= high


def capacities_worth_asking(prices: list[Json]) -> list[Range]:
    """Return no capacity, and each end of each range that the item's prices name."""
    ends = {
        (price["capacityRestrictionType"], int(price[end]))
        for price in prices
        if price.get("capacityRestrictionType")
        for end in ("capacityRestrictionMinimum", "capacityRestrictionMaximum")
    }
    return [None, *sorted(ends)]


@pytest.fixture
def loaded(db: None) -> None:
    catalog_load_folder(folder=FOLDER, now=NOW)


def test_every_price_in_every_data_centre_is_what_the_raw_list_says(loaded):
    raw, centres = raw_prices(), groups_of_data_centres()
    items = {item.external_id: item.pk for item in Item.objects.all()}
    locations = {location.key_name: location.pk for location in Location.objects.all()}
    groups = groups_by_location(location_ids=locations.values())
    stored = prices_by_item(item_ids=items.values(), at=NOW)
    differing, asked = [], 0

    for number, prices in raw.items():
        for centre, named_groups in centres.items():
            for term in Term:
                for capacity in capacities_worth_asking(prices):
                    question = PriceQuestion(
                        groups[locations[centre]], term, "USD", capacities=(capacity,) if capacity else ()
                    )
                    chosen = answer_price(stored[items[number]], question).chosen
                    fee = chosen.fee_on(term) if chosen else None
                    asked += 1
                    if fee != oracle(prices, named_groups, term, capacity):
                        differing.append((number, centre, term, capacity, fee))

    assert differing == []
    assert (len(raw), len(centres)) == (115, 37)
    assert asked >= 115 * 37 * 2


@pytest.mark.parametrize(
    ("centre", "fee"), [("dal05", "137.75"), ("ams01", "141.88"), ("sng01", "155.66"), ("wdc04", "137.75")]
)
def test_a_dual_e5_2620_costs_what_its_data_centre_asks(loaded, centre, fee):
    answer, *_ = explain_price(
        item=Item.objects.get(external_id="4113"),
        question=price_question(
            account=make_account(), location=Location.objects.get(key_name=centre), term=Term.MONTHLY, at=NOW
        ),
        at=NOW,
    )

    assert answer.monthly is not None
    assert answer.monthly.text == fee


def test_of_prices_that_tie_the_lowest_number_in_the_price_list_counts(loaded):
    """Both prices of "NONE" are 0; the list names 178235 before 178119."""
    answer, *_ = explain_price(
        item=Item.objects.get(key_name="NONE"),
        question=price_question(
            account=make_account(), location=Location.objects.get(key_name="dal05"), term=Term.MONTHLY, at=NOW
        ),
        at=NOW,
    )

    assert answer.chosen is not None
    assert answer.chosen.external_id == "178119"
    assert len(answer.ties) == 1


def test_the_oracle_counts_as_many_ties_as_the_import_lists(db):
    report = catalog_load_folder(folder=FOLDER, now=NOW)
    alike: dict[tuple[Any, ...], int] = defaultdict(int)
    for number, prices in raw_prices().items():
        for price in prices:
            conditions = [price.get(f"capacityRestriction{name}") for name in ("Type", "Minimum", "Maximum")]
            alike[number, price["locationGroupId"], *conditions] += 1

    ties = [row for row in report.doubtful if row.code == "tie"]

    assert len(ties) == sum(count > 1 for count in alike.values()) == 45
