"""Placing an order: the moment from which words and prices no longer move."""

from datetime import datetime
from decimal import Decimal

from django.db import transaction

from accounts.models import User
from catalog.promotions import promotions_redeem
from core.models import OutboxEvent
from orders.approving import approval_ask
from orders.checking import check_tree, require_placeable
from orders.fulfilment.beginning import order_fulfil_on_commit
from orders.fulfilment.creating import resources_create
from orders.locks import locked_order
from orders.models import BillingOrder, NumberSeries
from orders.moves import order_move, require_draft
from orders.numbering import next_number
from orders.repricing import prices_write
from orders.selectors import OrderTree, order_tree
from orders.states import OrderState
from orders.stocking import order_take_stock
from orders.totals import Totals


@transaction.atomic
def order_place(
    *,
    order_id: int,
    account_id: int,
    user: User,
    now: datetime,
    shown_monthly: Decimal | None,
    shown_once: Decimal | None = None,
) -> BillingOrder:
    """Turn a draft into a firm order and freeze what the buyer was shown.

    `shown_monthly` and `shown_once` are the totals on the buyer's page; None trusts the amounts stored in the draft.
    Raises BillingOrder.DoesNotExist, and RuleBroken with every reason when it cannot be placed as it was shown.
    """
    require_draft(locked_order(order_id=order_id, account_id=account_id))
    check = check_tree(tree=order_tree(order_id=order_id, account_id=account_id), now=now)
    require_placeable(check, shown_monthly=shown_monthly, shown_once=shown_once)
    prices_write(check.lines)
    return tree_place(tree=check.tree, totals=check.totals, user=user, now=now)


def tree_place(*, tree: OrderTree, totals: Totals, user: User, now: datetime, why: str = "") -> BillingOrder:
    """Make a locked order firm with its lines as they are, and ask for its approval where the account wants one.

    Raises RuleBroken `stock_short` where less is left of a limited item than the order takes.
    """
    order = tree.order
    order.number = next_number(partner=order.partner, kind=NumberSeries.Kind.ORDER)
    order.placed_by = user
    order.placed_at = now
    order_move(order=order, to_state=OrderState.PLACED, user=user, now=now, why=why)
    order_take_stock(tree)
    promotions_redeem(promotion_ids=tree.promotion_ids, account_id=order.account_id, subject=order.subject, now=now)
    OutboxEvent.objects.create(
        account_id=order.account_id,
        kind="order.placed",
        subject=order.subject,
        payload=_event_payload(order, totals),
        created_at=now,
    )
    resources_create(order=order, now=now)
    if approval_ask(order=order, totals=totals, now=now) is None:
        order_fulfil_on_commit(order=order, now=now)
    return order


def _event_payload(order: BillingOrder, totals: Totals) -> dict[str, object]:
    return {
        "order_id": order.pk,
        "number": order.number,
        "currency": order.currency,
        "monthly": totals.monthly.known.text,
        "once": totals.once.known.text,
    }
