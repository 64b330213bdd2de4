"""Quotes: what a customer was promised, word for word, and for how long."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.models import Partner
from orders.models.ordering import BillingOrder


class Quote(models.Model):
    """An offer of one order's lines at fixed prices, which its account may accept until it expires.

    What has become of it follows from its facts: accepted, withdrawn, expired or open.
    """

    order = models.ForeignKey(BillingOrder, on_delete=models.PROTECT, related_name="quotes")
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="quotes")
    number = models.PositiveIntegerField(help_text="Without gaps per partner.")
    currency = models.CharField(max_length=3)
    document = models.JSONField(help_text="The lines and totals as they were quoted, in the order's own layout.")
    issued_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    share_token = models.CharField(
        max_length=64, null=True, blank=True, unique=True, help_text="Whoever has it sees this quote, signed in or not."
    )
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    accepted_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["partner", "number"], name="a_quote_number_is_unique_per_partner"),
            models.UniqueConstraint(
                fields=["order"],
                condition=Q(withdrawn_at__isnull=True),
                name="an_order_has_one_quote_that_is_not_withdrawn",
            ),
            models.CheckConstraint(condition=Q(expires_at__gt=F("issued_at")), name="a_quote_holds_for_some_time"),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True, accepted_by__isnull=True)
                | Q(accepted_at__isnull=False, accepted_by__isnull=False, accepted_at__lt=F("expires_at")),
                name="a_quote_is_accepted_by_somebody_before_it_expires",
            ),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(withdrawn_at__isnull=True),
                name="an_accepted_quote_is_not_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"Quote {self.number}"
