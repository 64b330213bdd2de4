"""A blueprint as plain values: the one form of presets, solutions and the roles of a plan."""

from dataclasses import dataclass, replace

from catalog.models import Blueprint
from catalog.package_form import PackageParts, package_form
from catalog.pricing import Term
from catalog.shelves import Place


@dataclass(frozen=True)
class Role:
    """N identical machines of a package: which item in which category."""

    name: str
    package_key_name: str
    quantity: int
    parts: tuple[tuple[str, str], ...]
    """Pairs of category code and item key name."""


def roles_of(blueprint: Blueprint) -> tuple[Role, ...]:
    """Return the stored blueprint's roles, with the parts that it names and no others."""
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


def role_filled(*, role: Role, parts: PackageParts, place: Place, term: Term) -> Role:
    """Return the role with the default of every required category that it leaves open."""
    key_names = {key_name for _, key_name in role.parts}
    chosen = {item.item_id for item in parts.items if item.key_name in key_names}
    form = package_form(parts=parts, place=place, term=term, chosen_item_ids=chosen)
    named = {code for code, _ in role.parts}
    defaults = tuple(
        (category.category_code, category.default.item.key_name)
        for category in form.categories
        if category.is_required and category.default and category.category_code not in named
    )
    return replace(role, parts=(*role.parts, *defaults))
