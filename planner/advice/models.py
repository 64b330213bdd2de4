"""Advice: one question of a workload that somebody asked, and the orders that came of its answers."""

from django.conf import settings
from django.db import models

from accounts.models import Account
from catalog.models import Location
from jobs.models import Run
from orders.models import BillingOrder


class Advice(models.Model):
    """One question about a workload other than a storage cloud that somebody asked, with the run that answers it."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="advice")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    kind = models.SlugField(max_length=40, help_text="A key of planner.advice.registry.KINDS.")
    demand = models.JSONField(help_text="What was typed for each field.")
    words = models.CharField(max_length=300, help_text="The demand as a sentence.")
    location = models.ForeignKey(
        Location, on_delete=models.PROTECT, null=True, blank=True, related_name="+", help_text="Empty: wherever."
    )
    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="advice")

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "advice"
        indexes = [models.Index(fields=["account", "-id"], name="advice_by_account")]

    def __str__(self) -> str:
        return self.words


class AdviceOrder(models.Model):
    """That an order was made from a piece of advice, and from which of its configurations."""

    advice = models.ForeignKey(Advice, on_delete=models.PROTECT, related_name="advice_orders")
    order = models.OneToOneField(BillingOrder, on_delete=models.CASCADE, related_name="+")
    chosen = models.JSONField(help_text="The configuration of the answer that was ordered.")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.order} from advice {self.advice_id}"
