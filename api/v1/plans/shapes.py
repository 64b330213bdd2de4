"""The shapes of calls and answers about plans."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from api.v1.calls import StrictSerializer
from api.v1.paging import PageShape
from api.v1.runs import RunFailure, Started
from planner.demand import Goal

MONEY = 'Money a month as text, such as "1512.00".'
ON_THE_BASIS = "Money on the demand's cost basis as text: a month, in all of its months, or to buy."
MOST_BALANCERS = 10**9
"""More than any plan has."""


class PlanAsked(StrictSerializer):
    """What a storage cloud must do: two of throughput, capacity and budget; the third follows from the goal.

    Numbers may be sent as text or as JSON numbers; shares are percent.
    """

    goal = serializers.ChoiceField(
        choices=list(Goal), required=False, help_text="Left out: it follows from the two limits that are given."
    )
    throughput = serializers.CharField(required=False, help_text='With its unit, such as "175 MB/s" or "1.2 GB/s".')
    capacity = serializers.CharField(required=False, help_text='Usable, with its unit, such as "2 TB" or "1.8 TiB".')
    budget = serializers.CharField(required=False, help_text=ON_THE_BASIS)
    read_share = serializers.CharField(required=False, help_text="Percent of the traffic that is read; usually 0.")
    meets_share = serializers.CharField(
        required=False, help_text="Percent of the throughput that a shape must predict to meet it; usually 95."
    )
    it_cost_per_node = serializers.CharField(required=False, help_text=MONEY)
    hours_per_month = serializers.CharField(required=False, help_text="1 to 744; usually 720.")
    balancer = serializers.CharField(required=False, help_text="The machine type of balancers, by its key name.")
    balancers = serializers.IntegerField(required=False, help_text="Left out: as many as the throughput needs.")
    replicas = serializers.CharField(required=False, help_text="Copies of everything, 1 to 5; usually 3.")
    erasure = serializers.CharField(required=False, help_text='An erasure code instead of copies, such as "4+2".')
    fill_limit = serializers.CharField(required=False, help_text="Percent to which disks are filled; usually 100.")
    latency_ms = serializers.CharField(required=False, help_text="Mean response of 1 MB that is promised.")
    budget_once = serializers.CharField(required=False, help_text="Money that may be owed once, as text.")
    cost_basis = serializers.CharField(required=False, help_text="monthly, total or purchase; usually monthly.")
    months = serializers.CharField(required=False, help_text="Months whose cost counts, where the basis is total.")
    purchase_months = serializers.CharField(
        required=False,
        help_text="Where the basis is purchase, a machine costs so many of its monthly prices; usually 24.",
    )
    spares = serializers.CharField(
        required=False,
        help_text="Where the basis is purchase, what the kit of spares costs; left out: an illustrative kit.",
    )
    balancer_headroom = serializers.CharField(required=False, help_text="yes: balancers could pass twice the load.")
    spare_proxy = serializers.CharField(required=False, help_text="yes: the cloud does without any one proxy.")
    spare_node = serializers.CharField(required=False, help_text="yes: it does without any one storage node.")
    spare_balancer = serializers.CharField(required=False, help_text="yes: it does without any one balancer.")
    raid = serializers.CharField(
        required=False,
        help_text="Disks of storage nodes are joined: any, protected (no single drive loses data), raid10, none.",
    )
    drives = serializers.CharField(required=False, help_text="Drives of storage nodes: any, rotating or flash.")
    location = serializers.CharField(required=False, help_text="A key name; left out: the first with machine types.")


class ShapeChosen(StrictSerializer):
    """Which of the plan's shapes to order."""

    shape = serializers.CharField(
        required=False,
        max_length=300,
        help_text='Such as "5 m1.large + 25 m1.medium"; left out: `best`, or `mixed` where that is null.',
    )
    balancers = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_BALANCERS,
        help_text="With how many the shape is meant; needed where the plan shows it with several numbers of them.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "balancers" in attrs and "shape" not in attrs:
            words = "Name the shape that stands behind so many balancers, or leave the balancers out too."
            raise serializers.ValidationError({"shape": [ErrorDetail(words, code="required")]})
        return attrs


class PlanStarted(Started):
    """A plan that is being worked out; ask its address until its state is done, failed or cancelled."""


class PlanLine(serializers.Serializer[Any]):
    """One plan in the list."""

    id = serializers.IntegerField()
    words = serializers.CharField()
    state = serializers.CharField()
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField()
    best_shape = serializers.CharField(allow_null=True)
    total_monthly_cost = serializers.CharField(allow_null=True, help_text="Of the best shape.")
    currency = serializers.CharField()
    href = serializers.CharField()


class PlanPage(PageShape):
    results = PlanLine(many=True)


