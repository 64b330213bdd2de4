"""Forms of price books. Each says everything that is wrong at once: what cannot be read, and which rules it breaks."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import Any

from django import forms

from accounts.models import Partner
from catalog.book_models import PriceBookRule, Scope
from catalog.fees import FEE_NAMES, Fees
from catalog.models import Item, ItemCategory, Package
from catalog.price_books import RuleAsked, book_problems, rule_problems
from core.errors import Violation

MOST_ALIKE_TOLD = 5


class PriceBookForm(forms.Form):
    """A new price book; `partner` is asked only on a host of no partner."""

    partner = forms.ModelChoiceField(Partner.objects.all())
    name = forms.CharField(max_length=80, help_text="Customers may see it, such as “Europe 2026”.")
    currency = forms.CharField(
        max_length=3, help_text="Of its fixed prices, such as EUR.", widget=forms.TextInput(attrs={"size": 4})
    )
    shows_rules = forms.BooleanField(
        label="Customers see its rules",
        required=False,
        help_text="Otherwise “why this price” names the book alone, neither the list price nor the mark-up.",
    )

    def __init__(self, *args: Any, partner: Partner | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._partner = partner
        if partner is not None:
            del self.fields["partner"]

    def clean_currency(self) -> str:
        return self.cleaned_data["currency"].strip().upper()

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if self._partner is not None:
            values["partner"] = self._partner
        if values.get("partner"):
            asked = {name: values.get(name, "") for name in ("name", "currency")}
            add_problems(self, book_problems(partner=values["partner"], **asked))
        return values


def fee_input(label: str, help_text: str = "") -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        required=False,
        max_digits=15,
        decimal_places=6,
        help_text=help_text,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 10}),
    )


class RuleForm(forms.Form):
    """A new rule of a price book."""

    kind = forms.ChoiceField(label="It is a", choices=PriceBookRule.Kind.choices)
    percent = forms.DecimalField(
        label="Per cent",
        required=False,
        max_digits=8,
        decimal_places=4,
        help_text="Of a mark-up or a discount.",
        widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 6}),
    )
    scope = forms.ChoiceField(label="On", choices=Scope.choices)
    package = forms.ModelChoiceField(Package.objects.filter(is_active=True), required=False, empty_label="None")
    category = forms.ModelChoiceField(ItemCategory.objects.order_by("name"), required=False, empty_label="None")
    item = forms.CharField(required=False, max_length=120, help_text="Its key name, such as m1.small, or its number.")
    recurring_fee = fee_input("Fee of a month")
    hourly_recurring_fee = fee_input("Fee of an hour")
    setup_fee = fee_input("Setup fee")
    one_time_fee = fee_input("One-time fee")
    labor_fee = fee_input("Labour fee")
    usage_rate = fee_input("Rate of use", "For each unit.")
    begins = forms.DateField(
        label="From the day", required=False, help_text="Left out: now.", widget=forms.DateInput(attrs={"type": "date"})
    )
    ends = forms.DateField(
        label="Until before the day",
        required=False,
        help_text="Left out: until another takes its place.",
        widget=forms.DateInput(attrs={"type": "date"}),
    )

    def __init__(self, *args: Any, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._now = now

    @property
    def fee_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in FEE_NAMES]

    def clean_item(self) -> Item | None:
        typed = self.cleaned_data["item"].strip()
        if not typed:
            return None
        found = list(Item.objects.filter(key_name__iexact=typed).order_by("pk")[: MOST_ALIKE_TOLD + 1])
        if not found and typed.isascii() and typed.isdigit():
            found = list(Item.objects.filter(pk=int(typed[:18])))
        if not found:
            raise forms.ValidationError(f"There is no item “{typed}”. Write its key name as the catalogue has it.")
        if len(found) > 1:
            numbers = ", ".join(f"{item.pk} ({item.description})" for item in found[:MOST_ALIKE_TOLD])
            raise forms.ValidationError(f"Several items have this key name. Write the number of one: {numbers}.")
        return found[0]

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        values["asked"] = RuleAsked(
            kind=values.get("kind", ""),
            scope=values.get("scope", ""),
            percent=values.get("percent"),
            fees=Fees(**{name: values.get(name) for name in FEE_NAMES}),
            package=values.get("package"),
            category=values.get("category"),
            item=values.get("item"),
            valid_from=self._moment(values.get("begins")),
            valid_to=self._moment(values.get("ends")),
        )
        add_problems(
            self, rule_problems(values["asked"], now=self._now), fields={"valid_from": "begins", "valid_to": "ends"}
        )
        return values

    def _moment(self, day: date | None) -> datetime | None:
        """Return the first moment of a day in UTC; today, or without a day, none: that is now."""
        if day is None or day == self._now.astimezone(UTC).date():
            return None
        return datetime.combine(day, time.min, UTC)


def add_problems(form: forms.Form, problems: Iterable[Violation], *, fields: dict[str, str] | None = None) -> None:
    """Put each broken rule beside its field, unless the field could not even be read."""
    for problem in problems:
        name = (fields or {}).get(problem.field, problem.field)
        if name not in form.errors:
            form.add_error(name if name in form.fields else None, problem.words)
