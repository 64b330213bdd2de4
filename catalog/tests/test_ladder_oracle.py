"""The price ladder against an independent oracle that counts in exact fractions and knows the recipe in words only."""

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.deal import BookFacts, BookRuleFacts, Deal, PromotionFacts, RateFacts, Target, rules_by_target
from catalog.fees import FEE_NAMES, LARGEST_FEE, Fees
from catalog.pricing import PriceFacts, PriceQuestion, Term, answer_price

ITEM, PACKAGE, CATEGORY = 7, 3, "disk0"
TARGETS = [Target("everything", None), Target("package", PACKAGE), Target("category", CATEGORY), Target("item", ITEM)]
ELSEWHERE = [Target("package", 4), Target("category", "disk1"), Target("item", 8)]
fees = st.none() | st.decimals(min_value=0, max_value=9_999, places=6)
percents = st.decimals(min_value="0.0001", max_value=100, places=4)
targets = st.sampled_from([*TARGETS, *ELSEWHERE])
fee_sets = st.builds(Fees, **dict.fromkeys(FEE_NAMES, fees)).filter(lambda named: named != Fees())
prices = st.builds(
    PriceFacts,
    price_id=st.integers(1, 10**6),
    external_id=st.just("x"),
    currency=st.sampled_from(["USD", "EUR", "GBP"]),
    **dict.fromkeys(FEE_NAMES, fees),
    group_id=st.sampled_from([None, None, 500, 501]),
    restriction=st.just(""),
    restriction_minimum=st.none(),
    restriction_maximum=st.none(),
    category_codes=st.sampled_from([frozenset(), frozenset({CATEGORY}), frozenset({"disk1"})]),
    source=st.just("a list"),
    basis=st.just("published"),
    item_id=st.just(ITEM),
    term_months=st.sampled_from([None, None, 12, 36]),
)
rules = st.builds(
    BookRuleFacts,
    rule_id=st.integers(1, 99),
    target=targets,
    kind=st.sampled_from(["mark_up", "discount"]),
    percent=percents,
) | st.builds(BookRuleFacts, rule_id=st.integers(1, 99), target=targets, kind=st.just("fixed"), fees=fee_sets)
promotions = st.builds(
    PromotionFacts,
    promotion_id=st.integers(1, 99),
    name=st.just("a promotion"),
    target=targets,
    percent_off=percents,
    is_off_recurring=st.booleans(),
    is_off_once=st.booleans(),
    lasts_months=st.none() | st.integers(1, 24),
) | st.builds(
    PromotionFacts,
    promotion_id=st.integers(1, 99),
    name=st.just("a promotion"),
    target=targets,
    fees_off=st.builds(Fees, recurring_fee=fees, hourly_recurring_fee=fees, one_time_fee=fees),
    currency=st.sampled_from(["EUR", "USD"]),
    lasts_months=st.none() | st.integers(1, 24),
)
rates = st.dictionaries(
    st.sampled_from(["USD", "GBP"]), st.decimals(min_value="0.000001", max_value=200, places=6), max_size=2
)
questions = st.builds(
    PriceQuestion,
    location_groups=st.lists(st.integers(500, 502), max_size=2, unique=True).map(tuple),
    term=st.sampled_from(Term),
    currency=st.just("EUR"),
    hours_per_month=st.decimals(min_value=1, max_value=744, places=2),
    category_code=st.just(CATEGORY),
    contract_months=st.sampled_from([None, 1, 12, 24, 36]),
    package_id=st.just(PACKAGE),
)


@dataclass(frozen=True)
class Told:
    """What the oracle says a piece costs: the rate on the term and what is paid once, and the rate of later months."""

    rate: Fraction
    once: Fraction
    later: Fraction | None
    price_id: int


def half_up(number: Fraction, places: int) -> Fraction:
    return Fraction(floor(number * 10**places + Fraction(1, 2)), 10**places)


