"""Faults of the catalogue as it is stored: what can never be ordered, what contradicts itself, what has no price."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from catalog.book_lint import book_findings
from catalog.container_facts import DISK_SLOT
from catalog.lint_facts import CatalogFacts, Finding, RoleFacts, catalog_facts
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
        *_blueprints(facts),
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


def _blueprints(facts: CatalogFacts) -> Iterator[Finding]:
    for role in facts.roles:
        package = facts.packages.get(role.package)
        subject = f"{role.blueprint}/{role.name}"
        if package is None:
            words = "Is made of a package that is not sold any more. Choose another one."
            yield Finding("blueprint_package_retired", subject, words)
            continue
        foreign = [(code, item) for code, item in role.parts if item not in facts.fillers(package, code)]
        for code, item in foreign:
            words = f"{facts.names[item]} cannot be chosen for “{code}” in {package.key_name}. Choose another part."
            yield Finding("blueprint_part_foreign", subject, words)
        chosen = {code for code, _ in role.parts}
        for code, category in package.categories.items():
            if category.is_required and code not in chosen and category.default_item is None:
                words = f"Has no part for “{code}”, which is required and has no default. Add one."
                yield Finding("blueprint_incomplete", subject, words)
        yield from _between_parts(facts, role, subject)


def _between_parts(facts: CatalogFacts, role: RoleFacts, subject: str) -> Iterator[Finding]:
    items = {item for _, item in role.parts}
    pairs = {(one, other) for one in items for other in facts.conflicts.get(one, ()) if one < other and other in items}
    for one, other in sorted(pairs):
        words = f"{facts.names[one]} and {facts.names[other]} conflict. Remove one of the two."
        yield Finding("blueprint_conflict", subject, words)
    slots = [slots for item in items if (slots := facts.sizes.get(item, {}).get("disk_slots")) is not None]
    used = [int(slot[1]) + 1 for code, _ in role.parts if (slot := DISK_SLOT.fullmatch(code))]
    if slots and used and max(used) > min(slots):
        words = f"Uses disk {max(used)}, and the chassis has {min(slots)} slots. Choose a larger one."
        yield Finding("blueprint_slots", subject, words)


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
