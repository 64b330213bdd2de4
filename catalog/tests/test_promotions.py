"""Typed codes and counted uses."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.tests.factories import make_account, make_partner
from catalog.models import Promotion, PromotionUse
from catalog.promotions import promotion_code_problems, promotion_end, promotions_redeem
from catalog.selectors import catalog_version
from catalog.tests.book_factories import make_promotion
from core.errors import RuleBroken

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def account():
    return make_account()


def codes_of(account, code):
    return [
        (problem.code, problem.field)
        for problem in promotion_code_problems(account=account, code=code, at=NOW, field="promotion_code")
    ]


def redeem(account, *promotions, subject="order:1"):
    promotions_redeem(
        promotion_ids=[promotion.pk for promotion in promotions], account_id=account.pk, subject=subject, now=NOW
    )


def test_a_typed_code_is_known_unknown_or_used_up(account):
    make_promotion(code="SPRING", use_limit=1)
    make_promotion(code="GONE", use_limit=1, used=1)
    make_promotion(code="PAST", valid_to=NOW)
    make_promotion(code="THEIRS", partner=make_partner("Harbor"))

    assert codes_of(account, " spring ") == []
    assert codes_of(account, "") == []
    assert codes_of(account, "gone") == [("promotion_used_up", "promotion_code")]
    for code in ("past", "theirs", "nothing"):
        assert codes_of(account, code) == [("promotion_unknown", "promotion_code")]


def test_a_use_is_counted_and_says_what_used_it(account):
    limited, free = make_promotion(use_limit=2), make_promotion()

    redeem(account, limited, free)

    assert list(Promotion.objects.values_list("used", flat=True)) == [1, 1]
    assert set(PromotionUse.objects.values_list("promotion", "account", "subject")) == {
        (limited.pk, account.pk, "order:1"),
        (free.pk, account.pk, "order:1"),
    }


def test_the_last_use_changes_the_catalogues_version(account):
    promotion = make_promotion(use_limit=2)
    redeem(account, promotion)
    before = catalog_version()

    redeem(account, promotion, subject="order:2")

    assert catalog_version() != before


def test_a_promotion_that_is_used_up_is_refused_and_none_is_counted(account):
    free, gone = make_promotion(), make_promotion(name="Gone", use_limit=1, used=1)

    with pytest.raises(RuleBroken, match="“Gone” was used up") as refusal:
        redeem(account, free, gone)

    assert refusal.value.code == "promotion_used_up"
    assert list(Promotion.objects.values_list("used", flat=True)) == [0, 1]
    assert not PromotionUse.objects.exists()


def test_a_promotion_ends_once(account):
    promotion = make_promotion(code="SPRING")

    promotion_end(promotion_id=promotion.pk, who="op", now=NOW)

    assert codes_of(account, "SPRING") == [("promotion_unknown", "promotion_code")]
    with pytest.raises(RuleBroken, match="ended on 2026-03-01 already"):
        promotion_end(promotion_id=promotion.pk, who="op", now=NOW + timedelta(days=1))
