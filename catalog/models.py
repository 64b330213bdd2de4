"""The catalogue: packages, categories, items and their prices, with the source of every figure."""

from datetime import datetime
from decimal import Decimal
from typing import Self

from django.db import models
from django.db.models import F, Q

from catalog.blueprint_models import BlueprintNeed as BlueprintNeed
from catalog.blueprint_models import BlueprintService as BlueprintService
from catalog.book_models import ExchangeRate as ExchangeRate
from catalog.book_models import PriceBook as PriceBook
from catalog.book_models import PriceBookRule as PriceBookRule
from catalog.book_models import Promotion as Promotion
from catalog.book_models import PromotionUse as PromotionUse
from catalog.choices import Basis as Basis
from catalog.choices import Driver
from catalog.choices import Restriction as PriceRestriction
from catalog.fees import FEE_NAMES
from catalog.rule_models import ItemRule as ItemRule
from catalog.rule_models import Stock as Stock
from core.money import fee_field


class LocationGroup(models.Model):
    """A set of data centres that share prices."""

    external_id = models.PositiveIntegerField(unique=True)
    name = models.CharField(max_length=80, blank=True)
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["external_id"]

    def __str__(self) -> str:
        return self.name or f"group {self.external_id}"


class Location(models.Model):
    """A data centre in which things can be ordered."""

    key_name = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=80)
    groups = models.ManyToManyField(LocationGroup, blank=True, related_name="locations")
    source = models.CharField(max_length=200)

    class Meta:
        ordering = ["key_name"]

    def __str__(self) -> str:
        return f"{self.name} ({self.key_name})"


class ItemCategory(models.Model):
    """A kind of choice that a package asks for, such as the operating system."""

    category_code = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)

    class Meta:
        ordering = ["category_code"]
        verbose_name_plural = "item categories"

    def __str__(self) -> str:
        return self.name


class Item(models.Model):
    """Something that is sold: a processor, a drive, a machine type, an operating system."""

    source = models.CharField(max_length=60, help_text="The catalogue that this item belongs to.")
    external_id = models.CharField(max_length=60, help_text="Its id in that catalogue.")
    key_name = models.CharField(max_length=120)
    description = models.CharField(max_length=300)
    capacity = models.DecimalField(max_digits=15, decimal_places=4, null=True, blank=True)
    units = models.CharField(max_length=40, blank=True)
    categories = models.ManyToManyField(ItemCategory, related_name="items", blank=True)

    class Meta:
        ordering = ["source", "external_id"]
        constraints = [
            models.UniqueConstraint(fields=["source", "external_id"], name="an_item_is_unique_in_its_source"),
        ]
        indexes = [models.Index(fields=["key_name"], name="item_by_key_name")]

    def __str__(self) -> str:
        return self.description


