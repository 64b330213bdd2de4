"""Taking stock when an order is placed: all of it or nothing, and never more than there is."""

import pytest

from catalog.models import Item, Location, Stock
from catalog.stock import StockNeed, stock_give_back, stock_take
from catalog.tests.factories import make_item, make_location
from core.errors import RuleBroken

pytestmark = pytest.mark.django_db


@pytest.fixture
def place() -> Location:
    return make_location()


@pytest.fixture
def gpu(place) -> Item:
    """Return an item of which five are left."""
    item = make_item("gpu")
    Stock.objects.create(item=item, location=place, quantity_left=5)
    return item


def need(item: Item, place: Location, quantity: int, field: str = "items[0].containers[0].gpu0") -> StockNeed:
    return StockNeed(item.pk, place.pk, quantity, item.description, place.name, field)


def left(item: Item) -> list[int]:
    return list(Stock.objects.filter(item=item).order_by("pk").values_list("quantity_left", flat=True))


def test_what_is_taken_is_no_longer_left_and_comes_back(gpu, place):
    stock_take([need(gpu, place, 2), need(gpu, place, 3)])
    taken = left(gpu)
    stock_give_back([need(gpu, place, 5)])

    assert taken == [0]
    assert left(gpu) == [5]


def test_all_that_is_short_is_named_and_nothing_is_taken(gpu, place):
    disk, board = make_item("disk"), make_item("board")
    Stock.objects.create(item=disk, location=place, quantity_left=10)
    Stock.objects.create(item=board, location=place, quantity_left=0)

    with pytest.raises(RuleBroken) as refusal:
        stock_take([need(disk, place, 10), need(gpu, place, 3), need(gpu, place, 3), need(board, place, 1, "b")])

    assert refusal.value.code == "stock_short"
    assert [(each.field, each.words) for each in refusal.value.violations] == [
        (
            "items[0].containers[0].gpu0",
            "gpu: 5 left in us-east-1, 6 asked for. Order fewer, or choose another item or location.",
        ),
        ("b", "board: 0 left in us-east-1, 1 asked for. Order fewer, or choose another item or location."),
    ]
    assert (left(disk), left(gpu), left(board)) == ([10], [5], [0])


def test_an_item_without_a_row_there_never_runs_out(gpu, place):
    stock_take([need(make_item("disk"), place, 1000), need(gpu, make_location("far"), 1000)])

    assert left(gpu) == [5]
    assert Stock.objects.count() == 1


def test_thousands_of_lines_take_as_many_queries_as_there_are_limited_items(gpu, place, django_assert_max_num_queries):
    items = [make_item(f"disk-{number}") for number in range(300)]

    with django_assert_max_num_queries(4):
        stock_take([*(need(item, place, 1) for item in items), *[need(gpu, place, 1)] * 5])

    assert left(gpu) == [0]
