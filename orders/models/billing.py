"""Bills: what an account owes for each month, and what it meant to spend."""

from django.db import models
from django.db.models import F, Q

from accounts.models import Account, Partner
from core.money import fee_field
from orders.models.ordering import OrderLine


class TaxRate(models.Model):
    """A tax that an account pays on its invoices within some time."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="tax_rates")
    name = models.CharField(max_length=60)
    percent = models.DecimalField(max_digits=7, decimal_places=4)
    valid_from = models.DateField()
    valid_to = models.DateField(null=True, blank=True, help_text="The first day without it.")

    class Meta:
        ordering = ["account_id", "name", "valid_from"]
        constraints = [
            models.CheckConstraint(condition=Q(percent__gte=0, percent__lte=100), name="a_tax_takes_0_to_100_percent"),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gt=F("valid_from")), name="a_tax_holds_for_some_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.percent.normalize():f} %"


class Invoice(models.Model):
    """What an account owes, as it was put together for one calendar month; it is never rewritten."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="invoices")
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="invoices")
    number = models.PositiveIntegerField(help_text="Without gaps per partner.")
    month = models.DateField(help_text="The first day of the month, in UTC, for which it was put together.")
    currency = models.CharField(max_length=3)
    issued_at = models.DateTimeField()
    net = models.DecimalField(max_digits=15, decimal_places=2)
    tax = models.DecimalField(max_digits=15, decimal_places=2)

    class Meta:
        ordering = ["-month", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["partner", "number"], name="an_invoice_number_is_unique_per_partner"),
            models.UniqueConstraint(
                fields=["account", "month", "currency"], name="an_account_has_one_invoice_for_a_month"
            ),
            models.CheckConstraint(condition=Q(month__day=1), name="an_invoice_is_for_a_whole_month"),
        ]

    def __str__(self) -> str:
        return f"Invoice {self.number}"


class InvoiceLine(models.Model):
    """One amount of an invoice, in its own words: what an order line owes for one month, or what corrects that.

    The amounts of all invoices for one order line, kind and period add up to what is owed for it; a negative one is a
    credit.
    """

    class Kind(models.TextChoices):
        RECURRING = "recurring", "Recurring"
        ONCE = "once", "Once"
        USAGE = "usage", "Use"
        TAX = "tax", "Tax"

    invoice = models.ForeignKey(Invoice, on_delete=models.CASCADE, related_name="lines")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    order_line = models.ForeignKey(
        OrderLine, on_delete=models.PROTECT, null=True, blank=True, related_name="invoice_lines"
    )
    period = models.DateField(help_text="The first day of the month that it is owed for.")
    description = models.CharField(max_length=400)
    quantity = models.DecimalField(
        max_digits=15, decimal_places=4, null=True, blank=True, help_text="Months or hours of one piece; none for tax."
    )
    unit = models.CharField(max_length=10, blank=True)
    rate = fee_field(null=True, blank=True)
    amount = models.DecimalField(max_digits=15, decimal_places=2)

    class Meta:
        ordering = ["invoice_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["invoice", "order_line", "kind", "period"],
                name="an_invoice_names_a_line_once_for_a_period",
            ),
            models.CheckConstraint(
                condition=Q(kind="tax", order_line__isnull=True) | (~Q(kind="tax") & Q(order_line__isnull=False)),
                name="an_invoice_line_is_of_an_order_unless_it_is_tax",
            ),
            models.CheckConstraint(condition=~Q(amount=0), name="an_invoice_line_comes_to_something"),
        ]

    def __str__(self) -> str:
        return self.description


class Budget(models.Model):
    """What an account means to spend in a month, and from which share of it on it wants to be warned."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="budget")
    amount = models.DecimalField(max_digits=15, decimal_places=2)
    warn_percent = models.PositiveSmallIntegerField(default=80)
    warned_month = models.DateField(
        null=True, blank=True, help_text="The month whose warning has been sent, by its first day."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0, warn_percent__gte=1, warn_percent__lte=100),
                name="a_budget_is_above_zero_and_warns_within_it",
            ),
        ]

    def __str__(self) -> str:
        return f"budget of {self.account}"
