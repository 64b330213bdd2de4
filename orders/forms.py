"""What the order's pages take in."""

from datetime import datetime
from typing import Any, cast

from django import forms

from accounts.models import Account, Role, User
from accounts.roles import can
from catalog.price_history import moment_on
from core.clock import now
from core.errors import Violation
from orders import sharing
from orders.drafting import LONGEST_NAME, MOST_CONTRACT_MONTHS, MOST_HOURS_PER_MONTH, MOST_PIECES
from orders.host_names import LONGEST_TYPED, host_name_problems, tidy
from orders.models import ApprovalPolicy
from orders.quoting import MOST_VALID_DAYS, VALID_DAYS
from orders.selectors import OrderTree

MOST_TAGS = 10
LONGEST_TAG = 40
LONGEST_CODE = 40
LARGEST_TABLE = 2_000_000


class DraftForm(forms.Form):
    """A draft's name, and a quantity and host names for each of its containers."""

    name = forms.CharField(label="Name of this order", max_length=LONGEST_NAME)
    promotion_code = forms.CharField(
        label="Promotion code",
        required=False,
        max_length=LONGEST_CODE,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, tree: OrderTree, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].initial = tree.order.name
        self.fields["promotion_code"].initial = tree.order.promotion_code
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
    def code(self) -> str | None:
        """The promotion code typed; None where a page without that field was sent."""
        return self.cleaned_data["promotion_code"] if "promotion_code" in self.data else None

    @property
    def host_names(self) -> dict[int, str]:
        """The host names typed, by container id."""
        return {pk: self.cleaned_data[name] for pk, name in self.host_field_names.items() if name in self.data}


class ComposeForm(forms.Form):
    """What is typed about a container; its choices come beside. A draft has hours and a promotion code of its own."""

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
    contract = forms.IntegerField(
        label="Months of contract",
        required=False,
        min_value=1,
        max_value=MOST_CONTRACT_MONTHS,
        help_text="Some prices are lower for those who commit. Empty: no commitment.",
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    code = forms.CharField(
        label="Promotion code",
        required=False,
        max_length=LONGEST_CODE,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
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

    def __init__(self, *args: Any, is_in_draft: bool, has_contracts: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if is_in_draft:
            del self.fields["hours"], self.fields["code"]
        if not has_contracts:
            del self.fields["contract"]

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
    shown_once = forms.DecimalField(max_digits=15, decimal_places=2, required=False)


class CancelForm(forms.Form):
    """Why a draft is given up."""

    why = forms.CharField(label="Why", max_length=300, required=False, help_text="Kept with the order's history.")


class WorkForm(forms.Form):
    """What somebody of the staff did with a resource."""

    ACTIONS = [("take", "Take it on"), ("active", "It is there"), ("failed", "It failed"), ("released", "It is gone")]

    resource = forms.UUIDField()
    action = forms.ChoiceField(choices=ACTIONS)
    external_id = forms.CharField(max_length=120, required=False)
    reason = forms.CharField(max_length=300, required=False)


class QuoteForm(forms.Form):
    """For how long a quote holds, and the totals that the page showed."""

    valid_days = forms.IntegerField(label="Valid for", min_value=1, max_value=MOST_VALID_DAYS, initial=VALID_DAYS)
    shown_monthly = forms.DecimalField(max_digits=15, decimal_places=2, widget=forms.HiddenInput)
    shown_once = forms.DecimalField(max_digits=15, decimal_places=2, required=False, widget=forms.HiddenInput)


class UsageForm(forms.Form):
    """A table of use, as a file of text."""

    table = forms.FileField(label="Table", widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}))

    def clean_table(self) -> str:
        file = self.cleaned_data["table"]
        if file.size > LARGEST_TABLE:
            raise forms.ValidationError(f"The table has more than {LARGEST_TABLE:,} bytes. Send it in parts.")
        try:
            return str(file.read().decode("utf-8"))
        except UnicodeDecodeError:
            raise forms.ValidationError("The table is no text in UTF-8. Save it as CSV in UTF-8.") from None


class ShareForm(forms.Form):
    """For how long a link to a configuration holds."""

    valid_days = forms.IntegerField(
        label="Holds for",
        min_value=1,
        max_value=sharing.MOST_VALID_DAYS,
        initial=sharing.VALID_DAYS,
        help_text="Days. It can be revoked at any time.",
    )


class AsOfForm(forms.Form):
    """The day to whose prices a quote is compared."""

    on = forms.DateField(
        label="Compare with the prices of", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def clean_on(self) -> datetime | None:
        """Return what counted on the day typed: its end in UTC, today now."""
        day = self.cleaned_data["on"]
        return moment_on(day, now=now()) if day else None


class DecisionForm(forms.Form):
    """An approver's answer."""

    decision = forms.ChoiceField(choices=[("approve", "Approve"), ("reject", "Reject")])
    note = forms.CharField(label="Note to the buyer", required=False, max_length=300)


class PolicyForm(forms.Form):
    """What an account may spend without approval."""

    order_limit = forms.DecimalField(
        label="Most for one order",
        required=False,
        min_value=0,
        max_digits=13,
        decimal_places=2,
        help_text="What its first month comes to, with everything paid once. Empty: no limit.",
    )
    month_limit = forms.DecimalField(
        label="Most for all orders of a month",
        required=False,
        min_value=0,
        max_digits=13,
        decimal_places=2,
        help_text="The first months of all orders placed in a calendar month, in UTC. Empty: no limit.",
    )
    approver = forms.ModelChoiceField(
        queryset=User.objects.none(),
        label="Who decides",
        required=False,
        empty_label="Any approver or owner",
        help_text="Where they placed an order themselves, or may not decide any more, any other approver or owner may.",
    )

    def __init__(self, *args: Any, account: Account, policy: ApprovalPolicy | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        deciding = [role for role in Role.values if can(role, "approve")]
        approver = cast(forms.ModelChoiceField, self.fields["approver"])
        approver.queryset = User.objects.filter(memberships__account=account, memberships__role__in=deciding)
        approver.initial = policy.approver_id if policy else None
        for name in ("order_limit", "month_limit"):
            limit = getattr(policy, name, None)
            self.fields[name].initial = None if limit is None else f"{limit:.2f}"

    @property
    def policy(self) -> dict[str, Any]:
        """The values typed, as approving.policy_set takes them."""
        approver = self.cleaned_data["approver"]
        limits = {name: self.cleaned_data[name] for name in ("order_limit", "month_limit")}
        return {**limits, "approver_id": approver.pk if approver else None}


class BudgetForm(forms.Form):
    """What an account means to spend in a month."""

    amount = forms.DecimalField(
        label="Budget a month",
        required=False,
        max_digits=13,
        decimal_places=2,
        help_text="Before tax. Empty: no budget.",
    )
    warn_percent = forms.IntegerField(
        label="Warn at",
        initial=80,
        help_text="Owners get an e-mail, once a month, when the forecast reaches this share of the budget.",
    )


class TagsForm(forms.Form):
    """Words of the account's own, by which spend is summed."""

    tags = forms.CharField(label="Tags", required=False, max_length=400, help_text="Words with a comma between.")

    def clean_tags(self) -> list[str]:
        """Return the words, each once, in small letters."""
        tags = list(dict.fromkeys(tag.strip().lower() for tag in self.cleaned_data["tags"].split(",") if tag.strip()))
        if len(tags) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in tags):
            raise forms.ValidationError(f"An order has at most {MOST_TAGS} tags of at most {LONGEST_TAG} characters.")
        return tags
