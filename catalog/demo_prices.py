"""The demo's third partner sells in EUR at prices of its own: an exchange rate, a price book and a promotion."""

from datetime import date, datetime
from decimal import Decimal

from django.db import transaction

from accounts.models import Partner
from catalog.book_models import ExchangeRate, PriceBookRule, Promotion, Scope
from catalog.models import Package
from catalog.price_books import (
    RuleAsked,
    exchange_rate_add,
    price_book_create,
    price_book_rule_add,
)

SLUG = "alpine"
WHO = "demo"
RATE = Decimal("0.75")
RATE_SOURCE = "Illustrative, made up for the demo"
DISCOUNTED = "ec2-block-volume"


@transaction.atomic
def demo_prices_load(*, now: datetime) -> bool:
    """Give the demo partner its prices unless it has, or had, a price book; returns whether it did."""
    partner = Partner.objects.filter(slug=SLUG).first()
    if partner is None or partner.price_books.exists():
        return False
    if not ExchangeRate.objects.filter(from_currency="USD", to_currency="EUR").exists():
        exchange_rate_add(
            from_currency="USD",
            to_currency="EUR",
            rate=RATE,
            valid_from=date(2012, 1, 1),
            source=RATE_SOURCE,
            who=WHO,
            now=now,
        )
    book = price_book_create(partner=partner, name="Alpine prices", currency="EUR", shows_rules=True, who=WHO, now=now)
    rules = [RuleAsked(kind=PriceBookRule.Kind.MARK_UP, scope=Scope.EVERYTHING, percent=Decimal(12))]
    for package in Package.objects.filter(key_name=DISCOUNTED):
        rules.append(
            RuleAsked(kind=PriceBookRule.Kind.DISCOUNT, scope=Scope.PACKAGE, package=package, percent=Decimal(5))
        )
    for asked in rules:
        price_book_rule_add(book_id=book.pk, asked=asked, who=WHO, now=now)
    Promotion.objects.create(
        partner=partner,
        name="Summit",
        code="SUMMIT",
        percent_off=Decimal(20),
        is_off_recurring=True,
        scope=Scope.EVERYTHING,
        lasts_months=3,
        use_limit=100,
        valid_from=now,
    )
    return True
