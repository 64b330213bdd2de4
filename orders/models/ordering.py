"""Orders and their parts: what a buyer composes, and what it costs from the moment it is placed on."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Account, Partner
from catalog.models import Item, ItemPrice, Location, Package, Promotion
from catalog.pricing import HOURS_PER_MONTH
from core.money import fee_field
from orders.states import NOT_YET_PLACED, ONCE_PLACED, OrderState

INCLUDES = "includes"
"""The rule of the price steps that name what a bundle holds: its price is theirs too."""


class NumberSeries(models.Model):
    """The last number a partner gave to an order, a quote or an invoice; its row is the lock that leaves no gaps."""

    class Kind(models.TextChoices):
        ORDER = "order", "Orders"
        QUOTE = "quote", "Quotes"
        INVOICE = "invoice", "Invoices"

    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="number_series")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.ORDER)
    last_number = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "number series"
        constraints = [
            models.UniqueConstraint(fields=["partner", "kind"], name="a_partner_has_one_series_of_each_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.partner} {self.kind}: {self.last_number}"


class BillingOrder(models.Model):
    """Something an account means to buy, or has bought."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="orders")
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="orders")
    number = models.PositiveIntegerField(
        null=True, blank=True, help_text="Given when placed; without gaps per partner."
    )
    name = models.CharField(max_length=120)
    state = models.CharField(max_length=20, choices=OrderState.choices, default=OrderState.DRAFT)
    currency = models.CharField(max_length=3)
    promotion_code = models.CharField(max_length=40, blank=True, help_text="As typed, in capitals.")
    tags = models.JSONField(default=list, blank=True, help_text="Words of the account's own, to sum spend by.")
    hours_per_month = models.DecimalField(max_digits=7, decimal_places=2, default=HOURS_PER_MONTH)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    placed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    placed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["partner", "number"], name="an_order_number_is_unique_per_partner"),
            models.CheckConstraint(
                condition=Q(placed_at__isnull=False, placed_by__isnull=False, number__isnull=False)
                | Q(placed_at__isnull=True, placed_by__isnull=True, number__isnull=True),
                name="placed_means_a_time_a_buyer_and_a_number",
            ),
            models.CheckConstraint(
                condition=Q(state__in=sorted(NOT_YET_PLACED), placed_at__isnull=True)
                | Q(state__in=sorted(ONCE_PLACED), placed_at__isnull=False)
                | Q(state=OrderState.CANCELLED),
                name="an_order_in_a_state_after_placing_was_placed",
            ),
        ]

    def __str__(self) -> str:
        return f"Order {self.number}" if self.number else f"Draft {self.pk}"

    @property
    def subject(self) -> str:
        """What audit entries and events call this order."""
        return f"order:{self.pk}"


class BillingOrderItem(models.Model):
    """What the buyer called one part of the order, such as "storage nodes"."""

    order = models.ForeignKey(BillingOrder, on_delete=models.CASCADE, related_name="items")
    name = models.CharField(max_length=120)
    sequence = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["order_id", "sequence", "pk"]

    def __str__(self) -> str:
        return self.name


class OrderContainer(models.Model):
    """N identical machines or volumes of one package at one location on one billing term."""

    class Term(models.TextChoices):
        HOURLY = "hourly", "Hourly"
        MONTHLY = "monthly", "Monthly"

    order_item = models.ForeignKey(BillingOrderItem, on_delete=models.CASCADE, related_name="containers")
    package = models.ForeignKey(Package, on_delete=models.PROTECT, related_name="+")
    location = models.ForeignKey(Location, on_delete=models.PROTECT, related_name="+")
    term = models.CharField(max_length=10, choices=Term.choices)
    contract_months = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Empty: no commitment.")
    quantity = models.PositiveIntegerField(default=1)
    host_names = models.TextField(
        blank=True, help_text="As typed, with a blank between: one for each machine, or a pattern such as web-{n}."
    )
    sequence = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["order_item_id", "sequence", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(quantity__gte=1), name="a_container_holds_at_least_one"),
            models.CheckConstraint(
                condition=Q(contract_months__isnull=True) | Q(contract_months__gte=1),
                name="a_contract_lasts_at_least_a_month",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.package}"


class OrderLine(models.Model):
    """One chosen price in a container, in its own words: the catalogue may change tomorrow, a placed line may not.

    In a draft the figures are those last shown to the buyer; placing freezes them.
    """

    container = models.ForeignKey(OrderContainer, on_delete=models.CASCADE, related_name="lines")
    category_code = models.SlugField(max_length=60)
    category_name = models.CharField(max_length=120)
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    key_name = models.CharField(max_length=120)
    description = models.CharField(max_length=300)
    source_price = models.ForeignKey(ItemPrice, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    recurring_fee = fee_field(null=True, blank=True)
    hourly_recurring_fee = fee_field(null=True, blank=True)
    once_fee = fee_field(default=Decimal(0), help_text="Setup, one-time and labour fees of one piece.")
    setup_fee = fee_field(null=True, blank=True)
    one_time_fee = fee_field(null=True, blank=True)
    labor_fee = fee_field(null=True, blank=True)
    usage_rate = fee_field(null=True, blank=True)
    usage_tiers = models.JSONField(default=list, blank=True, help_text="Pairs: from so many units, the rate of each.")
    usage_allowance = models.DecimalField(
        max_digits=15, decimal_places=4, null=True, blank=True, help_text="Units that a month of one piece includes."
    )
    regular_fee = fee_field(
        null=True, blank=True, help_text="Of one piece on its term once a promotion has ended; empty: no promotion."
    )
    regular_monthly_amount = fee_field(
        null=True, blank=True, help_text="Owed each month for all pieces once a promotion has ended."
    )
    promotion = models.ForeignKey(Promotion, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    promotion_months = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="For so many months; empty: as long as the line lasts."
    )
    price_steps = models.JSONField(default=list, blank=True, help_text="Why it costs that: rules and words.")
    monthly_amount = fee_field(null=True, blank=True, help_text="Owed each month for all pieces; empty: unpriced.")
    once_amount = fee_field(null=True, blank=True, help_text="Owed once for all pieces; empty: unpriced.")
    source = models.CharField(max_length=300, blank=True)
    basis = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ["container_id", "pk"]

    def __str__(self) -> str:
        return self.description

    @property
    def included(self) -> list[str]:
        """What came along in a bundle when the line was priced, a sentence for each thing."""
        return [step["words"] for step in self.price_steps if step["rule"] == INCLUDES]
