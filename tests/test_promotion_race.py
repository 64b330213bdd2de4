"""Many orders for the last uses of a promotion: it cannot be oversold.

The second test is the proof that the first can fail: counting by reading, adding and saving sells more than there is.
"""

from functools import partial
from threading import Barrier

import pytest

from accounts.tests.factories import make_account
from catalog import promotions
from catalog.models import Promotion, PromotionUse
from catalog.promotions import promotions_redeem
from catalog.tests.book_factories import make_promotion
from core.errors import RuleBroken
from orders.tests.factories import NOW
from tests.threads import WAIT_SECONDS, at_the_same_moment

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
BUYERS, LIMIT = 8, 3


def race() -> list[object]:
    account, promotion = make_account(), make_promotion(use_limit=LIMIT)
    calls = [
        partial(
            promotions_redeem,
            promotion_ids=[promotion.pk],
            account_id=account.pk,
            subject=f"order:{number}",
            now=NOW,
        )
        for number in range(BUYERS)
    ]
    return at_the_same_moment(calls)


def test_of_eight_buyers_for_three_uses_exactly_three_get_one():
    outcomes = race()

    assert outcomes.count(None) == LIMIT
    assert [error.code for error in outcomes if isinstance(error, RuleBroken)] == ["promotion_used_up"] * 5
    assert Promotion.objects.get().used == LIMIT
    assert PromotionUse.objects.count() == LIMIT


def test_counting_by_reading_adding_and_saving_oversells(monkeypatch):
    all_have_read = Barrier(BUYERS)

    def read_add_save(*, promotion_id: int) -> None:
        promotion = Promotion.objects.get(pk=promotion_id)
        all_have_read.wait(WAIT_SECONDS)
        promotion.used += 1
        promotion.save(update_fields=["used"])

    monkeypatch.setattr(promotions, "_use_count", read_add_save)

    outcomes = race()

    assert outcomes.count(None) == BUYERS
    assert PromotionUse.objects.count() == BUYERS > LIMIT