def exactly(fee: Decimal | None) -> Fraction | None:
    return None if fee is None else Fraction(fee)


def oracle(
    listed: list[PriceFacts],
    question: PriceQuestion,
    book_rules: list[BookRuleFacts],
    exchange: dict[str, Decimal],
    offers: list[PromotionFacts],
) -> Told | None:
    """Walk down docs/pricing.md; None is unpriced."""
    on_term = "hourly_recurring_fee" if question.term is Term.HOURLY else "recurring_fee"
    once_names = ("setup_fee", "one_time_fee", "labor_fee")
    left = [price for price in listed if not price.category_codes or CATEGORY in price.category_codes]
    here = sorted(
        group for price in left if (group := price.group_id) in question.location_groups and group is not None
    )
    left = [price for price in left if price.group_id == (here[0] if here else None)]
    terms = [
        price.term_months
        for price in left
        if price.term_months and price.term_months <= (question.contract_months or 0)
    ]
    left = [price for price in left if price.term_months == (max(terms) if terms else None)]
    left = [price for price in left if price.currency == "EUR"] or left

    rule = next((each for target in reversed(TARGETS) for each in book_rules if each.target == target), None)
    fixed: dict[str, Fraction] = {}
    if rule is not None and rule.kind == "fixed":
        fixed = {name: fee for name in FEE_NAMES if (fee := exactly(getattr(rule.fees, name))) is not None}
    found = []
    for price in left:
        named = {name: fee for name in FEE_NAMES if (fee := exactly(getattr(price, name))) is not None}
        if on_term not in named and on_term not in fixed:
            continue
        if price.currency != "EUR":
            rate = exchange.get(price.currency)
            asked = {on_term, *once_names, "usage_rate"} & named.keys() - fixed.keys()
            if rate is None and asked:
                continue
            named = {} if rate is None else {name: half_up(fee * Fraction(rate), 6) for name, fee in named.items()}
        found.append((-named.get(on_term, Fraction(0)), price.price_id, named))
    if not found:
        return None
    _, price_id, regular = min(found, key=lambda each: each[:2])
    if fixed:
        regular = {**regular, **fixed}
    elif rule is not None:
        sign = 1 if rule.kind == "mark_up" else -1
        factor = 1 + sign * Fraction(rule.percent or 0) / 100
        regular = {name: half_up(fee * factor, 6) for name, fee in regular.items()}
    if any(fee > Fraction(LARGEST_FEE) for fee in regular.values()):
        return None

    hours = Fraction(question.hours_per_month) if question.term is Term.HOURLY else 1

    def over_a_year(named: dict[str, Fraction], months: int) -> Fraction:
        once = sum((named[name] for name in once_names if name in named), Fraction(0))
        return once + hours * (named[on_term] * months + regular[on_term] * (12 - months))

    best: tuple[Fraction, int, dict[str, Fraction], PromotionFacts | None] = (
        over_a_year(regular, 12),
        0,
        regular,
        None,
    )
    for each in offers:
        if each.target not in TARGETS or each.currency not in ("", "EUR"):
            continue
        promoted = taken_off(regular, each)
        months = min(12, each.lasts_months or 12)
        best = min(best, (over_a_year(promoted, months), each.promotion_id, promoted, each), key=lambda told: told[:2])
    _, _, named, offer = best
    ends = offer is not None and offer.lasts_months is not None and named[on_term] != regular[on_term]
    return Told(
        rate=named[on_term],
        once=sum((named[name] for name in once_names if name in named), Fraction(0)),
        later=regular[on_term] if ends else None,
        price_id=price_id,
    )


