"""Reading plans, and the fleet that a plan may choose from."""

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform

from accounts.models import Account
from catalog.models import Basis, Item, ItemAttribute, Location, Package, PackageConfiguration
from catalog.pricing import PriceFacts, PriceQuestion, Term, answer_price
from catalog.selectors import catalog_version, price_question, prices_by_item
from core.errors import RuleBroken
from core.money import Money
from jobs.models import RunState
from planner.complete_servers import servers_of
from planner.configurations import SERVER
from planner.fleet import MOST_FEE, Fleet, LeftOut, PricedMachine
from planner.models import Plan, PlanOrder
from simulation.machines import Machine, network_factor, resolve_machine
from simulation.parameters import ParameterSet

MACHINE_TYPE = "machine_type"
LOAD_BALANCING = "load_balancing"
TERM = Term.HOURLY
REASONS_TOLD = 5
"""Machines of which a refusal says why they are left out; a catalogue may hold hundreds."""
LIST_PRICE_ACCOUNT = Account(name="List prices", currency="USD")
"""Whoever asks without an account is told the list prices."""


def plans_of(*, account_id: int) -> QuerySet[Plan]:
    """Return the account's plans with their runs, latest first."""
    return Plan.objects.filter(account_id=account_id).select_related("run", "location", "created_by")


def plan_summaries(*, account_id: int) -> QuerySet[Any, Any]:
    """Return a line for each plan of the account, latest first: the question, the state and the best shape, as text.

    The answers themselves are large and stay where they are.
    """
    return (
        Plan.objects.filter(account_id=account_id)
        .annotate(
            best_shape=KeyTextTransform("shape", KeyTransform("best", "run__result")),
            best_cost=KeyTextTransform("total_monthly_cost", KeyTransform("best", "run__result")),
            currency=KeyTextTransform("currency", "demand"),
        )
        .values("pk", "words", "created_at", "created_by__email", "run__state", "best_shape", "best_cost", "currency")
    )


def plan_of(*, account_id: int, plan_id: int) -> Plan:
    """Return one plan of the account; raises Plan.DoesNotExist for anybody else's."""
    return plans_of(account_id=account_id).get(pk=plan_id)


def slider_of_plan(*, account_id: int, plan_id: int) -> tuple[Plan, dict[str, Any] | None, int | None]:
    """Return one plan of the account with what its sliders answer from, and its best shape's cost in cents; None for
    each that it does not have. Raises Plan.DoesNotExist for anybody else's.

    The rest of the answer, and the fleet of the question, are large and stay where they are.
    """
    plans = Plan.objects.filter(account_id=account_id).select_related("location").only("words", "demand", "location")
    found = plans.annotate(
        slider_table=KeyTransform("slider", "run__result"),
        best_cents=KeyTransform("cents", KeyTransform("best", "run__result")),
    ).get(pk=plan_id)
    return found, found.slider_table, found.best_cents


def plans_to_compare(plan: Plan) -> QuerySet[Plan]:
    """Return the other plans of the account that are worked out, latest first, without their answers."""
    found = Plan.objects.filter(account_id=plan.account_id, run__state=RunState.DONE).exclude(pk=plan.pk)
    return found.only("pk", "words", "created_at")


def plan_order_of(*, account_id: int, order_id: int) -> PlanOrder | None:
    """Return from which plan an order of the account was made, if from any."""
    return PlanOrder.objects.filter(order_id=order_id, plan__account_id=account_id).select_related("plan").first()


def plan_locations() -> list[Location]:
    """Return where machines are sold: first where there are machine types, then where only complete servers are."""
    sold = Package.objects.filter(locations=OuterRef("pk"), is_active=True)
    with_types = Exists(sold.filter(configuration__category__category_code=MACHINE_TYPE))
    with_servers = Exists(sold.filter(configuration__category__category_code=SERVER))
    places = Location.objects.annotate(with_types=with_types).filter(Q(with_types=True) | Q(with_servers))
    return list(places.order_by("-with_types", "key_name"))


def fleet_of(
    *,
    account: Account,
    location: Location,
    hours_per_month: Decimal,
    at: datetime,
    parameters: ParameterSet,
    keep: Collection[str] = (),
) -> Fleet:
    """Return every machine type and complete server that is sold to the account at the location, priced and described
    well enough to plan with; the others are named with the reason. The number of queries does not grow with the
    catalogue. A complete server balances as it is; a machine type needs a load balancing item of its package. Of
    servers those layouts are there that are worth it, and those whose key names are to be kept.

    Raises RuleBroken where no machine is left.
    """
    packages = list(
        Package.objects.filter(
            is_active=True, locations=location, configuration__category__category_code=MACHINE_TYPE
        ).distinct()
    )
    catalogue = _catalogue_of(packages, at=at)
    question = price_question(account=account, location=location, term=TERM, hours_per_month=hours_per_month, at=at)
    nodes: list[PricedMachine] = []
    balancers: list[PricedMachine] = []
    left_out: list[tuple[str, str]] = []
    for package in packages:
        asked = replace(question, package_id=package.pk)
        for item in catalogue.machine_types[package.pk]:
            try:
                machine = _machine(item, catalogue.attributes[item.pk], parameters)
                nodes.append(_priced(item, machine, catalogue, package, asked))
                if balancing := catalogue.balancing.get(package.pk):
                    balancers.append(_priced(item, machine, catalogue, package, asked, balancing))
            except LeftOut as reason:
                left_out.append((item.key_name, str(reason)))
    servers = servers_of(
        account=account, location=location, hours_per_month=hours_per_month, at=at, parameters=parameters, keep=keep
    )
    nodes += servers.machines
    balancers += servers.balancers
    left_out += servers.left_out
    if not nodes:
        reasons = [f"{key_name}: {reason}" for key_name, reason in left_out]
        others = f" And {len(reasons) - REASONS_TOLD} more." if len(reasons) > REASONS_TOLD else ""
        told = " ".join(reasons[:REASONS_TOLD])
        words = f"No machine sold in {location.name} has a price and the figures a plan needs. {told}{others}"
        raise RuleBroken("nothing_to_plan_with", words.strip(), field="location")
    return Fleet(
        currency=account.currency,
        location=location.key_name,
        catalog_version=catalog_version(),
        nodes=tuple(nodes),
        balancers=tuple(balancers),
        left_out=tuple(left_out),
    )


