"""What the order's pages take in."""

from typing import Any

from django import forms

from orders.drafting import LONGEST_NAME, MOST_PIECES
from orders.selectors import OrderTree


class DraftForm(forms.Form):
    """A draft's name and a quantity for each of its containers."""

    name = forms.CharField(label="Name of this order", max_length=LONGEST_NAME)

    def __init__(self, *args: Any, tree: OrderTree, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].initial = tree.order.name
        self.field_names = {node.container.pk: f"quantity-{node.container.pk}" for node in tree.containers}
        for item in tree.items:
            for node in item.containers:
                self.fields[self.field_names[node.container.pk]] = forms.IntegerField(
                    label=f"How many {item.item.name}",
                    min_value=1,
                    max_value=MOST_PIECES,
                    initial=node.container.quantity,
                )

    @property
    def quantities(self) -> dict[int, int]:
        """The quantities typed, by container id."""
        return {pk: self.cleaned_data[name] for pk, name in self.field_names.items()}


class PlaceForm(forms.Form):
    """What the buyer saw when pressing Place."""

    shown_monthly = forms.DecimalField(max_digits=15, decimal_places=2)


class CancelForm(forms.Form):
    """Why a draft is given up."""

    why = forms.CharField(label="Why", max_length=300, required=False, help_text="Kept with the order's history.")
