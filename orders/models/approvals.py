"""Approvals: which orders need one, and what was decided."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Account
from core.money import fee_field
from orders.models.ordering import BillingOrder


class ApprovalPolicy(models.Model):
    """What an account may spend before one of its approvers must agree; an empty limit asks for none."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="approval_policy")
    order_limit = fee_field(
        null=True, blank=True, help_text="The most an order may come to in its first month, in the account's currency."
    )
    month_limit = fee_field(
        null=True, blank=True, help_text="The most that all orders placed in a calendar month may come to."
    )
    approver = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Who decides; empty: any approver or owner of the account.",
    )

    class Meta:
        verbose_name_plural = "approval policies"
        constraints = [
            models.CheckConstraint(
                condition=(Q(order_limit__isnull=True) | Q(order_limit__gte=0))
                & (Q(month_limit__isnull=True) | Q(month_limit__gte=0)),
                name="an_approval_limit_is_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"approval policy of {self.account}"


class Approval(models.Model):
    """The question whether a placed order may be carried out, and the answer once there is one."""

    order = models.OneToOneField(BillingOrder, on_delete=models.PROTECT, related_name="approval")
    reason = models.CharField(max_length=300, help_text="Which limit of the policy asks for it, in words.")
    token = models.CharField(max_length=64, unique=True, help_text="In the link that approvers get by e-mail.")
    requested_at = models.DateTimeField()
    is_approved = models.BooleanField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(is_approved__isnull=True, decided_by__isnull=True, decided_at__isnull=True)
                | Q(is_approved__isnull=False, decided_by__isnull=False, decided_at__isnull=False),
                name="a_decision_has_somebody_and_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"approval of {self.order}"