class ItemAttribute(models.Model):
    """One known fact about an item, such as its memory or its measured network rate."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="attributes")
    name = models.SlugField(max_length=60)
    value = models.CharField(max_length=120)
    unit = models.CharField(max_length=40, blank=True)
    source = models.CharField(max_length=300)
    basis = models.CharField(max_length=20, choices=Basis.choices)

    class Meta:
        ordering = ["item_id", "name"]
        constraints = [
            models.UniqueConstraint(fields=["item", "name"], name="an_item_has_one_value_for_an_attribute"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.value} {self.unit}".strip()


class Package(models.Model):
    """A product line that can be ordered, with the categories that it asks for."""

    source = models.CharField(max_length=60)
    external_id = models.CharField(max_length=60)
    key_name = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True)
    is_active = models.BooleanField(default=True)
    items = models.ManyToManyField(Item, related_name="packages", blank=True)
    locations = models.ManyToManyField(Location, related_name="packages", blank=True)
    driver = models.CharField(
        max_length=20,
        choices=Driver.choices,
        default=Driver.SIMULATED,
        help_text="What brings its machines about once they are ordered.",
    )
    public_network = models.CharField(max_length=300, blank=True, help_text="What it carries and what that costs.")
    private_network = models.CharField(max_length=300, blank=True, help_text="What it carries and what that costs.")
    management_network = models.CharField(max_length=300, blank=True, help_text="Out of band.")
    networks_source = models.CharField(max_length=300, blank=True)
    networks_basis = models.CharField(max_length=20, choices=Basis.choices, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["source", "external_id"], name="a_package_is_unique_in_its_source"),
        ]

    def __str__(self) -> str:
        return self.name


class PackageConfiguration(models.Model):
    """That a package asks for one category: whether it must, where in the order of questions, how many."""

    package = models.ForeignKey(Package, on_delete=models.CASCADE, related_name="configuration")
    category = models.ForeignKey(ItemCategory, on_delete=models.PROTECT, related_name="configurations")
    is_required = models.BooleanField(default=False)
    order_step = models.PositiveSmallIntegerField(default=1)
    sort = models.PositiveSmallIntegerField(default=0)
    quantity_limit = models.PositiveSmallIntegerField(
        default=1, help_text="Most prices of this category in a container."
    )
    same_items_as = models.ForeignKey(
        ItemCategory,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The items of that category fill this one too, as disks fill every slot.",
    )
    default_item = models.ForeignKey(Item, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    error_words = models.CharField(max_length=200, blank=True, help_text="What to tell who left it out.")
    source = models.CharField(max_length=300, blank=True)
    basis = models.CharField(max_length=20, choices=Basis.choices, default=Basis.PUBLISHED)

    class Meta:
        ordering = ["package_id", "order_step", "sort", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["package", "category"], name="a_package_asks_for_a_category_once"),
            models.CheckConstraint(condition=Q(quantity_limit__gte=1), name="a_category_allows_at_least_one_price"),
        ]

    def __str__(self) -> str:
        return f"{self.package}: {self.category}"


class ItemPriceQuerySet(models.QuerySet["ItemPrice"]):
    def open_on(self, at: datetime) -> Self:
        """The prices valid at that time."""
        return self.filter(Q(valid_to__isnull=True) | Q(valid_to__gt=at), valid_from__lte=at)


class ItemPrice(models.Model):
    """What an item costs under some conditions, from one date on. Closed and replaced, never edited.

    Each fee is null where the item is not offered that way; with all of them null the item is unpriced.
    """

    Restriction = PriceRestriction
    FEES = FEE_NAMES

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="prices")
    external_id = models.CharField(max_length=60)
    currency = models.CharField(max_length=3, default="USD")
    recurring_fee = fee_field(null=True, blank=True, help_text="Each month.")
    hourly_recurring_fee = fee_field(null=True, blank=True, help_text="Each hour.")
    setup_fee = fee_field(null=True, blank=True)
    one_time_fee = fee_field(null=True, blank=True)
    labor_fee = fee_field(null=True, blank=True)
    usage_rate = fee_field(null=True, blank=True, help_text="Each unit used.")
    location_group = models.ForeignKey(
        LocationGroup,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="prices",
        help_text="Empty: standard.",
    )
    restriction = models.CharField(max_length=20, choices=Restriction.choices, blank=True, default="")
    restriction_minimum = models.PositiveIntegerField(null=True, blank=True)
    restriction_maximum = models.PositiveIntegerField(null=True, blank=True)
    term_months = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Empty: no commitment.")
    tier = models.PositiveIntegerField(
        null=True, blank=True, help_text="Units used beyond which the usage rate holds; empty: no tier."
    )
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True, blank=True)
    categories = models.ManyToManyField(ItemCategory, related_name="prices", blank=True, help_text="Empty: the item's.")
    source = models.CharField(max_length=300)
    basis = models.CharField(max_length=20, choices=Basis.choices)

    objects = ItemPriceQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["item", "valid_to"], name="price_by_item_and_end")]
        constraints = [
            # Two loadings at the same moment would otherwise leave an item with two prices.
            models.UniqueConstraint(
                fields=["item", "external_id"], condition=Q(valid_to__isnull=True), name="a_price_is_open_once"
            ),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gt=F("valid_from")),
                name="a_price_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(restriction="", restriction_minimum__isnull=True, restriction_maximum__isnull=True)
                | Q(
                    ~Q(restriction=""),
                    restriction_minimum__isnull=False,
                    restriction_maximum__isnull=False,
                    restriction_maximum__gte=F("restriction_minimum"),
                ),
                name="a_capacity_restriction_has_a_range",
            ),
            models.CheckConstraint(
                condition=Q(tier__isnull=True) | Q(usage_rate__isnull=False), name="a_tier_has_a_usage_rate"
            ),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{fee}__isnull": True}) | Q(**{f"{fee}__gte": 0}), name=f"{fee}_is_not_negative"
                )
                for fee in FEE_NAMES
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item} #{self.external_id}"

    @property
    def fees(self) -> dict[str, Decimal | None]:
        return {fee: getattr(self, fee) for fee in self.FEES}

    @property
    def is_unpriced(self) -> bool:
        return all(fee is None for fee in self.fees.values())


class Blueprint(models.Model):
    """A composition worth repeating: a preset has one role, a solution several."""

    key_name = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True)
    source = models.CharField(max_length=300)
    basis = models.CharField(max_length=20, choices=Basis.choices, default=Basis.ASSUMED)

    class Meta:
        ordering = ["key_name"]

    def __str__(self) -> str:
        return self.name


class BlueprintRole(models.Model):
    """One kind of machine in a blueprint, and how many of it."""

    blueprint = models.ForeignKey(Blueprint, on_delete=models.CASCADE, related_name="roles")
    name = models.CharField(max_length=80)
    sequence = models.PositiveSmallIntegerField(default=0)
    package = models.ForeignKey(Package, on_delete=models.PROTECT, related_name="blueprint_roles")
    quantity = models.PositiveIntegerField(default=1, help_text="0, where it may be left out: only if asked for.")
    least = models.PositiveIntegerField(default=1, help_text="The fewest machines, where there are any.")
    most = models.PositiveIntegerField(null=True, blank=True, help_text="The most machines; empty: any number.")
    is_optional = models.BooleanField(default=False, help_text="Whether the role may be left out.")

    class Meta:
        ordering = ["blueprint_id", "sequence", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["blueprint", "name"], name="a_role_stands_once_in_a_blueprint"),
            models.CheckConstraint(condition=Q(least__gte=1), name="the_fewest_machines_are_at_least_one"),
            models.CheckConstraint(
                condition=Q(quantity__gte=F("least")) | Q(quantity=0, is_optional=True),
                name="a_role_has_at_least_the_fewest_machines",
            ),
            models.CheckConstraint(
                condition=Q(most__isnull=True) | (Q(most__gte=F("quantity")) & Q(most__gte=F("least"))),
                name="a_role_has_at_most_the_most_machines",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.blueprint}: {self.name}"


class BlueprintPart(models.Model):
    """One item chosen for a category in a role."""

    role = models.ForeignKey(BlueprintRole, on_delete=models.CASCADE, related_name="parts")
    category = models.ForeignKey(ItemCategory, on_delete=models.PROTECT, related_name="+")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["role_id", "pk"]

    def __str__(self) -> str:
        return f"{self.category}: {self.item}"


class CatalogLoad(models.Model):
    """One loading of catalogue data: from where, when and what it changed. The newest is the catalogue's version."""

    source = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    added = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    closed = models.PositiveIntegerField(default=0)
    loaded_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.source} at {self.loaded_at:%Y-%m-%d %H:%M} UTC"
