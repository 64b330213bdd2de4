"""Faults of rules: circles, contradictions, and what nobody can ever satisfy."""

from collections.abc import Iterator

from catalog.container_facts import slot_of
from catalog.lint_facts import CatalogFacts, Finding, PackageHeld
from catalog.models import ItemRule
from catalog.rules_between import SIZE_OF

KINDS = ItemRule.Kind


def rule_findings(facts: CatalogFacts) -> Iterator[Finding]:
    """Give the faults of rules and of stock, in a fixed order."""
    yield from _circles_and_contradictions(facts)
    for rule in facts.rules:
        yield from _of_categories(facts, rule)
        if rule.kind == KINDS.DRIVES:
            yield from _of_drives(facts, rule)
        if rule.kind == KINDS.CAPACITY:
            yield from _of_capacity(facts, rule)
    yield from _nowhere(facts)


def _circles_and_contradictions(facts: CatalogFacts) -> Iterator[Finding]:
    needs = {item: facts.needed_by(item) for item in facts.requires}
    told: set[int] = set()
    for item, needed in needs.items():
        name, subject = facts.names[item], facts.subjects[item]
        if item in needed and item not in told:
            circle = {other for other in needed if item in needs.get(other, ())}
            told |= circle
            words = f"Requires itself in a circle: {', '.join(sorted(facts.names[other] for other in circle))}."
            yield Finding("rule_cycle", subject, words)
        together = needed | {item}
        pairs = sorted((one, other) for one in together for other in facts.conflicts.get(one, ()) if other in together)
        if pairs:
            one, other = pairs[0]
            words = f"{name} needs {facts.names[one]} and {facts.names[other]}, which conflict. Remove a rule."
            yield Finding("rule_contradiction", subject, words)
        for other in sorted(facts.requires[item]):
            if not any({item, other} <= facts.orderable_in(package) for package in facts.packages.values()):
                words = f"{name} requires {facts.names[other]}, and no package holds both. Add it, or remove the rule."
                yield Finding("rule_unreachable", subject, words)


def _of_categories(facts: CatalogFacts, rule: ItemRule) -> Iterator[Finding]:
    """A rule about a whole category has to fit every package of its subject."""
    if rule.other_category is None:
        return
    code, name = rule.other_category.category_code, rule.other_category.name
    for package in _packages_of(facts, rule):
        subject = f"{package.key_name}: {_subject(facts, rule)}"
        if rule.kind == KINDS.REQUIRES and not facts.fillers(package, code):
            words = f"{_name(rule)} requires a choice for “{name}”, for which the package has no item. Remove the rule."
            yield Finding("rule_unreachable", subject, words)
        if rule.kind == KINDS.CONFLICTS and code in package.categories and package.categories[code].is_required:
            words = f"{_name(rule)} conflicts with “{name}”, which the package requires. Remove one of the two."
            yield Finding("rule_contradiction", subject, words)
        if rule.kind == KINDS.CONFLICTS and _requires_category(facts, rule, code):
            words = f"{_name(rule)} both requires and conflicts with “{name}”. Remove one of the two rules."
            yield Finding("rule_contradiction", subject, words)


def _requires_category(facts: CatalogFacts, rule: ItemRule, code: str) -> bool:
    return any(
        other.kind == KINDS.REQUIRES
        and (other.item_id, other.category_id) == (rule.item_id, rule.category_id)
        and other.other_category is not None
        and other.other_category.category_code == code
        for other in facts.rules
    )


def _of_drives(facts: CatalogFacts, rule: ItemRule) -> Iterator[Finding]:
    multiple = rule.multiple_of or 1
    for package in _packages_of(facts, rule):
        slots = sum(slot_of(code) is not None for code in package.categories)
        chassis = [size for item in package.items if (size := facts.sizes.get(item, {}).get("disk_slots")) is not None]
        most = min([slots, *([max(chassis)] if chassis else [])])
        numbers = range(max(rule.minimum or 1, 1), min(most, rule.maximum or most) + 1)
        if not any(number % multiple == 0 for number in numbers):
            words = (
                f"{_name(rule)} {rule.words}, and a machine takes at most {most}. Mend the rule, or remove the item."
            )
            yield Finding("drives_unsatisfiable", f"{package.key_name}: {_subject(facts, rule)}", words)


def _of_capacity(facts: CatalogFacts, rule: ItemRule) -> Iterator[Finding]:
    size = SIZE_OF[rule.restriction]
    for package in _packages_of(facts, rule):
        smallest = largest = 0
        for code, category in package.categories.items():
            known = [facts.sizes.get(item, {}).get(size, 0) for item in facts.fillers(package, code)]
            largest += max(known, default=0) * category.quantity_limit
            smallest += min(known, default=0) if category.is_required else 0
        is_too_small = rule.minimum is not None and largest < rule.minimum
        is_too_large = rule.maximum is not None and smallest > rule.maximum
        if is_too_small or is_too_large:
            words = (
                f"{_name(rule)} {rule.words}, and machines here have {smallest} to {largest}. "
                "Mend the rule, or remove the item."
            )
            yield Finding("capacity_unsatisfiable", f"{package.key_name}: {_subject(facts, rule)}", words)


def _nowhere(facts: CatalogFacts) -> Iterator[Finding]:
    """An item that conflicts with every place where it is sold, or is sold out there, can be had nowhere."""
    barred = {
        (rule.item_id, rule.location_id) for rule in facts.rules if rule.kind == KINDS.CONFLICTS and rule.location_id
    }
    places: dict[int, set[int]] = {}
    for package in facts.packages.values():
        for item in facts.orderable_in(package):
            places.setdefault(item, set()).update(package.locations)
    for item, sold in sorted(places.items()):
        if sold and all((item, place) in barred or facts.stock.get((item, place)) == 0 for place in sold):
            words = f"{facts.names[item]} cannot be had or is sold out wherever it is sold. Mend a rule, or restock it."
            yield Finding("item_nowhere", facts.subjects[item], words)


def _packages_of(facts: CatalogFacts, rule: ItemRule) -> list[PackageHeld]:
    """Return the packages in which the rule's subject can be chosen."""
    if rule.item_id is not None:
        return [package for package in facts.packages.values() if rule.item_id in facts.orderable_in(package)]
    code = rule.category.category_code if rule.category else ""
    return [package for package in facts.packages.values() if facts.fillers(package, code)]


def _subject(facts: CatalogFacts, rule: ItemRule) -> str:
    if rule.item_id is not None:
        return facts.subjects[rule.item_id]
    return f"“{rule.category.category_code}”" if rule.category else ""


def _name(rule: ItemRule) -> str:
    return str(rule.item or rule.category)
