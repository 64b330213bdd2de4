"""Reading orders. Every question names the account that asks; there is no default."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Prefetch, QuerySet

from core.models import AuditEntry
from core.money import Money, Total
from orders.bill_of_materials import category_words
from orders.host_names import host_names_of
from orders.models import BillingOrder, BillingOrderItem, OrderContainer, OrderLine
from orders.totals import Owed, Totals, hourly_of, totals_of

HOSTS_NAMED = 4
OWED = ("monthly_amount", "once_amount", "regular_monthly_amount", "promotion_months")


@dataclass(frozen=True)
class LineNode:
    """One line, where it stands in the order and what it came to when it was last shown."""

    line: OrderLine
    field: str
    owed: Owed

    @property
    def is_hourly(self) -> bool:
        return self.line.container.term == OrderContainer.Term.HOURLY

    @property
    def quantity(self) -> int:
        """How many pieces it is bought for."""
        return self.line.container.quantity


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
        return category_words(node.line.category_name for node in self.lines)

    @property
    def owed(self) -> Owed:
        """What the lines come to together; each amount was rounded on its own line."""
        first, *others = (node.owed for node in self.lines)
        if first.monthly is None or first.once is None:
            return first
        count = 1 + len(others)
        later = first.later * count if first.later else None
        return Owed(first.monthly * count, first.once * count, later, first.promotion_months)


@dataclass(frozen=True)
class ContainerNode:
    """A container with its lines."""

    container: OrderContainer
    field: str
    lines: tuple[LineNode, ...]
    totals: Totals

    @property
    def hourly(self) -> Total:
        """What all pieces cost an hour, unrounded; nothing on another term."""
        rates = ((node.line.hourly_recurring_fee, node.quantity) for node in self.lines if node.is_hourly)
        return hourly_of(rates, currency=self.totals.currency)

    @property
    def groups(self) -> list[LineGroup]:
        """The lines as people read them, equal ones together."""
        found: dict[tuple[object, ...], list[LineNode]] = {}
        for node in self.lines:
            line = node.line
            fees = (line.recurring_fee, line.hourly_recurring_fee, line.usage_allowance, str(line.usage_tiers))
            key = (line.item_id, line.description, line.source_price_id, node.owed, *fees)
            found.setdefault(key, []).append(node)
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
    def hourly(self) -> Total:
        """What the item's hourly containers cost an hour."""
        return sum((node.hourly for node in self.containers), start=hourly_of([], currency=self.totals.currency))

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
    def hourly(self) -> Total:
        """What the order's hourly containers cost an hour."""
        return sum((node.hourly for node in self.items), start=hourly_of([], currency=self.order.currency))

    @property
    def containers(self) -> Iterator[ContainerNode]:
        return (container for item in self.items for container in item.containers)

    @property
    def lines(self) -> Iterator[LineNode]:
        return (line for container in self.containers for line in container.lines)

    @property
    def promotion_ids(self) -> set[int]:
        """The promotions that its prices rest on."""
        return {node.line.promotion_id for node in self.lines if node.line.promotion_id}


@dataclass(frozen=True)
class OrderSum:
    """What an order comes to at the prices last shown; `hourly` is what its hourly containers cost an hour."""

    totals: Totals
    hourly: Total


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
    items = (_item_read(item, field=f"items[{index}]") for index, item in enumerate(order.items.all()))
    return order_node(order, items=items)


def order_node(order: BillingOrder, *, items: Iterable[ItemNode]) -> OrderTree:
    """Put an order together with its items, and add them up."""
    nodes = tuple(items)
    return OrderTree(order, nodes, _sum((node.totals for node in nodes), currency=order.currency))


def item_node(item: BillingOrderItem, *, containers: Iterable[ContainerNode], field: str, currency: str) -> ItemNode:
    """Put an item together with its containers, and add them up."""
    nodes = tuple(containers)
    return ItemNode(item, field, nodes, _sum((node.totals for node in nodes), currency=currency))


def container_node(
    container: OrderContainer, *, lines: Iterable[OrderLine], field: str, currency: str
) -> ContainerNode:
    """Put a container together with its lines, and add up what they came to when they were last shown."""
    nodes = tuple(
        LineNode(
            line, f"{field}.{line.category_code}", _owed(*(getattr(line, name) for name in OWED), currency=currency)
        )
        for line in lines
    )
    return ContainerNode(container, field, nodes, totals_of((node.owed for node in nodes), currency=currency))


def tree_added_up(tree: OrderTree) -> OrderTree:
    """Return the order with the amounts that its lines hold now."""
    items = (
        item_node(
            item.item,
            containers=(
                container_node(
                    node.container,
                    lines=[line.line for line in node.lines],
                    field=node.field,
                    currency=tree.order.currency,
                )
                for node in item.containers
            ),
            field=item.field,
            currency=tree.order.currency,
        )
        for item in tree.items
    )
    return order_node(tree.order, items=items)


def order_sums(orders: Iterable[BillingOrder]) -> dict[int, OrderSum]:
    """Return what each of these orders comes to at the prices last shown, in one query."""
    found = {order.pk: order for order in orders}
    lines = OrderLine.objects.filter(container__order_item__order__in=found).order_by()
    owed: defaultdict[int, list[Owed]] = defaultdict(list)
    rates: defaultdict[int, list[tuple[Decimal | None, int]]] = defaultdict(list)
    for order_id, term, quantity, rate, *amounts in lines.values_list(
        "container__order_item__order_id",
        "container__term",
        "container__quantity",
        "hourly_recurring_fee",
        *OWED,
    ):
        owed[order_id].append(_owed(*amounts, currency=found[order_id].currency))
        if term == OrderContainer.Term.HOURLY:
            rates[order_id].append((rate, quantity))
    return {
        pk: OrderSum(totals_of(owed[pk], currency=order.currency), hourly_of(rates[pk], currency=order.currency))
        for pk, order in found.items()
    }


def order_history(*, order: BillingOrder) -> list[AuditEntry]:
    """Return the moves of the order, the first one first."""
    return list(AuditEntry.objects.filter(account_id=order.account_id, subject=order.subject))


def _item_read(item: BillingOrderItem, *, field: str) -> ItemNode:
    currency = item.order.currency
    containers = (
        container_node(container, lines=container.lines.all(), field=f"{field}.containers[{index}]", currency=currency)
        for index, container in enumerate(item.containers.all())
    )
    return item_node(item, containers=containers, field=field, currency=currency)


def _owed(
    monthly: Decimal | None, once: Decimal | None, later: Decimal | None, promotion_months: int | None, *, currency: str
) -> Owed:
    if monthly is None or once is None:
        return Owed(None, None)
    if later is None:
        return Owed(Money(monthly, currency), Money(once, currency))
    return Owed(Money(monthly, currency), Money(once, currency), Money(later, currency), promotion_months)


def _sum(parts: Iterator[Totals], *, currency: str) -> Totals:
    return sum(parts, start=totals_of([], currency=currency))
