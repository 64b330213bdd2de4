"""The conditions under which a buyer looks at prices, as the address keeps them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms

from catalog.browsing import Place
from catalog.pricing import Term

MOST_HOURS = Decimal(744)


class ConditionsForm(forms.Form):
    """Where, on which term, for how many hours a month, and a search. Every field may be left out."""

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
    search = forms.CharField(label="Find", required=False, max_length=80, widget=forms.TextInput(attrs={"size": 16}))

    def __init__(self, *args: Any, places: Sequence[Place], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        location = self.fields["location"]
        assert isinstance(location, forms.ChoiceField)
        location.choices = [(place.key_name, f"{place.name} ({place.key_name})") for place in places]
