"""Use: what machines and volumes were measured to have used of what is paid by use."""

from django.db import models
from django.db.models import Q

from orders.models.ordering import OrderLine
from orders.models.resources import Resource


class UsageRecord(models.Model):
    """What one machine or volume used in a calendar month of something that its order pays by use, such as traffic."""

    resource = models.ForeignKey(Resource, on_delete=models.PROTECT, related_name="usage")
    order_line = models.ForeignKey(OrderLine, on_delete=models.PROTECT, related_name="usage")
    month = models.DateField(help_text="The first day of the month, in UTC.")
    quantity = models.DecimalField(
        max_digits=15, decimal_places=4, help_text="In the units of the item, the allowance included."
    )
    recorded_by = models.CharField(max_length=150)
    recorded_at = models.DateTimeField()

    class Meta:
        ordering = ["-month", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["resource", "order_line", "month"], name="use_of_a_month_is_recorded_once"),
            models.CheckConstraint(condition=Q(quantity__gte=0), name="use_is_not_negative"),
            models.CheckConstraint(condition=Q(month__day=1), name="use_is_of_a_whole_month"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} of {self.order_line} in {self.month:%Y-%m}"

    @property
    def subject(self) -> str:
        """What audit entries call this record."""
        return f"usage:{self.pk}"
