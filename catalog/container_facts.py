"""A container as the rules see it, in plain values: what its package asks for, what was chosen, what holds there."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

DISK_SLOT = re.compile(r"disk(\d{1,4})")


@dataclass(frozen=True)
class CategoryFacts:
    """A category that the package asks for."""

    category_code: str
    name: str
    is_required: bool
    quantity_limit: int
    error_words: str
    same_items_as: str = ""

    @property
    def filled_by(self) -> frozenset[str]:
        """The categories whose items fill this one."""
        return frozenset({self.category_code, self.same_items_as} - {""})

    @property
    def slot(self) -> int | None:
        """The number of the disk slot that this category is, from 0; None where it is none."""
        return slot_of(self.category_code)


@dataclass(frozen=True)
class PackageFacts:
    """What a package asks for, holds, and where it is sold. Of the items it may name only those in question."""

    name: str
    is_active: bool
    categories: tuple[CategoryFacts, ...]
    item_ids: frozenset[int]
    location_ids: frozenset[int]

    @cached_property
    def by_code(self) -> Mapping[str, CategoryFacts]:
        return {category.category_code: category for category in self.categories}

    def filled_by(self, category_code: str) -> frozenset[str]:
        category = self.by_code.get(category_code)
        return category.filled_by if category else frozenset({category_code})


@dataclass(frozen=True)
class ItemFacts:
    """An item with the categories that it may fill and the sizes that rules and prices ask for."""

    item_id: int
    key_name: str
    description: str
    category_codes: frozenset[str]
    sizes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Chosen:
    """One item chosen for a category."""

    category_code: str
    item: ItemFacts

    @property
    def key(self) -> tuple[str, int]:
        return self.category_code, self.item.item_id


@dataclass(frozen=True)
class RuleFacts:
    """One rule row. Its subject is an item or a category; `other_codes` are what the other item fills."""

    number: int
    kind: str
    item_id: int | None = None
    category_code: str = ""
    other_id: int | None = None
    other_codes: frozenset[str] = frozenset()
    other_category: str = ""
    location_id: int | None = None
    other_words: str = ""
    restriction: str = ""
    minimum: int | None = None
    maximum: int | None = None
    multiple_of: int | None = None
    equality: str = ""

    def is_about(self, chosen: Chosen) -> bool:
        return self.item_id == chosen.item.item_id or self.category_code == chosen.category_code


class RuleIndex:
    """Rules by their subject, so that a check looks only at those of what was chosen."""

    def __init__(self, rules: Iterable[RuleFacts] = ()) -> None:
        self.all = tuple(rules)
        self._by_item: dict[int, list[RuleFacts]] = defaultdict(list)
        self._by_category: dict[str, list[RuleFacts]] = defaultdict(list)
        for rule in self.all:
            if rule.item_id is not None:
                self._by_item[rule.item_id].append(rule)
            else:
                self._by_category[rule.category_code].append(rule)

    def of(self, choices: Sequence[Chosen]) -> list[RuleFacts]:
        """Return the rules about any of these, in the order of their rows."""
        found = {
            rule.number: rule
            for chosen in choices
            for rule in (
                *self._by_item.get(chosen.item.item_id, ()),
                *self._by_category.get(chosen.category_code, ()),
            )
        }
        return [found[number] for number in sorted(found)]


@dataclass(frozen=True)
class ContainerFacts:
    """Where and how a container is ordered, and what holds there. `stock` counts what is left of limited items."""

    package: PackageFacts
    location_id: int
    location_name: str
    term: str
    quantity: int = 1
    rules: RuleIndex = field(default_factory=RuleIndex)
    stock: Mapping[int, int] = field(default_factory=dict)


def slot_of(category_code: str) -> int | None:
    """Return the number of the disk slot that a category is, from 0; None where it is none."""
    found = DISK_SLOT.fullmatch(category_code)
    return int(found[1]) if found else None


def disks_of(choices: Sequence[Chosen]) -> list[Chosen]:
    """Return what stands in the disk slots, by slot."""
    return sorted(
        (chosen for chosen in choices if slot_of(chosen.category_code) is not None),
        key=lambda chosen: slot_of(chosen.category_code) or 0,
    )
