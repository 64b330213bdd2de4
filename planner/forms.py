"""The sentence with blanks: a demand as people type it."""

from typing import Any, cast

from django import forms

from core.errors import RuleBroken
from planner.demand import (
    GOAL_WORDS,
    ILLUSTRATIVE_PURCHASE_MONTHS,
    NEEDED,
    CostBasis,
    Demand,
    Goal,
    demand_from_words,
)
from planner.selectors import plan_locations
from planner.storage_limits import DriveLimit, RaidLimit

DEFAULTS = {
    "goal": Goal.MINIMISE_COST.value,
    "capacity": "2 TB",
    "throughput": "175 MB/s",
    "budget": "9,000",
    "read_share": "0",
    "meets_share": "95",
    "it_cost_per_node": "0",
    "hours_per_month": "720",
    "balancer": "cc2.8xlarge",
    "balancers": "",
    "replicas": "3",
    "erasure": "",
    "fill_limit": "100",
    "latency_ms": "",
    "budget_once": "",
    "cost_basis": CostBasis.MONTHLY.value,
    "months": "12",
    "purchase_months": f"{ILLUSTRATIVE_PURCHASE_MONTHS:f}",
    "spares": "",
    "raid": RaidLimit.ANY.value,
    "drives": DriveLimit.ANY.value,
}
PROPOSED = DEFAULTS | {"fill_limit": "75"}
"""What an empty question is filled in with: a disk that is three quarters full still has room for a lost one's data."""
SWITCHES = ("balancer_headroom", "spare_proxy", "spare_node", "spare_balancer")
BASIS_WORDS = {
    CostBasis.MONTHLY: "a month",
    CostBasis.TOTAL: "all of the months below, with what is paid once",
    CostBasis.PURCHASE: "buying the machines, with a kit of spares",
}
BUDGET_WORDS = {
    CostBasis.MONTHLY: "a month",
    CostBasis.TOTAL: "in all of its months",
    CostBasis.PURCHASE: "to buy",
}
"""Behind the budget, for each basis; the page shows those of the one that is chosen."""
RAID_CHOICES = {
    RaidLimit.ANY: "any",
    RaidLimit.PROTECTED: "RAID that outlives any one drive",
    RaidLimit.RAID_10: "RAID 10",
    RaidLimit.NONE: "no RAID",
}
DRIVE_CHOICES = {
    DriveLimit.ANY: "any",
    DriveLimit.ROTATING: "rotating disks",
    DriveLimit.FLASH: "flash drives",
}
LIMITS = ("throughput", "capacity", "budget")


class PlanForm(forms.Form):
    """What the cloud must do. Of the three limits only the two that the goal starts from are read."""

    goal = forms.ChoiceField(
        choices=[(goal.value, words) for goal, words in GOAL_WORDS.items()], widget=forms.RadioSelect
    )
    capacity = forms.CharField(required=False, label="Usable capacity")
    throughput = forms.CharField(required=False, label="Throughput")
    budget = forms.CharField(required=False, label="Budget on the cost basis")
    read_share = forms.CharField(
        required=False, label="Share of reading, %", help_text="0 is a backup, 100 a recovery. The rest is written."
    )
    meets_share = forms.CharField(
        required=False,
        label="Good enough, %",
        help_text="A shape meets the demand when it predicts at least this much of it.",
    )
    it_cost_per_node = forms.CharField(
        required=False, label="IT cost of a machine, a month", help_text="What running one machine costs you."
    )
    hours_per_month = forms.CharField(required=False, label="Hours in a month")
    balancer = forms.CharField(
        required=False,
        label="Machine type of balancers",
        help_text="Only cc2.8xlarge was measured as a balancer; others are estimated by their processors.",
    )
    balancers = forms.CharField(
        required=False, label="Number of balancers", help_text="Empty: as many as the throughput needs."
    )
    replicas = forms.CharField(required=False, label="Copies of everything", help_text="1 to 5.")
    erasure = forms.CharField(
        required=False, label="Erasure code", help_text="Instead of copies, such as 4+2: any two parts may be lost."
    )
    fill_limit = forms.CharField(
        required=False, label="Disks filled to, %", help_text="Fuller disks slow down and leave no room for repairs."
    )
    raid = forms.ChoiceField(
        required=False,
        label="RAID of storage nodes",
        choices=[(limit.value, words) for limit, words in RAID_CHOICES.items()],
        help_text="Only servers whose disks are known can promise one. Copies keep data safe without it too.",
    )
    drives = forms.ChoiceField(
        required=False,
        label="Drives of storage nodes",
        choices=[(limit.value, words) for limit, words in DRIVE_CHOICES.items()],
    )
    latency_ms = forms.CharField(
        required=False, label="Mean response of 1 MB, ms", help_text="A promise to keep; empty for none."
    )
    budget_once = forms.CharField(
        required=False, label="Budget once", help_text="For what is paid when ordering; empty for no limit."
    )
    cost_basis = forms.ChoiceField(
        required=False,
        label="Cost and budget count",
        choices=[(basis.value, words) for basis, words in BASIS_WORDS.items()],
    )
    months = forms.CharField(required=False, label="Months", help_text="Where the cost of several counts.")
    purchase_months = forms.CharField(
        required=False,
        label="Months of price to buy a machine",
        help_text="Where buying counts: a machine costs this many of its monthly prices. 24 is illustrative.",
    )
    spares = forms.CharField(
        required=False,
        label="Kit of spares costs",
        help_text="Where buying counts; empty for an illustrative kit of six parts.",
    )
    balancer_headroom = forms.BooleanField(required=False, label="have balancers that could pass twice the load")
    spare_proxy = forms.BooleanField(required=False, label="do without any one proxy")
    spare_node = forms.BooleanField(required=False, label="do without any one storage node")
    spare_balancer = forms.BooleanField(required=False, label="do without any one balancer")
    location = forms.ChoiceField(label="Location")

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.currency = currency
        self.locations = {each.key_name: each for each in plan_locations()}
        location = cast(forms.ChoiceField, self.fields["location"])
        location.choices = [(key, str(each)) for key, each in self.locations.items()]

    @property
    def advanced_fields(self) -> list[forms.BoundField]:
        """The assumptions, which the page folds away."""
        return [self[name] for name in self.fields if name not in ("goal", *LIMITS, *SWITCHES)]

    @property
    def budget_words(self) -> dict[str, str]:
        return {basis.value: words for basis, words in BUDGET_WORDS.items()}

    @property
    def switches(self) -> list[forms.BoundField]:
        """What the cloud must be able to do without, to be ticked."""
        return [self[name] for name in SWITCHES]

    @property
    def has_wrong_assumption(self) -> bool:
        return any(field.errors for field in self.advanced_fields)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "goal" not in cleaned:
            return cleaned
        needed = NEEDED[Goal(cleaned["goal"])]
        words = {name: str(value) for name, value in cleaned.items() if name not in LIMITS or name in needed}
        words |= {name: "yes" if cleaned.get(name) else "" for name in SWITCHES}
        try:
            cleaned["demand"] = demand_from_words(words, currency=self.currency)
        except RuleBroken as refusal:
            self.add_violations(refusal)
        return cleaned

    def add_violations(self, refusal: RuleBroken) -> None:
        """Show each violation beside the field it names."""
        for violation in refusal.violations:
            self.add_error(violation.field if violation.field in self.fields else None, violation.words)

    @property
    def demand(self) -> Demand:
        return self.cleaned_data["demand"]