def taken_off(named: dict[str, Fraction], offer: PromotionFacts) -> dict[str, Fraction]:
    promoted = dict(named)
    if offer.percent_off is not None:
        for name in named:
            is_once = name in ("setup_fee", "one_time_fee", "labor_fee")
            applies = offer.is_off_once if is_once else offer.is_off_recurring and name != "usage_rate"
            if applies:
                promoted[name] = half_up(named[name] * (1 - Fraction(offer.percent_off) / 100), 6)
        return promoted
    for name in ("recurring_fee", "hourly_recurring_fee"):
        if name in named:
            promoted[name] = max(Fraction(0), named[name] - Fraction(getattr(offer.fees_off, name) or 0))
    left = Fraction(offer.fees_off.one_time_fee or 0)
    for name in ("setup_fee", "one_time_fee", "labor_fee"):
        if name in named:
            promoted[name], left = max(Fraction(0), named[name] - left), max(Fraction(0), left - named[name])
    return promoted


@settings(max_examples=1000)
@given(
    listed=st.lists(prices, max_size=5, unique_by=lambda price: price.price_id),
    question=questions,
    book_rules=st.lists(rules, max_size=4, unique_by=lambda rule: rule.rule_id),
    exchange=rates,
    offers=st.lists(promotions, max_size=3, unique_by=lambda offer: offer.promotion_id),
)
def test_the_ladder_agrees_with_an_oracle_in_exact_fractions(listed, question, book_rules, exchange, offers):
    deal = deal_made_of(book_rules, exchange, offers)

    answer = answer_price(listed, replace(question, deal=deal))

    told = oracle(listed, question, book_rules, exchange, offers)
    if told is None:
        assert answer.is_unpriced
        assert "Unpriced." in answer.steps[-1].words
        return
    hours = Fraction(question.hours_per_month) if question.term is Term.HOURLY else Fraction(1)
    assert Fraction(answer.rate) == told.rate
    assert Fraction(answer.once.amount) == told.once
    assert answer.chosen.price_id == told.price_id
    assert Fraction(answer.monthly.owed().amount) == half_up(told.rate * hours, 2)
    assert (Fraction(answer.afterwards.rate) if answer.afterwards else None) == told.later


@given(
    listed=st.lists(prices, min_size=1, max_size=4, unique_by=lambda price: price.price_id),
    question=questions,
    book_rules=st.lists(rules, max_size=3, unique_by=lambda rule: rule.rule_id),
    exchange=rates,
    offers=st.lists(promotions, max_size=3, unique_by=lambda offer: offer.promotion_id),
    data=st.data(),
)
def test_neither_the_order_of_prices_nor_of_promotions_matters(listed, question, book_rules, exchange, offers, data):
    shuffled, swapped = data.draw(st.permutations(listed)), data.draw(st.permutations(offers))

    answer = answer_price(listed, replace(question, deal=deal_made_of(book_rules, exchange, offers)))
    again = answer_price(shuffled, replace(question, deal=deal_made_of(book_rules, exchange, swapped)))

    assert answer == again


@given(
    listed=st.lists(prices, min_size=1, max_size=4, unique_by=lambda price: price.price_id),
    question=questions,
    exchange=rates,
    offers=st.lists(promotions, max_size=3, unique_by=lambda offer: offer.promotion_id),
)
def test_a_promotion_never_makes_a_year_dearer_or_anything_negative(listed, question, exchange, offers):
    plain = answer_price(listed, replace(question, deal=deal_made_of([], exchange, [])))
    promoted = answer_price(listed, replace(question, deal=deal_made_of([], exchange, offers)))

    assert promoted.is_unpriced == plain.is_unpriced
    if not plain.is_unpriced:
        assert Decimal(0) <= promoted.rate <= plain.rate
        assert Decimal(0) <= promoted.once.amount <= plain.once.amount


def deal_made_of(book_rules: list[BookRuleFacts], exchange: dict[str, Decimal], offers: Any) -> Deal:
    return Deal(
        book=BookFacts(1, "Europe", "EUR", shows_rules=True),
        rules=rules_by_target(book_rules),
        rates={currency: RateFacts(currency, rate, date(2026, 1, 1), "a bank") for currency, rate in exchange.items()},
        promotions=tuple(offers),
    )
