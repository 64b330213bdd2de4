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
from core.json_rows import JsonRows, read_together


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
    """Return all that is not published, by its reason, in three queries."""
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
    configuration, networks, facts, blueprints = read_together(
        JsonRows(
            PackageConfiguration.objects.exclude(basis=Basis.PUBLISHED),
            *("source", "basis", "package__name", "category__name", "is_required"),
            *("same_items_as__name", "default_item__description"),
        ),
        JsonRows(
            Package.objects.exclude(networks_basis__in=["", Basis.PUBLISHED]),
            *("networks_source", "networks_basis", "name"),
        ),
        JsonRows(
            ItemAttribute.objects.exclude(basis=Basis.PUBLISHED),
            *("source", "basis", "item__description", "name", "value", "unit"),
        ),
        JsonRows(Blueprint.objects.exclude(basis=Basis.PUBLISHED), "source", "basis", "name"),
    )
    for source, basis, where, *asked in configuration:
        yield Addition(source, basis, where, _configuration_words(*asked))
    for source, basis, where in networks:
        yield Addition(source, basis, where, "its three networks")
    for source, basis, where, name, value, unit in facts:
        yield Addition(source, basis, where, f"{name.replace('_', ' ')} {value} {unit}".strip())
    rules = ItemRule.objects.exclude(basis=Basis.PUBLISHED)
    for rule in rules.select_related("item", "category", "other", "other_category", "location"):
        yield Addition(rule.source, rule.basis, str(rule.item or rule.category), rule.words)
    for source, basis, name in blueprints:
        yield Addition(source, basis, "Blueprints", name)
    for price in ItemPrice.objects.exclude(basis=Basis.PUBLISHED).select_related("item"):
        yield Addition(price.source, price.basis, price.item.description, _price_words(price))


def _configuration_words(category: str, is_required: bool, same_items_as: str | None, default_item: str | None) -> str:
    words = f"{category} ({'required' if is_required else 'optional'})"
    if same_items_as:
        words += f", same items as {same_items_as}"
    if default_item:
        words += f", default {default_item}"
    return words


def _price_words(price: ItemPrice) -> str:
    fees = [
        f"{fee.normalize():f} {price.currency} {each}"
        for fee, each in ((price.recurring_fee, "a month"), (price.hourly_recurring_fee, "an hour"))
        if fee is not None
    ]
    return " or ".join(fees) or "no fee"
