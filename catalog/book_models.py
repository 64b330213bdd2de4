"""Price books, exchange rates and promotions: what stands between a list price and what an account pays."""

from datetime import datetime
from decimal import Decimal
from typing import Any, Self

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Upper

from accounts.models import Account, Partner
from catalog.fees import FEE_NAMES, Fees
from core.money import fee_field


class Scope(models.TextChoices):
    """What a rule of a price book, or a promotion, is about; the later ones are the more specific."""

    EVERYTHING = "everything", "Everything"
    PACKAGE = "package", "A package"
    CATEGORY = "category", "An item category"
    ITEM = "item", "An item"


def _names_its_target(name: str) -> models.CheckConstraint:
    """Return the constraint that a scope and what it names belong together."""
    nothing = {"package__isnull": True, "category__isnull": True, "item__isnull": True}
    condition = Q(scope=Scope.EVERYTHING, **nothing)
    for scope in (Scope.PACKAGE, Scope.CATEGORY, Scope.ITEM):
        condition |= Q(scope=scope, **{**nothing, f"{scope.value}__isnull": False})
    words = "Name the package, the category or the item that the scope says, and nothing else."
    return models.CheckConstraint(condition=condition, name=name, violation_error_message=words)


def _ends_after_it_begins(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q(valid_to__isnull=True) | Q(valid_to__gt=F("valid_from")),
        name=name,
        violation_error_message="It ends after it begins. Write a later end, or none.",
    )


class DatedQuerySet(models.QuerySet[Any]):
    def open_on(self, at: datetime) -> Self:
        """The rows valid at that time."""
        return self.filter(Q(valid_to__isnull=True) | Q(valid_to__gt=at), valid_from__lte=at)


class PriceBook(models.Model):
    """The prices that a partner makes for its accounts, as changes of the list prices."""

    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="price_books")
    name = models.CharField(max_length=80)
    currency = models.CharField(max_length=3, help_text="Of its fixed prices.")
    shows_rules = models.BooleanField(
        "customers see its rules",
        default=False,
        help_text="Without it “why this price” names the book alone, neither the list price nor the mark-up.",
    )
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True, blank=True)

    objects = DatedQuerySet.as_manager()

    class Meta:
        ordering = ["partner_id", "-valid_from", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["partner", "name"], name="a_price_book_name_is_unique_per_partner"),
            _ends_after_it_begins("a_price_book_ends_after_it_begins"),
        ]

    def __str__(self) -> str:
        return f"{self.partner}: {self.name}"


