"""Items that no rule looks at: of those that may fill a category, the cheapest is as good as any other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Protocol

from catalog.container_facts import Chosen, ContainerFacts, ItemFacts, slot_of
from catalog.sizes import RESTRICTED_BY

Ranked = tuple[tuple[Decimal, Decimal], ItemFacts]


class MachinePrices(Protocol):
    """Which prices depend on the machine that the other choices make up."""

    def depends_on_machine(self, chosen: Chosen) -> bool: ...

    @property
    def restrictions(self) -> frozenset[str]: ...


class Bystanders:
    """What may be left out of a search for the cheapest item of a category without missing anything."""

    def __init__(
        self, container: ContainerFacts, prices: MachinePrices, candidates: Mapping[str, Sequence[ItemFacts]]
    ) -> None:
        rules = container.rules.all
        drives = [rule for rule in rules if rule.kind == "drives"]
        self._with_disk_rule = {rule.item_id for rule in drives if rule.item_id is not None}
        self._codes_with_disk_rule = {rule.category_code for rule in drives if rule.category_code} | {
            code for code, items in candidates.items() if any(item.item_id in self._with_disk_rule for item in items)
        }
        restrictions = prices.restrictions | {rule.restriction for rule in rules}
        self._prices, self._container = prices, container
        self._sizes = {
            "disk_slots",
            *(size for size, restriction in RESTRICTED_BY.items() if restriction in restrictions),
        }
        self._wanted = {rule.other_id for rule in rules if rule.kind == "requires"}
        self._wanted |= {rule.item_id for rule in rules if rule.kind == "includes"}
        self._named = {rule.item_id for rule in rules} | {rule.other_id for rule in rules} | container.stock.keys()

    def without_needless(
        self, ranked: Iterable[Ranked], category_code: str, beside: Sequence[Chosen]
    ) -> Iterator[Ranked]:
        """Give the candidates, the cheapest first, without those that a cheaper one could always stand in for.

        Behind the first that no rule, no stock and no price looks at, only those count that something may ask for.
        """
        is_disk = slot_of(category_code) is not None and self._disks_matter(beside)
        has_bystander = False
        for amounts, item in ranked:
            if not has_bystander or self._may_be_asked_for(item):
                yield amounts, item
            has_bystander = has_bystander or (not is_disk and self._is_bystander(item, category_code))

    def _may_be_asked_for(self, item: ItemFacts) -> bool:
        return item.item_id in self._wanted or not self._sizes.isdisjoint(item.sizes)

    def _is_bystander(self, item: ItemFacts, category_code: str) -> bool:
        return (
            item.item_id not in self._named
            and self._sizes.isdisjoint(item.sizes)
            and not self._prices.depends_on_machine(Chosen(category_code, item))
        )

    def _disks_matter(self, beside: Sequence[Chosen]) -> bool:
        """Tell whether something that is chosen, or may still be, asks for so many disks or equal ones."""
        chosen = {choice.item.item_id for choice in beside} | self._wanted
        filled = {choice.category_code for choice in beside}
        return not self._with_disk_rule.isdisjoint(chosen) or any(
            category.is_required and category.category_code not in filled
            for category in self._container.package.categories
            if category.category_code in self._codes_with_disk_rule
        )