@dataclass(frozen=True)
class _Catalogue:
    """What the packages' machine types need to be known by, read in bulk; keys are ids of packages and items."""

    machine_types: Mapping[int, Sequence[Item]]
    attributes: Mapping[int, Mapping[str, ItemAttribute]]
    required: Mapping[int, Sequence[tuple[str, Item | None]]]
    balancing: Mapping[int, Item]
    prices: Mapping[int, list[PriceFacts]]


def _catalogue_of(packages: Sequence[Package], *, at: datetime) -> _Catalogue:
    machine_types: dict[int, list[Item]] = defaultdict(list)
    balancing: dict[int, Item] = {}
    links = Item.packages.through.objects.filter(
        package__in=packages, item__categories__category_code__in=[MACHINE_TYPE, LOAD_BALANCING]
    )
    for link in links.select_related("item").prefetch_related("item__categories").order_by("item_id").distinct():
        if any(category.category_code == MACHINE_TYPE for category in link.item.categories.all()):
            machine_types[link.package_id].append(link.item)
        else:
            balancing.setdefault(link.package_id, link.item)
    attributes: dict[int, dict[str, ItemAttribute]] = defaultdict(dict)
    types = {item.pk for items in machine_types.values() for item in items}
    for attribute in ItemAttribute.objects.filter(item_id__in=types):
        attributes[attribute.item_id][attribute.name] = attribute
    required: dict[int, list[tuple[str, Item | None]]] = defaultdict(list)
    asked = PackageConfiguration.objects.filter(package__in=packages, is_required=True)
    for row in asked.exclude(category__category_code=MACHINE_TYPE).select_related("category", "default_item"):
        required[row.package_id].append((row.category.category_code, row.default_item))
    others = {item.pk for rows in required.values() for _, item in rows if item}
    item_ids = types | others | {item.pk for item in balancing.values()}
    return _Catalogue(machine_types, attributes, required, balancing, prices_by_item(item_ids=item_ids, at=at))


def _machine(item: Item, attributes: Mapping[str, ItemAttribute], parameters: ParameterSet) -> Machine:
    def number(name: str) -> float:
        if name not in attributes:
            raise LeftOut(f"The catalogue does not say its {name}.")
        value = float(attributes[name].value)
        if not 0 <= value < math.inf:
            raise LeftOut(f"Its {name} is {attributes[name].value}.")
        return value

    network = attributes.get("network_mb_s")
    io_class = attributes.get("io_class")
    try:
        machine = resolve_machine(
            key_name=item.key_name,
            compute_units=number("compute_units"),
            network_mb_s=float(network.value) if network else None,
            io_class=io_class.value if io_class else "",
            local_storage_gb=number("local_storage_gb"),
            bursts="bursts" in attributes and attributes["bursts"].value == "true",
            parameters=parameters,
        )
    except ValueError as error:
        raise LeftOut(f"Its figures cannot be used: {error}.") from None
    is_rate_assumed = network is not None and network.basis == Basis.ASSUMED
    is_measured = network_factor(item.key_name) in parameters.factors
    return replace(
        machine,
        network_is_assumed=machine.network_is_assumed or (is_rate_assumed and not is_measured),
        compute_units_are_assumed=attributes["compute_units"].basis == Basis.ASSUMED,
    )


def _priced(
    item: Item,
    machine: Machine,
    catalogue: _Catalogue,
    package: Package,
    question: PriceQuestion,
    balancing: Item | None = None,
) -> PricedMachine:
    choices: list[tuple[str, Item]] = [(MACHINE_TYPE, item)]
    for category_code, default in catalogue.required.get(package.pk, ()):
        if default is None:
            raise LeftOut(f"Its package requires {category_code} and names no default.")
        choices.append((category_code, default))
    if balancing:
        choices.append((LOAD_BALANCING, balancing))
    prices = [_fees(category_code, each, catalogue, question) for category_code, each in choices]
    return PricedMachine(
        machine=machine,
        title=item.description,
        package_key_name=package.key_name,
        lines=tuple((category_code, each.key_name) for category_code, each in choices),
        line_fees=tuple(price.monthly for price in prices),
        line_rates=tuple(price.rate for price in prices),
        once_fees=tuple(price.once for price in prices),
    )


@dataclass(frozen=True)
class _Fees:
    """What one piece of a line costs a month, an hour and once."""

    monthly: Decimal
    rate: Decimal
    once: Decimal


def _fees(category_code: str, item: Item, catalogue: _Catalogue, question: PriceQuestion) -> _Fees:
    answer = answer_price(catalogue.prices.get(item.pk, []), question.for_category(category_code))
    monthly, once = answer.lasting_monthly, answer.once  # a plan outlives the months of a promotion
    if monthly is None or once is None or answer.lasting_rate is None:
        raise LeftOut(f"{item.description} is unpriced here: {answer.steps[-1].words}")
    if monthly.amount > MOST_FEE:
        raise LeftOut(f"{item.description} costs more than {Money(Decimal(MOST_FEE), question.currency)} a month.")
    return _Fees(monthly.amount, answer.lasting_rate, once.amount)
