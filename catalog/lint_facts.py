"""What the lint looks at, read in bulk: the catalogue as plain values."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime

from django.db.models import Q

from catalog.blueprint_placement import Need
from catalog.models import (
    BlueprintRole,
    BlueprintService,
    Item,
    ItemAttribute,
    ItemPrice,
    ItemPriceQuerySet,
    ItemRule,
    LocationGroup,
    Package,
    PackageConfiguration,
    Stock,
)
from catalog.sizes import SIZES, whole_sizes

BRINGING = frozenset({ItemRule.Kind.REQUIRES, ItemRule.Kind.INCLUDES})
"""Kinds of rules by which one item brings another along."""


@dataclass(frozen=True)
class Finding:
    """One fault: its code, what it concerns, and the rule and the way out in words."""

    code: str
    subject: str
    words: str

    def as_dict(self) -> dict[str, str]:
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.code}  {self.subject}: {self.words}"


@dataclass(frozen=True)
class AskedCategory:
    is_required: bool
    same_items_as: str
    default_item: int | None
    quantity_limit: int


@dataclass
class PackageHeld:
    """A package on sale: what it asks for and what it holds, by category code and item id."""

    key_name: str
    locations: set[int]
    categories: dict[str, AskedCategory] = field(default_factory=dict)
    items: set[int] = field(default_factory=set)

    @property
    def is_sold_somewhere(self) -> bool:
        return bool(self.locations)


@dataclass(frozen=True)
class RoleFacts:
    blueprint: str
    name: str
    package: int
    parts: tuple[tuple[str, int], ...]
    role_id: int
    is_optional: bool


@dataclass(frozen=True)
class ServiceFacts:
    """A service of a blueprint; roles go by id, and so does what it needs."""

    key_name: str
    name: str
    role_id: int
    otherwise_id: int | None
    agents_id: int | None
    needs: tuple[Need[int], ...]


@dataclass
class CatalogFacts:
    """The catalogue on one day. Items and packages go by id."""

    names: dict[int, str]
    subjects: dict[int, str]
    packages: dict[int, PackageHeld]
    retired_items: set[int]
    codes: dict[int, set[str]]
    priced: set[int]
    requires: dict[int, set[int]]
    conflicts: dict[int, set[int]]
    rules: list[ItemRule]
    sizes: dict[int, dict[str, int]]
    stock: dict[tuple[int, int], int]
    """What is left of limited items, by item and location."""
    groups_with_prices: set[int]
    groups_with_locations: set[int]
    roles: list[RoleFacts]
    services: list[ServiceFacts]

    def services_of(self, role: RoleFacts) -> list[ServiceFacts]:
        """Return the services that may stand on the machines of a role."""
        return [each for each in self.services if role.role_id in (each.role_id, each.otherwise_id)]

    def fillers(self, package: PackageHeld, code: str) -> set[int]:
        """Return the items of a package that may be chosen for a category."""
        category = package.categories.get(code)
        if category is None:
            return set()
        filling = {code, category.same_items_as}
        return {item for item in package.items if filling & self.codes.get(item, set())}

    def orderable_in(self, package: PackageHeld) -> set[int]:
        asked = package.categories.keys()
        return {item for item in package.items if asked & self.codes.get(item, set())}

    def needed_by(self, item: int) -> set[int]:
        """Return all that an item requires, and that these require in turn."""
        needed: set[int] = set()
        left = list(self.requires.get(item, ()))
        while left:
            other = left.pop()
            if other not in needed:
                needed.add(other)
                left += self.requires.get(other, ())
        return needed


def catalog_facts(*, at: datetime) -> CatalogFacts:
    """Read the catalogue as it is at that time; the number of queries does not grow with it."""
    items = list(Item.objects.values_list("pk", "source", "external_id", "description"))
    packages, retired_items = _packages()
    named = ("item", "category", "other", "other_category", "location")
    rules = list(ItemRule.objects.select_related(*named).order_by("pk"))
    between = [(rule.item_id, rule.kind, rule.other_id) for rule in rules if rule.item_id and rule.other_id]
    return CatalogFacts(
        names={pk: description for pk, _, _, description in items},
        subjects={pk: f"{source}/{number}" for pk, source, number, _ in items},
        packages=packages,
        retired_items=retired_items,
        codes=_codes(),
        priced=set(_counting_prices(at).values_list("item_id", flat=True)),
        requires=_pairs((one, other) for one, kind, other in between if kind in BRINGING),
        conflicts=_pairs(
            pair
            for one, kind, other in between
            if kind == ItemRule.Kind.CONFLICTS
            for pair in ((one, other), (other, one))
        ),
        rules=rules,
        sizes=whole_sizes(ItemAttribute.objects.filter(name__in=SIZES).values_list("item_id", "name", "value")),
        stock={(row.item_id, row.location_id): row.quantity_left for row in Stock.objects.all()},
        groups_with_prices=set(
            _counting_prices(at)
            .filter(location_group__is_active=True)
            .values_list("location_group__external_id", flat=True)
        ),
        groups_with_locations=set(
            LocationGroup.objects.filter(locations__isnull=False).values_list("external_id", flat=True)
        ),
        roles=_roles(),
        services=_services(),
    )


def _counting_prices(at: datetime) -> ItemPriceQuerySet:
    offered = Q(recurring_fee__isnull=False) | Q(hourly_recurring_fee__isnull=False)
    counting = Q(location_group__isnull=True) | Q(location_group__is_active=True)
    return ItemPrice.objects.open_on(at).filter(offered, counting)


def _packages() -> tuple[dict[int, PackageHeld], set[int]]:
    """Return the packages on sale, and the items that stand only in retired ones."""
    sold: dict[int, set[int]] = defaultdict(set)
    for package_id, location_id in Package.locations.through._default_manager.values_list("package_id", "location_id"):
        sold[package_id].add(location_id)
    held = {
        package.pk: PackageHeld(package.key_name, sold[package.pk])
        for package in Package.objects.filter(is_active=True)
    }
    rows = PackageConfiguration.objects.filter(package__in=held)
    for package, code, is_required, same, default, limit in rows.values_list(
        *("package_id", "category__category_code", "is_required", "same_items_as__category_code"),
        *("default_item_id", "quantity_limit"),
    ):
        held[package].categories[code] = AskedCategory(is_required, same or "", default, limit)
    in_retired: set[int] = set()
    for package, item in Package.items.through._default_manager.values_list("package_id", "item_id"):
        if package in held:
            held[package].items.add(item)
        else:
            in_retired.add(item)
    return held, in_retired - {item for package in held.values() for item in package.items}


def _codes() -> dict[int, set[str]]:
    codes: dict[int, set[str]] = defaultdict(set)
    of_items = Item.categories.through._default_manager.values_list("item_id", "itemcategory__category_code")
    of_prices = ItemPrice.categories.through._default_manager.values_list(
        "itemprice__item_id", "itemcategory__category_code"
    )
    for item, code in (*of_items, *of_prices):
        codes[item].add(code)
    return codes


def _pairs(pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for one, other in pairs:
        found[one].add(other)
    return dict(found)


def _roles() -> list[RoleFacts]:
    roles = BlueprintRole.objects.select_related("blueprint").prefetch_related("parts__category")
    return [
        RoleFacts(
            blueprint=role.blueprint.key_name,
            name=role.name,
            package=role.package_id,
            parts=tuple((part.category.category_code, part.item_id) for part in role.parts.all()),
            role_id=role.pk,
            is_optional=role.is_optional,
        )
        for role in roles
    ]


def _services() -> list[ServiceFacts]:
    services = BlueprintService.objects.order_by("role__blueprint__key_name", "sequence", "pk")
    return [
        ServiceFacts(
            key_name=service.key_name,
            name=service.name,
            role_id=service.role_id,
            otherwise_id=service.otherwise_id,
            agents_id=service.agents_id,
            needs=tuple(Need(need.category.category_code, need.item_id, need.count) for need in service.needs.all()),
        )
        for service in services.prefetch_related("needs__category")
    ]
