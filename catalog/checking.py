"""Checking and pricing containers: every broken rule at once, with the cheapest repair of each."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from accounts.models import Account
from catalog.containers import ContainerAnswer, ContainerQuestion
from catalog.desk import Conditions, Desk, Examined, StockLeft
from catalog.pricing import HOURS_PER_MONTH
from catalog.repairs import with_repairs


def containers_check(
    *,
    account: Account,
    questions: Sequence[ContainerQuestion],
    at: datetime,
    hours_per_month: Decimal = HOURS_PER_MONTH,
    promotion_code: str = "",
    is_one_order: bool = False,
) -> list[ContainerAnswer]:
    """Check any number of containers, in order, with a number of queries that does not grow with them.

    The field of a violation is within the container: a category code, "package", "location" or "term". The containers
    of one order share what is left in stock. Repairs are looked for where a question wants them.
    """
    conditions = Conditions(account, at, hours_per_month, promotion_code)
    desk = Desk.about(questions, conditions)
    examined = _examined(questions, desk=desk, is_one_order=is_one_order)
    answers = [each.answer for each in examined]
    return with_repairs(examined=examined, answers=answers, desk=desk, is_one_order=is_one_order)


def orders_check(
    *, account: Account, orders: Sequence[Sequence[ContainerQuestion]], at: datetime, hours_per_month: Decimal
) -> list[list[ContainerAnswer]]:
    """Check the containers of several orders, each as if nobody else took from stock, in as many queries as of one."""
    questions = [question for order in orders for question in order]
    desk = Desk.about(questions, Conditions(account, at, hours_per_month, ""))
    return [[each.answer for each in _examined(order, desk=desk, is_one_order=True)] for order in orders]


def _examined(questions: Sequence[ContainerQuestion], *, desk: Desk, is_one_order: bool) -> list[Examined]:
    stock = StockLeft(desk.facts.stock, is_shared=is_one_order)
    examined = []
    for question in questions:
        each = desk.examine(question, stock)
        stock.use(location_id=question.location.pk, quantity=question.quantity, choices=each.choices)
        examined.append(each)
    return examined
