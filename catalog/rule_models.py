"""Rules between things, and what is left of them: rows that the checks of a container read."""

from django.db import models
from django.db.models import F, Q

from catalog.choices import Basis, Restriction
from catalog.rule_words import disks_words, size_words

SUBJECTS = ("item", "category")
OBJECTS = ("other", "other_category", "location")


def _only(fields: tuple[str, ...], named: str) -> Q:
    """Say that of these columns just the named one is filled; with "" none of them."""
    return Q(**{f"{field}__isnull": field != named for field in fields})


class ItemRule(models.Model):
    """What an item, or any item of a category, asks of its container, its machine or its place."""

    class Kind(models.TextChoices):
        REQUIRES = "requires", "Requires"
        CONFLICTS = "conflicts", "Conflicts with"
        INCLUDES = "includes", "Includes"
        CAPACITY = "capacity", "Needs a machine of"
        DRIVES = "drives", "Needs disks"

    class Equality(models.TextChoices):
        ANY = "", "Any"
        EACH_MULTIPLE = "each_multiple", "Equal within each multiple"
        ALL = "all", "All equal"

    item = models.ForeignKey("catalog.Item", on_delete=models.CASCADE, null=True, blank=True, related_name="rules")
    category = models.ForeignKey(
        "catalog.ItemCategory",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="rules",
        help_text="Instead of an item: whatever is chosen for this category.",
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    other = models.ForeignKey("catalog.Item", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    other_category = models.ForeignKey(
        "catalog.ItemCategory",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="Instead of another item: anything of this category.",
    )
    location = models.ForeignKey(
        "catalog.Location",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="Of a conflict: where it cannot be had.",
    )
    restriction = models.CharField(
        max_length=20, choices=Restriction.choices, blank=True, default="", help_text="What a capacity rule measures."
    )
    minimum = models.PositiveIntegerField(null=True, blank=True)
    maximum = models.PositiveIntegerField(null=True, blank=True)
    multiple_of = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Of disks: 2 for an even number.")
    equality = models.CharField(
        max_length=20, choices=Equality.choices, blank=True, default="", help_text="Which disks must be of one kind."
    )
    source = models.CharField(max_length=300, blank=True)
    basis = models.CharField(max_length=20, choices=Basis.choices, default=Basis.PUBLISHED)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "kind", "other"], name="a_rule_between_two_items_stands_once"),
            *(
                models.UniqueConstraint(fields=[one, "kind", other], name=f"a_rule_of_{one}_and_{other}_stands_once")
                for one in SUBJECTS
                for other in OBJECTS
                if (one, other) != ("item", "other")
            ),
            *(
                models.UniqueConstraint(
                    fields=[one, "kind", "restriction"],
                    condition=Q(kind__in=["capacity", "drives"]),
                    name=f"a_size_rule_of_{one}_stands_once",
                )
                for one in SUBJECTS
            ),
            models.CheckConstraint(condition=~Q(item=F("other")), name="a_rule_joins_two_items"),
            models.CheckConstraint(
                condition=_only(SUBJECTS, "item") | _only(SUBJECTS, "category"), name="a_rule_has_one_subject"
            ),
            models.CheckConstraint(
                condition=(Q(kind="requires") & (_only(OBJECTS, "other") | _only(OBJECTS, "other_category")))
                | (Q(kind="conflicts") & (_only(OBJECTS, "other") | _only(OBJECTS, "other_category")))
                | (Q(kind="conflicts") & _only(OBJECTS, "location"))
                | (Q(kind="includes") & _only(OBJECTS, "other"))
                | (Q(kind__in=["capacity", "drives"]) & _only(OBJECTS, "")),
                name="a_rule_has_the_object_of_its_kind",
            ),
            models.CheckConstraint(
                condition=(Q(kind="capacity") & ~Q(restriction="")) | (~Q(kind="capacity") & Q(restriction="")),
                name="a_capacity_rule_says_what_it_measures",
            ),
            models.CheckConstraint(
                condition=Q(kind="drives") | Q(multiple_of__isnull=True, equality=""),
                name="only_disks_come_in_multiples",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["capacity", "drives"]) | Q(minimum__isnull=True, maximum__isnull=True),
                name="only_sizes_and_disks_have_a_range",
            ),
            models.CheckConstraint(
                condition=~Q(kind="capacity") | Q(minimum__isnull=False) | Q(maximum__isnull=False),
                name="a_capacity_rule_has_a_limit",
            ),
            models.CheckConstraint(
                condition=Q(minimum__isnull=True) | Q(maximum__isnull=True) | Q(maximum__gte=F("minimum")),
                name="a_rule_has_a_range_that_can_be_met",
            ),
            models.CheckConstraint(
                condition=Q(multiple_of__isnull=True) | Q(multiple_of__gte=2), name="a_multiple_is_of_two_or_more"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item or self.category} {self.words}"

    @property
    def words(self) -> str:
        """What the subject asks for: requires 100 Mbps uplinks; needs at most 2 processors."""
        if self.kind == self.Kind.CAPACITY:
            return f"needs {size_words(self.restriction, self.minimum, self.maximum)}"
        if self.kind == self.Kind.DRIVES:
            return f"needs {disks_words(self.minimum, self.maximum, self.multiple_of, self.equality)}"
        thing = self.other or self.other_category or (self.location and self.location.name)
        return f"{self.get_kind_display().lower()} {thing}"


class Stock(models.Model):
    """How many of an item are left in a location; an item without a row there never runs out."""

    item = models.ForeignKey("catalog.Item", on_delete=models.CASCADE, related_name="stocks")
    location = models.ForeignKey("catalog.Location", on_delete=models.CASCADE, related_name="stocks")
    quantity_left = models.PositiveIntegerField()

    class Meta:
        ordering = ["item_id", "location_id"]
        constraints = [
            models.UniqueConstraint(fields=["item", "location"], name="an_item_is_counted_once_in_a_location"),
            # The last guard: whatever writes the row, more cannot be sold than there is.
            models.CheckConstraint(condition=Q(quantity_left__gte=0), name="no_more_is_sold_than_there_is"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity_left} × {self.item} in {self.location}"
