"""Blueprints as plain rows: their roles with package, items and counts, and their services; without prices."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, QuerySet

from catalog.models import Blueprint, BlueprintNeed, BlueprintPart, BlueprintRole, BlueprintService
from core.json_rows import JsonRows

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
    """One kind of machine, and how many of it there are as a rule, at least and at most."""

    name: str
    package_key_name: str
    quantity: int
    parts: tuple[PartListing, ...]
    least: int = 1
    most: int | None = None
    is_optional: bool = False


@dataclass(frozen=True)
class ServiceListing:
    """One service and the roles that it stands on; see `ServiceRule`."""

    key_name: str
    name: str
    role: str
    otherwise: str
    agents: str
    shares_up_to: int | None
    needs: tuple[PartListing, ...]


@dataclass(frozen=True)
class BlueprintListing:
    """One blueprint as the list shows it."""

    key_name: str
    name: str
    description: str
    source: str
    basis: str
    roles: tuple[RoleListing, ...]
    services: tuple[ServiceListing, ...]

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
    """Return these blueprints with their roles, parts and services, in one more query."""
    listed = list(blueprints)
    roles: defaultdict[int, list[RoleListing]] = defaultdict(list)
    services: defaultdict[int, list[tuple[int, ServiceListing]]] = defaultdict(list)
    for blueprint_id, name, package, quantity, *limits, part_rows, service_rows in _role_rows(listed):
        least, most, is_optional = limits
        roles[blueprint_id].append(
            RoleListing(name, package, quantity, _parts(part_rows), least, most, bool(is_optional))
        )
        services[blueprint_id] += [(row[0], _service(name, *row[1:])) for row in service_rows]
    return [
        BlueprintListing(
            key_name=each.key_name,
            name=each.name,
            description=each.description,
            source=each.source,
            basis=each.basis,
            roles=tuple(roles[each.pk]),
            services=tuple(service for _, service in sorted(services[each.pk], key=lambda pair: pair[0])),
        )
        for each in listed
    ]


def _role_rows(blueprints: list[Blueprint]) -> Iterable[Sequence[Any]]:
    parts = BlueprintPart.objects.filter(role=OuterRef("pk")).order_by("pk")
    services = BlueprintService.objects.filter(role=OuterRef("pk")).order_by("sequence", "pk")
    needs = BlueprintNeed.objects.filter(service=OuterRef("pk")).order_by("pk")
    item = ("category__category_code", "item_id", "item__key_name", "item__description")
    roles = BlueprintRole.objects.filter(blueprint__in=blueprints, package__is_active=True)
    return (
        roles.order_by("blueprint", "sequence", "pk")
        .annotate(
            part_rows=JsonRows(parts, *item),
            service_rows=JsonRows(
                services,
                *("sequence", "key_name", "name", "otherwise__name", "agents__name", "shares_up_to"),
                JsonRows(needs, *item, "count"),
            ),
        )
        .values_list(
            *("blueprint_id", "name", "package__key_name", "quantity", "least", "most", "is_optional"),
            *("part_rows", "service_rows"),
        )
    )


def _parts(rows: Iterable[Sequence[Any]]) -> tuple[PartListing, ...]:
    """Put equal parts together."""
    counts = Counter(tuple(row) for row in rows)
    return tuple(
        PartListing(category_code=code, item_id=item_id, key_name=key_name, description=words, count=count)
        for (code, item_id, key_name, words), count in counts.items()
    )


def _service(
    role: str,
    key_name: str,
    name: str,
    otherwise: str | None,
    agents: str | None,
    shares_up_to: int | None,
    needs: Iterable[Sequence[Any]],
) -> ServiceListing:
    needed = tuple(PartListing(*row) for row in needs)
    return ServiceListing(key_name, name, role, otherwise or "", agents or "", shares_up_to, needed)
