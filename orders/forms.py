"""What the order's pages take in."""

from typing import Any

from django import forms

from core.errors import Violation
from orders.drafting import LONGEST_NAME, MOST_HOURS_PER_MONTH, MOST_PIECES
from orders.host_names import LONGEST_TYPED, host_name_problems, tidy
from orders.selectors import OrderTree


class DraftForm(forms.Form):
    """A draft's name, and a quantity and host names for each of its containers."""

    name = forms.CharField(label="Name of this order", max_length=LONGEST_NAME)

    def __init__(self, *args: Any, tree: OrderTree, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].initial = tree.order.name
        self.field_names = {node.container.pk: f"quantity-{node.container.pk}" for node in tree.containers}
        self.host_field_names = {node.container.pk: f"host-names-{node.container.pk}" for node in tree.containers}
        for item in tree.items:
            for node in item.containers:
                self.fields[self.field_names[node.container.pk]] = forms.IntegerField(
                    label=f"How many {item.item.name}",
                    min_value=1,
                    max_value=MOST_PIECES,
                    initial=node.container.quantity,
                )
                self.fields[self.host_field_names[node.container.pk]] = forms.CharField(
                    label=f"Host names of {item.item.name}",
                    required=False,
                    max_length=LONGEST_TYPED,
                    initial=node.container.host_names,
                    widget=forms.TextInput(attrs={"placeholder": "web-{n}", "autocomplete": "off"}),
                )

    @property
    def quantities(self) -> dict[int, int]:
        """The quantities typed, by container id."""
        return {pk: self.cleaned_data[name] for pk, name in self.field_names.items()}

    @property
    def host_names(self) -> dict[int, str]:
        """The host names typed, by container id."""
        return {pk: self.cleaned_data[name] for pk, name in self.host_field_names.items() if name in self.data}


class ComposeForm(forms.Form):
    """What is typed about a container; its choices come beside. The hours of a draft are its own."""

    quantity = forms.IntegerField(
        label="How many", min_value=1, max_value=MOST_PIECES, widget=forms.TextInput(attrs={"inputmode": "numeric"})
    )
    hours = forms.DecimalField(
        label="Hours a month",
        min_value=1,
        max_value=MOST_HOURS_PER_MONTH,
        decimal_places=2,
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
    )
    name = forms.CharField(
        label="What are they for",
        max_length=LONGEST_NAME,
        help_text="Such as “storage nodes”. Containers of one name stand together in the order.",
        widget=forms.TextInput(attrs={"list": "item-names", "autocomplete": "off"}),
    )
    hosts = forms.CharField(
        label="Host names",
        required=False,
        help_text="One for each machine, with blanks between; web-{n} counts from web-1, web-{07} from web-07.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, is_in_draft: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if is_in_draft:
            del self.fields["hours"]

    def clean_hosts(self) -> str:
        typed = tidy(self.cleaned_data["hosts"])
        for problem in host_name_problems(typed, field="hosts"):
            raise forms.ValidationError(problem.words, code=problem.code)
        return typed

    @property
    def violations(self) -> tuple[Violation, ...]:
        """What was typed that cannot be kept."""
        return tuple(
            Violation("typed", name, f"{self.fields[name].label}: {words}")
            for name, errors in self.errors.items()
            for words in errors
        )


class PlaceForm(forms.Form):
    """What the buyer saw when pressing Place."""

    shown_monthly = forms.DecimalField(max_digits=15, decimal_places=2)


class CancelForm(forms.Form):
    """Why a draft is given up."""

    why = forms.CharField(label="Why", max_length=300, required=False, help_text="Kept with the order's history.")
