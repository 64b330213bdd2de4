"""The worked examples of docs/pricing.md, run as they stand."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from catalog.pricing import PriceFacts, PriceQuestion, Term, answer_price

DOCUMENT = Path(__file__).parents[2] / "docs" / "pricing.md"
FEES = {"hourly": "hourly_recurring_fee", "monthly": "recurring_fee", "setup": "setup_fee"}


def rows_under(heading: str) -> list[dict[str, str]]:
    part = DOCUMENT.read_text(encoding="utf-8").split(f"### {heading}\n")[1].split("\n#")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [dict(zip(header, row, strict=True)) for row in rows]


def prices_written(text: str) -> list[PriceFacts]:
    return [price_written(part, number) for number, part in enumerate(text.split(";"), start=1)]


def price_written(text: str, number: int) -> PriceFacts:
    fees = {FEES[name]: Decimal(value) for name, value in re.findall(r"(\w+)=([\d.]+)", text)}
    group = re.search(r"@(\d+)", text)
    limits = re.search(r"\[(\w+) (\d+)-(\d+)\]", text)
    categories = re.search(r"\{(.*)\}", text)
    return PriceFacts(
        price_id=number,
        external_id=str(number),
        currency="EUR" if "EUR" in text else "USD",
        recurring_fee=fees.get("recurring_fee"),
        hourly_recurring_fee=fees.get("hourly_recurring_fee"),
        setup_fee=fees.get("setup_fee"),
        one_time_fee=None,
        labor_fee=None,
        usage_rate=None,
        group_id=int(group[1]) if group else None,
        restriction=limits[1] if limits else "",
        restriction_minimum=int(limits[2]) if limits else None,
        restriction_maximum=int(limits[3]) if limits else None,
        category_codes=frozenset(categories[1].split()) if categories else frozenset(),
        source="docs/pricing.md",
        basis="illustrative",
    )


@pytest.mark.parametrize("row", rows_under("Terms and hours"), ids=str)
def test_terms_and_hours_are_as_the_document_says(row):
    question = PriceQuestion((), Term(row["term"]), "USD", Decimal(row["hours"]))

    answer = answer_price(prices_written(row["prices"]), question)

    assert (answer.monthly.text if answer.monthly else "unpriced") == row["monthly"]
    assert (answer.once.text if answer.once else "unpriced") == row["once"]


@pytest.mark.parametrize("row", rows_under("Places"), ids=str)
def test_places_are_as_the_document_says(row):
    groups = () if row["groups of the location"] == "none" else tuple(map(int, row["groups of the location"].split()))

    answer = answer_price(prices_written(row["prices"]), PriceQuestion(groups, Term.MONTHLY, "USD"))

    assert (answer.monthly.text if answer.monthly else "unpriced") == row["monthly"]
    assert row["decided by"] in [step.rule for step in answer.steps]


@pytest.mark.parametrize("row", rows_under("Ranges, categories and ties"), ids=str)
def test_ranges_categories_and_ties_are_as_the_document_says(row):
    name, _, size = row["container"].partition(" ")
    capacities = ((name, int(size)),) if name else ()
    question = PriceQuestion((), Term.MONTHLY, "USD", category_code=row["category"], capacities=capacities)

    answer = answer_price(prices_written(row["prices"]), question)

    assert (answer.monthly.text if answer.monthly else "unpriced") == row["monthly"]
    assert answer.ties == tuple(map(int, row["ties"].split()))
