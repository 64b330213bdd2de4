"""The price ladder: plain values, and the same through the database."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.tests.factories import make_account
from catalog.pricing import PriceFacts, PriceQuestion, Term, answer_price
from catalog.selectors import explain_price, price_question, prices_by_item
from catalog.tests.factories import make_category, make_group, make_item, make_location, make_price

NOW = datetime(2026, 3, 1, tzinfo=UTC)
fees = st.none() | st.decimals(min_value=0, max_value=999_999_999, places=6)
facts = st.builds(
    PriceFacts,
    price_id=st.integers(1, 10**6),
    external_id=st.just("x"),
    currency=st.sampled_from(["USD", "EUR"]),
    recurring_fee=fees,
    hourly_recurring_fee=fees,
    setup_fee=fees,
    one_time_fee=fees,
    labor_fee=fees,
    usage_rate=fees,
    group_id=st.none() | st.integers(500, 503),
    restriction=st.just(""),
    restriction_minimum=st.none(),
    restriction_maximum=st.none(),
    category_codes=st.sampled_from([frozenset(), frozenset({"disk0"}), frozenset({"disk1"})]),
    source=st.just("a list"),
    basis=st.sampled_from(["published", "illustrative"]),
)
price_lists = st.lists(facts, max_size=6, unique_by=lambda price: price.price_id)
questions = st.builds(
    PriceQuestion,
    location_groups=st.lists(st.integers(500, 503), max_size=3).map(tuple),
    term=st.sampled_from(Term),
    currency=st.just("USD"),
    hours_per_month=st.decimals(min_value=1, max_value=744, places=2),
    category_code=st.sampled_from(["", "disk0"]),
)


@given(prices=price_lists, question=questions, data=st.data())
def test_the_order_of_prices_does_not_matter(prices, question, data):
    shuffled = data.draw(st.permutations(prices))

    answer, again = answer_price(prices, question), answer_price(shuffled, question)

    assert (answer.chosen, answer.monthly, answer.once, answer.ties) == (
        again.chosen,
        again.monthly,
        again.once,
        again.ties,
    )


@given(prices=price_lists, question=questions)
def test_a_price_without_a_fee_on_the_term_is_never_zero(prices, question):
    answer = answer_price(prices, question)

    if answer.chosen is None:
        assert (answer.monthly, answer.once) == (None, None)
        assert "Unpriced." in answer.steps[-1].words
    else:
        fee = answer.chosen.fee_on(question.term)
        hours = question.hours_per_month if question.term is Term.HOURLY else 1
        assert answer.monthly.amount == fee * hours


@given(prices=price_lists, question=questions)
def test_a_location_price_replaces_the_standard_one(prices, question):
    fitting = [price for price in prices if not price.category_codes or "disk0" in price.category_codes]
    question = PriceQuestion(question.location_groups, question.term, "USD", category_code="disk0")
    here = sorted({price.group_id for price in fitting} & set(question.location_groups))

    answer = answer_price(prices, question)

    if answer.chosen is not None:
        assert answer.chosen.group_id == (here[0] if here else None)


@pytest.mark.django_db
def test_a_small_machine_costs_57_60_in_a_month_of_720_hours():
    item = make_item("m1.small")
    make_price(item, hourly="0.08")

    question = price_question(account=make_account(), location=make_location(), term=Term.HOURLY, at=NOW)
    answer, *_ = explain_price(item=item, question=question, at=NOW)

    assert answer.monthly.text == "57.60"
    assert [step.words for step in answer.steps] == [
        "1 open price listed.",
        "0.08 USD an hour × 720 hours a month = $57.60.",
        "Published: a price list made for tests",
    ]


@pytest.mark.django_db
def test_the_location_decides_through_its_active_groups():
    item, active, retired = make_item(), make_group(503), make_group(502, is_active=False)
    make_price(item, monthly="137.75")
    make_price(item, monthly="141.88", group=active)
    make_price(item, monthly="150", group=retired)
    account = make_account()

    answers = {
        key_name: explain_price(
            item=item,
            question=price_question(
                account=account, location=make_location(key_name, groups=groups), term=Term.MONTHLY, at=NOW
            ),
            at=NOW,
        )[0]
        for key_name, groups in {"dal05": [], "ams01": [active, retired], "old01": [retired]}.items()
    }

    assert {key_name: answer.monthly.text for key_name, answer in answers.items()} == {
        "dal05": "137.75",
        "ams01": "141.88",
        "old01": "137.75",
    }


@pytest.mark.django_db
def test_a_price_counts_from_its_first_moment_until_just_before_its_last():
    item, account, location = make_item(), make_account(), make_location()
    make_price(item, monthly="10", valid_to=NOW)
    make_price(item, monthly="12", valid_from=NOW)

    def at(moment):
        question = price_question(account=account, location=location, term=Term.MONTHLY, at=moment)
        return explain_price(item=item, question=question, at=moment)[0].monthly.text

    assert at(NOW - timedelta(microseconds=1)) == "10.00"
    assert at(NOW) == "12.00"


@pytest.mark.django_db
def test_prices_come_in_one_query_with_all_their_categories(django_assert_num_queries):
    items = [make_item(f"disk-{number}", category_code="disk0") for number in range(5)]
    for item in items:
        make_price(item, monthly="10").categories.add(make_category("disk0"), make_category("disk1"))

    with django_assert_num_queries(1):
        prices = prices_by_item(item_ids=[item.pk for item in items], at=NOW)

    assert [len(prices[item.pk]) for item in items] == [1] * 5
    assert prices[items[0].pk][0].category_codes == {"disk0", "disk1"}
    assert prices[items[0].pk][0].recurring_fee == Decimal(10)


@pytest.mark.django_db
def test_without_a_container_the_smallest_range_answers_and_the_others_are_told():
    item = make_item("rhel")
    make_price(item, monthly="32.63", restriction="PROCESSOR", restriction_minimum=1, restriction_maximum=1)
    make_price(item, monthly="65.25", restriction="PROCESSOR", restriction_minimum=2, restriction_maximum=2)

    question = price_question(account=make_account(), location=make_location(), term=Term.MONTHLY, at=NOW)
    answer, ranges, _ = explain_price(item=item, question=question, at=NOW)

    assert answer.monthly.text == "32.63"
    assert [each.price.monthly.text for each in ranges] == ["32.63", "65.25"]