class DemandShape(serializers.Serializer[Any]):
    """The demand in the units that it is calculated in; shares are fractions here."""

    goal = serializers.CharField()
    throughput_mb_s = serializers.CharField(allow_null=True)
    capacity_gb = serializers.CharField(allow_null=True)
    budget = serializers.CharField(allow_null=True)
    read_share = serializers.CharField()
    meets_share = serializers.CharField()
    it_cost_per_node = serializers.CharField()
    hours_per_month = serializers.CharField()
    balancer = serializers.CharField()
    balancers = serializers.IntegerField(allow_null=True)
    currency = serializers.CharField()
    replicas = serializers.IntegerField(help_text="Copies of everything, where there is no erasure code.")
    erasure_data = serializers.IntegerField(allow_null=True)
    erasure_parity = serializers.IntegerField(allow_null=True)
    fill_limit = serializers.CharField()
    latency_ms = serializers.CharField(allow_null=True)
    budget_once = serializers.CharField(allow_null=True)
    cost_basis = serializers.CharField()
    months = serializers.IntegerField()
    purchase_months = serializers.CharField()
    spares = serializers.CharField(allow_null=True)
    balancer_headroom = serializers.BooleanField()
    spare_proxy = serializers.BooleanField()
    spare_node = serializers.BooleanField()
    spare_balancer = serializers.BooleanField()
    raid = serializers.CharField(help_text="any, protected, raid10 or none.")
    drives = serializers.CharField(help_text="any, rotating or flash.")


class Figures(serializers.Serializer[Any]):
    """What a cloud is made of, delivers and costs, however its groups are made."""

    shape = serializers.CharField()
    proxy = serializers.CharField(help_text="Machine type of the proxies.")
    proxies = serializers.IntegerField()
    storage_nodes = serializers.IntegerField()
    balancers = serializers.IntegerField()
    machines = serializers.IntegerField(help_text="All of them, balancers included.")
    mb_s = serializers.FloatField(help_text="Predicted throughput.")
    shortfall_mb_s = serializers.FloatField(help_text="How far it stays under the throughput asked.")
    capacity_gb = serializers.FloatField(help_text="Usable.")
    monthly_cost = serializers.CharField(help_text="Proxies and storage nodes. " + MONEY)
    balancer_monthly_cost = serializers.CharField(help_text=MONEY)
    it_monthly_cost = serializers.CharField(help_text=MONEY)
    total_monthly_cost = serializers.CharField(help_text=MONEY)
    once_cost = serializers.CharField(
        allow_null=True, help_text="Money owed once when it is ordered, as text; null for plans of older versions."
    )
    cost_basis = serializers.CharField(help_text="What its cost counts: monthly, total or purchase.")
    cost = serializers.CharField(help_text="What was optimised, or held to the budget. " + ON_THE_BASIS)
    limit = serializers.CharField(help_text="What limits the throughput.")
    is_assumed = serializers.BooleanField(help_text="Whether an unpublished figure went into the prediction.")


class Configuration(Figures):
    """One shape of the cloud, of equal groups."""

    storage = serializers.CharField(help_text="Machine type of the storage nodes.")
    nodes_per_proxy = serializers.IntegerField()
    bound_by = serializers.CharField(help_text="Which limit of the demand keeps it from being smaller, or larger.")


class Change(serializers.Serializer[Any]):
    """The smallest change that would make a configuration win."""

    price_drop = serializers.CharField(allow_null=True, help_text="How much less it would cost. " + ON_THE_BASIS)
    price_share = serializers.FloatField(allow_null=True, help_text="The same as a share of its cost.")
    throughput_mb_s = serializers.CharField(allow_null=True, help_text="The nearest throughput at which it is best.")
    words = serializers.CharField()


class ConfigurationThatLost(Configuration):
    reason = serializers.CharField(help_text="Why it is not the best.")
    change = Change(allow_null=True, help_text="Null for plans of older versions.")


class MixedGroup(serializers.Serializer[Any]):
    """Equal groups within a mix: one proxy each, with so many storage nodes of one machine type."""

    storage = serializers.CharField()
    nodes_per_proxy = serializers.IntegerField()
    proxies = serializers.IntegerField(help_text="How many groups of this kind.")


class MixedConfiguration(Figures):
    """Groups of several storage types, or of several sizes, behind one kind of proxy."""

    groups = MixedGroup(many=True)
    storages = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many storage nodes of each machine type."
    )
    is_mixed = serializers.BooleanField(help_text="Whether it has several storage types; if not, several sizes.")
    is_proven = serializers.BooleanField(help_text="Whether no mix behind one kind of proxy can do better.")


