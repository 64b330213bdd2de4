"""The worked examples of docs/pricing.md, run as they stand."""

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from catalog.contracts import costs_over
from catalog.deal import LIST_PRICES, BookFacts, BookRuleFacts, Deal, PromotionFacts, RateFacts, Target, rules_by_target
from catalog.fees import Fees
from catalog.pricing import PriceAnswer, PriceFacts, PriceQuestion, Term, answer_price
from catalog.usage import usage_amount
from core.money import Money
from tests.worked_tables import rows_under

FEES = {
    "hourly": "hourly_recurring_fee",
    "monthly": "recurring_fee",
    "setup": "setup_fee",
    "onetime": "one_time_fee",
    "labor": "labor_fee",
    "usage": "usage_rate",
}
ITEM, PACKAGE, CATEGORY = 7, 3, "disk0"
BOOK = BookFacts(1, "Europe", "EUR", shows_rules=True)


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
        one_time_fee=fees.get("one_time_fee"),
        labor_fee=fees.get("labor_fee"),
        usage_rate=fees.get("usage_rate"),
        group_id=int(group[1]) if group else None,
        restriction=limits[1] if limits else "",
        restriction_minimum=int(limits[2]) if limits else None,
        restriction_maximum=int(limits[3]) if limits else None,
        category_codes=frozenset(categories[1].split()) if categories else frozenset(),
        source="docs/pricing.md",
        basis="illustrative",
        item_id=ITEM,
        term_months=number_behind("contract", text),
        tier=number_behind("from", text),
    )


def number_behind(word: str, text: str) -> int | None:
    found = re.search(rf"{word} (\d+)", text)
    return int(found[1]) if found else None


def parts_of(text: str) -> list[str]:
    return [] if text == "none" else [part.strip() for part in text.split(";")]


def rule_written(text: str, number: int) -> BookRuleFacts:
    scope = text.split()[-1]
    target = Target(scope, {"everything": None, "package": PACKAGE, "category": CATEGORY, "item": ITEM}[scope], "it")
    percent = re.match(r"([+-])([\d.]+) %", text)
    if percent is None:
        return BookRuleFacts(number, target, "fixed", fees=Fees(recurring_fee=Decimal(text.split()[0])))
    return BookRuleFacts(number, target, "mark_up" if percent[1] == "+" else "discount", Decimal(percent[2]))


def promotion_written(text: str, number: int) -> PromotionFacts:
    amount, is_percent = Decimal(text.split()[0]), "%" in text
    takes = {kind for kind in ("monthly", "once") if f"off {kind}" in text} or {"monthly", "once"}
    fees_off = Fees(
        recurring_fee=amount if "monthly" in takes else None, one_time_fee=amount if "once" in takes else None
    )
    return PromotionFacts(
        promotion_id=number,
        name=text,
        target=Target("everything", None),
        percent_off=amount if is_percent else None,
        is_off_recurring=is_percent and "monthly" in takes,
        is_off_once=is_percent and "once" in takes,
        fees_off=Fees() if is_percent else fees_off,
        currency="" if is_percent else "USD",
        lasts_months=number_behind("for", text),
    )


def words_of(money: Money | None) -> str:
    return money.text if money else "unpriced"


def monthly_question(currency: str = "USD", deal: Deal = LIST_PRICES) -> PriceQuestion:
    return PriceQuestion((), Term.MONTHLY, currency, category_code=CATEGORY, package_id=PACKAGE, deal=deal)


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


@pytest.mark.parametrize("row", rows_under("Contracts"), ids=str)
def test_contracts_are_as_the_document_says(row):
    costs = costs_over(prices_written(row["prices"]), monthly_question())

    cost = next(cost for cost in costs if cost.months == int(row["over"]))
    assert words_of(cost.total) == row["without a commitment"]
    assert (words_of(cost.total_under_contract) if cost.under_contract else "the same") == row["under a contract"]


def answer_with_book(row: dict[str, str]) -> PriceAnswer:
    rules = [rule_written(text, number) for number, text in enumerate(parts_of(row["rules"]), start=1)]
    rates = [RateFacts("USD", Decimal(rate), date(2026, 1, 1), "a bank") for rate in parts_of(row["rate of 1 USD"])]
    deal = Deal(book=BOOK, rules=rules_by_target(rules), rates={rate.from_currency: rate for rate in rates})
    return answer_price(prices_written(row["prices"]), monthly_question("EUR", deal))


@pytest.mark.parametrize("row", rows_under("Price books"), ids=str)
def test_price_books_are_as_the_document_says(row):
    answer = answer_with_book(row)

    assert (words_of(answer.monthly), words_of(answer.once)) == (row["monthly"], row["once"])
    assert row["decided by"] in [step.rule for step in answer.steps]


@pytest.mark.parametrize("row", rows_under("Promotions"), ids=str)
def test_promotions_are_as_the_document_says(row):
    promotions = [promotion_written(text, number) for number, text in enumerate(parts_of(row["promotions"]), start=1)]
    deal = Deal(promotions=tuple(promotions))

    answer = answer_price(prices_written(row["prices"]), monthly_question(deal=deal))

    assert (words_of(answer.monthly), words_of(answer.once)) == (row["monthly"], row["once"])
    assert (answer.afterwards.monthly.text if answer.afterwards else "") == row["later"]
    assert words_of(answer.over(12)) == row["over 12 months"]


@pytest.mark.parametrize("row", rows_under("Use"), ids=str)
def test_use_is_as_the_document_says(row):
    # A price that counts on the term carries the rates of use: here it is free.
    prices = [
        replace(price, recurring_fee=price.recurring_fee or Decimal(0)) for price in prices_written(row["prices"])
    ]
    answer = answer_price(prices, monthly_question())

    amount = usage_amount(units=Decimal(row["used"]), tiers=answer.usage, allowance=Decimal(row["allowance"]))

    assert (words_of(Money(amount, "USD")) if amount is not None else "unpriced") == row["amount"]
