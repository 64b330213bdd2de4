"""Keeping price books: every problem at once, rules closed and replaced, and the catalogue's version moves on."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from accounts.tests.factories import make_account, make_partner
from catalog.fees import Fees
from catalog.models import ExchangeRate, PriceBook, PriceBookRule
from catalog.price_books import (
    RuleAsked,
    books_of,
    exchange_rate_add,
    price_book_create,
    price_book_end,
    price_book_rule_add,
    price_book_rule_end,
    rules_of,
)
from catalog.selectors import catalog_version
from catalog.tests.book_factories import make_book, make_promotion, make_rule
from catalog.tests.factories import make_category, make_item, make_package
from core.errors import InputRefused, RuleBroken

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=30)
MARK_UP = RuleAsked(kind="mark_up", scope="everything", percent=Decimal(15))
pytestmark = pytest.mark.django_db


@pytest.fixture
def book():
    return make_book(make_partner())


def add(book, asked, *, now=NOW):
    return price_book_rule_add(book_id=book.pk, asked=asked, who="op", now=now)


def problems_of(call):
    with pytest.raises(InputRefused) as refusal:
        call()
    return {(problem.field, problem.code) for problem in refusal.value.violations}


def test_a_price_book_begins_now_and_gives_the_catalogue_a_new_version():
    before = catalog_version()

    book = price_book_create(
        partner=make_partner(), name=" Europe ", currency="EUR", shows_rules=False, who="op", now=NOW
    )

    assert (book.name, book.currency, book.valid_from, book.valid_to) == ("Europe", "EUR", NOW, None)
    assert catalog_version() != before


def test_a_price_book_with_a_taken_name_and_no_currency_is_refused_with_both():
    partner = make_partner()
    make_book(partner, name="Europe")

    found = problems_of(
        lambda: price_book_create(partner=partner, name="Europe", currency="euro", shows_rules=False, who="op", now=NOW)
    )

    assert found == {("name", "name_taken"), ("currency", "currency_unknown")}
    assert PriceBook.objects.count() == 1


def test_a_new_rule_ends_the_one_about_the_same_and_leaves_the_others(book):
    category = make_category()
    others = [make_rule(book, "+1", category), make_rule(make_book(make_partner("Harbor")), "+2")]
    old = add(book, MARK_UP, now=NOW - timedelta(days=1))

    new = add(book, replace(MARK_UP, percent=Decimal(20), valid_from=LATER))

    old.refresh_from_db()
    assert (old.valid_to, new.valid_from, new.valid_to) == (LATER, LATER, None)
    assert [PriceBookRule.objects.get(pk=other.pk).valid_to for other in others] == [None, None]
    assert list(rules_of(book=book)) == [new, old, others[0]]


@pytest.mark.parametrize(
    ("asked_end", "end"), [(None, LATER), (LATER + timedelta(days=1), LATER), (LATER - timedelta(days=1),) * 2]
)
def test_a_rule_added_before_a_later_one_about_the_same_ends_when_that_one_begins(book, asked_end, end):
    latest = add(book, replace(MARK_UP, percent=Decimal(9), valid_from=LATER + timedelta(days=30)))
    scheduled = add(book, replace(MARK_UP, percent=Decimal(5), valid_from=LATER))
    now_held = add(book, MARK_UP)
    begins = NOW + timedelta(days=7)

    temporary = add(book, replace(MARK_UP, percent=Decimal(3), valid_from=begins, valid_to=asked_end))

    assert list(book.rules.order_by("valid_from").values_list("pk", "percent", "valid_from", "valid_to")) == [
        (now_held.pk, Decimal(15), NOW, begins),
        (temporary.pk, Decimal(3), begins, end),
        (scheduled.pk, Decimal(5), LATER, LATER + timedelta(days=30)),
        (latest.pk, Decimal(9), LATER + timedelta(days=30), None),
    ]


def test_a_rule_that_would_never_have_held_goes_when_another_takes_its_place(book):
    add(book, replace(MARK_UP, valid_from=LATER))

    new = add(book, replace(MARK_UP, percent=Decimal(3), valid_from=LATER))

    assert list(book.rules.all()) == [new]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (RuleAsked(kind="", scope=""), {("kind", "kind_unknown"), ("scope", "scope_unknown")}),
        (replace(MARK_UP, percent=None), {("percent", "percent_out_of_range")}),
        (replace(MARK_UP, percent=Decimal("NaN")), {("percent", "percent_out_of_range")}),
        (replace(MARK_UP, kind="discount", percent=Decimal(101)), {("percent", "percent_out_of_range")}),
        (replace(MARK_UP, percent=Decimal("0.00001")), {("percent", "percent_too_fine")}),
        (replace(MARK_UP, fees=Fees(setup_fee=Decimal(1))), {("setup_fee", "fee_not_fixed")}),
        (
            RuleAsked(kind="fixed", scope="everything", percent=Decimal(5)),
            {("percent", "percent_not_fixed"), ("recurring_fee", "fee_missing"), ("scope", "fixed_for_everything")},
        ),
        (
            RuleAsked(kind="fixed", scope="package", fees=Fees(Decimal(-1), Decimal("0.0000001"))),
            {
                ("recurring_fee", "fee_out_of_range"),
                ("hourly_recurring_fee", "fee_out_of_range"),
                ("package", "target_missing"),
            },
        ),
        (
            replace(MARK_UP, valid_from=NOW - timedelta(days=1), valid_to=NOW - timedelta(days=2)),
            {("valid_from", "begins_in_the_past"), ("valid_to", "ends_too_early")},
        ),
    ],
)
def test_a_rule_is_refused_with_every_problem_at_once_and_nothing_changes(book, asked, expected):
    kept = add(book, MARK_UP)
    version = catalog_version()

    assert problems_of(lambda: add(book, asked)) == expected
    assert list(book.rules.values("pk", "valid_to")) == [{"pk": kept.pk, "valid_to": None}]
    assert catalog_version() == version


def test_a_rule_about_one_thing_names_nothing_else(book):
    asked = replace(MARK_UP, scope="item", item=make_item(), package=make_package())

    assert problems_of(lambda: add(book, asked)) == {("package", "target_too_many")}


def test_a_rule_ends_now_and_a_second_end_is_refused(book):
    rule = make_rule(book, "+10")

    price_book_rule_end(book_id=book.pk, rule_id=rule.pk, who="op", now=NOW)

    rule.refresh_from_db()
    assert rule.valid_to == NOW
    with pytest.raises(RuleBroken, match="ended on 2026-03-01 already"):
        price_book_rule_end(book_id=book.pk, rule_id=rule.pk, who="op", now=LATER)


def test_a_rule_of_another_book_is_not_there_to_be_ended(book):
    rule = make_rule(make_book(make_partner("Harbor")), "+10")

    with pytest.raises(PriceBookRule.DoesNotExist):
        price_book_rule_end(book_id=book.pk, rule_id=rule.pk, who="op", now=NOW)

    rule.refresh_from_db()
    assert rule.valid_to is None


def test_an_ended_price_book_takes_no_rules_any_more(book):
    price_book_end(book_id=book.pk, who="op", now=NOW)

    with pytest.raises(RuleBroken) as refusal:
        add(book, MARK_UP)

    assert refusal.value.code == "price_book_ended"
    assert not book.rules.exists()


def test_books_are_those_of_the_partner_and_all_of_them_where_there_is_none(book):
    other = make_book(make_partner("Harbor"))

    assert list(books_of(partner_id=other.partner_id)) == [other]
    assert set(books_of(partner_id=None)) == {book, other}


def test_an_exchange_rate_is_one_a_day_between_two_currencies():
    asked = {"rate": Decimal("0.92"), "valid_from": date(2026, 3, 1), "source": "a bank", "who": "op", "now": NOW}
    exchange_rate_add(from_currency="USD", to_currency="EUR", **asked)

    assert problems_of(lambda: exchange_rate_add(from_currency="USD", to_currency="EUR", **asked)) == {
        ("valid_from", "rate_exists")
    }
    assert problems_of(
        lambda: exchange_rate_add(from_currency="usd", to_currency="usd", **{**asked, "rate": Decimal(0)})
    ) == {
        ("from_currency", "currency_unknown"),
        ("to_currency", "currency_unknown"),
        ("to_currency", "same_currency"),
        ("rate", "rate_out_of_range"),
    }
    assert ExchangeRate.objects.get().rate == Decimal("0.92")


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"kind": "mark_up", "percent": None}, "a_rule_has_a_percentage_or_a_fixed_price"),
        ({"kind": "mark_up", "percent": 5, "setup_fee": 1}, "a_rule_has_a_percentage_or_a_fixed_price"),
        ({"kind": "discount", "percent": 101}, "a_percentage_of_a_rule_is_in_its_range"),
        ({"kind": "fixed"}, "a_fixed_price_has_a_fee"),
        ({"kind": "fixed", "recurring_fee": 1}, "a_fixed_price_is_not_for_everything"),
        ({"kind": "mark_up", "percent": 5, "scope": "item"}, "a_price_book_rule_names_its_target"),
        ({"kind": "mark_up", "percent": 5, "valid_to": NOW}, "a_price_book_rule_ends_after_it_begins"),
    ],
)
def test_the_database_refuses_a_rule_that_no_service_would_write(book, values, constraint):
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        PriceBookRule.objects.create(book=book, **{"scope": "everything", "valid_from": NOW, **values})

    assert not book.rules.exists()


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"percent_off": None}, "a_promotion_is_a_percentage_or_amounts_off_one_kind"),
        ({"is_off_recurring": False, "is_off_once": False}, "a_promotion_is_a_percentage_or_amounts_off_one_kind"),
        ({"recurring_fee_off": 1, "currency": "USD"}, "a_promotion_is_a_percentage_or_amounts_off_one_kind"),
        ({"code": "spring"}, "a_promotion_code_is_in_capitals"),
        ({"use_limit": 1, "used": 2}, "a_promotion_is_not_used_beyond_its_limit"),
        ({"lasts_months": 0}, "a_promotion_lasts_at_least_a_month"),
    ],
)
def test_the_database_refuses_a_promotion_that_makes_no_sense(values, constraint):
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        make_promotion(**values)


def test_a_code_stands_once_for_each_partner_and_once_for_all():
    make_promotion(code="SPRING")
    make_promotion(code="SPRING", partner=make_account().partner)

    with pytest.raises(IntegrityError), transaction.atomic():
        make_promotion(code="SPRING")
