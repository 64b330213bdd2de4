"""What a thing costs here, now, on this term, for this account, and why: the price ladder.

Plain functions on plain values. `docs/pricing.md` is the recipe in words; its worked examples are tests.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from catalog.book_models import PriceBookRule
from catalog.deal import BookRuleFacts, PromotionFacts
from catalog.fees import Fees, Term, rate_words
from catalog.list_prices import (
    HOURS_PER_MONTH,
    PriceFacts,
    PriceQuestion,
    PriceStep,
    Unpriced,
    fitting_prices,
    id_order,
)
from catalog.usage import UsageTier, tier_words
from core.money import Money

__all__ = [
    "HOURS_PER_MONTH",
    "PriceAfterwards",
    "PriceAnswer",
    "PriceFacts",
    "PriceQuestion",
    "PriceStep",
    "Term",
    "answer_price",
]
MONTHS_COMPARED = 12
"""Of several promotions the one counts that makes so many months cheapest."""
PARTNERS_OWN = "published"
"""The basis of a fixed price: its partner sells at it."""


@dataclass(frozen=True)
class PriceAfterwards:
    """What a piece costs each month once a promotion has ended after so many months."""

    months: int
    rate: Decimal
    monthly: Money


@dataclass(frozen=True)
class PriceAnswer:
    """What one piece costs in a month and once, with the steps that led there.

    `chosen` is the list price that counted, None where unpriced. `fees` are what the account pays, after price book and
    promotion, and `rate` the one of them on the term; `usage` what each unit used costs beyond an allowance.
    """

    chosen: PriceFacts | None
    monthly: Money | None
    once: Money | None
    steps: tuple[PriceStep, ...]
    ties: tuple[int, ...] = ()
    fees: Fees = field(default_factory=Fees)
    rate: Decimal | None = None
    usage: tuple[UsageTier, ...] = ()
    source: str = ""
    basis: str = ""
    promotion_id: int | None = None
    afterwards: PriceAfterwards | None = None

    @property
    def is_unpriced(self) -> bool:
        return self.monthly is None

    @property
    def lasting_monthly(self) -> Money | None:
        """What a piece costs each month once any promotion has ended."""
        return self.afterwards.monthly if self.afterwards else self.monthly

    @property
    def lasting_rate(self) -> Decimal | None:
        """What a piece costs on the term, an hour or a month, once any promotion has ended."""
        return self.afterwards.rate if self.afterwards else self.rate

    def over(self, months: int) -> Money | None:
        """Return what is owed for one piece over so many months; every amount is rounded by itself."""
        if self.monthly is None or self.once is None:
            return None
        if self.afterwards is None:
            return self.once.owed() + self.monthly.owed() * months
        promoted = min(months, self.afterwards.months)
        later = self.afterwards.monthly.owed() * (months - promoted)
        return self.once.owed() + self.monthly.owed() * promoted + later


@dataclass(frozen=True)
class _Offer:
    """A list price that fits, with its fees in the account's currency."""

    price: PriceFacts
    fees: Fees


def answer_price(prices: Iterable[PriceFacts], question: PriceQuestion) -> PriceAnswer:
    """Choose among an item's open prices and say what a piece costs under the question's conditions.

    A location group's price replaces the standard one; of two groups the lowest id counts. Of several prices left,
    those offered on the term come first, then the highest fee, then the lowest id; the others are listed as ties.
    The rule of the price book and the promotion of the question's deal then change the fees, in this order.
    """
    listed = list(prices)
    steps: list[PriceStep] = []
    try:
        return _answer(listed, question, steps)
    except Unpriced as reason:
        return PriceAnswer(None, None, None, (*steps, reason.step))


