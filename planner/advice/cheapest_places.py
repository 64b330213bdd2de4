"""Of the places where packages are sold, those that may have the cheapest answer: the others need not be looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from catalog.container_facts import Chosen
from catalog.pricing import PriceAnswer
from planner.advice.market import Shop


@dataclass(frozen=True)
class Stand:
    """A shop, with the price groups of the place where it stands."""

    shop: Shop
    groups: tuple[int, ...]

    @cached_property
    def answers(self) -> Mapping[tuple[str, int], PriceAnswer]:
        """What each part that may be ordered here costs by itself, by its category and item."""
        container = self.shop.container
        here = [rule for rule in container.rules.all if rule.location_id == container.location_id]
        barred = {rule.item_id for rule in here} | {rule.category_code for rule in here if rule.item_id is None}
        return {
            (code, part.item.item_id): self.shop.prices.of_one(Chosen(code, part.item), ())[0]
            for code, parts in self.shop.parts.items()
            for part in parts
            if barred.isdisjoint((code, part.item.item_id))
        }

    @cached_property
    def has_sized_prices(self) -> bool:
        """Whether a part here may have another price in a larger machine."""
        parts = ((code, part) for code, parts in self.shop.parts.items() for part in parts)
        return any(self.shop.prices.depends_on_machine(Chosen(code, part.item)) for code, part in parts)

    def is_no_dearer_than(self, other: "Stand") -> bool:
        """Tell whether whatever is ordered of the other can be ordered here, for no more money."""
        usual, usual_there = (
            {code: part.item.item_id for code, part in shop.usual.items()} for shop in (self.shop, other.shop)
        )
        left_there = other.shop.container.stock
        return (
            self.shop.term == other.shop.term
            and usual == usual_there
            and (self.groups == other.groups or not (self.has_sized_prices or other.has_sized_prices))
            and all(item in left_there and left >= left_there[item] for item, left in self.shop.container.stock.items())
            and all(_is_no_dearer(self.answers.get(key), answer) for key, answer in other.answers.items())
        )


def _is_no_dearer(one: PriceAnswer | None, other: PriceAnswer) -> bool:
    if one is None or one.lasting_monthly is None or one.once is None:
        return False
    if other.lasting_monthly is None or other.once is None:
        return True
    is_cheap = one.lasting_monthly.amount <= other.lasting_monthly.amount and one.once.amount <= other.once.amount
    return is_cheap and one.usage == other.usage


Stands = Mapping[str, Stand]


def cheapest_places(stands: Sequence[Stand]) -> list[Shop]:
    """Return the shops of every place but those where nothing is sold that another place does not sell for as little.

    What is ordered together must be of one place, so a place is kept or passed over with all its packages. Of equal
    places the first by key name is kept.
    """
    by_place: dict[str, dict[str, Stand]] = {}
    for stand in stands:
        by_place.setdefault(stand.shop.location_key, {})[stand.shop.package_key] = stand
    kept: dict[str, Stands] = {}
    for key in sorted(by_place):
        sold = by_place[key]
        if not any(_sells_all_of(other, sold) for other in kept.values()):
            kept = {name: other for name, other in kept.items() if not _sells_all_of(sold, other)} | {key: sold}
    return [stand.shop for stand in stands if stand.shop.location_key in kept]


def _sells_all_of(one: Stands, other: Stands) -> bool:
    """Tell whether one place sells every package of another, no part of it dearer."""
    return all(package in one and one[package].is_no_dearer_than(stand) for package, stand in other.items())
