"""Resources: the machines and volumes that an order brings about, one by one."""

import uuid

from django.db import models
from django.db.models import Q

from accounts.models import Account
from orders.models.ordering import OrderContainer


class ResourceState(models.TextChoices):
    ORDERED = "ordered", "Ordered"
    PROVISIONING = "provisioning", "Provisioning"
    ACTIVE = "active", "Active"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class Resource(models.Model):
    """One machine or volume, known by its own UUID from the moment it was ordered."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="resources")
    container = models.ForeignKey(OrderContainer, on_delete=models.PROTECT, related_name="resources")
    index = models.PositiveIntegerField(help_text="Which of the container's pieces it is, from 0.")
    host_name = models.CharField(max_length=253, blank=True)
    state = models.CharField(max_length=20, choices=ResourceState.choices, default=ResourceState.ORDERED)
    driver = models.SlugField(max_length=20, help_text="What provisions it: simulated, manual or webhook.")
    external_id = models.CharField(max_length=120, blank=True, help_text="Its name at whatever provisioned it.")
    reason = models.CharField(max_length=300, blank=True, help_text="Why it failed.")
    attempt = models.PositiveSmallIntegerField(default=0)
    ordered_at = models.DateTimeField()
    active_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["container", "index"]
        constraints = [
            models.UniqueConstraint(fields=["container", "index"], name="a_piece_of_a_container_is_one_resource"),
            models.CheckConstraint(
                condition=Q(state=ResourceState.ACTIVE, active_at__isnull=False)
                | Q(state=ResourceState.CANCELLED)
                | Q(
                    state__in=[ResourceState.ORDERED, ResourceState.PROVISIONING, ResourceState.FAILED],
                    active_at__isnull=True,
                ),
                name="an_active_resource_has_a_time_from_which_it_was",
            ),
            models.CheckConstraint(
                condition=Q(state=ResourceState.CANCELLED, cancelled_at__isnull=False)
                | (~Q(state=ResourceState.CANCELLED) & Q(cancelled_at__isnull=True)),
                name="a_cancelled_resource_has_a_time_since_when",
            ),
        ]

    def __str__(self) -> str:
        return self.host_name or str(self.uuid)