def _answer(listed: Sequence[PriceFacts], question: PriceQuestion, steps: list[PriceStep]) -> PriceAnswer:
    left = fitting_prices([price for price in listed if price.tier is None], question, steps)
    rules = question.deal.rules_for(
        package_id=question.package_id, category_code=question.category_code, item_id=left[0].item_id
    )
    rule = rules[0] if rules else None
    fixed = _fixed_fees(rule, question)
    offers = _offers(left, fixed, question)
    best = offers[0]
    if len(offers) > 1:
        steps.append(PriceStep("tie", f"{len(offers)} prices fit; the highest fee, then the lowest id, counts."))
    regular = _after_book(best, rules, fixed, question, steps)
    promotion, fees = _promoted(regular, best.price.item_id, question)
    if promotion and not rules and best.price.currency == question.currency:
        _listed(best.price, question, steps)
    if regular.is_too_large:
        raise Unpriced("too_large", "A fee has more digits than can be kept.")
    afterwards = _afterwards(promotion, regular, fees, question)
    if promotion:
        steps.append(_promotion_step(promotion, fees, afterwards, question))
    rate, monthly = _rate(fees, question.term), _month_of(fees, question)
    steps.append(PriceStep("term", _term_words(rate, monthly, question)))
    usage = _usage(listed, best.price, rule, fixed, question)
    if usage:
        steps.append(PriceStep("usage", f"{tier_words(usage, question.currency)}."))
    source, basis = _source(best.price, rule, question)
    steps.append(PriceStep("source", f"{basis.capitalize()}: {source}"))
    return PriceAnswer(
        chosen=best.price,
        monthly=monthly,
        once=Money(fees.once, question.currency),
        steps=tuple(steps),
        ties=tuple(offer.price.price_id for offer in offers[1:]),
        fees=fees,
        rate=rate,
        usage=usage,
        source=source,
        basis=basis,
        promotion_id=promotion.promotion_id if promotion else None,
        afterwards=afterwards,
    )


def _fixed_fees(rule: BookRuleFacts | None, question: PriceQuestion) -> Fees:
    """Return the fees that a fixed price of the book names, in the account's currency."""
    book = question.deal.book
    if rule is None or not rule.is_fixed or book is None:
        return Fees()
    fees = _converted(rule.fees, book.currency, question)
    if fees is None:
        raise _no_rate(book.currency, question)
    return fees


def _offers(left: Sequence[PriceFacts], fixed: Fees, question: PriceQuestion) -> list[_Offer]:
    """Return the prices that have a fee on the term, in the account's currency, the one that counts first."""
    is_fixed = fixed.on(question.term) is not None
    offered = [price for price in left if is_fixed or price.fee_on(question.term) is not None]
    if not offered:
        raise Unpriced("term", f"Not offered on {question.term} terms.")
    offers = []
    for price in offered:
        fees = _converted(price.fees, price.currency, question)
        if fees is None and price.fees.without(fixed).counting_on(question.term) == Fees():
            fees = Fees()  # the fixed price names every fee that counts, so none has to be converted
        if fees is not None:
            offers.append(_Offer(price, fees))
    if not offers:
        raise _no_rate(" or ".join(sorted({price.currency for price in offered})), question)
    return sorted(offers, key=lambda offer: (-(offer.fees.on(question.term) or 0), id_order(offer.price)))


def _after_book(
    best: _Offer, rules: Sequence[BookRuleFacts], fixed: Fees, question: PriceQuestion, steps: list[PriceStep]
) -> Fees:
    """Return the fees after exchange and price book: what the piece costs when there is no promotion."""
    fees, price = best.fees, best.price
    rate = question.deal.rates.get(price.currency) if price.currency != question.currency else None
    if rules or rate:
        _listed(price, question, steps)
    if rate:
        words = fees.words_on(question.term, question.currency)
        since = f"since {rate.valid_from.day} {rate.valid_from:%B %Y} ({rate.source})"
        exchange = f"1 {price.currency} = {rate.rate.normalize():f} {question.currency}"
        steps.append(PriceStep("currency", f"{exchange} {since}: {words}."))
    book = question.deal.book
    if not rules or book is None:
        return fees
    rule, *others = rules
    fees = fixed.replacing(fees) if rule.is_fixed else rule.applied_to(fees)
    if question.deal.is_hidden:
        steps[:] = [PriceStep("price_book", f"The price of “{book.name}”.")]
        return fees
    words = f"Price book “{book.name}”: {rule.words}: {fees.words_on(question.term, question.currency)}."
    if others:
        numbers = ", ".join(f"{other.rule_id}" for other in others)
        words += f" Rules about the same that are older: {numbers}; the newest counts."
    steps.append(PriceStep("price_book", words))
    return fees


def _listed(price: PriceFacts, question: PriceQuestion, steps: list[PriceStep]) -> None:
    """Note the listed fees, from which the next rung goes on; a price may have none that counts on the term."""
    words = price.fees.words_on(question.term, price.currency)
    if words:
        steps.append(PriceStep("list_fee", f"Listed: {words}."))


def _promoted(regular: Fees, item_id: int, question: PriceQuestion) -> tuple[PromotionFacts | None, Fees]:
    """Return the promotion that makes the piece cheapest, and the fees with it taken off."""
    promotions = question.deal.promotions_for(
        package_id=question.package_id,
        category_code=question.category_code,
        item_id=item_id,
        currency=question.currency,
    )
    best: tuple[Decimal, int, PromotionFacts | None, Fees] = (_cost(regular, regular, None, question), 0, None, regular)
    for promotion in promotions:
        fees = promotion.applied_to(regular)
        cost = _cost(fees, regular, promotion.lasts_months, question)
        if (cost, promotion.promotion_id) < best[:2]:
            best = (cost, promotion.promotion_id, promotion, fees)
    return best[2:]


