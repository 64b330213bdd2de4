"""Plans with the orders that came of them, and simulations: questions, and the runs that answer them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.models import Account
from catalog.models import Location
from jobs.models import Run
from orders.models import BillingOrder
from planner.advice.models import Advice as Advice
from planner.advice.models import AdviceOrder as AdviceOrder
from planner.demand import Demand
from planner.mapping.models import ImportedScore as ImportedScore
from planner.mapping.models import ImportedScoreTable as ImportedScoreTable
from planner.measurement_models import Measurement as Measurement
from planner.measurement_models import MeasurementFile as MeasurementFile


class Plan(models.Model):
    """One question about a storage cloud that somebody asked, with the run that answers it."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="plans")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    location = models.ForeignKey(Location, on_delete=models.PROTECT, related_name="+")
    demand = models.JSONField(help_text="A planner.demand.Demand.")
    words = models.CharField(max_length=200, help_text="The demand as a sentence.")
    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="plan")
    origin = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="repeats",
        help_text="The plan whose earlier phases this one took over.",
    )
    from_stage = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The first stage that was worked out again."
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(origin__isnull=True, from_stage__isnull=True)
                | Q(origin__isnull=False, from_stage__isnull=False),
                name="a_repeated_plan_says_from_which_stage",
            ),
        ]

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


class AnswerShare(models.Model):
    """A link by which an account shows the answer of a plan or of advice to others, signed in or not."""

    plan = models.ForeignKey(Plan, null=True, blank=True, on_delete=models.PROTECT, related_name="shares")
    advice = models.ForeignKey(Advice, null=True, blank=True, on_delete=models.CASCADE, related_name="shares")
    token = models.CharField(max_length=64, unique=True, help_text="Whoever has it sees the answer.")
    shared_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    shared_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(plan__isnull=False, advice__isnull=True) | Q(plan__isnull=True, advice__isnull=False),
                name="a_link_leads_to_one_answer",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("shared_at")), name="an_answers_link_holds_for_some_time"
            ),
        ]

    def __str__(self) -> str:
        return f"link {self.pk} to {self.subject}"

    @property
    def subject(self) -> str:
        """What it leads to, as the audit names it."""
        return f"plan:{self.plan_id}" if self.plan_id else f"advice:{self.advice_id}"


class Simulation(models.Model):
    """One question of what a configuration will deliver under a workload, with the run that answers it."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="simulations")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    name = models.CharField(max_length=120)
    workload = models.CharField(max_length=40)
    scenario = models.JSONField(help_text="As the models take it; a swept field holds its first value.")
    sweep = models.JSONField(null=True, blank=True, help_text="The field that is swept, and its values.")
    replications = models.PositiveSmallIntegerField(default=1, help_text="Runs of each point, each with its own seed.")
    parameter_set = models.CharField(max_length=60)
    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="simulation")

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["account", "-id"], name="simulation_by_account")]
        constraints = [
            models.CheckConstraint(condition=Q(replications__gte=1), name="a_simulation_runs_each_point_once_or_more"),
        ]

    def __str__(self) -> str:
        return self.name
