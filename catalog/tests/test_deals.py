"""What applies to an account as it is read: exact figures, right days, one query."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import Account
from accounts.tests.factories import make_account, make_partner
from catalog.deal import LIST_PRICES
from catalog.deals import deal_of
from catalog.models import PriceBookRule
from catalog.pricing import Term
from catalog.selectors import explain_price, price_question
from catalog.tests.book_factories import make_book, make_promotion, make_rate, make_rule
from catalog.tests.factories import make_category, make_item, make_location, make_package, make_price

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def account():
    return make_account()


def answer_for(account, item, *, at=NOW, category_code="machine_type", package_id=None, **asked):
    question = price_question(
        account=account,
        location=make_location(),
        term=Term.MONTHLY,
        at=at,
        category_code=category_code,
        package_id=package_id,
        **asked,
    )
    return explain_price(item=item, question=question, at=at).answer


def test_the_whole_ladder_from_the_list_to_the_promotion_says_each_step():
    account = make_account()
    Account.objects.update(currency="EUR")
    account.refresh_from_db()
    item = make_item("m1.small")
    make_price(item, monthly="100", setup_fee=Decimal(25))
    make_rate("USD", "EUR", "0.92", valid_from=date(2026, 2, 3))
    book = make_book(account.partner, name="Europe", currency="EUR")
    make_rule(book, "+15")
    make_rule(book, "+20", make_category())
    make_promotion("Spring", is_off_once=False, lasts_months=3)

    answer = answer_for(account, item)

    assert [(step.rule, step.words) for step in answer.steps] == [
        ("list_price", "1 open price listed."),
        ("list_fee", "Listed: 100.00 USD a month, 25.00 USD once."),
        ("currency", "1 USD = 0.92 EUR since 3 February 2026 (a bank): 92.00 EUR a month, 23.00 EUR once."),
        (
            "price_book",
            "Price book “Europe”: mark-up 20 % on the category Machine type: 110.40 EUR a month, 27.60 EUR once.",
        ),
        (
            "promotion",
            "Promotion “Spring”, 20 % off each month on everything: 88.32 EUR a month, 27.60 EUR once, for 3 months; "
            "then 110.40 EUR a month.",
        ),
        ("term", "88.32 EUR a month."),
        ("source", "Published: a price list made for tests"),
    ]
    assert (answer.monthly.text, answer.once.text, answer.over(12).text) == ("88.32", "27.60", "1286.16")


def test_a_book_that_keeps_its_rules_to_itself_tells_customers_neither_list_price_nor_mark_up(account):
    item = make_item()
    make_price(item, monthly="100")
    book = make_book(account.partner, name="Partner prices", shows_rules=False)
    make_rule(book, "+15")

    answer = answer_for(account, item)

    assert [step.words for step in answer.steps] == [
        "The price of “Partner prices”.",
        "115.00 USD a month.",
        "Published: price book Partner prices",
    ]
    assert answer.source == "price book Partner prices"
    revealed = deal_of(account=account, at=NOW, is_revealed=True)
    assert (revealed.is_hidden, deal_of(account=account, at=NOW).is_hidden) == (False, True)


def test_the_most_specific_rule_counts_and_the_newest_of_two_about_the_same(account):
    item = make_item()
    make_price(item, monthly="100")
    package = make_package(items=[item])
    book = make_book(account.partner)
    make_rule(book, "+1")
    assert answer_for(account, item, package_id=package.pk).monthly.text == "101.00"
    make_rule(book, "+2", package)
    assert answer_for(account, item, package_id=package.pk).monthly.text == "102.00"
    make_rule(book, "+3", make_category())
    assert answer_for(account, item, package_id=package.pk).monthly.text == "103.00"
    make_rule(book, "+4", item)
    older = PriceBookRule.objects.get(percent=4)
    make_rule(book, "+5", item, valid_from=NOW - timedelta(days=1))

    answer = answer_for(account, item, package_id=package.pk)

    assert answer.monthly.text == "105.00"
    assert f"older: {older.pk}; the newest counts." in " ".join(step.words for step in answer.steps)
    assert answer_for(account, item, category_code="disk0").monthly.text == "105.00"
    assert answer_for(account, make_priced_item("other"), category_code="").monthly.text == "101.00"


def make_priced_item(key_name):
    item = make_item(key_name)
    make_price(item, monthly="100")
    return item


def test_a_rule_counts_from_its_first_moment_until_just_before_its_last(account):
    item = make_priced_item("m1.small")
    make_rule(make_book(account.partner), "+10", valid_from=NOW, valid_to=NOW + timedelta(days=1))

    times = [NOW - timedelta(microseconds=1), NOW, NOW + timedelta(days=1, microseconds=-1), NOW + timedelta(days=1)]

    assert [answer_for(account, item, at=at).monthly.text for at in times] == ["100.00", "110.00", "110.00", "100.00"]


def test_the_newest_rate_that_has_begun_on_the_day_counts(account):
    account.currency = "EUR"
    account.save()
    item = make_priced_item("m1.small")
    make_rate("USD", "EUR", "0.80", valid_from=date(2026, 2, 1))
    make_rate("USD", "EUR", "0.90", valid_from=date(2026, 3, 1))
    make_rate("USD", "EUR", "0.99", valid_from=date(2026, 3, 2))
    make_rate("EUR", "USD", "1.10")

    assert answer_for(account, item, at=NOW - timedelta(days=1)).monthly.text == "80.00"
    assert answer_for(account, item).monthly.text == "90.00"
    before = answer_for(account, item, at=datetime(2026, 1, 31, 23, tzinfo=UTC))
    assert before.is_unpriced
    assert before.steps[-1].words == "No exchange rate from USD to EUR is known. Unpriced."


def test_of_prices_in_several_currencies_without_a_rate_every_currency_is_named(account):
    account.currency = "EUR"
    account.save()
    item = make_priced_item("m1.small")
    make_price(item, monthly="90", currency="GBP")

    assert answer_for(account, item).steps[-1].words == "No exchange rate from GBP or USD to EUR is known. Unpriced."


def test_of_several_books_the_one_in_the_accounts_currency_counts_then_the_newest(account):
    item = make_priced_item("m1.small")
    make_rule(make_book(account.partner, currency="EUR", valid_from=NOW), "+50")
    make_rule(make_book(account.partner), "+10")
    make_rule(make_book(account.partner, valid_from=NOW - timedelta(days=1)), "+20")
    make_rule(make_book(make_partner("Harbor")), "+90")

    assert answer_for(account, item).monthly.text == "120.00"


def test_a_fixed_price_in_the_books_currency_is_exchanged(account):
    item = make_priced_item("m1.small")
    make_rule(make_book(account.partner, currency="EUR"), "recurring_fee=50", item)
    assert answer_for(account, item).steps[-1].words == "No exchange rate from EUR to USD is known. Unpriced."

    make_rate("EUR", "USD", "1.10")

    answer = answer_for(account, item)
    assert answer.monthly.text == "55.00"
    assert answer.source.startswith("price book ")


def test_a_promotion_counts_for_its_partner_by_its_code_and_until_it_is_used_up(account):
    item = make_priced_item("m1.small")
    make_promotion("Ours", partner=account.partner, code="SPRING", use_limit=2, used=1)
    make_promotion("Theirs", partner=make_partner("Harbor"), percent_off=Decimal(90))
    make_promotion("Over", percent_off=Decimal(80), valid_to=NOW)

    assert answer_for(account, item).monthly.text == "100.00"
    assert answer_for(account, item, promotion_code=" spring ").monthly.text == "80.00"
    account.partner.promotions.update(used=2)
    assert answer_for(account, item, promotion_code="SPRING").monthly.text == "100.00"


def test_amounts_off_count_in_their_own_currency_only(account):
    item = make_priced_item("m1.small")
    make_promotion(about=make_category(), recurring_fee_off=Decimal("5.5"), currency="USD")
    make_promotion(about=item, recurring_fee_off=Decimal(50), currency="EUR")

    assert answer_for(account, item).monthly.text == "94.50"


def test_a_deal_takes_one_query_whatever_the_number_of_rules(account, django_assert_num_queries):
    book = make_book(account.partner)
    items = [make_priced_item(f"item-{number}") for number in range(50)]
    for item in items:
        make_rule(book, "+10", item)
        make_promotion(about=item)
    make_rate("EUR", "USD", "1.1")

    with django_assert_num_queries(1):
        deal = deal_of(account=account, at=NOW)
    with django_assert_num_queries(1):
        few = deal_of(account=account, at=NOW, item_ids=[items[3].pk])

    assert (len(deal.rules), len(deal.promotions), len(deal.rates)) == (50, 50, 1)
    assert (len(few.rules), len(few.promotions)) == (1, 1)


def test_an_account_of_no_partner_is_told_the_list_prices(django_assert_num_queries):
    make_promotion()

    with django_assert_num_queries(0):
        assert deal_of(account=Account(name="List prices", currency="USD"), at=NOW) is LIST_PRICES


@settings(deadline=None)
@given(
    fee=st.decimals(min_value=0, max_value="999999999.999999", places=6),
    percent=st.decimals(min_value="0.0001", max_value=1000, places=4),
    rate=st.decimals(min_value="0.000001", max_value="999999999.999999", places=6),
)
def test_every_figure_comes_back_as_it_was_stored_though_it_passes_through_json(fee, percent, rate):
    with transaction.atomic():
        account = make_account()
        book = make_book(account.partner)
        make_rule(book, f"recurring_fee={fee}", make_category())
        make_rule(book, f"+{percent}")
        make_rate("EUR", "USD", str(rate))
        deal = deal_of(account=account, at=NOW)
        transaction.set_rollback(True)

    found = {scope: rules[0] for (scope, _), rules in deal.rules.items()}
    assert found["category"].fees.recurring_fee == fee
    assert found["everything"].percent == percent
    assert deal.rates["EUR"].rate == rate
