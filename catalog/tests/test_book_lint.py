"""Faults planted in price books, rates and promotions: each is found once, and nothing else."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from accounts.models import Account
from accounts.tests.factories import make_account, make_partner
from catalog.lint import catalog_lint
from catalog.models import ItemPrice, Package, PriceBook, PriceBookRule
from catalog.tests.book_factories import make_book, make_promotion, make_rate, make_rule
from catalog.tests.factories import make_category, make_item, make_package, make_price

NOW = datetime(2026, 3, 1, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def shop() -> Package:
    """Return a sound package with two items, sold to an account that pays in EUR by its partner's book."""
    items = [make_item("box", category_code="server"), make_item("disk", category_code="disk0")]
    for item in items:
        make_price(item, monthly="10")
    account = make_account()
    Account.objects.filter(pk=account.pk).update(currency="EUR")
    make_rate("USD", "EUR", "0.92")
    book = make_book(account.partner, name="Europe", currency="EUR")
    make_rule(book, "+15")
    make_rule(book, "recurring_fee=9.50", items[0])
    make_promotion(about=make_category("disk0"))
    return make_package("server", items=items, required=["server"], optional=["disk0"])


def book_of() -> PriceBook:
    return PriceBook.objects.get()


def rate_missing(shop: Package) -> None:
    ItemPrice.objects.filter(item__key_name="disk").update(currency="GBP")


def book_item_unpriced(shop: Package) -> None:
    ItemPrice.objects.filter(item__key_name="disk").update(recurring_fee=Decimal("999999999.999999"))


def books_overlap(shop: Package) -> None:
    make_book(book_of().partner, name="Second", currency="EUR", valid_from=NOW - timedelta(days=1))
    make_rule(PriceBook.objects.get(name="Second"), "+1")


def book_rules_overlap(shop: Package) -> None:
    make_rule(book_of(), "+20", valid_from=NOW + timedelta(days=30))


def book_rule_idle(shop: Package) -> None:
    retired = make_package("old", items=[shop.items.get(key_name="box")], required=["server"])
    Package.objects.filter(pk=retired.pk).update(is_active=False)
    make_rule(book_of(), "+20", retired)


def promotions_contradict(shop: Package) -> None:
    make_promotion("Again", about=make_category("disk0"), partner=book_of().partner)


def promotion_code_twice(shop: Package) -> None:
    make_promotion("For all", code="SPRING")
    make_promotion("Ours", code="SPRING", partner=book_of().partner)


FAULTS: tuple[Callable[[Package], None], ...] = (
    rate_missing,
    book_item_unpriced,
    books_overlap,
    book_rules_overlap,
    book_rule_idle,
    promotions_contradict,
    promotion_code_twice,
)


def test_sound_price_books_have_no_finding(shop):
    assert catalog_lint(at=NOW) == []


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_the_one_finding(shop, plant):
    plant(shop)

    findings = catalog_lint(at=NOW)

    assert [finding.code for finding in findings] == [plant.__name__]
    assert findings[0].words.endswith(".")


def test_the_finding_about_a_rate_names_the_currencies_and_who_needs_it(shop):
    rate_missing(shop)

    finding = catalog_lint(at=NOW)[0]

    assert finding.subject == "North, North: Europe"
    assert finding.words == "Prices in GBP cannot be told in EUR: there is no exchange rate. Add one."


def test_a_rate_that_has_not_begun_is_missing(shop):
    rate_missing(shop)
    make_rate("GBP", "EUR", "1.15", valid_from=date(2026, 3, 2))

    assert [finding.code for finding in catalog_lint(at=NOW)] == ["rate_missing"]
    assert catalog_lint(at=NOW + timedelta(days=1)) == []


def test_rules_and_promotions_that_follow_each_other_or_are_others_are_no_fault(shop):
    PriceBookRule.objects.filter(scope="everything").update(valid_to=NOW + timedelta(days=30))
    make_rule(book_of(), "+20", valid_from=NOW + timedelta(days=30))
    harbor = make_partner("Harbor")
    make_promotion("Ours", code="SPRING", partner=book_of().partner)
    make_promotion("Theirs", code="SPRING", partner=harbor)
    make_rule(make_book(harbor, currency="EUR"), "+15")

    assert catalog_lint(at=NOW) == []
