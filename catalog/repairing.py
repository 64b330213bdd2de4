"""The cheapest repair of a container: the least that makes it orderable again.

A repair gives up as few of the choices as possible; of the repairs that give up equally few it is the one after which
the container costs least a month, then least once. The search takes the most promising container so far, looks at one
of its broken rules and tries every way out of that one, so it never looks at what has nothing to do with a broken rule.
How promising a container is, is never said too low nor too high: what is certain to be given up or added yet counts,
each missing category with its cheapest item. So the first orderable container that comes up is the cheapest one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from heapq import heappop, heappush
from itertools import count
from typing import Protocol

from catalog.broken import Broken, Fill
from catalog.bystanders import Bystanders
from catalog.container_facts import Chosen, ContainerFacts, ItemFacts, slot_of
from catalog.pricing import PriceAnswer
from catalog.rules import broken_choices

MOST_STEPS = 4000
"""So many containers are looked at before the search gives up; the cheapest is among the first few as a rule."""

Amounts = tuple[Decimal, Decimal]
"""What is paid each month and once."""
Rank = tuple[int, Decimal, Decimal, int, int, tuple[int, ...]]
"""At least so many choices given up, so much a month and once, so many added; then how many are still to be added, and
the ids of those that are: the smaller the better. An unknown price counts nothing, as it is a broken rule anyway."""
NOTHING = (Decimal(0), Decimal(0))


class ContainerPrices(Protocol):
    """What choices cost together; whether a price waits for a machine that is not chosen yet."""

    def of(self, choices: Sequence[Chosen]) -> tuple[list[PriceAnswer], list[bool]]: ...

    def of_one(self, chosen: Chosen, beside: Sequence[Chosen]) -> tuple[PriceAnswer, bool]: ...

    def depends_on_machine(self, chosen: Chosen) -> bool: ...

    @property
    def restrictions(self) -> frozenset[str]: ...


@dataclass(frozen=True)
class Mended:
    """An orderable container; `mends` has for each broken rule, in order, the categories changed because of it."""

    choices: tuple[Chosen, ...]
    mends: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class _State:
    """A container on the way: places of the choices given up, and what was added."""

    gone: frozenset[int] = frozenset()
    added: tuple[Chosen, ...] = ()
    because: Mapping[str, frozenset[int]] = field(default_factory=dict)

    @property
    def key(self) -> tuple[frozenset[int], tuple[tuple[str, int], ...]]:
        """The same for containers that differ only in the order of their disks."""
        kinds = ((c.category_code if slot_of(c.category_code) is None else "disk", c.item.item_id) for c in self.added)
        return self.gone, tuple(sorted(kinds))


@dataclass(frozen=True)
class _Shelf:
    """What a category may take in, the cheapest first, and how far the search has looked."""

    state: _State
    fill: Fill
    reasons: frozenset[int]
    ranked: Sequence[tuple[Amounts, ItemFacts]]
    base: Rank
    """The rank of the state without what the category is certain to cost."""
    at: int = 0


def cheapest_repair(
    *,
    container: ContainerFacts,
    choices: Sequence[Chosen],
    prices: ContainerPrices,
    candidates: Mapping[str, Sequence[ItemFacts]],
    most_steps: int = MOST_STEPS,
) -> Mended | None:
    """Return the container with its cheapest repair; None where there is none, or none was found in so many steps.

    `candidates` are the items that may fill each category of the package.
    """
    return _Search(container, tuple(choices), prices, candidates).run(most_steps)


class _Search:
    def __init__(
        self,
        container: ContainerFacts,
        choices: tuple[Chosen, ...],
        prices: ContainerPrices,
        candidates: Mapping[str, Sequence[ItemFacts]],
    ) -> None:
        self.container, self.original, self.prices, self.candidates = container, choices, prices, candidates
        self.limits = {code: category.quantity_limit for code, category in container.package.by_code.items()}
        self.bystanders = Bystanders(container, prices, candidates)
        self.heap: list[tuple[Rank, int, tuple[_State, list[Broken]] | _Shelf]] = []
        self.numbers = count()
        self.seen: set[object] = set()
        self.least: dict[tuple[str, frozenset[int] | None], Amounts] = {}
        self.broken = broken_choices(container, choices, *prices.of(choices))
        self.root = {each.key: at for at, each in enumerate(self.broken)}

    def run(self, most_steps: int) -> Mended | None:
        self._add(_State())
        for _ in range(most_steps):
            if not self.heap:
                return None
            _, _, node = heappop(self.heap)
            if isinstance(node, _Shelf):
                self._take_next(node)
            else:
                state, broken = node
                if not broken:
                    return self._mended(state)
                # The rule with the fewest ways out first: it decides most, and no price is looked at in vain.
                self._expand(state, broken, min(broken, key=self._ways_out))
        return None

    def _ways_out(self, broken: Broken) -> int:
        """Return how many items could be added to mend a rule; none where only leaving something out helps."""
        return sum(
            len(self.candidates.get(fill.category_code, ()) if fill.item_ids is None else fill.item_ids)
            for fill in broken.fills
        )

    def _mended(self, state: _State) -> Mended:
        choices = self._choices(state)
        changed = frozenset(changed_categories(self.original, choices))
        mends = []
        for at, broken in enumerate(self.broken):
            made = {code for code, reasons in state.because.items() if at in reasons} & changed
            concerned = {self.original[place].category_code for place in broken.at_fault} & changed
            mends.append(frozenset(made or concerned or changed))
        return Mended(choices, tuple(mends))

    def _choices(self, state: _State) -> tuple[Chosen, ...]:
        return (*(chosen for at, chosen in enumerate(self.original) if at not in state.gone), *state.added)

    def _kept(self, state: _State) -> list[int]:
        return [at for at in range(len(self.original)) if at not in state.gone]

    def _expand(self, state: _State, broken: Sequence[Broken], first: Broken) -> None:
        """Try every way out of a broken rule: leave out a choice at fault, or add what mends it."""
        kept = self._kept(state)
        reasons = self._reasons(first, state)
        for at in first.at_fault:
            if at < len(kept):
                self._leave_out(state, kept[at], reasons)
        chosen = [choice.category_code for choice in self._choices(state)]
        for fill in first.fills:
            if chosen.count(fill.category_code) < self.limits.get(fill.category_code, 0):
                base = self._rank(state, broken, but=fill.category_code)
                self._open(_Shelf(state, fill, reasons, self._ranked(state, fill), base))
            else:
                for at in kept:
                    if self.original[at].category_code == fill.category_code:
                        self._leave_out(state, at, reasons)

    def _reasons(self, broken: Broken, state: _State) -> frozenset[int]:
        """Return the broken rules of the beginning that led to this one."""
        if broken.key in self.root:
            return frozenset({self.root[broken.key]})
        choices = self._choices(state)
        codes = {broken.field, *(choices[at].category_code for at in broken.at_fault)}
        found = frozenset[int]().union(*(state.because.get(code, frozenset()) for code in codes))
        return found or frozenset[int]().union(*state.because.values())

    def _leave_out(self, state: _State, at: int, reasons: frozenset[int]) -> None:
        code = self.original[at].category_code
        self._add(_State(state.gone | {at}, state.added, _noted(state.because, code, reasons)))

    def _ranked(self, state: _State, fill: Fill) -> list[tuple[Amounts, ItemFacts]]:
        """Return what may be added to a category, the cheapest first."""
        beside = self._choices(state)
        ranked = []
        for item in self.candidates.get(fill.category_code, ()):
            if fill.item_ids is not None and item.item_id not in fill.item_ids:
                continue
            if fill.size and not item.sizes.get(fill.size):
                continue
            price, is_waiting = self.prices.of_one(Chosen(fill.category_code, item), beside)
            if not price.is_unpriced or is_waiting:
                ranked.append((_amounts(price), item))
        ranked.sort(key=lambda each: (each[0], each[1].item_id))
        if fill.item_ids is not None or fill.size:
            return ranked
        return list(self.bystanders.without_needless(ranked, fill.category_code, beside))

    def _missing(self, broken: Sequence[Broken], but: str) -> list[Amounts]:
        """Return what must be added costs at least; one addition to the category `but` less.

        Two rules may be mended by one addition to a category, so of each category only the rule that wants most counts.
        """
        wanted: dict[str, list[Amounts]] = {}
        for each in broken:
            codes = {fill.category_code for fill in each.fills}
            for code in codes if len(codes) == 1 else ():
                costs = sorted(self._least(code, among) for among in each.lacking)
                wanted[code] = max(wanted.get(code, []), costs, key=lambda found: (len(found), found))
        return [each for code, found in wanted.items() for each in (found[: len(found) - 1] if code == but else found)]

    def _least(self, category_code: str, among: frozenset[int] | None) -> Amounts:
        """Return what one of some items for a category costs at least, whatever stands beside it."""
        key = category_code, among
        if key not in self.least:
            choices = [
                Chosen(category_code, item)
                for item in self.candidates.get(category_code, ())
                if among is None or item.item_id in among
            ]
            prices = [self.prices.of_one(choice, ())[0] for choice in choices]
            if any(self.prices.depends_on_machine(choice) for choice in choices):
                self.least[key] = NOTHING
            else:
                known = (_amounts(price) for price in prices if not price.is_unpriced)
                self.least[key] = min(known, default=NOTHING)
        return self.least[key]

    def _open(self, shelf: _Shelf) -> None:
        if shelf.at < len(shelf.ranked):
            (monthly, once), item = shelf.ranked[shelf.at]
            gone, least_monthly, least_once, added, missing, ids = shelf.base
            rank = (gone, least_monthly + monthly, least_once + once, added + 1, missing, (*ids, item.item_id))
            heappush(self.heap, (rank, next(self.numbers), shelf))

    def _take_next(self, shelf: _Shelf) -> None:
        state, code = shelf.state, shelf.fill.category_code
        added = (*state.added, Chosen(code, shelf.ranked[shelf.at][1]))
        self._add(_State(state.gone, added, _noted(state.because, code, shelf.reasons)))
        self._open(replace(shelf, at=shelf.at + 1))

    def _add(self, state: _State) -> None:
        """Look at a container, unless it is known or a rule that it breaks has no way out."""
        if state.key in self.seen:
            return
        self.seen.add(state.key)
        choices = self._choices(state)
        broken = broken_choices(self.container, choices, *self.prices.of(choices))
        kept = len(self.original) - len(state.gone)
        if all(each.fills or any(at < kept for at in each.at_fault) for each in broken):
            heappush(self.heap, (self._rank(state, broken), next(self.numbers), (state, broken)))

    def _rank(self, state: _State, broken: Sequence[Broken], *, but: str = "") -> Rank:
        """Say what the container is certain to come to; without what one category is certain to cost."""
        prices, _ = self.prices.of(self._choices(state))
        missing = self._missing(broken, but)
        amounts = [*(_amounts(price) for price in prices), *missing]
        monthly = sum((each for each, _ in amounts), Decimal(0))
        once = sum((each for _, each in amounts), Decimal(0))
        gone = len(state.gone) + _certain_losses(broken)
        added = len(state.added) + len(missing)
        return gone, monthly, once, added, len(missing), tuple(each.item.item_id for each in state.added)


def _certain_losses(broken: Sequence[Broken]) -> int:
    """Return how many choices must go at least: one for each rule that nothing else mends, none counted twice."""
    touched: set[int] = set()
    losses = 0
    for each in sorted((each for each in broken if not each.fills), key=lambda each: len(each.at_fault)):
        if not touched.intersection(each.at_fault):
            losses += 1
        touched.update(each.at_fault)
    return losses


def _amounts(price: PriceAnswer) -> Amounts:
    if price.monthly is None or price.once is None:
        return NOTHING
    return price.monthly.amount, price.once.amount


def _noted(because: Mapping[str, frozenset[int]], code: str, reasons: frozenset[int]) -> dict[str, frozenset[int]]:
    return {**because, code: because.get(code, frozenset()) | reasons}


def changed_categories(before: Sequence[Chosen], after: Sequence[Chosen]) -> Iterator[str]:
    """Give the codes of the categories in which something else is chosen than before, each once."""
    for code in dict.fromkeys(each.category_code for each in (*before, *after)):
        old, new = (
            [each.item.item_id for each in choices if each.category_code == code] for choices in (before, after)
        )
        if sorted(old) != sorted(new):
            yield code
