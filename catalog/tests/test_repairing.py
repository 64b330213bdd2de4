"""The cheapest repair against brute force: every container that could be ordered instead is looked at."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.container_facts import (
    CategoryFacts,
    Chosen,
    ContainerFacts,
    ItemFacts,
    PackageFacts,
    RuleFacts,
    RuleIndex,
)
from catalog.pricing import PriceAnswer
from catalog.repairing import Mended, changed_categories, cheapest_repair
from catalog.required import required_categories
from catalog.rules import broken_choices
from core.money import Money

HERE, ELSEWHERE = 1, 2
UNPRICED = PriceAnswer(None, None, None, ())


@dataclass(frozen=True)
class ListPrices:
    """What each item costs a month and once, whatever stands beside it; one that is not listed is unpriced."""

    fees: dict[int, tuple[int, int]]

    def of(self, choices: Sequence[Chosen]) -> tuple[list[PriceAnswer], list[bool]]:
        return [self._price(chosen) for chosen in choices], [False] * len(choices)

    def of_one(self, chosen: Chosen, beside: Sequence[Chosen]) -> tuple[PriceAnswer, bool]:
        return self._price(chosen), False

    def depends_on_machine(self, chosen: Chosen) -> bool:
        return False

    @property
    def restrictions(self) -> frozenset[str]:
        return frozenset()

    def _price(self, chosen: Chosen) -> PriceAnswer:
        if chosen.item.item_id not in self.fees:
            return UNPRICED
        monthly, once = self.fees[chosen.item.item_id]
        return PriceAnswer(None, Money(Decimal(monthly), "USD"), Money(Decimal(once), "USD"), ())


@dataclass(frozen=True)
class Shelf:
    """A package with its items by category, its rules and prices, and what somebody chose."""

    container: ContainerFacts
    candidates: dict[str, list[ItemFacts]]
    prices: ListPrices
    choices: tuple[Chosen, ...]

    def repair(self) -> Mended | None:
        return cheapest_repair(
            container=self.container, choices=self.choices, prices=self.prices, candidates=self.candidates
        )

    def is_valid(self, choices: Sequence[Chosen]) -> bool:
        return not broken_choices(self.container, choices, *self.prices.of(choices))

    def rank(self, choices: Sequence[Chosen]) -> tuple[int, Decimal, Decimal]:
        """Return how many choices are given up, and what the container costs a month and once."""
        gone = Counter(chosen.key for chosen in self.choices) - Counter(chosen.key for chosen in choices)
        answers, _ = self.prices.of(choices)
        monthly = sum((answer.monthly.amount for answer in answers if answer.monthly), Decimal(0))
        once = sum((answer.once.amount for answer in answers if answer.once), Decimal(0))
        return gone.total(), monthly, once

    def everything(self) -> Iterator[tuple[Chosen, ...]]:
        """Give every container with at most one item in a category."""
        rows = [
            [None, *(Chosen(code, item) for item in items)]
            for code, items in self.candidates.items()
            if code in self.container.package.by_code
        ]
        for row in product(*rows):
            yield tuple(chosen for chosen in row if chosen is not None)


def shelf_of(
    *,
    items: dict[str, list[ItemFacts]],
    required: set[str],
    rules: Sequence[RuleFacts],
    fees: dict[int, tuple[int, int]],
    chosen: dict[str, ItemFacts],
    stock: dict[int, int] | None = None,
) -> Shelf:
    categories = tuple(CategoryFacts(code, code, code in required, 1, "") for code in items)
    ids = frozenset(item.item_id for each in items.values() for item in each)
    container = ContainerFacts(
        package=PackageFacts("p", True, categories, ids, frozenset({HERE})),
        location_id=HERE,
        location_name="here",
        term="monthly",
        rules=RuleIndex(rules),
        stock=stock or {},
    )
    choices = tuple(Chosen(code, item) for code, item in chosen.items())
    return Shelf(container, items, ListPrices(fees), choices)


def rules_between(items: dict[str, list[ItemFacts]]) -> st.SearchStrategy[list[RuleFacts]]:
    every = [item for each in items.values() for item in each]
    subjects: st.SearchStrategy[tuple[int | None, str]] = st.sampled_from(
        [*((item.item_id, "") for item in every), *((None, code) for code in items)]
    )
    objects: st.SearchStrategy[ItemFacts | str] = st.sampled_from([*every, *items])
    kinds = st.sampled_from(["requires", "conflicts", "conflicts", "conflicts", "nowhere"])
    return st.lists(st.tuples(subjects, kinds, objects), max_size=6).map(
        lambda rows: [_rule(number, *row) for number, row in enumerate(rows)]
    )


def _rule(number: int, subject: tuple[int | None, str], kind: str, thing: ItemFacts | str) -> RuleFacts:
    item_id, code = subject
    if kind == "nowhere":
        return RuleFacts(number, "conflicts", item_id, code, location_id=HERE)
    if isinstance(thing, str):
        return RuleFacts(number, kind, item_id, code, other_category=thing, other_words=thing)
    return RuleFacts(number, kind, item_id, code, thing.item_id, thing.category_codes, other_words=thing.description)


@st.composite
def shelves(draw: st.DrawFn) -> Shelf:
    """Four categories of up to three items with rules between them, prices, stock, and anything chosen."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=4, max_size=4))
    numbers = iter(range(1, 100))
    items = {f"c{at}": [_item(next(numbers), f"c{at}") for _ in range(size)] for at, size in enumerate(sizes)}
    every = [item for each in items.values() for item in each]
    fees = draw(
        st.dictionaries(
            st.sampled_from([item.item_id for item in every]),
            st.tuples(st.integers(0, 9), st.integers(0, 3)),
            min_size=len(every) - 1,
        )
    )
    return shelf_of(
        items=items,
        required=draw(st.sets(st.sampled_from(list(items)))),
        rules=draw(rules_between(items)),
        fees=fees,
        chosen={
            code: item for code, each in items.items() if (item := draw(st.sampled_from([None, *each]))) is not None
        },
        stock=draw(st.dictionaries(st.sampled_from([item.item_id for item in every]), st.integers(0, 2), max_size=2)),
    )


