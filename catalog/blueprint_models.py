"""Rows of the services that a blueprint's machines run together, and where each of them stands."""

from django.db import models
from django.db.models import F, Q


class BlueprintService(models.Model):
    """One service that a blueprint's machines run together, with the rule that says on which of them it stands."""

    role = models.ForeignKey(
        "catalog.BlueprintRole",
        on_delete=models.CASCADE,
        related_name="services",
        help_text="The machines that it stands on, where there are any.",
    )
    otherwise = models.ForeignKey(
        "catalog.BlueprintRole",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="The machines that it shares while its own role has none.",
    )
    agents = models.ForeignKey(
        "catalog.BlueprintRole",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="Machines each of which runs a part of it too.",
    )
    key_name = models.SlugField(max_length=60)
    name = models.CharField(max_length=80)
    sequence = models.PositiveSmallIntegerField(default=0)
    shares_up_to = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="The most machines of all roles together while it shares; beyond, a warning. Empty: any number.",
    )

    class Meta:
        ordering = ["role_id", "sequence", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["role", "key_name"], name="a_service_stands_once_in_a_role"),
            models.CheckConstraint(
                condition=Q(otherwise__isnull=True) | ~Q(otherwise=F("role")), name="a_service_shares_another_role"
            ),
            models.CheckConstraint(
                condition=Q(shares_up_to__isnull=True) | Q(otherwise__isnull=False, shares_up_to__gte=1),
                name="only_a_service_that_shares_has_a_limit",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role.blueprint}: {self.name}"


class BlueprintNeed(models.Model):
    """One item that a service needs in each machine that it stands on; so many of it where it is a drive."""

    service = models.ForeignKey(BlueprintService, on_delete=models.CASCADE, related_name="needs")
    category = models.ForeignKey("catalog.ItemCategory", on_delete=models.PROTECT, related_name="+")
    item = models.ForeignKey("catalog.Item", on_delete=models.PROTECT, related_name="+")
    count = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["service_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["service", "category", "item"], name="a_service_needs_an_item_once"),
            models.CheckConstraint(condition=Q(count__gte=1), name="a_service_needs_at_least_one"),
        ]

    def __str__(self) -> str:
        return f"{self.count} × {self.item}"
