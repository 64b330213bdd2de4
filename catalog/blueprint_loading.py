"""Bringing blueprints up to date: a blueprint is written as a whole."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from catalog.layout import BlueprintPartRow
from catalog.models import Blueprint, BlueprintPart, BlueprintRole, Item, ItemCategory, Package
from catalog.tallying import Tally, write_rows


def blueprints_load(
    *,
    rows: Iterable[BlueprintPartRow],
    items: Mapping[str, Item],
    categories: Mapping[str, ItemCategory],
    packages: Mapping[str, Package],
    tally: Tally,
) -> None:
    """Make and change blueprints; the rows of one stand together, its roles in order."""
    by_blueprint = {key: list(same) for key, same in groupby(rows, key=lambda row: row.blueprint)}
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
        if _contents(blueprints[key]) != [_as_stored(row, items) for row in same]:
            _write_roles(blueprints[key], same, items, categories, packages)
            tally.changed["blueprints"] += key in existing


def _contents(blueprint: Blueprint) -> list[tuple[str, int, str, str, str, str]]:
    parts = BlueprintPart.objects.filter(role__blueprint=blueprint).order_by("role__sequence", "pk")
    return list(
        parts.values_list(
            "role__name",
            "role__quantity",
            "role__package__key_name",
            "category__category_code",
            "item__source",
            "item__external_id",
        )
    )


def _as_stored(row: BlueprintPartRow, items: Mapping[str, Item]) -> tuple[str, int, str, str, str, str]:
    item = items[row.item]
    return (row.role, row.count, row.package, row.category_code, item.source, item.external_id)


def _write_roles(
    blueprint: Blueprint,
    rows: Iterable[BlueprintPartRow],
    items: Mapping[str, Item],
    categories: Mapping[str, ItemCategory],
    packages: Mapping[str, Package],
) -> None:
    blueprint.roles.all().delete()
    for sequence, (name, same) in enumerate(groupby(rows, key=lambda row: row.role)):
        parts = list(same)
        role = BlueprintRole.objects.create(
            blueprint=blueprint,
            name=name,
            sequence=sequence,
            package=packages[parts[0].package],
            quantity=parts[0].count,
        )
        BlueprintPart.objects.bulk_create(
            BlueprintPart(role=role, category=categories[part.category_code], item=items[part.item]) for part in parts
        )