@st.composite
def machines(draw: st.DrawFn) -> Shelf:
    """A chassis, a controller with a rule about disks, and four slots for three kinds of disks."""
    slots = [f"disk{at}" for at in range(4)]
    boxes = [_item(1, "box", disk_slots=draw(st.integers(1, 4))), _item(2, "box", disk_slots=4)]
    raids = [_item(3, "raid"), _item(4, "raid")]
    disks = [_item(5, "disk0"), _item(6, "disk0"), _item(7, "disk0")]
    items = {"box": boxes, "raid": raids, **dict.fromkeys(slots, disks)}
    minimum = draw(st.integers(1, 4))
    rule = RuleFacts(
        1,
        "drives",
        item_id=4,
        minimum=minimum,
        maximum=draw(st.none() | st.integers(minimum, 4)),
        multiple_of=draw(st.none() | st.integers(2, 3)),
        equality=draw(st.sampled_from(["", "all", "each_multiple"])),
    )
    chosen = {code: draw(st.sampled_from([None, *items[code]])) for code in items}
    shelf = shelf_of(
        items=items,
        required={"box", "raid", "disk0"},
        rules=[rule],
        fees={item: (draw(st.integers(0, 9)), 0) for item in range(1, 8)},
        chosen={code: item for code, item in chosen.items() if item is not None},
    )
    package = shelf.container.package
    alike = tuple(
        CategoryFacts(each.category_code, each.name, each.is_required, 1, "", "disk0" if each.slot else "")
        for each in package.categories
    )
    facts = PackageFacts(package.name, True, alike, package.item_ids, package.location_ids)
    container = ContainerFacts(facts, HERE, "here", "monthly", rules=shelf.container.rules)
    return Shelf(container, shelf.candidates, shelf.prices, shelf.choices)