class Problem(serializers.Serializer[Any]):
    """Why no configuration meets the demand."""

    limit = serializers.CharField()
    words = serializers.CharField()
    short_by = serializers.CharField(allow_null=True)
    nearest_possible = serializers.CharField(allow_null=True)


class BalancerShape(serializers.Serializer[Any]):
    """The machine type that balances, and what one of it passes."""

    type = serializers.CharField()
    mb_s = serializers.FloatField()


class LeftOut(serializers.Serializer[Any]):
    """A machine type that cannot be planned with."""

    machine_type = serializers.CharField()
    reason = serializers.CharField()


class SampledPair(serializers.Serializer[Any]):
    """One proxy with its best number of storage nodes: what it passes, and what it costs."""

    proxy = serializers.CharField()
    storage = serializers.CharField()
    best_nodes = serializers.IntegerField(help_text="The number of storage nodes of least money for each MB/s.")
    best_mb_s = serializers.FloatField()
    best_cents = serializers.IntegerField(help_text="Cost of the group on the demand's basis, in cents.")
    saturated_at = serializers.IntegerField(allow_null=True, help_text="From here the next step gains less than 5 %.")
    limit = serializers.CharField()
    is_assumed = serializers.BooleanField()


class Sampling(serializers.Serializer[Any]):
    """Pairs of machines, one proxy with each number of storage nodes."""

    pairs = serializers.IntegerField()
    dominated = serializers.IntegerField(help_text="Pairs beside which another has cheaper MB/s and cheaper GB.")
    kept = SampledPair(many=True, help_text="What nothing dominates, cheapest MB/s first.")


class Profile(serializers.Serializer[Any]):
    """How groups of one pair grow, simulated event by event, and the law that fits best."""

    proxy = serializers.CharField()
    storage = serializers.CharField()
    nodes = serializers.IntegerField(help_text="Storage nodes behind each proxy.")
    counts = serializers.ListField(child=serializers.IntegerField(), help_text="Groups simulated.")
    mb_s = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()), help_text="For each count, each run."
    )
    law = serializers.CharField(help_text="line, saturation or universal scalability, by AICc.")
    rate = serializers.FloatField(help_text="MB/s of one group.")
    contention = serializers.FloatField()
    coherence = serializers.FloatField()


class OptimisationRound(serializers.Serializer[Any]):
    """The best shape of one round, in view of what validation had taught."""

    round = serializers.IntegerField()
    shape = serializers.CharField(allow_null=True)
    mb_s = serializers.FloatField(allow_null=True)
    considered = serializers.IntegerField()


class ValidationRound(serializers.Serializer[Any]):
    """The best shape of one round, simulated with random numbers of its own."""

    round = serializers.IntegerField()
    shape = serializers.CharField()
    predicted_mb_s = serializers.FloatField()
    needed_mb_s = serializers.FloatField()
    mean_mb_s = serializers.FloatField()
    low_mb_s = serializers.FloatField(help_text="The lower end of the 95 % interval.")
    high_mb_s = serializers.FloatField(help_text="The upper end of the 95 % interval.")
    response_ms = serializers.FloatField(help_text="Mean response of 1 MB.")
    replications = serializers.IntegerField()
    verdict = serializers.CharField(help_text="meets, on the line, or falls short.")


class Phases(serializers.Serializer[Any]):
    """What the phases of a plan found on the way to its answer."""

    sampling = Sampling(allow_null=True)
    profiling = Profile(many=True)
    optimisation = OptimisationRound(many=True)
    validation = ValidationRound(many=True, help_text="The last one is of the answer; none where there is no answer.")


class PlanAnswer(serializers.Serializer[Any]):
    """What a plan found."""

    best = Configuration(
        allow_null=True, help_text="Of equal groups; null where none of those meets the demand: the problem says why."
    )
    mixed = MixedConfiguration(
        allow_null=True, help_text="The best mix where it does better than the best of equal groups, or alone does it."
    )
    runners_up = ConfigurationThatLost(many=True)
    front = Configuration(many=True, help_text="The Pareto front of cost and throughput.")
    problem = Problem(allow_null=True)
    balancer = BalancerShape()
    left_out = LeftOut(many=True)
    considered = serializers.IntegerField(help_text="How many shapes were looked at.")
    catalog_version = serializers.CharField()
    parameter_set = serializers.CharField()
    phases = Phases(allow_null=True, help_text="Null for plans of older versions, which had none.")


class PlanShape(PlanStarted):
    """A plan, with its answer once it is done."""

    words = serializers.CharField(help_text="The demand as a sentence.")
    demand = DemandShape()
    location = serializers.CharField()
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField()
    finished_at = serializers.DateTimeField(allow_null=True)
    answer = PlanAnswer(allow_null=True, help_text="Null until the state is done.")
    failure = RunFailure(allow_null=True, help_text="Null unless the state is failed.")
