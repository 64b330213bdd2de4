"""Shared configurations: what an account shows of its orders, presets and compositions to whoever has a link."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.models import Account


class SharedConfiguration(models.Model):
    """A configuration that an account shows to others by a link, with its prices as they were when it was shared."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="shared_configurations")
    name = models.CharField(max_length=200, help_text="What it was: an order, a part of one, a preset, a composition.")
    currency = models.CharField(max_length=3)
    asked = models.JSONField(help_text="What is configured, in the layout in which programs send orders.")
    document = models.JSONField(help_text="Its lines and totals as they were, in the layout of a quote's document.")
    token = models.CharField(max_length=64, unique=True, help_text="Whoever has it sees the configuration.")
    shared_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    shared_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(expires_at__gt=F("shared_at")), name="a_link_holds_for_some_time"),
        ]

    def __str__(self) -> str:
        return self.name
