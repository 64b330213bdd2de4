"""Bringing blueprints up to date: a blueprint is written as a whole."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from catalog.layout import BlueprintPartRow, PlacementRow
from catalog.models import (
    Blueprint,
    BlueprintNeed,
    BlueprintPart,
    BlueprintRole,
    BlueprintService,
    Item,
    ItemCategory,
    Package,
)
from catalog.tallying import Tally, write_rows


@dataclass(frozen=True)
class Known:
    """The rows that names may mean, by their keys."""

    items: Mapping[str, Item]
    categories: Mapping[str, ItemCategory]
    packages: Mapping[str, Package]


def blueprints_load(
    *,
    rows: Iterable[BlueprintPartRow],
    placements: Iterable[PlacementRow],
    items: Mapping[str, Item],
    categories: Mapping[str, ItemCategory],
    packages: Mapping[str, Package],
    tally: Tally,
) -> None:
    """Make and change blueprints; the rows of one stand together, its roles in order, its services in theirs."""
    known = Known(items, categories, packages)
    by_blueprint = {key: list(same) for key, same in groupby(rows, key=lambda row: row.blueprint)}
    services: dict[str, list[PlacementRow]] = {key: [] for key in by_blueprint}
    for placement in placements:
        services[placement.blueprint].append(placement)
    existing = {each.key_name: each for each in Blueprint.objects.filter(key_name__in=by_blueprint)}
    wanted = {
        key: {
            "key_name": key,
            "name": same[0].name,
            "description": same[0].description,
            "source": same[0].source,
            "basis": same[0].basis,
        }
        for key, same in by_blueprint.items()
    }
    blueprints = write_rows(model=Blueprint, kind="blueprints", existing=existing, wanted=wanted, tally=tally)
    for key, same in by_blueprint.items():
        told = [_part_as_stored(row, items) for row in same], [_service_as_stored(row, items) for row in services[key]]
        if (_parts_stored(blueprints[key]), _services_stored(blueprints[key])) != told:
            _roles_write(blueprints[key], same, services[key], known)
            tally.changed["blueprints"] += key in existing


def _parts_stored(blueprint: Blueprint) -> list[tuple[Any, ...]]:
    parts = BlueprintPart.objects.filter(role__blueprint=blueprint).order_by("role__sequence", "pk")
    return list(
        parts.values_list(
            *("role__name", "role__quantity", "role__least", "role__most", "role__is_optional"),
            *("role__package__key_name", "category__category_code", "item__source", "item__external_id"),
        )
    )


def _part_as_stored(row: BlueprintPartRow, items: Mapping[str, Item]) -> tuple[Any, ...]:
    item = items[row.item]
    size = (row.role, row.count, row.least, row.most, row.is_optional)
    return (*size, row.package, row.category_code, item.source, item.external_id)


def _services_stored(blueprint: Blueprint) -> list[tuple[Any, ...]]:
    services = BlueprintService.objects.filter(role__blueprint=blueprint).order_by("sequence", "pk")
    needs: dict[int, list[tuple[Any, ...]]] = {}
    for service, *need in (
        BlueprintNeed.objects.filter(service__in=services)
        .order_by("pk")
        .values_list("service_id", "category__category_code", "item__source", "item__external_id", "count")
    ):
        needs.setdefault(service, []).append(tuple(need))
    named = ("key_name", "name", "role__name", "otherwise__name", "agents__name", "shares_up_to")
    return [(*row, needs.get(pk, [])) for pk, *row in services.values_list("pk", *named)]


def _service_as_stored(row: PlacementRow, items: Mapping[str, Item]) -> tuple[Any, ...]:
    needs = [
        (category_code, items[item].source, items[item].external_id, count)
        for (category_code, item), count in Counter(row.needs).items()
    ]
    roles = (row.role, row.otherwise or None, row.agents or None)
    return (row.service, row.name, *roles, row.shares_up_to, needs)


def _roles_write(
    blueprint: Blueprint, rows: Iterable[BlueprintPartRow], services: Iterable[PlacementRow], known: Known
) -> None:
    blueprint.roles.all().delete()
    roles = {}
    for sequence, (name, same) in enumerate(groupby(rows, key=lambda row: row.role)):
        parts = list(same)
        roles[name] = BlueprintRole.objects.create(
            blueprint=blueprint,
            name=name,
            sequence=sequence,
            package=known.packages[parts[0].package],
            quantity=parts[0].count,
            least=parts[0].least,
            most=parts[0].most,
            is_optional=parts[0].is_optional,
        )
        BlueprintPart.objects.bulk_create(
            BlueprintPart(role=roles[name], category=known.categories[part.category_code], item=known.items[part.item])
            for part in parts
        )
    for sequence, row in enumerate(services):
        service = BlueprintService.objects.create(
            role=roles[row.role],
            otherwise=roles.get(row.otherwise),
            agents=roles.get(row.agents),
            key_name=row.service,
            name=row.name,
            sequence=sequence,
            shares_up_to=row.shares_up_to,
        )
        BlueprintNeed.objects.bulk_create(
            BlueprintNeed(
                service=service, category=known.categories[category_code], item=known.items[item], count=count
            )
            for (category_code, item), count in Counter(row.needs).items()
        )
