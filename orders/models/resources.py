"""Resources: the machines and volumes that an order brings about, one by one, and who is called to provide them."""

import secrets
import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Account
from catalog.choices import Driver
from catalog.models import Package
from jobs.models import Run
from orders.models.ordering import BillingOrder, OrderContainer


class ResourceState(models.TextChoices):
    ORDERED = "ordered", "Ordered"
    PROVISIONING = "provisioning", "Provisioning"
    ACTIVE = "active", "Active"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


NOT_THERE_YET = (ResourceState.ORDERED, ResourceState.PROVISIONING)


class Resource(models.Model):
    """One machine or volume, known by its own UUID from the moment it was ordered."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="resources")
    container = models.ForeignKey(OrderContainer, on_delete=models.PROTECT, related_name="resources")
    index = models.PositiveIntegerField(help_text="Which of the container's pieces it is, from 0.")
    host_name = models.CharField(max_length=253, blank=True)
    state = models.CharField(max_length=20, choices=ResourceState.choices, default=ResourceState.ORDERED)
    driver = models.CharField(
        max_length=20, choices=Driver.choices, help_text="That of its package when it was placed."
    )
    external_id = models.CharField(max_length=120, blank=True, help_text="Its name at whatever provisioned it.")
    reason = models.CharField(max_length=300, blank=True, help_text="Why it failed.")
    attempt = models.PositiveSmallIntegerField(default=0)
    run = models.ForeignKey(
        Run, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", help_text="Of its latest attempt."
    )
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Who of the operator's staff provides it by hand.",
    )
    ordered_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True, blank=True, help_text="When its latest attempt began.")
    accepted_at = models.DateTimeField(null=True, blank=True, help_text="When the external provisioner took it on.")
    active_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    released_at = models.DateTimeField(null=True, blank=True, help_text="When a cancelled one was really gone.")

    class Meta:
        ordering = ["container_id", "index"]
        indexes = [
            models.Index(fields=["container"], condition=Q(state__in=NOT_THERE_YET), name="resource_not_there_yet"),
        ]
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
            models.CheckConstraint(
                condition=Q(state=ResourceState.CANCELLED) | Q(released_at__isnull=True),
                name="only_a_cancelled_resource_is_released",
            ),
        ]

    def __str__(self) -> str:
        return self.host_name or str(self.uuid)

    @property
    def subject(self) -> str:
        """What audit entries call this resource."""
        return subject_of(self.uuid)

    @property
    def order(self) -> BillingOrder:
        return self.container.order_item.order


def subject_of(resource_uuid: uuid.UUID) -> str:
    """Return what audit entries call the resource of this UUID."""
    return f"resource:{resource_uuid}"


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class WebhookEndpoint(models.Model):
    """The external provisioner that is called for the machines of one package."""

    package = models.OneToOneField(Package, on_delete=models.CASCADE, related_name="webhook_endpoint")
    url = models.URLField(max_length=300, help_text="Where signed calls go, such as https://provisioner.example/calls.")
    secret = models.CharField(
        max_length=120, default=new_secret, help_text="Signs calls and answers; the provisioner knows it too."
    )
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["package_id"]

    def __str__(self) -> str:
        return f"provisioner of {self.package}"


class CallbackReceipt(models.Model):
    """One signed answer of an external provisioner that was taken in, so that it is not taken in again."""

    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.CASCADE, related_name="receipts")
    delivery = models.CharField(max_length=64)
    received_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "delivery"], name="a_delivery_is_taken_in_once"),
        ]

    def __str__(self) -> str:
        return self.delivery
