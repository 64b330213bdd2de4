"""The items of a package with the categories that they fill and the facts that are known of them, in one query."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import OuterRef

from catalog.models import Item, ItemAttribute, Package
from catalog.sizes import SIZES
from core.json_rows import JsonRows, Reading


@dataclass(frozen=True)
class AttributeFact:
    """One known fact about an item, and how it is known."""

    name: str
    value: str
    unit: str
    source: str
    basis: str


RACK_UNITS = "rack_units"


def item_words(description: str, rack_units: str | None) -> str:
    """Call an item so that no other one is meant: some servers differ in nothing that is told but their chassis."""
    return f"{description}, {rack_units}U chassis" if rack_units else description


@dataclass(frozen=True)
class ShelfItem:
    """An item of a package as it is listed or offered."""

    item_id: int
    key_name: str
    description: str
    category_codes: frozenset[str]
    attributes: Mapping[str, AttributeFact]

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes that are whole numbers."""
        facts = (fact for name, fact in self.attributes.items() if name in SIZES)
        return {fact.name: int(fact.value) for fact in facts if fact.value.isascii() and fact.value.isdigit()}

    @property
    def words(self) -> str:
        """What it is called."""
        units = self.attributes.get(RACK_UNITS)
        return item_words(self.description, units.value if units else None)

    @cached_property
    def _searched(self) -> str:
        return f"{self.words} {self.key_name}".lower()

    def suits(self, search: str) -> bool:
        """Tell whether every word of a search is in its name or its key name."""
        return all(word in self._searched for word in search.lower().split())


def items_reading(*, package: Package) -> Reading[list[ShelfItem]]:
    """Return how to read the items of a package, in the order in which they were made."""
    links = Item.categories.through._default_manager.filter(item_id=OuterRef("pk")).order_by()
    facts = ItemAttribute.objects.filter(item_id=OuterRef("pk")).order_by("name")
    rows = JsonRows(
        package.items.order_by("pk"),
        *("pk", "key_name", "description"),
        JsonRows(links, "itemcategory__category_code"),
        JsonRows(facts, "name", "value", "unit", "source", "basis"),
    )
    return Reading((rows,), _items)


def _items(rows: Iterable[Sequence[Any]]) -> list[ShelfItem]:
    return [
        ShelfItem(
            item_id=item_id,
            key_name=key_name,
            description=description,
            category_codes=frozenset(code for (code,) in categories),
            attributes={fact[0]: AttributeFact(*fact) for fact in attributes},
        )
        for item_id, key_name, description, categories, attributes in rows
    ]
