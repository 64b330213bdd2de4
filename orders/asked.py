"""An order as somebody names it: in key names about which the catalogue has not been asked yet.

None stands for what was not given or could not be read. A `field` is where something stands in what was sent, and so
what a problem with it is called.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalog.blueprints import Role
from catalog.pricing import Term

MOST_OF_ONE_ITEM = 100


@dataclass(frozen=True)
class PartAsked:
    """So many pieces of one item for one category; the item by its key name, or by its id where key names repeat."""

    category_code: str | None
    item: str | int | None
    count: int | None = 1


@dataclass(frozen=True)
class ContainerAsked:
    """N identical machines or volumes. Without a location or a term of its own it has those of the order.

    The catalogue's rules look only at a container of which everything could be read.
    """

    field: str
    package_key_name: str | None
    quantity: int | None
    parts: tuple[PartAsked, ...]
    location_key_name: str | None = None
    term: Term | None = None
    host_names: str = ""
    contract_months: int | None = None
    is_readable: bool = True


@dataclass(frozen=True)
class ItemAsked:
    """What the buyer names one part of the order, with its containers."""

    field: str
    name: str | None
    containers: tuple[ContainerAsked, ...]


@dataclass(frozen=True)
class DraftAsked:
    """A whole order."""

    name: str | None
    hours_per_month: Decimal | None
    items: tuple[ItemAsked, ...]
    location_key_name: str | None = None
    term: Term | None = None
    promotion_code: str = ""

    @property
    def containers(self) -> Iterator[ContainerAsked]:
        return (container for item in self.items for container in item.containers)

    @property
    def parts(self) -> Iterator[PartAsked]:
        return (part for container in self.containers for part in container.parts)


def draft_of_roles(
    *, name: str, roles: Sequence[Role], location_key_name: str, term: Term, hours_per_month: Decimal
) -> DraftAsked:
    """Return the order that has one item, of one container, for each role."""
    return DraftAsked(
        name=name,
        hours_per_month=hours_per_month,
        items=tuple(_item_of_role(role, field=f"items[{index}]") for index, role in enumerate(roles)),
        location_key_name=location_key_name,
        term=term,
    )


def _item_of_role(role: Role, *, field: str) -> ItemAsked:
    container = ContainerAsked(
        field=field,
        package_key_name=role.package_key_name,
        quantity=role.quantity,
        parts=tuple(PartAsked(category_code, key_name) for category_code, key_name in role.parts),
        term=role.term,
    )
    return ItemAsked(field=field, name=role.name, containers=(container,))
