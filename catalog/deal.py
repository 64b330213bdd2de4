"""What applies to an account beyond the list, as plain values: price book, exchange rates and promotions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from catalog.book_models import PriceBookRule, Scope, percent_words, target_words
from catalog.fees import ONCE_NAMES, Fees

RECURRING_NAMES = ("recurring_fee", "hourly_recurring_fee")
HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True)
class Target:
    """What a rule or promotion is about; `key` is the id of the package or item, or the category's code."""

    scope: str
    key: int | str | None
    name: str = ""

    @property
    def words(self) -> str:
        return target_words(self.scope, self.name)


@dataclass(frozen=True)
class BookFacts:
    """The price book that counts."""

    book_id: int
    name: str
    currency: str
    shows_rules: bool


@dataclass(frozen=True)
class BookRuleFacts:
    """One open rule of a price book; `fees` are those of a fixed price, in the book's currency."""

    rule_id: int
    target: Target
    kind: str
    percent: Decimal | None = None
    fees: Fees = field(default_factory=Fees)

    @property
    def is_fixed(self) -> bool:
        return self.kind == PriceBookRule.Kind.FIXED

    @property
    def words(self) -> str:
        kind = PriceBookRule.Kind(self.kind).label.lower()
        return f"{kind} on {self.target.words}" if self.is_fixed else f"{kind} {self._percent} on {self.target.words}"

    def applied_to(self, fees: Fees) -> Fees:
        """Return the fees after a mark-up or discount."""
        percent = self.percent or Decimal(0)
        sign = 1 if self.kind == PriceBookRule.Kind.MARK_UP else -1
        return fees.scaled(1 + sign * percent * HUNDREDTH)

    @property
    def _percent(self) -> str:
        return percent_words(self.percent or Decimal(0))


@dataclass(frozen=True)
class RateFacts:
    """What one unit of a currency is worth in the account's, and since when."""

    from_currency: str
    rate: Decimal
    valid_from: date
    source: str


@dataclass(frozen=True)
class PromotionFacts:
    """One promotion that the account may have; of its amounts off, what is off once stands as the one-time fee."""

    promotion_id: int
    name: str
    target: Target
    percent_off: Decimal | None = None
    is_off_recurring: bool = False
    is_off_once: bool = False
    fees_off: Fees = field(default_factory=Fees)
    currency: str = ""
    lasts_months: int | None = None

    @property
    def words(self) -> str:
        """What it takes off: "20 % off the category Port speed"."""
        if self.percent_off is None:
            return f"{self.fees_off.words(self.currency)} off {self.target.words}"
        kinds = {(True, False): " each month", (False, True): " once"}
        when = kinds.get((self.is_off_recurring, self.is_off_once), "")
        return f"{percent_words(self.percent_off)} off{when} on {self.target.words}"

    def applied_to(self, fees: Fees) -> Fees:
        """Return the fees with the promotion taken off; what is paid for use stays as it is."""
        if self.percent_off is None:
            return _once_less(fees.less(replace(self.fees_off, one_time_fee=None)), self.fees_off.once)
        left = 1 - self.percent_off * HUNDREDTH
        names = (*(RECURRING_NAMES if self.is_off_recurring else ()), *(ONCE_NAMES if self.is_off_once else ()))
        return fees.scaled(left, names=names)


Rules = Mapping[tuple[str, int | str | None], tuple[BookRuleFacts, ...]]


@dataclass(frozen=True)
class Deal:
    """What applies to one account at one moment. Without anything, the list prices in its own currency count."""

    book: BookFacts | None = None
    rules: Rules = field(default_factory=dict)
    rates: Mapping[str, RateFacts] = field(default_factory=dict)
    promotions: tuple[PromotionFacts, ...] = ()
    is_revealed: bool = False
    """Whether whoever asks may see the rules of a book that keeps them to itself."""

    @property
    def is_hidden(self) -> bool:
        """Whether the list prices behind the book's must not be told."""
        return self.book is not None and not self.book.shows_rules and not self.is_revealed

    def rules_for(self, *, package_id: int | None, category_code: str, item_id: int) -> tuple[BookRuleFacts, ...]:
        """Return the rules of the most specific kind that say something about an item; several of them are a tie."""
        keys = ((Scope.ITEM, item_id), (Scope.CATEGORY, category_code), (Scope.PACKAGE, package_id))
        for scope, key in (*keys, (Scope.EVERYTHING, None)):
            if found := self.rules.get((scope.value, key)):
                return found
        return ()

    def promotions_for(
        self, *, package_id: int | None, category_code: str, item_id: int, currency: str
    ) -> list[PromotionFacts]:
        keys = {Scope.EVERYTHING: None, Scope.PACKAGE: package_id, Scope.CATEGORY: category_code, Scope.ITEM: item_id}
        return [
            promotion
            for promotion in self.promotions
            if promotion.target.key == keys[Scope(promotion.target.scope)] and promotion.currency in ("", currency)
        ]


LIST_PRICES = Deal()


def rules_by_target(rules: Iterable[BookRuleFacts]) -> Rules:
    """Arrange rules so that those about an item are found at once, whatever their number."""
    found: dict[tuple[str, int | str | None], tuple[BookRuleFacts, ...]] = defaultdict(tuple)
    for rule in rules:
        found[rule.target.scope, rule.target.key] += (rule,)
    return dict(found)


def _once_less(fees: Fees, off: Decimal) -> Fees:
    """Take an amount off the fees paid once: from setup first, then one-time, then labour."""
    for name in ONCE_NAMES:
        fee = getattr(fees, name)
        if fee is not None:
            fees = replace(fees, **{name: max(Decimal(0), fee - off)})
            off = max(Decimal(0), off - fee)
    return fees
