"""The roles of blueprints as they are stored, and as they come out once it is known how many machines each one gets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from catalog.blueprint_placement import Need, Placement, ServiceRule, parts_with_needs, services_place
from catalog.models import BlueprintNeed, BlueprintPart, BlueprintRole, BlueprintService, Item, ItemAttribute, Package
from catalog.shelf_items import RACK_UNITS, item_words
from catalog.shelves import Shelf, shelves_on_sale
from core.errors import Violation
from core.json_rows import JsonRows
from orders.composing import Choice


@dataclass(frozen=True)
class StoredRole:
    """One role of a blueprint, of a package that is sold somewhere, with the services that are at home in it."""

    shelf: Shelf
    blueprint_name: str
    blueprint_key: str
    sequence: int
    role_id: int
    name: str
    quantity: int
    least: int
    most: int | None
    is_optional: bool
    blueprint_description: str
    named: tuple[Choice, ...]
    rules: tuple[tuple[int, ServiceRule[Item]], ...]
    """The rule of each service, with its place among those of the whole blueprint."""
    not_sold: tuple[tuple[str, str], ...] = ()
    """The other roles of its blueprint whose packages are sold nowhere, each with the name of its package."""

    def allows(self, machines: int) -> bool:
        """Whether the role may have so many machines."""
        if machines == 0:
            return self.is_optional
        return machines >= self.least and (self.most is None or machines <= self.most)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The parts that the role names, and the package's own where it requires something and nobody chose."""
        codes = {choice.category_code for choice in self.named}
        usual = (
            _choice(row.category_code, row.name, row.default_item_id, row.default_key_name, row.default_description)
            for row in self.shelf.categories
            if row.is_required and row.default_item_id and row.category_code not in codes
        )
        return (*self.named, *usual)


@dataclass(frozen=True)
class PlacedRoles:
    """All roles of one blueprint with the machines that they get, which may be none, and where its services stand."""

    roles: tuple[StoredRole, ...]
    placement: Placement[Item]

    @property
    def not_sold(self) -> tuple[Violation, ...]:
        """Say which roles of the blueprint are missing here because nobody sells their packages."""
        return tuple(
            Violation(
                "role_not_sold", f"roles.{name}", f"{name}: {package} is no longer sold. Choose another blueprint."
            )
            for name, package in self.roles[0].not_sold
        )

    @property
    def present(self) -> list[StoredRole]:
        return [role for role in self.roles if role.quantity]


def roles_stored(key_name: str) -> list[StoredRole]:
    """Return the roles of all blueprints, or of one, with what they name and what their packages take, in one query."""
    parts = BlueprintPart.objects.filter(role=OuterRef("pk")).order_by("pk")
    roles = BlueprintRole.objects.filter(package=OuterRef("pk"))
    asked = roles.filter(blueprint__key_name=key_name) if key_name else roles
    shelves = shelves_on_sale(
        role_rows=JsonRows(
            asked.order_by("pk"),
            *("blueprint__name", "blueprint__key_name", "sequence", "pk", "name", "quantity"),
            *("least", "most", "is_optional", "blueprint__description"),
            JsonRows(parts, "category__category_code", "category__name", *_item_columns()),
            _service_rows(),
            JsonRows(_roles_not_sold().filter(blueprint=OuterRef("blueprint")), "name", "package__name"),
        )
    )
    found = [_role(shelf, row) for shelf in shelves if shelf.places for row in shelf.rows("role_rows")]
    return sorted(found, key=lambda role: (role.blueprint_name, role.blueprint_key, role.sequence, role.role_id))


def roles_placed(roles: Iterable[StoredRole], machines: Mapping[str, int]) -> Iterator[PlacedRoles]:
    """Place the services of each blueprint, its roles in order.

    A number of machines by the name of a role counts where the role may have it; else it has its own.
    """
    for _, same in groupby(roles, key=lambda role: role.blueprint_key):
        asked = [_sized(role, machines.get(role.name)) for role in same]
        rules = sorted((pair for role in asked for pair in role.rules), key=lambda pair: pair[0])
        placement = services_place(
            rules=[rule for _, rule in rules], machines={role.name: role.quantity for role in asked}
        )
        yield PlacedRoles(tuple(_fitted(role, placement.needs(role.name)) for role in asked), placement)


def _sized(role: StoredRole, machines: int | None) -> StoredRole:
    return role if machines is None or not role.allows(machines) else replace(role, quantity=machines)


def _fitted(role: StoredRole, needs: Sequence[Need[Item]]) -> StoredRole:
    """Give the machines of a role what its services need besides."""
    if not needs:
        return role
    names = {row.category_code: row.name for row in role.shelf.categories}
    parts = parts_with_needs([(choice.category_code, choice.item) for choice in role.named], needs)
    return replace(role, named=tuple(Choice(code, names.get(code, code), item) for code, item in parts))


def _roles_not_sold() -> QuerySet[BlueprintRole]:
    places = Package.locations.through._default_manager.filter(package_id=OuterRef("package_id"))
    return BlueprintRole.objects.filter(Q(package__is_active=False) | ~Exists(places)).order_by("sequence", "pk")


def _item_columns() -> tuple[Any, ...]:
    units = ItemAttribute.objects.filter(item=OuterRef("item"), name=RACK_UNITS)
    return ("item_id", "item__key_name", "item__description", Subquery(units.values("value")))


def _service_rows() -> JsonRows:
    needs = BlueprintNeed.objects.filter(service=OuterRef("pk")).order_by("pk")
    return JsonRows(
        BlueprintService.objects.filter(role=OuterRef("pk")).order_by("sequence", "pk"),
        *("sequence", "key_name", "name", "otherwise__name", "agents__name", "shares_up_to"),
        JsonRows(needs, "category__category_code", "count", *_item_columns()),
    )


def _role(shelf: Shelf, row: Sequence[Any]) -> StoredRole:
    blueprint_name, blueprint_key, sequence, role_id, name, quantity, *limits, part_rows, service_rows, others = row
    least, most, is_optional, description = limits
    return StoredRole(
        shelf=shelf,
        blueprint_name=blueprint_name,
        blueprint_key=blueprint_key,
        sequence=sequence,
        role_id=role_id,
        name=name,
        quantity=quantity,
        least=least,
        most=most,
        is_optional=bool(is_optional),
        blueprint_description=description,
        named=tuple(_choice(*row) for row in part_rows),
        rules=tuple((row[0], _rule(name, *row[1:])) for row in service_rows),
        not_sold=tuple((other, package) for other, package in others),
    )


def _rule(
    role: str,
    key_name: str,
    name: str,
    otherwise: str | None,
    agents: str | None,
    shares_up_to: int | None,
    need_rows: Iterable[Sequence[Any]],
) -> ServiceRule[Item]:
    needs = tuple(Need(code, _item(*item), count) for code, count, *item in need_rows)
    return ServiceRule(key_name, name, role, otherwise or "", agents or "", shares_up_to, needs)


def _choice(category_code: str, category_name: str, *item: Any) -> Choice:
    return Choice(category_code, category_name, _item(*item))


def _item(item_id: int, key_name: str, description: str, rack_units: str | None = None) -> Item:
    return Item(pk=item_id, key_name=key_name, description=item_words(description, rack_units))
