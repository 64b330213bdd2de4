"""What an order would cost today, and writing that into its lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from catalog.pricing import PriceAnswer
from catalog.services import ContainerAnswer, ContainerQuestion, containers_check
from catalog.usage import UsageTier
from core.errors import RuleBroken, Violation
from core.money import Money, Total
from orders.models import OrderLine
from orders.models.ordering import INCLUDES
from orders.selectors import ContainerNode, LineNode, OrderTree
from orders.totals import Owed, Totals, hourly_of, owed_for, totals_of

LARGEST_AMOUNT = Decimal("999999999.99")
PRICE_FIELDS = (
    "source_price",
    "recurring_fee",
    "hourly_recurring_fee",
    "once_fee",
    "setup_fee",
    "one_time_fee",
    "labor_fee",
    "usage_rate",
    "usage_tiers",
    "usage_allowance",
    "regular_fee",
    "regular_monthly_amount",
    "promotion",
    "promotion_months",
    "price_steps",
    "monthly_amount",
    "once_amount",
    "source",
    "basis",
)


@dataclass(frozen=True)
class LineToday:
    """A line beside its price of today."""

    node: LineNode
    price: PriceAnswer
    owed: Owed
    included: tuple[str, ...] = ()
    """What comes along in a bundle, in words."""

    @property
    def is_changed(self) -> bool:
        return self.owed != self.node.owed or self._is_use_changed

    @property
    def usage_tiers(self) -> list[list[Any]]:
        """Today's rates of use as a line keeps them: from so many units, the rate of each."""
        return [[tier.from_units, str(tier.rate)] for tier in self.price.usage]

    @property
    def usage_allowance(self) -> Decimal | None:
        """How many units of use a month of one piece includes today; None where use costs nothing."""
        return self.node.line.item.capacity if self.price.usage else None

    @property
    def _is_use_changed(self) -> bool:
        line = self.node.line
        shown = tuple(UsageTier(from_units, Decimal(rate)) for from_units, rate in line.usage_tiers)
        return (shown, line.usage_allowance or 0) != (self.price.usage, self.usage_allowance or 0)


@dataclass(frozen=True)
class OrderToday:
    """An order at the prices and under the rules of today."""

    lines: tuple[LineToday, ...]
    violations: tuple[Violation, ...]
    totals: Totals
    hourly: Total
    answers: tuple[tuple[ContainerNode, ContainerAnswer], ...] = ()


def order_today(*, tree: OrderTree, now: datetime, wants_repairs: bool = False) -> OrderToday:
    """Ask the catalogue about every container at once; a violation's field is the path from the order down."""
    nodes = list(tree.containers)
    answers = containers_check(
        account=tree.order.account,
        hours_per_month=tree.order.hours_per_month,
        questions=[_question(node, wants_repairs=wants_repairs) for node in nodes],
        at=now,
        promotion_code=tree.order.promotion_code,
        is_one_order=True,
    )
    pairs = list(zip(nodes, answers, strict=True))
    lines = tuple(line for node, answer in pairs for line in _lines_today(node, answer))
    return OrderToday(
        lines=lines,
        violations=tuple(_placed_in(node, violation) for node, answer in pairs for violation in answer.violations),
        totals=totals_of((line.owed for line in lines), currency=tree.order.account.currency),
        hourly=hourly_of(
            ((line.price.rate, line.node.quantity) for line in lines if line.node.is_hourly),
            currency=tree.order.account.currency,
        ),
        answers=tuple(pairs),
    )


def prices_write(lines: Sequence[LineToday]) -> None:
    """Store today's prices as those of the lines; raises RuleBroken where an amount is too large to be owed."""
    too_large = amount_problems(lines)
    if too_large:
        words = " ".join(violation.words for violation in too_large)
        raise RuleBroken("amount_too_large", words, violations=too_large)
    prices_set(lines)
    # The rows exist and are locked with their order: an upsert is one plain statement, bulk_update a CASE per field.
    rows = [line.node.line for line in lines]
    OrderLine.objects.bulk_create(rows, update_conflicts=True, unique_fields=["pk"], update_fields=PRICE_FIELDS)


def prices_set(lines: Sequence[LineToday]) -> None:
    """Give the lines today's prices without storing them."""
    for line in lines:
        _set_price(line)
        line.node.line.price_steps += [{"rule": INCLUDES, "words": f"Includes {words}."} for words in line.included]


def amount_problems(lines: Sequence[LineToday]) -> tuple[Violation, ...]:
    """Name the lines whose amount is too large to be owed."""
    return tuple(_too_large(line.node) for line in lines if _is_too_large(line.owed))


def _question(node: ContainerNode, *, wants_repairs: bool) -> ContainerQuestion:
    container = node.container
    return ContainerQuestion(
        package=container.package,
        location=container.location,
        term=container.term,
        choices=tuple((line.line.category_code, line.line.item) for line in node.lines),
        contract_months=container.contract_months,
        quantity=container.quantity,
        wants_repairs=wants_repairs,
    )


def _lines_today(node: ContainerNode, answer: ContainerAnswer) -> list[LineToday]:
    return [
        LineToday(line, found.price, owed_for(price=found.price, quantity=node.container.quantity), found.included)
        for line, found in zip(node.lines, answer.lines, strict=True)
    ]


def _placed_in(node: ContainerNode, violation: Violation) -> Violation:
    field = f"{node.field}.{violation.field}" if violation.field else node.field
    return Violation(code=violation.code, field=field, words=violation.words)


def _set_price(today: LineToday) -> None:
    line, price, owed = today.node.line, today.price, today.owed
    fees, afterwards = price.fees, price.afterwards
    line.source_price_id = price.chosen.price_id if price.chosen else None
    line.recurring_fee = fees.recurring_fee
    line.hourly_recurring_fee = fees.hourly_recurring_fee
    line.once_fee = fees.once
    line.setup_fee, line.one_time_fee, line.labor_fee = fees.setup_fee, fees.one_time_fee, fees.labor_fee
    line.usage_rate = fees.usage_rate
    line.usage_tiers, line.usage_allowance = today.usage_tiers, today.usage_allowance
    line.promotion_id = price.promotion_id
    line.promotion_months = afterwards.months if afterwards else None
    line.regular_fee = afterwards.rate if afterwards else None
    line.regular_monthly_amount = owed.later.amount if owed.later else None
    line.monthly_amount = owed.monthly.amount if owed.monthly else None
    line.once_amount = owed.once.amount if owed.once else None
    line.price_steps = [{"rule": step.rule, "words": step.words} for step in price.steps]
    line.source = price.source
    line.basis = price.basis


def _is_too_large(owed: Owed) -> bool:
    return any(money.amount > LARGEST_AMOUNT for money in (owed.monthly, owed.once, owed.later) if money)


def _too_large(node: LineNode) -> Violation:
    most = Money(LARGEST_AMOUNT, "").text
    words = f"{node.line.description} would come to more than {most}. Order fewer pieces."
    return Violation("amount_too_large", node.field, words)
