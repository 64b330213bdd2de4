"""The conditions under which a buyer looks at prices, as the address keeps them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms

from catalog.browsing import Place
from catalog.contracts import MONTHS_TOLD, months_words
from catalog.package_contents import Show
from catalog.pricing import Term

MOST_HOURS = Decimal(744)
SHOWN = (
    ("", "All items"),
    (Show.PRICED.value, "With a price here"),
    (Show.UNPRICED.value, "Unpriced here"),
    (Show.ILLUSTRATIVE.value, "Illustrative prices"),
)


class ConditionsForm(forms.Form):
    """Where, on which term, for how many hours a month, and which items. Every field may be left out."""

    location = forms.ChoiceField(required=False)
    term = forms.ChoiceField(
        label="Billing", required=False, choices=[(term.value, term.value.capitalize()) for term in Term]
    )
    hours = forms.DecimalField(
        label="Hours a month",
        required=False,
        min_value=Decimal(1),
        max_value=MOST_HOURS,
        decimal_places=2,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 6}),
    )
    category = forms.CharField(label="Category", required=False, max_length=60, widget=forms.Select)
    show = forms.ChoiceField(label="Show", required=False, choices=SHOWN)
    search = forms.CharField(label="Find", required=False, max_length=80, widget=forms.TextInput(attrs={"size": 16}))

    def __init__(
        self, *args: Any, places: Sequence[Place], categories: Sequence[tuple[str, str]] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        category = self.fields["category"].widget
        assert isinstance(category, forms.Select)
        category.choices = [("", "All"), *categories]
        location = self.fields["location"]
        assert isinstance(location, forms.ChoiceField)
        location.choices = [(place.key_name, f"{place.name} ({place.key_name})") for place in places]


class PriceForm(ConditionsForm):
    """The conditions of one price, and the day on which it is asked."""

    on = forms.DateField(
        label="On the day", required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    contract = forms.TypedChoiceField(
        label="Commitment",
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", "None"), *((months, months_words(months)) for months in MONTHS_TOLD)],
    )
    code = forms.CharField(
        label="Promotion code", required=False, max_length=40, widget=forms.TextInput(attrs={"size": 12})
    )
    field_order = ["location", "term", "contract", "hours", "on", "code"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["search"], self.fields["show"]
        self.fields["category"].widget = forms.HiddenInput()
