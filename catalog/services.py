"""Checking and pricing containers, and what staff do to prices."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from accounts.models import Account
from catalog.models import CatalogLoad, Item, ItemPrice, ItemRule, Location, Package, PackageConfiguration
from catalog.pricing import (
    HOURS_PER_MONTH,
    PriceAnswer,
    PriceFacts,
    PriceQuestion,
    PriceStep,
    Term,
    answer_price,
)
from catalog.rules import CategoryFacts, ChoiceFacts, PackageFacts, RuleFacts, container_violations
from catalog.selectors import groups_by_location, prices_by_item
from catalog.sizes import capacities_of, sizes_by_item
from core.errors import RuleBroken, Violation


@dataclass(frozen=True)
class ContainerQuestion:
    """One container as somebody would order it."""

    package: Package
    location: Location
    term: str
    choices: Sequence[tuple[str, Item]]
    capacities: tuple[tuple[str, int], ...] = ()
    """Processors, cores and storage space; without them they are counted from the chosen items."""


@dataclass(frozen=True)
class LineAnswer:
    """What one choice costs."""

    category_code: str
    item: Item
    price: PriceAnswer


@dataclass(frozen=True)
class ContainerAnswer:
    """What stands in the way of ordering a container, and what each of its lines costs."""

    violations: tuple[Violation, ...]
    lines: tuple[LineAnswer, ...]


def containers_check(
    *,
    account: Account,
    questions: Sequence[ContainerQuestion],
    at: datetime,
    hours_per_month: Decimal = HOURS_PER_MONTH,
) -> list[ContainerAnswer]:
    """Check any number of containers, in order, with a number of queries that does not grow with them.

    The field of a violation is within the container: a category code, "package", "location" or "term".
    """
    item_ids = {item.pk for question in questions for _, item in question.choices}
    packages = _package_facts({question.package.pk: question.package for question in questions}, item_ids)
    groups = groups_by_location(location_ids={question.location.pk for question in questions})
    sizes = sizes_by_item(item_ids=item_ids)
    prices = prices_by_item(item_ids=item_ids, at=at)
    categories = _category_codes(item_ids)
    rules = _rules(item_ids)
    answers = []
    for question in questions:
        sized = question
        if not question.capacities:
            sized = replace(question, capacities=capacities_of(sizes[item.pk] for _, item in question.choices))
        lines = _price_lines(sized, account.currency, groups[question.location.pk], hours_per_month, prices)
        choices = [
            ChoiceFacts(
                category_code=line.category_code,
                item_id=line.item.pk,
                description=line.item.description,
                item_category_codes=categories[line.item.pk].union(
                    *(price.category_codes for price in prices.get(line.item.pk, ()))
                ),
                price=line.price,
                disk_slots=sizes[line.item.pk].get("disk_slots"),
            )
            for line in lines
        ]
        violations = container_violations(
            package=packages[question.package.pk],
            location_id=question.location.pk,
            location_name=question.location.name,
            term=question.term,
            choices=choices,
            rules=rules,
        )
        answers.append(ContainerAnswer(violations=violations, lines=lines))
    return answers


def _price_lines(
    question: ContainerQuestion,
    currency: str,
    groups: tuple[int, ...],
    hours_per_month: Decimal,
    prices: Mapping[int, list[PriceFacts]],
) -> tuple[LineAnswer, ...]:
    if question.term not in list(Term):
        unknown = PriceAnswer(
            None, None, None, (PriceStep("term", f"“{question.term}” is no billing term. Unpriced."),)
        )
        return tuple(LineAnswer(code, item, unknown) for code, item in question.choices)
    asked = PriceQuestion(
        location_groups=groups,
        term=Term(question.term),
        currency=currency,
        hours_per_month=hours_per_month,
        capacities=question.capacities,
    )
    return tuple(
        LineAnswer(code, item, answer_price(prices.get(item.pk, ()), replace(asked, category_code=code)))
        for code, item in question.choices
    )


def _package_facts(packages: dict[int, Package], item_ids: Iterable[int]) -> dict[int, PackageFacts]:
    """Gather what the rules ask of packages; of their items only those that were chosen."""
    configuration: dict[int, list[CategoryFacts]] = defaultdict(list)
    for row in PackageConfiguration.objects.filter(package_id__in=packages).select_related("category", "same_items_as"):
        configuration[row.package_id].append(
            CategoryFacts(
                category_code=row.category.category_code,
                name=row.category.name,
                is_required=row.is_required,
                quantity_limit=row.quantity_limit,
                error_words=row.error_words,
                same_items_as=row.same_items_as.category_code if row.same_items_as else "",
            )
        )
    items: dict[int, set[int]] = defaultdict(set)
    item_links = Package.items.through._default_manager.filter(package_id__in=packages, item_id__in=list(item_ids))
    for package_id, item_id in item_links.values_list("package_id", "item_id"):
        items[package_id].add(item_id)
    locations: dict[int, set[int]] = defaultdict(set)
    location_links = Package.locations.through._default_manager.filter(package_id__in=packages)
    for package_id, location_id in location_links.values_list("package_id", "location_id"):
        locations[package_id].add(location_id)
    return {
        package_id: PackageFacts(
            name=package.name,
            is_active=package.is_active,
            categories=tuple(configuration[package_id]),
            item_ids=frozenset(items[package_id]),
            location_ids=frozenset(locations[package_id]),
        )
        for package_id, package in packages.items()
    }


def _category_codes(item_ids: Iterable[int]) -> defaultdict[int, frozenset[str]]:
    codes: defaultdict[int, frozenset[str]] = defaultdict(frozenset)
    links = Item.categories.through._default_manager.filter(item_id__in=list(item_ids))
    for item_id, code in links.values_list("item_id", "itemcategory__category_code"):
        codes[item_id] |= {code}
    return codes


def _rules(item_ids: Iterable[int]) -> list[RuleFacts]:
    rules = ItemRule.objects.filter(item_id__in=list(item_ids)).select_related("other")
    return [RuleFacts(rule.item_id, rule.kind, rule.other_id, rule.other.description) for rule in rules]


def catalog_touch(*, who: str, now: datetime) -> None:
    """Note that staff changed the catalogue by hand, so that its version changes with it."""
    CatalogLoad.objects.create(source=f"staff: {who}"[:200], digest=f"{now:%Y%m%d%H%M%S%f}", changed=1, loaded_at=now)


def price_close(*, price_id: int, who: str, now: datetime) -> ItemPrice:
    """End a price now. Prices are closed and replaced, never edited."""
    return price_end(price_id=price_id, at=now, who=who, now=now)


@transaction.atomic
def price_end(*, price_id: int, at: datetime, who: str, now: datetime) -> ItemPrice:
    """Let a price hold until `at`, now or later; what was ordered or quoted at it stays as it is."""
    price = ItemPrice.objects.select_for_update().get(pk=price_id)
    if at < now:
        raise RuleBroken("price_end_past", "What a price was cannot be changed. Choose a time from now on.")
    if price.valid_to is not None and price.valid_to <= at:
        raise RuleBroken("price_closed", f"Price {price.external_id} ends on {price.valid_to:%Y-%m-%d} already.")
    if price.valid_from >= at:
        raise RuleBroken("price_not_begun", f"Price {price.external_id} has not begun. Close it once it has.")
    price.valid_to = at
    price.save(update_fields=["valid_to"])
    catalog_touch(who=who, now=now)
    return price
