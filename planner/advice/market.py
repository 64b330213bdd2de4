"""What is on sale for a piece of advice, and complete configurations of it: checked by the catalogue's rules, priced.

Plain values: a market is read from the database by reading.py, and made by hand in tests.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property

from catalog.container_facts import Chosen, ContainerFacts, ItemFacts
from catalog.container_prices import ChoicePrices
from catalog.pricing import PriceAnswer
from catalog.rules import broken_choices
from core.money import Money

Choices = tuple[Chosen, ...]


@dataclass(frozen=True)
class Part:
    """An item that is offered here, with what the catalogue says of it and what one costs a month by itself."""

    item: ItemFacts
    facts: Mapping[str, str]
    monthly: Money

    @property
    def description(self) -> str:
        return self.item.description

    def number(self, name: str) -> float | None:
        """Return a fact that is a number above zero; None where the catalogue does not say it."""
        try:
            value = float(self.facts.get(name, ""))
        except ValueError:
            return None
        return value if 0 < value < float("inf") else None


@dataclass(frozen=True)
class Shop:
    """One package at one place on one term: its parts by category, and the usual one of each that must be chosen.

    `prices` tells what choices cost beside each other, as the order will be told.
    """

    package_key: str
    package_name: str
    location_key: str
    location_name: str
    term: str
    container: ContainerFacts
    prices: ChoicePrices
    parts: Mapping[str, tuple[Part, ...]]
    usual: Mapping[str, Part]
    slots: tuple[str, ...]
    """The categories that are disk slots, the first one first."""

    def offered(self, category_code: str) -> tuple[Part, ...]:
        return self.parts.get(category_code, ())

    @cached_property
    def ruled_items(self) -> frozenset[int]:
        """The items that a rule names: what looks the same may not be allowed the same."""
        rules = self.container.rules.all
        return frozenset(each for rule in rules for each in (rule.item_id, rule.other_id) if each is not None)

    def choices(self, named: Mapping[str, Part], disks: Sequence[Part] = ()) -> Choices:
        """Return what was named, each disk in the next slot, and the usual part of whatever else is required."""
        chosen = {**self.usual, **named, **dict(zip(self.slots, disks, strict=False))}
        return tuple(Chosen(code, part.item) for code, part in chosen.items())


@dataclass(frozen=True)
class Line:
    """One choice of a role with its price: for one piece, and for all of them as it is owed."""

    chosen: Chosen
    each: PriceAnswer
    monthly: Money
    once: Money


@dataclass(frozen=True)
class Role:
    """So many identical machines or volumes of a candidate. `drawn_as` colours their boxes; "" draws none."""

    name: str
    quantity: int
    shop: Shop
    choices: Choices
    drawn_as: str = "storage"

    @property
    def order_key(self) -> tuple[object, ...]:
        parts = tuple((chosen.category_code, chosen.item.item_id) for chosen in self.choices)
        return (self.shop.package_key, self.shop.location_key, self.shop.term, self.quantity, parts)


@dataclass(frozen=True)
class Candidate:
    """A complete configuration that may answer a demand. `facts` is what its kind judges it by.

    Of equal `variety` only the best is shown among the runners-up. `metered` is what its use is expected to cost a
    month beside what is ordered, in whole cents: it counts when candidates are ranked, and is on no order.
    """

    title: str
    roles: tuple[Role, ...]
    facts: object
    variety: str
    metered: Decimal = Decimal(0)

    @property
    def machines(self) -> int:
        return sum(role.quantity for role in self.roles)

    @property
    def rank(self) -> tuple[object, ...]:
        """What settles ties for good: the title, then what is ordered."""
        return (self.title, *(role.order_key for role in self.roles))


@dataclass(frozen=True)
class PricedCandidate:
    """A candidate that the catalogue's rules allow, with what each of its lines comes to."""

    candidate: Candidate
    lines: tuple[tuple[Line, ...], ...]
    """The lines of each role, in their order."""
    monthly: Money
    once: Money

    @property
    def cents(self) -> int:
        return int((self.monthly.amount + self.candidate.metered) * 100)

    @property
    def is_illustrative(self) -> bool:
        """Whether any price is not one that somebody published."""
        return any(line.each.basis != "published" for lines in self.lines for line in lines)


@dataclass(frozen=True)
class LeftOut:
    """Something on sale that cannot be advised, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Market:
    """All shops that sell what a kind of advice needs, and what is not advised because too little is known of it."""

    currency: str
    shops: tuple[Shop, ...]
    left_out: tuple[LeftOut, ...] = ()
    catalog_version: str = ""
    places: Mapping[str, str] = field(default_factory=dict)


def priced(candidate: Candidate, *, currency: str) -> PricedCandidate | None:
    """Check a candidate by every rule of the catalogue and price it line by line; None where it cannot be ordered so.

    Each line is rounded half-up once for all its pieces, as it is on an order. Prices are those that last: a plan
    outlives the months of a promotion.
    """
    lines = []
    used: dict[tuple[str, int], int] = {}
    for role in candidate.roles:
        found = _lines_of(role, used)
        if found is None:
            return None
        lines.append(found)
    every = [line for each in lines for line in each]
    zero = Money.zero(currency)
    return PricedCandidate(
        candidate=candidate,
        lines=tuple(lines),
        monthly=sum((line.monthly for line in every), start=zero),
        once=sum((line.once for line in every), start=zero),
    )


def _lines_of(role: Role, used: dict[tuple[str, int], int]) -> tuple[Line, ...] | None:
    """Return the lines of a role; `used` counts limited items that roles before it take from the same place."""
    shop = role.shop
    stock = {item: left - used.get((shop.location_key, item), 0) for item, left in shop.container.stock.items()}
    answers, waiting = shop.prices.of(role.choices)
    container = replace(shop.container, quantity=role.quantity, stock=stock)
    if broken_choices(container, role.choices, answers, waiting):
        return None
    for chosen in role.choices:
        key = (shop.location_key, chosen.item.item_id)
        used[key] = used.get(key, 0) + role.quantity
    return _priced_lines(role, answers)


def _priced_lines(role: Role, answers: Iterable[PriceAnswer]) -> tuple[Line, ...] | None:
    lines = []
    for chosen, answer in zip(role.choices, answers, strict=True):
        monthly, once = answer.lasting_monthly, answer.once
        if monthly is None or once is None:
            return None
        lines.append(Line(chosen, answer, (monthly * role.quantity).owed(), (once * role.quantity).owed()))
    return tuple(lines)
