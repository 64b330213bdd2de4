"""Blueprints as plain rows: their roles with package, items and counts, without prices."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet

from catalog.models import Blueprint, BlueprintRole

PRESET, SOLUTION = "preset", "solution"


@dataclass(frozen=True)
class PartListing:
    """So many pieces of one item in one category of one machine."""

    category_code: str
    item_id: int
    key_name: str
    description: str
    count: int


@dataclass(frozen=True)
class RoleListing:
    """One kind of machine, and how many of it."""

    name: str
    package_key_name: str
    quantity: int
    parts: tuple[PartListing, ...]


@dataclass(frozen=True)
class BlueprintListing:
    """One blueprint as the list shows it."""

    key_name: str
    name: str
    description: str
    source: str
    basis: str
    roles: tuple[RoleListing, ...]

    @property
    def kind(self) -> str:
        """A blueprint of one role is a preset, one of several a solution."""
        return PRESET if len(self.roles) == 1 else SOLUTION


def blueprints_on_sale(*, package_key_name: str = "") -> QuerySet[Blueprint]:
    """Return the blueprints with a role in a package on sale, or in that package, by key name."""
    roles = {"roles__package__is_active": True}
    named = {"roles__package__key_name": package_key_name} if package_key_name else {}
    return Blueprint.objects.filter(**roles, **named).order_by("key_name").distinct()


def blueprint_listings(blueprints: Iterable[Blueprint]) -> list[BlueprintListing]:
    """Return these blueprints with their roles and parts, in one more query."""
    listed = list(blueprints)
    rows = (
        BlueprintRole.objects.filter(blueprint__in=listed, package__is_active=True)
        .order_by("blueprint", "sequence", "pk", "parts__pk")
        .values_list(
            "blueprint_id",
            "pk",
            "name",
            "package__key_name",
            "quantity",
            "parts__category__category_code",
            "parts__item_id",
            "parts__item__key_name",
            "parts__item__description",
        )
    )
    roles: defaultdict[int, list[RoleListing]] = defaultdict(list)
    for (blueprint_id, _, name, package, quantity), same in groupby(rows, key=lambda row: row[:5]):
        roles[blueprint_id].append(RoleListing(name, package, quantity, _parts(row[5:] for row in same)))
    return [
        BlueprintListing(
            key_name=each.key_name,
            name=each.name,
            description=each.description,
            source=each.source,
            basis=each.basis,
            roles=tuple(roles[each.pk]),
        )
        for each in listed
    ]


def _parts(rows: Iterable[tuple[str | None, int, str, str]]) -> tuple[PartListing, ...]:
    """Put equal parts together; a role that names no parts comes as one row of nothing."""
    counts = Counter((code, item_id, key_name, words) for code, item_id, key_name, words in rows if code is not None)
    return tuple(
        PartListing(category_code=code, item_id=item_id, key_name=key_name, description=words, count=count)
        for (code, item_id, key_name, words), count in counts.items()
    )
