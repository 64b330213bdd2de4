"""A blueprint's roles as somebody would order them, complete."""

from dataclasses import replace
from datetime import datetime

from accounts.models import Account
from catalog.blueprints import Role, roles_of
from catalog.models import Blueprint, Location
from catalog.package_form import PackageParts, package_form, package_parts
from catalog.pricing import Term
from catalog.shelves import Place, shelves_of
from core.errors import RuleBroken


def roles_to_order(
    *, blueprint: Blueprint, account: Account, location: Location, term: Term, at: datetime
) -> tuple[Role, ...]:
    """Return the blueprint's roles complete: what they leave open is filled with what the package has as default here.

    Raises RuleBroken where a package is not sold at the location.
    """
    roles = roles_of(blueprint)
    package_ids = blueprint.roles.values_list("package_id", flat=True)
    shelves = {shelf.package.key_name: shelf for shelf in shelves_of(package_ids=package_ids).values()}
    filled = []
    for role in roles:
        shelf = shelves[role.package_key_name]
        place = next((each for each in shelf.places if each.location_id == location.pk), None)
        if place is None or not shelf.package.is_active:
            words = f"{shelf.package.name} is not sold in {location.name}. Choose another location."
            raise RuleBroken("location_not_sold", words, field="location")
        parts = package_parts(shelf=shelf, account=account, at=at)
        filled.append(_filled(role=role, parts=parts, place=place, term=term))
    return tuple(filled)


def _filled(*, role: Role, parts: PackageParts, place: Place, term: Term) -> Role:
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
