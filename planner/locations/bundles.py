"""What stands in each data centre: the cheapest server with its usual parts, or a preset of the catalogue."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, QuerySet

from catalog.models import Blueprint, BlueprintPart, BlueprintRole
from planner.advice.market import Candidate, Market, Part, Role, Shop, priced

SERVER, MACHINE_TYPE = "server", "machine_type"
CHEAPEST = ((SERVER, "the cheapest server"), (MACHINE_TYPE, "the cheapest virtual server"))
"""Bundles that the catalogue's machines make by themselves: keys are the categories of the machines."""


@dataclass(frozen=True)
class Bundle:
    """A kind of machine that is ordered in every data centre.

    `parts` pair category code and item id; without them it is the cheapest machine of the category `key`.
    """

    key: str
    name: str
    package_key: str = ""
    parts: tuple[tuple[str, int], ...] = ()


def bundle_choices() -> list[tuple[str, str]]:
    """Return what can stand in a data centre: keys with words; presets are blueprints of one role and one machine."""
    presets = Blueprint.objects.filter(pk__in=_presets().values("blueprint_id")).order_by("name")
    return [*CHEAPEST, *presets.values_list("key_name", "name")]


def bundle_named(key: str) -> Bundle:
    """Return the bundle of a key. Raises ValueError naming the way out for one that is not there."""
    key = key.strip()
    words = dict(CHEAPEST)
    if key in words:
        return Bundle(key, words[key])
    role = _presets().filter(blueprint__key_name=key).select_related("blueprint", "package").first()
    if role is None:
        raise ValueError(f"“{key[:80]}” is no preset of one machine. Choose one, or write: {', '.join(words)}.")
    parts = tuple(role.parts.values_list("category__category_code", "item_id"))
    return Bundle(key, role.blueprint.name, package_key=role.package.key_name, parts=parts)


def bundle_roles(bundle: Bundle, market: Market, *, name: str, servers: int) -> Iterator[Role]:
    """Give the ways in which the bundle can be ordered in each shop that sells it, every part of it priced there."""
    for shop in market.shops:
        for choices in _named_parts(bundle, shop):
            yield Role(name=name, quantity=servers, shop=shop, choices=shop.choices(choices), drawn_as="")


def role_cents(role: Role, *, currency: str) -> int | None:
    """Return what a role costs a month in cents; None where a rule forbids it or a part has no price."""
    found = priced(Candidate("", (role,), None, ""), currency=currency)
    return None if found is None else found.cents


def _named_parts(bundle: Bundle, shop: Shop) -> Iterator[dict[str, Part]]:
    if not bundle.parts:
        yield from ({bundle.key: part} for part in shop.offered(bundle.key))
    elif shop.package_key == bundle.package_key:
        offered = {code: {part.item.item_id: part for part in shop.offered(code)} for code, _ in bundle.parts}
        named = {code: offered[code].get(item_id) for code, item_id in bundle.parts}
        if all(named.values()):
            yield {code: part for code, part in named.items() if part}


def _presets() -> QuerySet[BlueprintRole]:
    """Return the role of every blueprint that has no other and holds a machine."""
    machines = [code for code, _ in CHEAPEST]
    single = Blueprint.objects.annotate(role_count=Count("roles")).filter(role_count=1)
    return BlueprintRole.objects.filter(
        Exists(BlueprintPart.objects.filter(role=OuterRef("pk"), category__category_code__in=machines)),
        blueprint__in=single,
        package__is_active=True,
    )
