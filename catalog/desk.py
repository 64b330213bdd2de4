"""The desk at which containers are examined: the catalogue's facts, prices and stock, read once for all of them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import partial

from accounts.models import Account
from catalog.container_facts import Chosen, ContainerFacts, ItemFacts
from catalog.container_prices import ChoicePrices, Known
from catalog.container_reading import facts_reading
from catalog.containers import ContainerAnswer, ContainerQuestion, LineAnswer
from catalog.deals import deal_reading
from catalog.models import Package
from catalog.pricing import PriceQuestion, Term
from catalog.required import required_categories
from catalog.rules import container_violations
from catalog.selectors import prices_by_item
from core.json_rows import read_both


@dataclass(frozen=True)
class Conditions:
    """What all containers of one check share: who asks, when, at which prices."""

    account: Account
    at: datetime
    hours_per_month: Decimal
    promotion_code: str


@dataclass(frozen=True)
class Examined:
    """One container in plain values, ready for the rules."""

    question: ContainerQuestion
    container: ContainerFacts
    choices: tuple[Chosen, ...]
    prices: ChoicePrices
    currency: str
    items_offered: tuple[ItemFacts, ...]
    """The items of the package, as far as they were read."""

    @property
    def answer(self) -> ContainerAnswer:
        prices, waiting = self.prices.of(self.choices)
        return ContainerAnswer(
            violations=container_violations(self.container, self.choices, prices, waiting),
            lines=tuple(
                LineAnswer(code, item, price, included=self._included(chosen))
                for (code, item), price, chosen in zip(self.question.choices, prices, self.choices, strict=True)
            ),
            required=(
                required_categories(self.container, self.choices, self.prices)
                if self.question.wants_repairs
                else frozenset()
            ),
        )

    def _included(self, chosen: Chosen) -> tuple[str, ...]:
        rules = self.container.rules.of((chosen,))
        return tuple(rule.other_words for rule in rules if rule.kind == "includes")


class StockLeft:
    """What is left of limited items; the containers of one order share it, in their order."""

    def __init__(self, left: Mapping[int, Mapping[int, int]], *, is_shared: bool) -> None:
        self._left = left
        self._used: dict[int, Counter[int]] = defaultdict(Counter)
        self._is_shared = is_shared

    def at(self, location_id: int) -> dict[int, int]:
        used = self._used[location_id]
        return {item: max(left - used[item], 0) for item, left in self._left.get(location_id, {}).items()}

    def use(self, *, location_id: int, quantity: int, choices: Sequence[Chosen]) -> None:
        if self._is_shared:
            for chosen in choices:
                self._used[location_id][chosen.item.item_id] += quantity


class Desk:
    """The catalogue's facts and prices of the items in question, and the containers that are examined with them."""

    def __init__(
        self,
        *,
        conditions: Conditions,
        packages: Mapping[int, Package],
        location_ids: Collection[int],
        item_ids: Collection[int],
    ) -> None:
        """Read what is to be known: two queries, however many packages, locations and items there are."""
        self.conditions = conditions
        self.facts, self._deal = read_both(
            facts_reading(packages=packages, location_ids=location_ids, item_ids=item_ids),
            deal_reading(
                account=conditions.account,
                at=conditions.at,
                item_ids=item_ids,
                promotion_code=conditions.promotion_code,
            ),
        )
        self._prices = prices_by_item(item_ids=item_ids, at=conditions.at)
        self._items: dict[int, ItemFacts] = {}
        self._known: defaultdict[Hashable, Known] = defaultdict(partial(Known, self._prices))

    @classmethod
    def about(cls, questions: Sequence[ContainerQuestion], conditions: Conditions) -> "Desk":
        """Return a desk that knows what was chosen."""
        return cls(
            conditions=conditions,
            packages={question.package.pk: question.package for question in questions},
            location_ids={question.location.pk for question in questions},
            item_ids=_chosen_ids(questions),
        )

    def with_everything_of(self, questions: Sequence[ContainerQuestion], location_ids: Collection[int]) -> "Desk":
        """Return a desk that knows everything that could be chosen instead, in these locations."""
        packages = {question.package.pk: question.package for question in questions}
        held = Package.items.through._default_manager.filter(package_id__in=packages)
        return Desk(
            conditions=self.conditions,
            packages=packages,
            location_ids=location_ids,
            item_ids={*held.values_list("item_id", flat=True), *_chosen_ids(questions)},
        )

    def item(self, item_id: int) -> ItemFacts:
        """Return what is known of an item; it fills its own categories and those of its prices."""
        if item_id not in self._items:
            found = self.facts.items[item_id]
            of_prices = (price.category_codes for price in self._prices.get(item_id, ()))
            self._items[item_id] = replace(found, category_codes=found.category_codes.union(*of_prices))
        return self._items[item_id]

    def examine(self, question: ContainerQuestion, stock: StockLeft) -> Examined:
        """Put the question into plain values, with what is left for it."""
        asked = PriceQuestion(
            location_groups=self.facts.location_groups[question.location.pk],
            term=Term.MONTHLY,
            currency=self.conditions.account.currency,
            hours_per_month=self.conditions.hours_per_month,
            contract_months=question.contract_months,
            package_id=question.package.pk,
            deal=self._deal,
        )
        container = ContainerFacts(
            package=self.facts.packages[question.package.pk],
            location_id=question.location.pk,
            location_name=question.location.name,
            term=question.term,
            quantity=question.quantity,
            rules=self.facts.rules,
            stock=stock.at(question.location.pk),
        )
        prices = ChoicePrices(
            question=asked,
            term=question.term,
            known=self._known[question.term, question.contract_months, question.package.pk, question.capacities],
            capacities=question.capacities,
        )
        choices = tuple(Chosen(code, self.item(item.pk)) for code, item in question.choices)
        offered = tuple(self.item(item_id) for item_id in sorted(container.package.item_ids))
        return Examined(question, container, choices, prices, self.conditions.account.currency, offered)


def _chosen_ids(questions: Iterable[ContainerQuestion]) -> set[int]:
    return {item.pk for question in questions for _, item in question.choices}
