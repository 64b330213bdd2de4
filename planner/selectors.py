"""Reading plans, and the fleet that a plan may choose from."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform

from accounts.models import Account
from catalog.models import Item, ItemAttribute, Location, Package, PackageConfiguration
from catalog.pricing import PriceFacts, PriceQuestion, Term, answer_price
from catalog.selectors import catalog_version, price_question, prices_by_item
from core.errors import RuleBroken
from core.money import Money
from planner.fleet import MOST_FEE, Fleet, PricedMachine
from planner.models import Plan, PlanOrder
from simulation.machines import Machine, resolve_machine
from simulation.parameters import ParameterSet

MACHINE_TYPE = "machine_type"
LOAD_BALANCING = "load_balancing"
TERM = Term.HOURLY
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


def plan_order_of(*, account_id: int, order_id: int) -> PlanOrder | None:
    """Return from which plan an order of the account was made, if from any."""
    return PlanOrder.objects.filter(order_id=order_id, plan__account_id=account_id).select_related("plan").first()


def plan_locations() -> list[Location]:
    """Return where machine types are sold, in order of their key names."""
    return list(
        Location.objects.filter(
            packages__is_active=True, packages__configuration__category__category_code=MACHINE_TYPE
        ).distinct()
    )


def fleet_of(
    *, account: Account, location: Location, hours_per_month: Decimal, at: datetime, parameters: ParameterSet
) -> Fleet:
    """Return every machine type that is sold to the account at the location, priced and described well enough to plan
    with; the others are named with the reason. The number of queries does not grow with the catalogue.

    Raises RuleBroken where no machine type is left.
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
            except _LeftOut as reason:
                left_out.append((item.key_name, str(reason)))
    if not nodes:
        reasons = " ".join(f"{key_name}: {reason}" for key_name, reason in left_out)
        words = f"No machine type sold in {location.name} has a price and the figures a plan needs. {reasons}"
        raise RuleBroken("nothing_to_plan_with", words.strip(), field="location")
    return Fleet(
        currency=account.currency,
        location=location.key_name,
        catalog_version=catalog_version(),
        nodes=tuple(nodes),
        balancers=tuple(balancers),
        left_out=tuple(left_out),
    )


class _LeftOut(Exception):
    """Why a machine type cannot be planned with."""


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
            raise _LeftOut(f"The catalogue does not say its {name}.")
        value = float(attributes[name].value)
        if not 0 <= value < math.inf:
            raise _LeftOut(f"Its {name} is {attributes[name].value}.")
        return value

    network = attributes.get("network_mb_s")
    io_class = attributes.get("io_class")
    try:
        return resolve_machine(
            key_name=item.key_name,
            compute_units=number("compute_units"),
            network_mb_s=float(network.value) if network else None,
            io_class=io_class.value if io_class else "",
            local_storage_gb=number("local_storage_gb"),
            bursts="bursts" in attributes and attributes["bursts"].value == "true",
            parameters=parameters,
        )
    except ValueError as error:
        raise _LeftOut(f"Its figures cannot be used: {error}.") from None


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
            raise _LeftOut(f"Its package requires {category_code} and names no default.")
        choices.append((category_code, default))
    if balancing:
        choices.append((LOAD_BALANCING, balancing))
    return PricedMachine(
        machine=machine,
        title=item.description,
        package_key_name=package.key_name,
        lines=tuple((category_code, each.key_name) for category_code, each in choices),
        line_fees=tuple(_fee(category_code, each, catalogue, question) for category_code, each in choices),
    )


def _fee(category_code: str, item: Item, catalogue: _Catalogue, question: PriceQuestion) -> Decimal:
    answer = answer_price(catalogue.prices.get(item.pk, []), question.for_category(category_code))
    monthly = answer.lasting_monthly  # a plan outlives the months of a promotion
    if monthly is None:
        raise _LeftOut(f"{item.description} is unpriced here: {answer.steps[-1].words}")
    if monthly.amount > MOST_FEE:
        raise _LeftOut(f"{item.description} costs more than {Money(Decimal(MOST_FEE), question.currency)} a month.")
    return monthly.amount
