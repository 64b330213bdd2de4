"""What a catalogue says, as plain rows, whatever the shape of the file that it came from."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from catalog.cells import RowNote


@dataclass(frozen=True)
class GroupRow:
    """A location group. One that is not listed is only mentioned by prices: nobody says which data centres it has."""

    external_id: int
    name: str
    is_listed: bool = True


@dataclass(frozen=True)
class LocationRow:
    key_name: str
    name: str
    source: str
    groups: tuple[int, ...]


@dataclass(frozen=True)
class CategoryRow:
    category_code: str
    name: str


def name_from_code(category_code: str) -> str:
    """Return a name for a category that nobody named."""
    return category_code.replace("_", " ").capitalize()


@dataclass(frozen=True)
class PackageRow:
    """A package. Without `locations` (None) it stays where it is sold; `sold_like` names a package to follow."""

    key_name: str
    external_id: str
    name: str
    description: str
    is_active: bool
    locations: tuple[str, ...] | None
    sold_like: str = ""


@dataclass(frozen=True)
class NetworksRow:
    """What the three networks of a package's servers carry."""

    package: str
    public: str
    private: str
    management: str
    source: str
    basis: str


@dataclass(frozen=True)
class ConfigurationRow:
    package: str
    category_code: str
    is_required: bool
    order_step: int
    sort: int
    quantity_limit: int
    same_items_as: str
    default_item: str
    error_words: str
    source: str
    basis: str


@dataclass(frozen=True)
class ItemRow:
    """An item. Its `packages` are those of this file; what other files said about it stays."""

    external_id: str
    key_name: str
    description: str
    capacity: Decimal | None
    units: str
    categories: tuple[str, ...]
    packages: tuple[str, ...]


@dataclass(frozen=True)
class AttributeRow:
    item: str
    name: str
    value: str
    unit: str
    source: str
    basis: str


@dataclass(frozen=True)
class PriceRow:
    external_id: str
    item: str
    fees: tuple[tuple[str, Decimal | None], ...]
    location_group: int | None
    restriction: str
    restriction_minimum: int | None
    restriction_maximum: int | None
    term_months: int | None
    valid_from: datetime | None
    valid_to: datetime | None
    categories: tuple[str, ...]
    source: str
    basis: str
    tier: int | None = None
    place: str = ""
    """Where in its file the price stands."""


@dataclass(frozen=True)
class RuleRow:
    """A rule about an item or a category; the measures are those of rules about sizes and disks."""

    item: str
    kind: str
    other: str
    source: str
    basis: str
    category: str = ""
    other_category: str = ""
    location: str = ""
    restriction: str = ""
    minimum: int | None = None
    maximum: int | None = None
    multiple_of: int | None = None
    equality: str = ""


@dataclass(frozen=True)
class BlueprintPartRow:
    """One part of a blueprint; `count` pieces of the role's machine, `role` within the blueprint."""

    blueprint: str
    name: str
    description: str
    role: str
    count: int
    package: str
    category_code: str
    item: str
    source: str
    basis: str
    least: int = 1
    most: int | None = None
    is_optional: bool = False


@dataclass(frozen=True)
class PlacementRow:
    """One service of a blueprint: the roles that it stands on, and its needs as category and item, with repeats."""

    blueprint: str
    service: str
    name: str
    role: str
    otherwise: str
    agents: str
    shares_up_to: int | None
    needs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CatalogData:
    """All that a file or a folder says. With `extends` the items belong to the catalogue of that source."""

    digest: str
    path: str
    source: str
    currency: str
    extends: str = ""
    groups: tuple[GroupRow, ...] = ()
    locations: tuple[LocationRow, ...] = ()
    categories: tuple[CategoryRow, ...] = ()
    packages: tuple[PackageRow, ...] = ()
    networks: tuple[NetworksRow, ...] = ()
    configuration: tuple[ConfigurationRow, ...] = ()
    items: tuple[ItemRow, ...] = ()
    attributes: tuple[AttributeRow, ...] = ()
    prices: tuple[PriceRow, ...] = ()
    rules: tuple[RuleRow, ...] = ()
    blueprints: tuple[BlueprintPartRow, ...] = ()
    placements: tuple[PlacementRow, ...] = ()

    @property
    def item_source(self) -> str:
        """The source within which the external ids of items are unique."""
        return self.extends or self.source


@dataclass
class Notes:
    """What a reading has to tell: rows that are refused, and rows that are taken although they are doubtful."""

    refused: list[RowNote] = field(default_factory=list)
    doubtful: list[RowNote] = field(default_factory=list)