class PriceBookRule(models.Model):
    """One change of the list prices in a price book, from one date on. Closed and replaced, never edited."""

    class Kind(models.TextChoices):
        MARK_UP = "mark_up", "Mark-up"
        DISCOUNT = "discount", "Discount"
        FIXED = "fixed", "Fixed price"

    book = models.ForeignKey(PriceBook, on_delete=models.PROTECT, related_name="rules")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    percent = models.DecimalField(
        max_digits=8, decimal_places=4, null=True, blank=True, help_text="Of a mark-up or a discount."
    )
    recurring_fee = fee_field(null=True, blank=True, help_text="Each month.")
    hourly_recurring_fee = fee_field(null=True, blank=True, help_text="Each hour.")
    setup_fee = fee_field(null=True, blank=True)
    one_time_fee = fee_field(null=True, blank=True)
    labor_fee = fee_field(null=True, blank=True)
    usage_rate = fee_field(null=True, blank=True, help_text="Each unit used.")
    scope = models.CharField(max_length=10, choices=Scope.choices)
    package = models.ForeignKey("catalog.Package", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    category = models.ForeignKey(
        "catalog.ItemCategory", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    item = models.ForeignKey("catalog.Item", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True, blank=True)

    objects = DatedQuerySet.as_manager()

    class Meta:
        ordering = ["book_id", "pk"]
        indexes = [models.Index(fields=["book", "valid_to"], name="rule_by_book_and_end")]
        constraints = [
            _names_its_target("a_price_book_rule_names_its_target"),
            _ends_after_it_begins("a_price_book_rule_ends_after_it_begins"),
            models.CheckConstraint(
                condition=Q(kind="fixed", percent__isnull=True)
                | (
                    Q(percent__isnull=False)
                    & ~Q(kind="fixed")
                    & Q(**{f"{fee}__isnull": True for fee in FEE_NAMES})  # only a fixed price has fees of its own
                ),
                name="a_rule_has_a_percentage_or_a_fixed_price",
                violation_error_message="A mark-up or discount has a percentage, a fixed price has fees; not both.",
            ),
            models.CheckConstraint(
                condition=~Q(kind="fixed") | ~Q(**{f"{fee}__isnull": True for fee in FEE_NAMES}),
                name="a_fixed_price_has_a_fee",
                violation_error_message="A fixed price needs at least one fee.",
            ),
            models.CheckConstraint(
                condition=~Q(kind="fixed", scope=Scope.EVERYTHING),
                name="a_fixed_price_is_not_for_everything",
                violation_error_message="A fixed price is for a package, a category or an item.",
            ),
            models.CheckConstraint(
                condition=Q(percent__isnull=True)
                | Q(kind="mark_up", percent__gt=0, percent__lte=1000)
                | Q(kind="discount", percent__gt=0, percent__lte=100),
                name="a_percentage_of_a_rule_is_in_its_range",
                violation_error_message="A mark-up is above 0 % and at most 1000 %, a discount at most 100 %.",
            ),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{fee}__isnull": True}) | Q(**{f"{fee}__gte": 0}),
                    name=f"fixed_{fee}_is_not_negative",
                )
                for fee in FEE_NAMES
            ),
        ]

    def __str__(self) -> str:
        return f"{self.words} on {self.target_words}"

    @property
    def fees(self) -> Fees:
        """The fees that a fixed price names."""
        return Fees(**{fee: getattr(self, fee) for fee in FEE_NAMES})

    @property
    def words(self) -> str:
        """What it does: "mark-up 15 %"."""
        if self.percent is None:
            return f"fixed price {self.fees.words(self.book.currency)}"
        return f"{self.get_kind_display().lower()} {percent_words(self.percent)}"

    @property
    def target_words(self) -> str:
        return target_words(self.scope, self.package or self.category or self.item)


class ExchangeRate(models.Model):
    """What one unit of a currency is worth in another one, from a day on until the next rate."""

    from_currency = models.CharField(max_length=3)
    to_currency = models.CharField(max_length=3)
    rate = models.DecimalField(max_digits=15, decimal_places=6)
    valid_from = models.DateField(help_text="The first day, in UTC.")
    source = models.CharField(max_length=200)

    class Meta:
        ordering = ["from_currency", "to_currency", "-valid_from"]
        constraints = [
            models.UniqueConstraint(
                fields=["from_currency", "to_currency", "valid_from"], name="a_rate_between_currencies_is_one_a_day"
            ),
            models.CheckConstraint(condition=Q(rate__gt=0), name="a_rate_is_above_zero"),
            models.CheckConstraint(condition=~Q(from_currency=F("to_currency")), name="a_rate_joins_two_currencies"),
        ]

    def __str__(self) -> str:
        return f"1 {self.from_currency} = {self.rate.normalize():f} {self.to_currency} from {self.valid_from}"


