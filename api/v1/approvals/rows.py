"""Approvals as JSON."""

from typing import Any

from accounts.models import Account
from api.v1.orders.rows import order_line
from api.v1.texts import money_text, time_text
from core.money import Money
from orders.models import ApprovalPolicy, BillingOrder
from orders.selectors import OrderSum

Json = dict[str, Any]


def order_waiting(order: BillingOrder, *, comes_to: OrderSum, may_decide: bool) -> Json:
    return {
        **order_line(order, totals=comes_to.totals, hourly=comes_to.hourly),
        "reason": order.approval.reason,
        "requested_at": time_text(order.approval.requested_at),
        "may_decide": may_decide,
    }


def policy_json(policy: ApprovalPolicy | None, *, account: Account) -> Json:
    def limit(name: str) -> str | None:
        amount = getattr(policy, name, None)
        return None if amount is None else money_text(Money(amount, account.currency))

    return {
        "currency": account.currency,
        "order_limit": limit("order_limit"),
        "month_limit": limit("month_limit"),
        "approver": policy.approver.email if policy and policy.approver else None,
    }
