"""Faults of blueprints: parts that cannot be had, services that stand nowhere or get in each other's way."""

from collections import defaultdict
from collections.abc import Iterator

from catalog.blueprint_placement import parts_with_needs
from catalog.container_facts import slot_of
from catalog.lint_facts import CatalogFacts, Finding, RoleFacts, ServiceFacts


def blueprint_findings(facts: CatalogFacts) -> Iterator[Finding]:
    """Tell the faults of every blueprint."""
    yield from _roles(facts)
    yield from _services(facts)
    yield from _clashes(facts)


def _roles(facts: CatalogFacts) -> Iterator[Finding]:
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
    needs = (need for service in facts.services_of(role) for need in service.needs)
    used = [slot + 1 for code, _ in parts_with_needs(role.parts, needs) if (slot := slot_of(code)) is not None]
    if slots and used and max(used) > min(slots):
        words = f"Uses disk {max(used)}, and the chassis has {min(slots)} slots. Choose a larger one."
        yield Finding("blueprint_slots", subject, words)


def _services(facts: CatalogFacts) -> Iterator[Finding]:
    """Tell services that name roles of other blueprints, that stand twice or nowhere, or need what cannot be had."""
    roles = {role.role_id: role for role in facts.roles}
    seen: set[tuple[str, str]] = set()
    for service in facts.services:
        role = roles[service.role_id]
        subject = f"{role.blueprint}/{service.key_name}"
        others = [roles[role_id] for role_id in (service.otherwise_id, service.agents_id) if role_id is not None]
        for other in others:
            if other.blueprint != role.blueprint:
                words = f"Names {other.name} of the blueprint “{other.blueprint}”. Choose a role of its own blueprint."
                yield Finding("service_elsewhere", subject, words)
        if (role.blueprint, service.key_name) in seen:
            yield Finding("service_twice", subject, "Stands twice in the blueprint. Remove one of the two.")
        seen.add((role.blueprint, service.key_name))
        homes = [roles[role_id] for role_id in (service.role_id, service.otherwise_id) if role_id is not None]
        if all(home.is_optional for home in homes):
            words = (
                f"{' and '.join(home.name for home in homes)} may be left out, and it would stand nowhere. Keep one."
            )
            yield Finding("service_homeless", subject, words)
        for home in homes:
            yield from _foreign_needs(facts, service, home, subject)


def _foreign_needs(facts: CatalogFacts, service: ServiceFacts, home: RoleFacts, subject: str) -> Iterator[Finding]:
    package = facts.packages.get(home.package)
    for need in service.needs if package else ():
        if package and need.value not in facts.fillers(package, need.category_code):
            words = f"{facts.names[need.value]} cannot be chosen for “{need.category_code}” in {package.key_name}."
            yield Finding("service_need_foreign", subject, f"{words} Choose another part.")


def _clashes(facts: CatalogFacts) -> Iterator[Finding]:
    """Tell services that may share a machine and need different items in one place of it."""
    for role in facts.roles:
        wanted: defaultdict[str, dict[int, str]] = defaultdict(dict)
        for service in facts.services_of(role):
            for need in service.needs:
                if slot_of(need.category_code) is None:
                    wanted[need.category_code].setdefault(need.value, service.name)
        for category_code, items in wanted.items():
            if len(items) > 1:
                words = f"{' and '.join(items.values())} may share it and need different items for “{category_code}”."
                yield Finding("service_needs_clash", f"{role.blueprint}/{role.name}", f"{words} Agree on one.")
