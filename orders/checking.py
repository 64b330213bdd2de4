"""Verifying a draft: every broken rule and every changed price at once, and nothing is written."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from core.errors import Violation
from core.money import Money
from orders.host_names import host_count_problems, host_names_of, repeated_among, repeated_problem
from orders.moves import require_draft
from orders.repricing import LineToday, order_today
from orders.selectors import OrderTree, order_tree
from orders.totals import Totals, totals_of


@dataclass(frozen=True)
class PriceChange:
    """A line whose amount today is not the one last shown; None is unpriced."""

    field: str
    description: str
    monthly_shown: Money | None
    monthly_today: Money | None
    once_shown: Money | None
    once_today: Money | None


@dataclass(frozen=True)
class OrderCheck:
    """What keeps a draft from being placed, and what it costs today."""

    tree: OrderTree
    violations: tuple[Violation, ...]
    totals: Totals
    price_changes: tuple[PriceChange, ...]
    lines: tuple[LineToday, ...]

    @property
    def is_valid(self) -> bool:
        return not self.violations


def order_check(*, order_id: int, account_id: int, now: datetime) -> OrderCheck:
    """Verify a draft at the prices and rules of now; raises BillingOrder.DoesNotExist, and RuleBroken for no draft."""
    tree = order_tree(order_id=order_id, account_id=account_id)
    require_draft(tree.order)
    return check_tree(tree=tree, now=now)


def check_tree(*, tree: OrderTree, now: datetime) -> OrderCheck:
    """Verify an order that has been read."""
    order = tree.order
    if order.currency != order.account.currency:
        words = f"This draft is in {order.currency}, the account pays in {order.account.currency}. Take today's prices."
        return _without_prices(tree, Violation("currency_changed", "currency", words))
    if not any(tree.lines):
        return _without_prices(tree, Violation("order_empty", "items", "An empty order cannot be placed. Add an item."))
    today = order_today(tree=tree, now=now)
    changed = tuple(_price_change(line) for line in today.lines if line.is_changed)
    violations = (*today.violations, *_host_name_violations(tree))
    return OrderCheck(tree, violations, today.totals, changed, today.lines)


def _host_name_violations(tree: OrderTree) -> Iterator[Violation]:
    """Name what is wrong with host names: one for each machine where any are given, and none of them twice."""
    seen: set[str] = set()
    for node in tree.containers:
        container, field = node.container, f"{node.field}.host_names"
        yield from host_count_problems(container.host_names, quantity=container.quantity, field=field)
        names = host_names_of(container.host_names, quantity=container.quantity)
        repeated = [*repeated_among(names), *(name for name in names if name in seen)]
        if repeated:
            yield repeated_problem(repeated, field=field)
        seen.update(names)


def _without_prices(tree: OrderTree, violation: Violation) -> OrderCheck:
    return OrderCheck(tree, (violation,), totals_of([], currency=tree.order.account.currency), (), ())


def _price_change(line: LineToday) -> PriceChange:
    return PriceChange(
        field=line.node.field,
        description=line.node.line.description,
        monthly_shown=line.node.owed.monthly,
        monthly_today=line.owed.monthly,
        once_shown=line.node.owed.once,
        once_today=line.owed.once,
    )
