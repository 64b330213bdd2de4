"""What an item costs where no container is known yet, though its prices hold only for so many processors or cores."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from catalog.models import ItemPrice
from catalog.pricing import PriceAnswer, PriceFacts, PriceQuestion, PriceStep, answer_price

UNITS = {
    ItemPrice.Restriction.PROCESSORS.value: ("processor", "processors"),
    ItemPrice.Restriction.CORES.value: ("core", "cores"),
    ItemPrice.Restriction.STORAGE.value: ("GB", "GB"),
}


@dataclass(frozen=True)
class RangePrice:
    """What an item costs in a container within one range of its capacity."""

    words: str
    price: PriceAnswer


def prices_by_range(prices: Sequence[PriceFacts], question: PriceQuestion) -> tuple[RangePrice, ...]:
    """Return the price for each range that has one under the question's conditions, the smallest first."""
    found = []
    for restriction, low, high in sorted(_ranges(prices)):
        answer = answer_price(prices, replace(question, capacities=((restriction, low),)))
        if not answer.is_unpriced:
            found.append(RangePrice(_words(restriction, low, high), answer))
    return tuple(found)


def price_without_container(
    prices: Sequence[PriceFacts], question: PriceQuestion
) -> tuple[PriceAnswer, tuple[RangePrice, ...]]:
    """Return what an item costs, and its prices by range. With nothing but ranges the smallest one answers."""
    answer = answer_price(prices, question)
    ranges = prices_by_range(prices, question) if any(price.restriction for price in prices) else ()
    if answer.is_unpriced and ranges:
        smallest = ranges[0]
        step = PriceStep("range", f"For {smallest.words}; the price depends on the machine it is chosen with.")
        return replace(smallest.price, steps=(*smallest.price.steps, step)), ranges
    return answer, ranges


def _ranges(prices: Iterable[PriceFacts]) -> set[tuple[str, int, int]]:
    return {
        (price.restriction, price.restriction_minimum, price.restriction_maximum)
        for price in prices
        if price.restriction_minimum is not None and price.restriction_maximum is not None
    }


def _words(restriction: str, low: int, high: int) -> str:
    one, many = UNITS.get(restriction, (restriction, restriction))
    if low == high:
        return f"{low} {one if low == 1 else many}"
    return f"{low} to {high} {many}"
