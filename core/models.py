"""The rows every room may write: audit, outbox and idempotency. They name their owner by a plain key."""

from django.db import models
from django.db.models import Q


class AuditEntry(models.Model):
    """Who changed the state of something, when and why."""

    account_id = models.BigIntegerField(db_index=True)
    subject = models.CharField(max_length=80, help_text="What changed, such as order:12.")
    actor = models.CharField(max_length=150)
    from_state = models.CharField(max_length=30, blank=True)
    to_state = models.CharField(max_length=30)
    why = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["subject"], name="audit_by_subject")]
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.subject}: {self.from_state or 'new'} → {self.to_state}"


class OutboxEvent(models.Model):
    """Something that happened and must be told to the outside, written in the transaction that made it so."""

    account_id = models.BigIntegerField(db_index=True)
    kind = models.CharField(max_length=60)
    subject = models.CharField(max_length=80)
    payload = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["subject"], condition=Q(kind="order.placed"), name="an_order_is_placed_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class IdempotencyRecord(models.Model):
    """One answered creating call: the same key with the same body gets the same answer."""

    account_id = models.BigIntegerField()
    key = models.CharField(max_length=120)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of method, path and body.")
    status_code = models.PositiveSmallIntegerField(null=True, blank=True)
    body = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account_id", "key"], name="an_idempotency_key_is_used_once_per_account"),
        ]

    def __str__(self) -> str:
        return self.key
