from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.demo import demo_load
from accounts.models import Account
from catalog.demo_prices import demo_prices_load
from catalog.lint import catalog_lint
from catalog.models import ExchangeRate, Item, Location, PriceBook, PriceBookRule, Promotion
from catalog.pricing import Term
from catalog.selectors import explain_price, price_question

NOW = datetime(2040, 1, 1, tzinfo=UTC)
"""After the shipped catalogue was loaded, whose undated prices begin with that."""
pytestmark = pytest.mark.django_db


def test_the_demo_partners_prices_are_in_eur_with_its_mark_up_and_its_promotion():
    call_command("catalog_load", stdout=StringIO())
    demo_load()

    assert demo_prices_load(now=NOW)

    question = price_question(
        account=Account.objects.get(partner__slug="alpine"),
        location=Location.objects.get(key_name="us-east-1"),
        term=Term.HOURLY,
        at=NOW,
        promotion_code="SUMMIT",
    )
    answer = explain_price(item=Item.objects.get(key_name="m1.small"), question=question, at=NOW).answer
    assert [step.words for step in answer.steps[1:5]] == [
        "Listed: 0.08 USD an hour.",
        "1 USD = 0.75 EUR since 1 January 2012 (Illustrative, made up for the demo): 0.06 EUR an hour.",
        "Price book “Alpine prices”: mark-up 12 % on everything: 0.0672 EUR an hour.",
        "Promotion “Summit”, 20 % off each month on everything: 0.05376 EUR an hour, for 3 months; "
        "then 0.0672 EUR an hour.",
    ]
    assert (answer.monthly.text, answer.afterwards.monthly.text) == ("38.71", "48.38")
    assert catalog_lint(at=NOW) == []


def test_loading_the_demo_prices_again_changes_nothing_nor_does_it_without_the_partner():
    assert not demo_prices_load(now=NOW)
    demo_load()
    assert demo_prices_load(now=NOW)
    PriceBookRule.objects.update(valid_to=datetime(2040, 4, 1, tzinfo=UTC))
    before = [list(model.objects.values()) for model in (PriceBook, PriceBookRule, Promotion, ExchangeRate)]

    assert not demo_prices_load(now=NOW)

    assert [list(model.objects.values()) for model in (PriceBook, PriceBookRule, Promotion, ExchangeRate)] == before
