"""Plans: a demand, the run that answers it, and the orders that came of it."""

from django.conf import settings
from django.db import models

from accounts.models import Account
from catalog.models import Location
from jobs.models import Run
from orders.models import BillingOrder
from planner.demand import Demand


class Plan(models.Model):
    """One question about a storage cloud that somebody asked, with the run that answers it."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="plans")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    location = models.ForeignKey(Location, on_delete=models.PROTECT, related_name="+")
    demand = models.JSONField(help_text="A planner.demand.Demand.")
    words = models.CharField(max_length=200, help_text="The demand as a sentence.")
    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="plan")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.words

    @property
    def asked(self) -> Demand:
        return Demand.from_json(self.demand)


class PlanOrder(models.Model):
    """That an order was made from a plan, and from which of its shapes."""

    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="plan_orders")
    order = models.OneToOneField(BillingOrder, on_delete=models.CASCADE, related_name="+")
    shape = models.JSONField(help_text="The row of the plan's answer that was ordered.")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.order} from plan {self.plan_id}"
