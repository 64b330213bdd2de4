"""A blueprint as plain values: the one form of presets, solutions and the roles of a plan."""

from dataclasses import dataclass

from catalog.models import Blueprint


@dataclass(frozen=True)
class Role:
    """N identical machines of a package: which item in which category."""

    name: str
    package_key_name: str
    quantity: int
    parts: tuple[tuple[str, str], ...]
    """Pairs of category code and item key name."""


def roles_of(blueprint: Blueprint) -> tuple[Role, ...]:
    """Return the stored blueprint's roles."""
    roles = blueprint.roles.select_related("package").prefetch_related("parts__category", "parts__item")
    return tuple(
        Role(
            name=role.name,
            package_key_name=role.package.key_name,
            quantity=role.quantity,
            parts=tuple((part.category.category_code, part.item.key_name) for part in role.parts.all()),
        )
        for role in roles
    )
