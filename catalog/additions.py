"""What of the catalogue is in no published source: our own assumptions, choices and illustrations."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from catalog.models import (
    Basis,
    Blueprint,
    ItemAttribute,
    ItemPrice,
    ItemRule,
    Package,
    PackageConfiguration,
)


@dataclass(frozen=True)
class Addition:
    """One thing that is ours, and why it is there."""

    source: str
    basis: str
    where: str
    what: str


@dataclass(frozen=True)
class AdditionGroup:
    """The additions that have one reason, by the place where they stand."""

    reason: str
    basis: str
    count: int
    lines: tuple[tuple[str, tuple[str, ...]], ...]


def addition_groups() -> list[AdditionGroup]:
    """Return all that is not published, by its reason, in six queries."""
    by_reason: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for addition in _additions():
        by_reason[addition.source, addition.basis][addition.where].append(addition.what)
    return [
        AdditionGroup(
            reason=source or "No reason is given.",
            basis=basis,
            count=sum(len(whats) for whats in wheres.values()),
            lines=tuple((where, tuple(whats)) for where, whats in wheres.items()),
        )
        for (source, basis), wheres in by_reason.items()
    ]


def _additions() -> Iterator[Addition]:
    configuration = PackageConfiguration.objects.exclude(basis=Basis.PUBLISHED)
    for row in configuration.select_related("package", "category", "same_items_as", "default_item"):
        yield Addition(row.source, row.basis, row.package.name, _configuration_words(row))
    for package in Package.objects.exclude(networks_basis__in=["", Basis.PUBLISHED]):
        yield Addition(package.networks_source, package.networks_basis, package.name, "its three networks")
    for fact in ItemAttribute.objects.exclude(basis=Basis.PUBLISHED).select_related("item"):
        words = f"{fact.name.replace('_', ' ')} {fact.value} {fact.unit}".strip()
        yield Addition(fact.source, fact.basis, fact.item.description, words)
    for rule in ItemRule.objects.exclude(basis=Basis.PUBLISHED).select_related("item", "other"):
        words = f"{rule.get_kind_display().lower()} {rule.other.description}"
        yield Addition(rule.source, rule.basis, rule.item.description, words)
    for blueprint in Blueprint.objects.exclude(basis=Basis.PUBLISHED):
        yield Addition(blueprint.source, blueprint.basis, "Blueprints", blueprint.name)
    for price in ItemPrice.objects.exclude(basis=Basis.PUBLISHED).select_related("item"):
        yield Addition(price.source, price.basis, price.item.description, _price_words(price))


def _configuration_words(row: PackageConfiguration) -> str:
    words = f"{row.category.name} ({'required' if row.is_required else 'optional'})"
    if row.same_items_as:
        words += f", same items as {row.same_items_as.name}"
    if row.default_item:
        words += f", default {row.default_item.description}"
    return words


def _price_words(price: ItemPrice) -> str:
    fees = [
        f"{fee.normalize():f} {price.currency} {each}"
        for fee, each in ((price.recurring_fee, "a month"), (price.hourly_recurring_fee, "an hour"))
        if fee is not None
    ]
    return " or ".join(fees) or "no fee"