def _cost(fees: Fees, regular: Fees, lasts_months: int | None, question: PriceQuestion) -> Decimal:
    promoted = MONTHS_COMPARED if lasts_months is None else min(MONTHS_COMPARED, lasts_months)
    monthly, later = _month_of(fees, question).amount, _month_of(regular, question).amount
    return fees.once + monthly * promoted + later * (MONTHS_COMPARED - promoted)


def _afterwards(
    promotion: PromotionFacts | None, regular: Fees, fees: Fees, question: PriceQuestion
) -> PriceAfterwards | None:
    rate = _rate(regular, question.term)
    if promotion is None or promotion.lasts_months is None or rate == _rate(fees, question.term):
        return None
    return PriceAfterwards(promotion.lasts_months, rate, _month_of(regular, question))


def _promotion_step(
    promotion: PromotionFacts, fees: Fees, afterwards: PriceAfterwards | None, question: PriceQuestion
) -> PriceStep:
    words = f"Promotion “{promotion.name}”, {promotion.words}: {fees.words_on(question.term, question.currency)}"
    if afterwards:
        months = "the first month" if afterwards.months == 1 else f"{afterwards.months} months"
        unit = "an hour" if question.term is Term.HOURLY else "a month"
        words += f", for {months}; then {rate_words(afterwards.rate)} {question.currency} {unit}"
    return PriceStep("promotion", f"{words}.")


def _usage(
    listed: Sequence[PriceFacts], chosen: PriceFacts, rule: BookRuleFacts | None, fixed: Fees, question: PriceQuestion
) -> tuple[UsageTier, ...]:
    """Return the rates of use, the first tier first; where a tier has two the higher one counts."""
    if fixed.usage_rate is not None:
        return (UsageTier(0, fixed.usage_rate),)
    rates: dict[int, Decimal] = {}
    for price in [chosen, *_tiers_beside(chosen, listed, question)]:
        fees = _converted(Fees(usage_rate=price.usage_rate), price.currency, question)
        if fees is not None and rule is not None and not rule.is_fixed:
            fees = rule.applied_to(fees)
        if fees is not None and fees.usage_rate is not None:
            tier = price.tier or 0
            rates[tier] = max(fees.usage_rate, rates.get(tier, fees.usage_rate))
    return tuple(UsageTier(tier, rate) for tier, rate in sorted(rates.items()))


def _tiers_beside(chosen: PriceFacts, listed: Sequence[PriceFacts], question: PriceQuestion) -> list[PriceFacts]:
    tiers = [price for price in listed if price.tier is not None and price.currency == chosen.currency]
    try:
        return fitting_prices(tiers, question, [])
    except Unpriced:
        return []


def _converted(fees: Fees, currency: str, question: PriceQuestion) -> Fees | None:
    """Return fees in the account's currency; None where no rate to it is known."""
    if currency == question.currency:
        return fees
    rate = question.deal.rates.get(currency)
    return fees.scaled(rate.rate) if rate else None


def _no_rate(currencies: str, question: PriceQuestion) -> Unpriced:
    return Unpriced("currency", f"No exchange rate from {currencies} to {question.currency} is known.")


def _source(chosen: PriceFacts, rule: BookRuleFacts | None, question: PriceQuestion) -> tuple[str, str]:
    book = question.deal.book
    if rule is None or book is None:
        return chosen.source, chosen.basis
    is_own = rule.kind == PriceBookRule.Kind.FIXED
    is_told = not question.deal.is_hidden and not is_own
    return chosen.source if is_told else f"price book {book.name}", PARTNERS_OWN if is_own else chosen.basis


def _rate(fees: Fees, term: Term) -> Decimal:
    return fees.on(term) or Decimal(0)


def _month_of(fees: Fees, question: PriceQuestion) -> Money:
    hours = question.hours_per_month if question.term is Term.HOURLY else 1
    return Money(_rate(fees, question.term) * hours, question.currency)


def _term_words(rate: Decimal, monthly: Money, question: PriceQuestion) -> str:
    words = f"{rate_words(rate)} {question.currency}"
    if question.term is Term.MONTHLY:
        return f"{words} a month."
    return f"{words} an hour × {question.hours_per_month.normalize():f} hours a month = {monthly}."
