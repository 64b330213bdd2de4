"""Reading orders. Every question names the account that asks; there is no default."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from core.models import AuditEntry
from core.money import Money
from orders.host_names import host_names_of
from orders.models import BillingOrder, BillingOrderItem, OrderContainer, OrderLine
from orders.totals import Owed, Totals, totals_of

HOSTS_NAMED = 4


@dataclass(frozen=True)
class LineNode:
    """One line, where it stands in the order and what it came to when it was last shown."""

    line: OrderLine
    field: str
    owed: Owed


@dataclass(frozen=True)
class LineGroup:
    """Equal lines of a container as one: the same item at the same price in several categories, such as disk slots."""

    lines: tuple[LineNode, ...]

    @property
    def line(self) -> OrderLine:
        return self.lines[0].line

    @property
    def count(self) -> int:
        return len(self.lines)

    @property
    def category_words(self) -> str:
        names = list(dict.fromkeys(node.line.category_name for node in self.lines))
        return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"

    @property
    def owed(self) -> Owed:
        """What the lines come to together; each amount was rounded on its own line."""
        first, *others = (node.owed for node in self.lines)
        if first.monthly is None or first.once is None:
            return first
        return Owed(first.monthly * (1 + len(others)), first.once * (1 + len(others)))


@dataclass(frozen=True)
class ContainerNode:
    """A container with its lines."""

    container: OrderContainer
    field: str
    lines: tuple[LineNode, ...]
    totals: Totals

    @property
    def groups(self) -> list[LineGroup]:
        """The lines as people read them, equal ones together."""
        found: dict[tuple[object, ...], list[LineNode]] = {}
        for node in self.lines:
            line = node.line
            found.setdefault((line.item_id, line.description, line.source_price_id, node.owed), []).append(node)
        return [LineGroup(tuple(nodes)) for nodes in found.values()]

    @property
    def host_words(self) -> str:
        """The host names for people: all of a few, the first and the last of many."""
        names = host_names_of(self.container.host_names, quantity=self.container.quantity)
        return ", ".join(names) if len(names) <= HOSTS_NAMED else f"{names[0]} … {names[-1]}"


@dataclass(frozen=True)
class ItemNode:
    """An item with its containers."""

    item: BillingOrderItem
    field: str
    containers: tuple[ContainerNode, ...]
    totals: Totals

    @property
    def quantity(self) -> int:
        """How many machines or volumes the item holds."""
        return sum(node.container.quantity for node in self.containers)


@dataclass(frozen=True)
class OrderTree:
    """An order with everything under it and what it comes to at each level, at the prices last shown."""

    order: BillingOrder
    items: tuple[ItemNode, ...]
    totals: Totals

    @property
    def containers(self) -> Iterator[ContainerNode]:
        return (container for item in self.items for container in item.containers)

    @property
    def lines(self) -> Iterator[LineNode]:
        return (line for container in self.containers for line in container.lines)


def orders_of(*, account_id: int) -> QuerySet[BillingOrder]:
    """Return the account's orders, the newest first."""
    return BillingOrder.objects.filter(account_id=account_id).select_related(
        "account", "partner", "created_by", "placed_by"
    )


def order_tree(*, order_id: int, account_id: int) -> OrderTree:
    """Return the order with all its parts in four queries; raises BillingOrder.DoesNotExist."""
    return tree_of(with_parts(orders_of(account_id=account_id)).get(pk=order_id))


def with_parts(orders: QuerySet[BillingOrder]) -> QuerySet[BillingOrder]:
    """Fetch items, containers and lines along, in one query each whatever the number of orders."""
    lines = Prefetch("lines", OrderLine.objects.select_related("item"))
    containers = OrderContainer.objects.select_related("package", "location").prefetch_related(lines)
    items = BillingOrderItem.objects.prefetch_related(Prefetch("containers", containers))
    return orders.prefetch_related(Prefetch("items", items))


def tree_of(order: BillingOrder) -> OrderTree:
    """Arrange an order that was read with its parts."""
    items = tuple(
        _item_node(item, field=f"items[{index}]", currency=order.currency)
        for index, item in enumerate(order.items.all())
    )
    return OrderTree(order, items, _sum((item.totals for item in items), currency=order.currency))


def order_history(*, order: BillingOrder) -> list[AuditEntry]:
    """Return the moves of the order, the first one first."""
    return list(AuditEntry.objects.filter(account_id=order.account_id, subject=order.subject))


def _item_node(item: BillingOrderItem, *, field: str, currency: str) -> ItemNode:
    containers = tuple(
        _container_node(container, field=f"{field}.containers[{index}]", currency=currency)
        for index, container in enumerate(item.containers.all())
    )
    return ItemNode(item, field, containers, _sum((node.totals for node in containers), currency=currency))


def _container_node(container: OrderContainer, *, field: str, currency: str) -> ContainerNode:
    lines = tuple(
        LineNode(line, f"{field}.{line.category_code}", _owed(line, currency=currency))
        for line in container.lines.all()
    )
    return ContainerNode(container, field, lines, totals_of((node.owed for node in lines), currency=currency))


def _owed(line: OrderLine, *, currency: str) -> Owed:
    if line.monthly_amount is None or line.once_amount is None:
        return Owed(None, None)
    return Owed(Money(line.monthly_amount, currency), Money(line.once_amount, currency))


def _sum(parts: Iterator[Totals], *, currency: str) -> Totals:
    return sum(parts, start=totals_of([], currency=currency))
