"""Figures in templates carry their units, and what is unknown does not read as zero."""

from decimal import Decimal

import pytest

from core.templatetags import figures


def test_an_unknown_price_reads_unpriced() -> None:
    assert figures.money(None) == "unpriced"
    assert figures.money("7488.00", "USD") == "$7,488.00"


@pytest.mark.parametrize(
    ("fee", "words"), [("0.08", "$0.08"), ("0.165", "$0.165"), ("2.4", "$2.40"), ("1200", "$1,200.00"), ("0", "$0.00")]
)
def test_a_rate_keeps_the_places_it_needs(fee: str, words: str) -> None:
    assert figures.rate(Decimal(fee), "USD") == words


def test_a_rate_that_is_not_offered_is_a_dash() -> None:
    assert figures.rate(None) == "—"


def test_a_share_reads_as_per_cent() -> None:
    assert figures.percent(Decimal("0.95")) == "95 %"
    assert figures.percent(Decimal(0)) == "0 %"
    assert figures.percent(Decimal(1)) == "100 %"
