"""A blueprint as plain values: the one form of presets, solutions and the roles of a plan."""

from dataclasses import dataclass, replace
from datetime import datetime

from accounts.models import Account
from catalog.browsing import Place, locations_of
from catalog.models import Blueprint, Item, Location, Package
from catalog.package_form import package_form
from catalog.pricing import Term
from core.errors import RuleBroken


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


def roles_to_order(
    *, blueprint: Blueprint, account: Account, location: Location, term: Term, at: datetime
) -> tuple[Role, ...]:
    """Return the blueprint's roles complete: what they leave open is filled with what the package has as default here.

    Raises RuleBroken where a package is not sold at the location.
    """
    roles = roles_of(blueprint)
    packages = {each.key_name: each for each in Package.objects.filter(blueprint_roles__blueprint=blueprint)}
    places = locations_of(package_ids=[package.pk for package in packages.values()])
    filled = []
    for role in roles:
        package = packages[role.package_key_name]
        place = next((each for each in places[package.pk] if each.location_id == location.pk), None)
        if place is None or not package.is_active:
            words = f"{package.name} is not sold in {location.name}. Choose another location."
            raise RuleBroken("location_not_sold", words, field="location")
        filled.append(role_filled(role=role, package=package, account=account, place=place, term=term, at=at))
    return tuple(filled)


def role_filled(*, role: Role, package: Package, account: Account, place: Place, term: Term, at: datetime) -> Role:
    """Return the role with the default of every required category that it leaves open."""
    chosen = Item.objects.filter(packages=package, key_name__in=[key for _, key in role.parts])
    form = package_form(
        package=package,
        account=account,
        place=place,
        term=term,
        at=at,
        chosen_item_ids=list(chosen.values_list("pk", flat=True)),
    )
    named = {code for code, _ in role.parts}
    defaults = tuple(
        (category.category_code, category.default.key_name)
        for category in form.categories
        if category.is_required and category.default and category.category_code not in named
    )
    return replace(role, parts=(*role.parts, *defaults))
