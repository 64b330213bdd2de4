"""Verifying a draft: every broken rule and every changed price at once, and nothing is written."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from catalog.promotions import promotion_code_problems
from core.errors import Repair, RuleBroken, Violation
from core.money import Money, Total
from orders.mending import Rows, container_problems, host_name_problems_in, whole_repairs
from orders.models import BillingOrder
from orders.moves import require_draft
from orders.promise_words import use_words
from orders.repairs import OrderRepair, told, whole_repair
from orders.repricing import LineToday, order_today
from orders.selectors import OrderTree, order_tree
from orders.totals import Owed, Totals, hourly_of, totals_of


@dataclass(frozen=True)
class PriceChange:
    """A line whose amount or rate of use today is not the one last shown; None is unpriced."""

    field: str
    description: str
    monthly_shown: Money | None
    monthly_today: Money | None
    once_shown: Money | None
    once_today: Money | None
    use_shown: str
    """The rates of use with what is included, in words; "" where use costs nothing."""
    use_today: str


@dataclass(frozen=True)
class OrderCheck:
    """What keeps a draft from being placed, and what it costs today."""

    tree: OrderTree
    violations: tuple[Violation, ...]
    totals: Totals
    hourly: Total
    price_changes: tuple[PriceChange, ...]
    lines: tuple[LineToday, ...]
    repairs: tuple[OrderRepair | None, ...] = ()
    """What settles each violation, in their order."""
    repair: Repair | None = None
    """What settles everything that can be settled, at once."""

    @property
    def is_valid(self) -> bool:
        return not self.violations


def order_check(*, order_id: int, account_id: int, now: datetime) -> OrderCheck:
    """Verify a draft at the prices and rules of now; raises BillingOrder.DoesNotExist, and RuleBroken for no draft."""
    tree = order_tree(order_id=order_id, account_id=account_id)
    require_draft(tree.order)
    return check_tree(tree=tree, now=now)


def check_tree(*, tree: OrderTree, now: datetime, rows: Rows | None = None) -> OrderCheck:
    """Verify an order that has been read. `rows` are its parts as listed in the document that it was read from."""
    order = tree.order
    today = order_today(tree=tree, now=now, wants_repairs=True)
    changed = tuple(_price_change(line, order=order) for line in today.lines if line.is_changed)
    code_problems = promotion_code_problems(
        account=order.account, code=order.promotion_code, at=now, field="promotion_code"
    )
    host_names = list(host_name_problems_in(tree, rows))
    codes = [(problem, OrderRepair(problem.field, (), is_left_out=True)) for problem in code_problems]
    found = [*container_problems(today.answers, rows), *host_names, *codes]
    if not any(tree.lines) and not any(violation.code == "category_required" for violation, _ in found):
        words = "An empty order cannot be placed. Add an item."
        found = [(Violation("order_empty", "items", words), None), *found]
    if order.currency != order.account.currency:
        words = f"This draft is in {order.currency}, the account pays in {order.account.currency}. Take today's prices."
        currency_changed = Violation("currency_changed", "currency", words)
        return _without_prices(tree, (currency_changed, *(violation for violation, _ in found)))
    return OrderCheck(
        tree,
        tuple(told(violation, repair) for violation, repair in found),
        today.totals,
        today.hourly,
        changed,
        today.lines,
        repairs=tuple(repair for _, repair in found),
        repair=whole_repair([*whole_repairs(today.answers, rows), *(repair for _, repair in (*host_names, *codes))]),
    )


def require_placeable(check: OrderCheck, *, shown_monthly: Decimal | None, shown_once: Decimal | None) -> None:
    """Raise RuleBroken with every reason why an order cannot be placed or quoted as it was shown."""
    _require_valid(check)
    _require_price_as_shown(check, shown_monthly=shown_monthly, shown_once=shown_once)


def price_changes_of(*, tree: OrderTree, at: datetime) -> tuple[PriceChange, ...]:
    """Return the lines of an order, in whatever state, that would cost something else at the prices of that time."""
    lines = order_today(tree=tree, now=at).lines
    return tuple(_price_change(line, order=tree.order) for line in lines if line.is_changed)


def _require_valid(check: OrderCheck) -> None:
    violations = check.violations
    if not violations and not check.totals.is_exact:
        raise RuleBroken("unpriced", f"An order with unpriced parts cannot be placed: {check.totals.monthly} a month.")
    if not violations:
        return
    if violations[0].code == "order_empty":
        raise RuleBroken("order_empty", violations[0].words, violations=violations)
    count = "One thing keeps" if len(violations) == 1 else f"{len(violations)} things keep"
    words = " ".join(violation.words for violation in violations)
    raise RuleBroken("order_invalid", f"{count} this order from being placed. {words}", violations=violations)


def _require_price_as_shown(check: OrderCheck, *, shown_monthly: Decimal | None, shown_once: Decimal | None) -> None:
    stored, today, currency = check.tree.totals, check.totals, check.tree.order.currency
    monthly = str(stored.monthly if shown_monthly is None else Money(shown_monthly, currency))
    once = str(stored.once if shown_once is None else Money(shown_once, currency))
    if (monthly, once) == (str(today.monthly), str(today.once)) and not check.price_changes:
        return
    words = f"The price changed since it was shown: {monthly} a month then, {today.monthly} a month now"
    if once != str(today.once):
        words += f"; {once} once then, {today.once} once now"
    for change in check.price_changes:
        if change.use_shown != change.use_today:
            words += (
                f"; use of {change.description}: {change.use_shown or 'free'} then, {change.use_today or 'free'} now"
            )
    raise RuleBroken("price_changed", f"{words}. Look at today's prices and place the order again.")


def _without_prices(tree: OrderTree, violations: tuple[Violation, ...]) -> OrderCheck:
    """Tell what is wrong without amount or repair: in a currency that its account left, a draft takes no change."""
    currency = tree.order.account.currency
    unknown = totals_of((Owed(None, None) for _ in tree.lines), currency=currency)
    hourly = hourly_of(((None, 1) for line in tree.lines if line.is_hourly), currency=currency)
    return OrderCheck(tree, violations, unknown, hourly, (), (), repairs=(None,) * len(violations))


def _price_change(line: LineToday, *, order: BillingOrder) -> PriceChange:
    stored = line.node.line
    return PriceChange(
        field=line.node.field,
        description=stored.description,
        monthly_shown=line.node.owed.monthly,
        monthly_today=line.owed.monthly,
        once_shown=line.node.owed.once,
        once_today=line.owed.once,
        use_shown=use_words(
            tiers=stored.usage_tiers,
            allowance=stored.usage_allowance,
            unit=stored.item.units,
            currency=order.currency,
        ),
        use_today=use_words(
            tiers=line.usage_tiers,
            allowance=line.usage_allowance,
            unit=stored.item.units,
            currency=order.account.currency,
        ),
    )
