"""The shapes of calls and answers about approvals."""

from typing import Any

from rest_framework import serializers

from api.v1.calls import StrictSerializer
from api.v1.orders.shapes import OrderLine
from api.v1.paging import PageShape

ORDER_LIMIT = "What an order may come to in its first month, with everything paid once; null: no limit."
MONTH_LIMIT = "What the first months of all orders placed in a calendar month (UTC) may come to; null: no limit."
APPROVER = "The e-mail of the approver or owner who decides; null: any of them."


class Decision(StrictSerializer):
    """What the buyer is told about the decision."""

    note = serializers.CharField(max_length=300, allow_blank=True, default="")


class PolicyAsked(StrictSerializer):
    """What an account may spend before one of its approvers must agree."""

    order_limit = serializers.DecimalField(max_digits=13, decimal_places=2, allow_null=True, help_text=ORDER_LIMIT)
    month_limit = serializers.DecimalField(max_digits=13, decimal_places=2, allow_null=True, help_text=MONTH_LIMIT)
    approver = serializers.EmailField(allow_null=True, default=None, help_text=APPROVER)


class PolicyShape(serializers.Serializer[Any]):
    """What an account may spend before one of its approvers must agree."""

    currency = serializers.CharField()
    order_limit = serializers.CharField(allow_null=True, help_text=ORDER_LIMIT)
    month_limit = serializers.CharField(allow_null=True, help_text=MONTH_LIMIT)
    approver = serializers.CharField(allow_null=True, help_text=APPROVER)


class OrderWaiting(OrderLine):
    """An order that waits for approval."""

    reason = serializers.CharField(help_text="Which limit asks for it.")
    requested_at = serializers.DateTimeField()
    may_decide = serializers.BooleanField(help_text="Whether the decision is the caller's.")


class OrdersWaiting(PageShape):
    results = OrderWaiting(many=True)
