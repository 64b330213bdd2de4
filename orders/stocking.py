"""Stock and orders: placing takes what is limited, cancelling gives it back."""

from collections.abc import Iterator, Mapping

from catalog.stock import StockNeed, stock_give_back, stock_take
from orders.models import OrderLine
from orders.selectors import OrderTree


def order_take_stock(tree: OrderTree) -> None:
    """Take what a locked order needs of limited items; raises RuleBroken `stock_short` where there is not enough."""
    stock_take(_need(node.line, pieces=node.quantity, field=node.field) for node in tree.lines)


def pieces_give_stock_back(pieces: Mapping[int, int]) -> None:
    """Give back what so many pieces of each container had taken, by the container's id."""
    stock_give_back(_needs(pieces))


def _needs(pieces: Mapping[int, int]) -> Iterator[StockNeed]:
    lines = OrderLine.objects.filter(container__in=pieces).select_related("container__location")
    return (_need(line, pieces=pieces[line.container_id]) for line in lines)


def _need(line: OrderLine, *, pieces: int, field: str = "") -> StockNeed:
    location = line.container.location
    return StockNeed(line.item_id, location.pk, pieces, line.description, location.name, field)
