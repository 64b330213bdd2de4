"""Placing an order: the moment from which words and prices no longer move."""

from datetime import datetime
from decimal import Decimal

from django.db import transaction

from accounts.models import User
from core.errors import RuleBroken
from core.models import OutboxEvent
from core.money import Money
from orders.checking import OrderCheck, check_tree
from orders.locks import locked_order
from orders.models import BillingOrder, NumberSeries
from orders.moves import order_move, require_draft
from orders.numbering import next_number
from orders.repricing import prices_write
from orders.selectors import order_tree
from orders.states import OrderState
from orders.totals import Totals


@transaction.atomic
def order_place(
    *, order_id: int, account_id: int, user: User, now: datetime, shown_monthly: Decimal | None
) -> BillingOrder:
    """Turn a draft into a firm order and freeze what the buyer was shown.

    `shown_monthly` is the monthly total on the buyer's page; None trusts the amounts stored in the draft. Raises
    BillingOrder.DoesNotExist, and RuleBroken with every reason when the order cannot be placed as it was shown.
    """
    require_draft(locked_order(order_id=order_id, account_id=account_id))
    tree = order_tree(order_id=order_id, account_id=account_id)
    check = check_tree(tree=tree, now=now)
    _require_valid(check)
    _require_price_as_shown(check, shown_monthly=shown_monthly)
    prices_write(check.lines)
    order = tree.order
    order.number = next_number(partner=order.partner, kind=NumberSeries.Kind.ORDER)
    order.placed_by = user
    order.placed_at = now
    order_move(order=order, to_state=OrderState.PLACED, user=user, now=now)
    OutboxEvent.objects.create(
        account_id=account_id,
        kind="order.placed",
        subject=order.subject,
        payload=_event_payload(order, check.totals),
        created_at=now,
    )
    return order


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


def _require_price_as_shown(check: OrderCheck, *, shown_monthly: Decimal | None) -> None:
    stored, today = check.tree.totals, check.totals
    is_as_shown = shown_monthly is None or shown_monthly == today.monthly.known.amount
    if is_as_shown and not check.price_changes:
        return
    shown = stored.monthly if shown_monthly is None else Money(shown_monthly, check.tree.order.currency)
    words = f"The price changed since it was shown: {shown} a month then, {today.monthly} a month now"
    if stored.once != today.once:
        words += f"; {stored.once} once then, {today.once} once now"
    raise RuleBroken("price_changed", f"{words}. Look at today's prices and place the order again.")


def _event_payload(order: BillingOrder, totals: Totals) -> dict[str, object]:
    return {
        "order_id": order.pk,
        "number": order.number,
        "currency": order.currency,
        "monthly": totals.monthly.known.text,
        "once": totals.once.known.text,
    }
