"""Containers as somebody would order them, and what the catalogue answers: violations, prices, repairs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from catalog.models import Item, Location, Package
from catalog.pricing import PriceAnswer
from core.errors import Violation
from core.money import Money


@dataclass(frozen=True)
class ContainerQuestion:
    """One container as somebody would order it."""

    package: Package
    location: Location
    term: str
    choices: Sequence[tuple[str, Item]]
    capacities: tuple[tuple[str, int], ...] = ()
    """Processors, cores and storage space; without them they are counted from the chosen items."""
    contract_months: int | None = None
    """How long the buyer commits to it."""
    quantity: int = 1
    wants_repairs: bool = False
    """Whether the cheapest repair is to be looked for where a rule is broken."""


@dataclass(frozen=True)
class LineAnswer:
    """What one choice costs."""

    category_code: str
    item: Item
    price: PriceAnswer
    included: tuple[str, ...] = ()
    """What comes along in a bundle, in words."""


@dataclass(frozen=True)
class CategoryChange:
    """What a repair makes of the choices of one category."""

    category_code: str
    category_name: str
    before: tuple[Item, ...]
    after: tuple[Item, ...]

    @property
    def taken(self) -> tuple[Item, ...]:
        return _without(self.after, self.before)

    @property
    def given_up(self) -> tuple[Item, ...]:
        return _without(self.before, self.after)


@dataclass(frozen=True)
class ContainerRepair:
    """The cheapest change of a container that settles what it breaks, as far as one violation is concerned.

    `monthly` is what all pieces cost more (or less) a month after it; None where that is unknown.
    """

    changes: tuple[CategoryChange, ...] = ()
    location: Location | None = None
    quantity: int | None = None
    monthly: Money | None = None

    @property
    def words(self) -> str:
        """Say the change as something to do, with what it costs: "Take Debian instead of Windows: $20.00 less"."""
        swaps = [change for change in self.changes if change.taken and change.given_up]
        doing = [f"take {_listed(change.taken)} instead of {_listed(change.given_up)}" for change in swaps]
        others = [change for change in self.changes if change not in swaps]
        taken = tuple(item for change in others for item in change.taken)
        given_up = tuple(item for change in others for item in change.given_up)
        doing += [f"add {_listed(taken)}"] if taken else []
        doing += [f"leave out {_listed(given_up)}"] if given_up else []
        doing += [f"order it in {self.location.name}"] if self.location else []
        doing += [f"order {self.quantity:,} of it"] if self.quantity else []
        words = "; ".join(doing)
        return f"{words[:1].upper()}{words[1:]}{self._cost_words}"

    @property
    def _cost_words(self) -> str:
        if self.monthly is None:
            return ""
        owed = self.monthly.owed()
        if not owed.amount:
            return ": no charge" if self.changes and not any(change.given_up for change in self.changes) else ""
        less = Money(abs(owed.amount), owed.currency)
        return f": {less} {'more' if owed.amount > 0 else 'less'} a month"


@dataclass(frozen=True)
class ContainerAnswer:
    """What stands in the way of ordering a container, and what each of its lines costs.

    `repairs` stand beside the violations, None where none is known or none was asked for; `repair` settles all at once.
    """

    violations: tuple[Violation, ...]
    lines: tuple[LineAnswer, ...]
    required: frozenset[str] = frozenset()
    """The categories that may not stay empty beside these choices, by the same rules; where repairs were asked for."""
    repairs: tuple[ContainerRepair | None, ...] = ()
    repair: ContainerRepair | None = None


def _without(items: Sequence[Item], others: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items that are left when each of the others takes one equal away."""
    left = [item.pk for item in others]
    found = []
    for item in items:
        if item.pk in left:
            left.remove(item.pk)
        else:
            found.append(item)
    return tuple(found)


def _listed(items: Sequence[Item]) -> str:
    """List items for people, equal ones once: 3 × 1.00 TB SATA and RAID 10."""
    counts = Counter(item.description for item in items)
    words = [f"{count} × {description}" if count > 1 else description for description, count in counts.items()]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
