"""What was removed from a draft, as plain values that a session keeps, and what puts it back."""

from dataclasses import dataclass

from catalog.models import Item, Location, Package
from catalog.pricing import Term
from orders.composing import Choice, Composition
from orders.drafts import container_of


@dataclass(frozen=True)
class Removal:
    """A container that is gone, with the ids of all it was made of; a choice is category code, name and item id."""

    item_name: str
    package_id: int
    location_id: int
    term: str
    quantity: int
    host_names: str
    choices: list[tuple[str, str, int]]
    item_sequence: int
    sequence: int
    contract_months: int | None = None

    @property
    def words(self) -> str:
        return f"{self.quantity:,} × {self.item_name}"


def removal_of(*, order_id: int, container_id: int, account_id: int) -> Removal:
    """Note what a container holds before it goes; raises OrderContainer.DoesNotExist."""
    container = container_of(order_id=order_id, container_id=container_id, account_id=account_id)
    lines = container.lines.order_by("pk").values_list("category_code", "category_name", "item_id")
    return Removal(
        item_name=container.order_item.name,
        package_id=container.package_id,
        location_id=container.location_id,
        term=container.term,
        quantity=container.quantity,
        host_names=container.host_names,
        choices=list(lines),
        item_sequence=container.order_item.sequence,
        sequence=container.sequence,
        contract_months=container.contract_months,
    )


def composition_of(removal: Removal) -> Composition:
    """Return what puts the container back. Items, packages and locations stay in the catalogue for good."""
    items = Item.objects.in_bulk([item_id for _, _, item_id in removal.choices])
    return Composition(
        item_name=removal.item_name,
        package=Package.objects.get(pk=removal.package_id),
        location=Location.objects.get(pk=removal.location_id),
        term=Term(removal.term),
        quantity=removal.quantity,
        host_names=removal.host_names,
        choices=tuple(Choice(code, name, items[item_id]) for code, name, item_id in removal.choices),
        contract_months=removal.contract_months,
    )
