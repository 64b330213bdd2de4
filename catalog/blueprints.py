"""A blueprint as plain values: the one form of presets, solutions and the roles of a plan."""

from dataclasses import dataclass

from catalog.blueprint_placement import Need, ServiceRule, parts_with_needs, services_place
from catalog.models import Blueprint, BlueprintService
from catalog.pricing import Term


@dataclass(frozen=True)
class Role:
    """N identical machines of a package: which item in which category."""

    name: str
    package_key_name: str
    quantity: int
    parts: tuple[tuple[str, str], ...]
    """Pairs of category code and item key name."""
    term: Term | None = None
    """Its own billing term; None where it has that of the order."""


def roles_of(blueprint: Blueprint) -> tuple[Role, ...]:
    """Return the roles of which the blueprint has machines: the parts that it names, and what their services need."""
    roles = list(blueprint.roles.select_related("package").prefetch_related("parts__category", "parts__item"))
    placement = services_place(rules=service_rules(blueprint), machines={role.name: role.quantity for role in roles})
    return tuple(
        Role(
            name=role.name,
            package_key_name=role.package.key_name,
            quantity=role.quantity,
            parts=parts_with_needs(
                [(part.category.category_code, part.item.key_name) for part in role.parts.all()],
                placement.needs(role.name),
            ),
        )
        for role in roles
        if role.quantity
    )


def service_rules(blueprint: Blueprint) -> tuple[ServiceRule[str], ...]:
    """Return the rules of the blueprint's services in their order; what they need goes by key name."""
    services = BlueprintService.objects.filter(role__blueprint=blueprint).order_by("sequence", "pk")
    named = services.select_related("role", "otherwise", "agents").prefetch_related("needs__category", "needs__item")
    return tuple(
        ServiceRule(
            key_name=service.key_name,
            name=service.name,
            role=service.role.name,
            otherwise=service.otherwise.name if service.otherwise else "",
            agents=service.agents.name if service.agents else "",
            shares_up_to=service.shares_up_to,
            needs=tuple(
                Need(need.category.category_code, need.item.key_name, need.count) for need in service.needs.all()
            ),
        )
        for service in named
    )
