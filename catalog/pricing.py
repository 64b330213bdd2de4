"""What a thing costs here, now, on this term, for this account, and why: the first steps of the price ladder.

Plain functions on plain values. `docs/pricing.md` is the recipe in words; its worked examples are tests.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from core.money import Money

HOURS_PER_MONTH = Decimal(720)


class Term(StrEnum):
    """How a container is billed."""

    HOURLY = "hourly"
    MONTHLY = "monthly"


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

    def fee_on(self, term: Term) -> Decimal | None:
        return self.hourly_recurring_fee if term is Term.HOURLY else self.recurring_fee

    @property
    def once(self) -> Decimal:
        """What is paid once: setup, one-time and labour fees together."""
        return sum((fee for fee in (self.setup_fee, self.one_time_fee, self.labor_fee) if fee is not None), Decimal(0))


@dataclass(frozen=True)
class PriceQuestion:
    """Where, on which term, for whom and for how many hours a price is asked."""

    location_groups: Sequence[int]
    term: Term
    currency: str
    hours_per_month: Decimal = HOURS_PER_MONTH
    category_code: str = ""
    capacities: tuple[tuple[str, int], ...] = ()

    def for_category(self, category_code: str) -> "PriceQuestion":
        """The same question about an item chosen for this category."""
        return replace(self, category_code=category_code)


@dataclass(frozen=True)
class PriceStep:
    """One rung of the ladder: what was decided, and why."""

    rule: str
    words: str


@dataclass(frozen=True)
class PriceAnswer:
    """What one piece costs in a month and once, with the steps that led there. `chosen` is None where unpriced."""

    chosen: PriceFacts | None
    monthly: Money | None
    once: Money | None
    steps: tuple[PriceStep, ...]
    ties: tuple[int, ...] = ()

    @property
    def is_unpriced(self) -> bool:
        return self.monthly is None


def answer_price(prices: Iterable[PriceFacts], question: PriceQuestion) -> PriceAnswer:
    """Choose among an item's open prices and say what a piece costs under the question's conditions.

    A location group's price replaces the standard one; of two groups the lowest id counts. Of several prices left,
    those offered on the term come first, then the highest fee, then the lowest id; the others are listed as ties.
    """
    steps: list[PriceStep] = []
    left = [price for price in prices if _suits_category(price, question.category_code)]
    if not left:
        return _unpriced(steps, "list_price", "No price is listed.")
    steps.append(PriceStep("list_price", f"{len(left)} open price{'s' if len(left) > 1 else ''} listed."))
    left = _in_location(left, question, steps)
    left = _within_capacity(left, question, steps)
    left = [price for price in left if price.currency == question.currency]
    if not left:
        return _unpriced(steps, "conditions", f"No price in {question.currency} suits the place and the capacity.")
    offered = [price for price in left if price.fee_on(question.term) is not None]
    if not offered:
        return _unpriced(steps, "term", f"Not offered on {question.term} terms.")
    offered.sort(key=lambda price: (-(price.fee_on(question.term) or 0), _id_order(price), price.price_id))
    chosen, *ties = offered
    if ties:
        steps.append(PriceStep("tie", f"{len(offered)} prices fit; the highest fee, then the lowest id, counts."))
    return _priced(chosen, question, steps, tuple(tie.price_id for tie in ties))


def _id_order(price: PriceFacts) -> tuple[int, int]:
    """Order by the number in the price list, which stays when the row is replaced; those without one come last."""
    is_number = price.external_id.isascii() and price.external_id.isdigit()
    return (0, int(price.external_id)) if is_number else (1, 0)


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


def _unpriced(steps: list[PriceStep], rule: str, words: str) -> PriceAnswer:
    return PriceAnswer(None, None, None, (*steps, PriceStep(rule, f"{words} Unpriced.")))


def _priced(chosen: PriceFacts, question: PriceQuestion, steps: list[PriceStep], ties: tuple[int, ...]) -> PriceAnswer:
    fee = chosen.fee_on(question.term) or Decimal(0)
    rate = f"{_rate_words(fee)} {chosen.currency}"
    if question.term is Term.HOURLY:
        monthly = Money(fee * question.hours_per_month, chosen.currency)
        words = f"{rate} an hour × {question.hours_per_month.normalize():f} hours a month = {monthly}."
    else:
        monthly = Money(fee, chosen.currency)
        words = f"{rate} a month."
    steps.append(PriceStep("term", words))
    steps.append(PriceStep("source", f"{chosen.basis.capitalize()}: {chosen.source}"))
    return PriceAnswer(chosen, monthly, Money(chosen.once, chosen.currency), tuple(steps), ties)


def _rate_words(fee: Decimal) -> str:
    """Return a rate with the places it needs, at least two."""
    places = max(2, -int(fee.normalize().as_tuple().exponent))
    return f"{fee:.{places}f}"