class Promotion(models.Model):
    """Something taken off prices for a while: for everybody, or for those who give its code."""

    partner = models.ForeignKey(
        Partner, on_delete=models.PROTECT, null=True, blank=True, related_name="promotions", help_text="Empty: all."
    )
    name = models.CharField(max_length=80)
    code = models.CharField(max_length=40, blank=True, help_text="In capitals. Empty: it counts without being asked.")
    percent_off = models.DecimalField(max_digits=8, decimal_places=4, null=True, blank=True)
    is_off_recurring = models.BooleanField("percentage off monthly and hourly fees", default=False)
    is_off_once = models.BooleanField("percentage off setup, one-time and labour fees", default=False)
    recurring_fee_off = fee_field(null=True, blank=True, help_text="Each month, of each piece.")
    hourly_fee_off = fee_field(null=True, blank=True, help_text="Each hour, of each piece.")
    once_fee_off = fee_field(null=True, blank=True, help_text="Once, of each piece.")
    currency = models.CharField(max_length=3, blank=True, help_text="Of the amounts; accounts in others do not get it.")
    scope = models.CharField(max_length=10, choices=Scope.choices)
    package = models.ForeignKey("catalog.Package", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    category = models.ForeignKey(
        "catalog.ItemCategory", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    item = models.ForeignKey("catalog.Item", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    lasts_months = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How long recurring fees stay lower; empty: as long as the line lasts."
    )
    use_limit = models.PositiveIntegerField(null=True, blank=True, help_text="Most orders placed with it.")
    used = models.PositiveIntegerField(default=0, editable=False)
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True, blank=True)

    objects = DatedQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            _names_its_target("a_promotion_names_its_target"),
            _ends_after_it_begins("a_promotion_ends_after_it_begins"),
            models.UniqueConstraint(
                fields=["partner", "code"], condition=~Q(code=""), name="a_promotion_code_is_unique_per_partner"
            ),
            models.UniqueConstraint(
                fields=["code"],
                condition=~Q(code="") & Q(partner__isnull=True),
                name="a_promotion_code_for_all_is_unique",
            ),
            models.CheckConstraint(
                condition=Q(code=Upper("code")),
                name="a_promotion_code_is_in_capitals",
                violation_error_message="Write the code in capitals.",
            ),
            models.CheckConstraint(
                condition=Q(
                    Q(is_off_recurring=True) | Q(is_off_once=True),
                    percent_off__isnull=False,
                    percent_off__gt=0,
                    percent_off__lte=100,
                    recurring_fee_off__isnull=True,
                    hourly_fee_off__isnull=True,
                    once_fee_off__isnull=True,
                )
                | (
                    Q(percent_off__isnull=True, is_off_recurring=False, is_off_once=False)
                    & ~Q(recurring_fee_off__isnull=True, hourly_fee_off__isnull=True, once_fee_off__isnull=True)
                    & ~Q(currency="")
                    & Q(scope__in=[Scope.CATEGORY, Scope.ITEM])
                ),
                name="a_promotion_is_a_percentage_or_amounts_off_one_kind",
                violation_error_message=(
                    "Give a percentage and say off which fees; or amounts, their currency, and a category or an item."
                ),
            ),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{fee}__isnull": True}) | Q(**{f"{fee}__gt": 0}), name=f"{fee}_is_above_zero"
                )
                for fee in ("recurring_fee_off", "hourly_fee_off", "once_fee_off")
            ),
            models.CheckConstraint(
                condition=Q(lasts_months__isnull=True) | Q(lasts_months__gte=1),
                name="a_promotion_lasts_at_least_a_month",
            ),
            models.CheckConstraint(
                condition=Q(use_limit__isnull=True) | Q(used__lte=F("use_limit")),
                name="a_promotion_is_not_used_beyond_its_limit",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        self.code = self.code.strip().upper()

    @property
    def target_words(self) -> str:
        return target_words(self.scope, self.package or self.category or self.item)


class PromotionUse(models.Model):
    """That an order was placed with a promotion."""

    promotion = models.ForeignKey(Promotion, on_delete=models.PROTECT, related_name="uses")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    subject = models.CharField(max_length=80, help_text="What used it, such as order:12.")
    used_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["promotion", "subject"], name="an_order_uses_a_promotion_once"),
        ]

    def __str__(self) -> str:
        return f"{self.promotion}: {self.subject}"


def percent_words(percent: Decimal) -> str:
    """Return a percentage without surplus zeros: "15 %"."""
    return f"{percent.normalize():f} %"


def target_words(scope: str, target: object) -> str:
    """Say what a rule or promotion is about: "everything", "the category Port speed"."""
    return "everything" if scope == Scope.EVERYTHING else f"the {Scope(scope).value} {target}"
