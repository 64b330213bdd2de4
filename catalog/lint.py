"""Faults of the catalogue as it is stored: what can never be ordered, what contradicts itself, what has no price."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from catalog.blueprint_lint import blueprint_findings
from catalog.book_lint import book_findings
from catalog.lint_facts import CatalogFacts, Finding, catalog_facts
from catalog.lint_orders import order_findings
from catalog.lint_rules import rule_findings
from catalog.models import ItemPrice


def catalog_lint(*, at: datetime) -> list[Finding]:
    """Return every fault, in a fixed order. Packages that are not sold any more are not looked at."""
    facts = catalog_facts(at=at)
    return [
        *_packages(facts),
        *_categories(facts),
        *_items(facts),
        *rule_findings(facts),
        *_groups(facts),
        *blueprint_findings(facts),
        *_overlaps(),
        *order_findings(facts, at=at),
        *book_findings(facts, at=at),
    ]


def _packages(facts: CatalogFacts) -> Iterator[Finding]:
    for package in facts.packages.values():
        if not package.is_sold_somewhere:
            yield Finding("package_nowhere", package.key_name, "Has no location. Add one, or retire the package.")
        if not package.items:
            yield Finding("package_empty", package.key_name, "Has no items. Add some, or retire the package.")
        elif not any(category.is_required for category in package.categories.values()):
            words = "Requires no category, so that an empty container could be ordered. Make one required."
            yield Finding("package_requires_nothing", package.key_name, words)


def _categories(facts: CatalogFacts) -> Iterator[Finding]:
    for package in facts.packages.values():
        for code, category in package.categories.items() if package.items else ():
            subject = f"{package.key_name}/{code}"
            fillers = facts.fillers(package, code)
            if category.same_items_as and category.same_items_as not in package.categories:
                words = f"Has the items of “{category.same_items_as}”, which the package does not ask for."
                yield Finding("same_items_dangling", subject, words)
            elif category.is_required and not fillers:
                words = "Is required, and no item of the package fills it. Add an item, or make it optional."
                yield Finding("required_unfillable", subject, words)
            if category.default_item is not None and category.default_item not in fillers:
                words = f"{facts.names[category.default_item]} is the default and cannot be chosen here. Name another."
                yield Finding("default_not_offered", subject, words)


def _items(facts: CatalogFacts) -> Iterator[Finding]:
    orderable = {item for package in facts.packages.values() for item in facts.orderable_in(package)}
    for item, name in facts.names.items():
        if item in facts.retired_items:
            continue
        if item not in orderable:
            words = f"{name} can never be ordered: no package asks for a category of it. Put it into one."
            yield Finding("item_unorderable", facts.subjects[item], words)
        elif item not in facts.priced:
            words = f"{name} has no monthly and no hourly fee that counts anywhere. Give it one, or remove it."
            yield Finding("item_unpriced", facts.subjects[item], words)


def _groups(facts: CatalogFacts) -> Iterator[Finding]:
    for group in sorted(facts.groups_with_prices - facts.groups_with_locations):
        words = "Is active and has prices but no location, so that they never count. Add its locations, or retire it."
        yield Finding("group_without_location", f"location group {group}", words)


def _overlaps() -> Iterator[Finding]:
    rows = ItemPrice.objects.order_by("item", "external_id", "valid_from", "pk")
    periods: dict[tuple[str, str, str], list[tuple[datetime, datetime | None]]] = defaultdict(list)
    columns = ("item__source", "item__external_id", "external_id", "valid_from", "valid_to")
    for source, item, number, begins, ends in rows.values_list(*columns):
        periods[source, item, number].append((begins, ends))
    for (source, item, number), spans in periods.items():
        if any(ends is None or ends > begins for (_, ends), (begins, _) in pairwise(spans)):
            words = f"Price {number} holds twice at the same time. Close one of the two."
            yield Finding("validity_overlap", f"{source}/{item}", words)
