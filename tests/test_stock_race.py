"""Fifty buyers go for five pieces at the same moment: exactly five get one.

The second test is the proof that the first can fail: where a buyer looks first and takes then, more are sold than there
are, and only the database stops what goes below zero.
"""

from functools import partial
from threading import Barrier

import pytest
from django.db import IntegrityError

from catalog import stock
from catalog.models import Item, Location, Stock
from catalog.stock import StockNeed, stock_take
from catalog.tests.factories import make_item, make_location
from core.errors import RuleBroken
from tests.threads import WAIT_SECONDS, at_the_same_moment

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

BUYERS, PIECES = 50, 5


@pytest.fixture
def gpu() -> Item:
    item = make_item("gpu")
    Stock.objects.create(item=item, location=make_location(), quantity_left=PIECES)
    return item


def buy(item: Item, place: Location, quantity: int = 1) -> str:
    stock_take([StockNeed(item.pk, place.pk, quantity, "gpu", "us-east-1")])
    return "sold"


def test_of_fifty_buyers_for_five_pieces_exactly_five_get_one(gpu):
    outcomes = at_the_same_moment([partial(buy, gpu, make_location())] * BUYERS)

    refusals = [outcome for outcome in outcomes if isinstance(outcome, RuleBroken)]
    assert outcomes.count("sold") == PIECES
    assert [refusal.code for refusal in refusals] == ["stock_short"] * (BUYERS - PIECES)
    assert Stock.objects.get().quantity_left == 0


def test_two_orders_of_the_same_two_things_in_another_order_do_not_wait_for_each_other(gpu):
    place, disk = make_location(), make_item("disk")
    Stock.objects.create(item=disk, location=place, quantity_left=100)
    needs = [StockNeed(item.pk, place.pk, 1, "x", "y") for item in (gpu, disk)]

    outcomes = at_the_same_moment([partial(stock_take, each) for each in (needs, needs[::-1], needs, needs[::-1])])

    assert outcomes == [None] * 4
    assert dict(Stock.objects.values_list("item__key_name", "quantity_left")) == {"gpu": 1, "disk": 96}


def test_where_buyers_look_first_and_take_then_more_is_sold_than_there_is(gpu, monkeypatch):
    all_have_looked = Barrier(BUYERS)

    class LookingFirst:
        """The stock of one need, taken without the condition that there is enough left."""

        @staticmethod
        def filter(**asked):
            enough = asked.pop("quantity_left__gte", None)
            rows = Stock.objects.filter(**asked)
            if enough is not None and rows.get().quantity_left >= enough:
                all_have_looked.wait(WAIT_SECONDS)
            return rows

    class Unguarded:
        objects = LookingFirst

    monkeypatch.setattr(stock, "Stock", Unguarded)

    outcomes = at_the_same_moment([partial(buy, gpu, make_location())] * BUYERS)

    assert outcomes.count("sold") == PIECES
    assert {type(outcome) for outcome in outcomes if outcome != "sold"} == {IntegrityError}
    assert Stock.objects.get().quantity_left == 0
