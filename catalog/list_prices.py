"""Which of an item's list prices fit: the rungs of the ladder from the list to the contract."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from catalog.deal import LIST_PRICES, Deal
from catalog.fees import Fees, Term

HOURS_PER_MONTH = Decimal(720)


@dataclass(frozen=True)
class PriceFacts:
    """One open price of an item, as plain values."""

    price_id: int
    external_id: str
    currency: str
    recurring_fee: Decimal | None
    hourly_recurring_fee: Decimal | None
    setup_fee: Decimal | None
    one_time_fee: Decimal | None
    labor_fee: Decimal | None
    usage_rate: Decimal | None
    group_id: int | None
    restriction: str
    restriction_minimum: int | None
    restriction_maximum: int | None
    category_codes: frozenset[str]
    source: str
    basis: str
    item_id: int = 0
    term_months: int | None = None
    tier: int | None = None

    def fee_on(self, term: Term) -> Decimal | None:
        return self.hourly_recurring_fee if term is Term.HOURLY else self.recurring_fee

    @cached_property
    def fees(self) -> Fees:
        return Fees(
            recurring_fee=self.recurring_fee,
            hourly_recurring_fee=self.hourly_recurring_fee,
            setup_fee=self.setup_fee,
            one_time_fee=self.one_time_fee,
            labor_fee=self.labor_fee,
            usage_rate=self.usage_rate,
        )


@dataclass(frozen=True)
class PriceQuestion:
    """Where, on which term, for whom and for how many hours a price is asked.

    `package_id` and `category_code` say for what an item is chosen; `contract_months` is how long one commits to it.
    """

    location_groups: Sequence[int]
    term: Term
    currency: str
    hours_per_month: Decimal = HOURS_PER_MONTH
    category_code: str = ""
    capacities: tuple[tuple[str, int], ...] = ()
    contract_months: int | None = None
    package_id: int | None = None
    deal: Deal = LIST_PRICES

    def for_category(self, category_code: str) -> "PriceQuestion":
        """The same question about an item chosen for this category."""
        return replace(self, category_code=category_code)


@dataclass(frozen=True)
class PriceStep:
    """One rung of the ladder: what was decided, and why."""

    rule: str
    words: str


class Unpriced(Exception):
    """Why nobody knows the price: the rung that decided it, and words."""

    def __init__(self, rule: str, words: str) -> None:
        super().__init__(words)
        self.step = PriceStep(rule, f"{words} Unpriced.")


def fitting_prices(prices: Sequence[PriceFacts], question: PriceQuestion, steps: list[PriceStep]) -> list[PriceFacts]:
    """Walk down the ladder as far as the list goes and note each rung that decided something; raises Unpriced."""
    left = [price for price in prices if _suits_category(price, question.category_code)]
    if not left:
        raise Unpriced("list_price", "No price is listed.")
    steps.append(PriceStep("list_price", f"{len(left)} open price{'s' if len(left) > 1 else ''} listed."))
    for rung in (_in_location, _within_capacity, _under_contract, _in_own_currency):
        left = rung(left, question, steps)
    if not left:
        raise Unpriced("conditions", "No price suits the place, the capacity and the contract.")
    return left


def id_order(price: PriceFacts) -> tuple[int, int, int]:
    """Order by the number in the price list, which stays when the row is replaced; those without one come last."""
    is_number = price.external_id.isascii() and price.external_id.isdigit()
    return (0, int(price.external_id), price.price_id) if is_number else (1, 0, price.price_id)


def _suits_category(price: PriceFacts, category_code: str) -> bool:
    return not category_code or not price.category_codes or category_code in price.category_codes


def _in_location(prices: list[PriceFacts], question: PriceQuestion, steps: list[PriceStep]) -> list[PriceFacts]:
    listed = {price.group_id for price in prices if price.group_id is not None}
    groups = sorted(listed.intersection(question.location_groups))
    if not groups:
        return [price for price in prices if price.group_id is None]
    steps.append(PriceStep("location_group", f"The prices of location group {groups[0]} replace the standard ones."))
    return [price for price in prices if price.group_id == groups[0]]


def _within_capacity(prices: list[PriceFacts], question: PriceQuestion, steps: list[PriceStep]) -> list[PriceFacts]:
    restricted = [price for price in prices if price.restriction]
    if not restricted:
        return prices
    capacities = dict(question.capacities)
    fitting = [price for price in restricted if _covers(price, capacities.get(price.restriction))]
    if fitting:
        steps.append(PriceStep("capacity", "A price for this capacity replaces the general one."))
        return fitting
    return [price for price in prices if not price.restriction]


def _covers(price: PriceFacts, capacity: int | None) -> bool:
    low, high = price.restriction_minimum, price.restriction_maximum
    return capacity is not None and low is not None and high is not None and low <= capacity <= high


def _under_contract(prices: list[PriceFacts], question: PriceQuestion, steps: list[PriceStep]) -> list[PriceFacts]:
    committed = question.contract_months or 0
    fitting = {price.term_months for price in prices if price.term_months and price.term_months <= committed}
    if not fitting:
        return [price for price in prices if not price.term_months]
    longest = max(fitting)
    words = f"The price for a contract of {longest} months replaces the one without."
    steps.append(PriceStep("contract", words))
    return [price for price in prices if price.term_months == longest]


def _in_own_currency(prices: list[PriceFacts], question: PriceQuestion, steps: list[PriceStep]) -> list[PriceFacts]:
    own = [price for price in prices if price.currency == question.currency]
    return own or prices
