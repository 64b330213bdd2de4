"""What a piece comes to over a month, a year and three, without a commitment and under a contract of that length."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from catalog.pricing import PriceAnswer, PriceFacts, PriceQuestion
from catalog.ranges import price_without_container
from core.money import Money

MONTHS_TOLD = (1, 12, 36)


def months_words(months: int) -> str:
    """Say a number of months: "1 month", "36 months"."""
    return f"{months} month" if months == 1 else f"{months} months"


@dataclass(frozen=True)
class CostOver:
    """What a piece costs over so many months; `under_contract` is None where such a contract changes nothing."""

    months: int
    free: PriceAnswer
    under_contract: PriceAnswer | None

    @property
    def words(self) -> str:
        return months_words(self.months)

    @property
    def total(self) -> Money | None:
        return self.free.over(self.months)

    @property
    def total_under_contract(self) -> Money | None:
        return self.under_contract.over(self.months) if self.under_contract else None


def costs_over(prices: Sequence[PriceFacts], question: PriceQuestion) -> tuple[CostOver, ...]:
    """Return what a piece comes to over each of the lengths that people compare."""
    free = price_without_container(prices, replace(question, contract_months=None))[0]
    costs = []
    for months in MONTHS_TOLD:
        bound = price_without_container(prices, replace(question, contract_months=months))[0]
        differs = (bound.monthly, bound.once) != (free.monthly, free.once)
        costs.append(CostOver(months, free, bound if differs else None))
    return tuple(costs)