def _item(number: int, code: str, **sizes: int) -> ItemFacts:
    return ItemFacts(number, f"item-{number}", f"item {number}", frozenset({code}), sizes)


def assert_cheapest(shelf: Shelf) -> None:
    mended = shelf.repair()
    possible = [shelf.rank(choices) for choices in shelf.everything() if shelf.is_valid(choices)]

    if not possible:
        assert mended is None
        return
    assert mended is not None
    assert shelf.is_valid(mended.choices)
    assert shelf.rank(mended.choices) == min(possible)


@settings(max_examples=120, deadline=None)
@given(shelves())
def test_no_container_that_could_be_ordered_instead_gives_up_less_or_costs_less(shelf):
    assert_cheapest(shelf)


@settings(max_examples=50, deadline=None)
@given(machines())
def test_no_machine_whose_disks_suit_its_controller_gives_up_less_or_costs_less(shelf):
    assert_cheapest(shelf)


@settings(max_examples=50, deadline=None)
@given(shelves() | machines())
def test_every_change_is_made_because_of_something_that_was_broken(shelf):
    mended = shelf.repair()

    if mended is not None:
        changed = set(changed_categories(shelf.choices, mended.choices))
        assert len(mended.mends) == len(broken_choices(shelf.container, shelf.choices, *shelf.prices.of(shelf.choices)))
        assert set().union(*mended.mends) == changed


@settings(max_examples=50, deadline=None)
@given(shelves() | machines())
def test_just_the_required_categories_of_a_valid_container_cannot_be_emptied(shelf):
    mended = shelf.repair()

    if mended is not None:
        required = required_categories(shelf.container, mended.choices, shelf.prices)
        for code in shelf.container.package.by_code:
            rest = tuple(chosen for chosen in mended.choices if chosen.category_code != code)
            assert shelf.is_valid(rest) == (code not in required)


@settings(max_examples=50, deadline=None)
@given(shelves() | machines(), st.data())
def test_dropping_required_categories_is_told_by_naming_exactly_them(shelf, data):
    mended = shelf.repair()

    if mended is not None:
        filled = {chosen.category_code for chosen in mended.choices}
        required = [each.category_code for each in shelf.container.package.categories if each.is_required]
        dropped = data.draw(st.sets(st.sampled_from([code for code in required if code in filled] or [""])))
        rest = tuple(chosen for chosen in mended.choices if chosen.category_code not in dropped)
        broken = broken_choices(shelf.container, rest, *shelf.prices.of(rest))
        assert {(each.code, each.field) for each in broken} == {("category_required", code) for code in dropped if code}


def test_the_search_ends_after_so_many_steps():
    item = _item(1, "c0")
    shelf = shelf_of(items={"c0": [item]}, required={"c0"}, rules=[], fees={1: (1, 0)}, chosen={})

    found = cheapest_repair(
        container=shelf.container, choices=(), prices=shelf.prices, candidates=shelf.candidates, most_steps=1
    )

    assert found is None
    assert shelf.repair().choices == (Chosen("c0", item),)


@pytest.mark.parametrize("count", [10, 5000])
def test_of_thousands_of_items_only_the_cheapest_are_looked_at(count):
    items = {"c0": [_item(number, "c0") for number in range(count)], "c1": [_item(count, "c1")]}
    rules = [RuleFacts(n, "conflicts", n, other_id=count, other_codes=frozenset({"c1"})) for n in range(5)]
    fees = {number: (number, 0) for number in range(count + 1)}
    shelf = shelf_of(items=items, required={"c0", "c1"}, rules=rules, fees=fees, chosen={"c1": items["c1"][0]})

    found = cheapest_repair(
        container=shelf.container, choices=shelf.choices, prices=shelf.prices, candidates=items, most_steps=40
    )

    assert [chosen.item.item_id for chosen in found.choices] == [count, 5]
