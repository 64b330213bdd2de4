"""What the choices of one container cost together: a price may depend on the machine that the others make up."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from catalog.container_facts import Chosen
from catalog.list_prices import PriceFacts, PriceQuestion, PriceStep
from catalog.pricing import PriceAnswer, Term, answer_price
from catalog.sizes import RESTRICTED_BY, capacities_of

Capacities = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Listed:
    """The open prices of one item, and on what of a container they depend."""

    prices: Sequence[PriceFacts]

    @cached_property
    def groups(self) -> frozenset[int]:
        """The location groups that have a price of their own."""
        return frozenset(price.group_id for price in self.prices if price.group_id is not None)

    @cached_property
    def depends_on_machine(self) -> bool:
        """Whether a price holds only for so many processors, cores or GB."""
        return any(price.restriction for price in self.prices)


class Known:
    """The prices of items, and what was worked out of them under conditions that differ in nothing but the place."""

    def __init__(self, prices: Mapping[int, Sequence[PriceFacts]]) -> None:
        self._prices = prices
        self._listed: dict[int, Listed] = {}
        self.answers: dict[Hashable, tuple[PriceAnswer, bool]] = {}

    def listed(self, item_id: int) -> Listed:
        if item_id not in self._listed:
            self._listed[item_id] = Listed(self._prices.get(item_id, ()))
        return self._listed[item_id]

    @cached_property
    def restrictions(self) -> frozenset[str]:
        """The sizes of a machine on which any price depends."""
        return frozenset(price.restriction for prices in self._prices.values() for price in prices) - {""}


class ChoicePrices:
    """Prices under the conditions of one container, each worked out once."""

    def __init__(
        self,
        *,
        question: PriceQuestion,
        term: str,
        known: Known,
        capacities: Capacities = (),
    ) -> None:
        """`capacities` are those of the machine; without them they are counted from the choices.

        `known` is where the answers are kept: containers whose questions differ only in the place may share it.
        """
        self._question, self._term, self._known, self._fixed = question, term, known, capacities
        self._groups = frozenset(question.location_groups)

    def of(self, choices: Sequence[Chosen]) -> tuple[list[PriceAnswer], list[bool]]:
        """Return what each choice costs beside the others, and whether that waits for a machine to be chosen."""
        capacities = self._capacities(choices)
        answers = [self._answer(chosen, capacities) for chosen in choices]
        return [answer for answer, _ in answers], [is_waiting for _, is_waiting in answers]

    def of_one(self, chosen: Chosen, beside: Sequence[Chosen]) -> tuple[PriceAnswer, bool]:
        """Return what one more choice would cost, and whether that waits for a machine to be chosen."""
        if not self.depends_on_machine(chosen):
            return self._answer(chosen, ())
        is_sized = any(size in chosen.item.sizes for size in RESTRICTED_BY)
        return self._answer(chosen, self._capacities([*beside, chosen] if is_sized else beside))

    def depends_on_machine(self, chosen: Chosen) -> bool:
        """Tell whether a price holds only for so many processors, cores or GB."""
        return self._known.listed(chosen.item.item_id).depends_on_machine

    @property
    def restrictions(self) -> frozenset[str]:
        """The sizes of a machine on which any price here depends."""
        return self._known.restrictions

    def _capacities(self, choices: Sequence[Chosen]) -> Capacities:
        return self._fixed or capacities_of(chosen.item.sizes for chosen in choices)

    def _answer(self, chosen: Chosen, capacities: Capacities) -> tuple[PriceAnswer, bool]:
        listed, answers = self._known.listed(chosen.item.item_id), self._known.answers
        key = (chosen.key, self._groups & listed.groups, capacities if listed.depends_on_machine else ())
        if key not in answers:
            answers[key] = self._worked_out(chosen, listed.prices, capacities)
        return answers[key]

    def _worked_out(
        self, chosen: Chosen, prices: Sequence[PriceFacts], capacities: Capacities
    ) -> tuple[PriceAnswer, bool]:
        if self._term not in list(Term):
            step = PriceStep("term", f"“{self._term}” is no billing term. Unpriced.")
            return PriceAnswer(None, None, None, (step,)), False
        answer = answer_price(prices, self._asked(chosen, capacities))
        measured = {name for name, _ in capacities}
        is_waiting = answer.is_unpriced and any(
            price.restriction and price.restriction not in measured for price in prices
        )
        return answer, is_waiting

    def _asked(self, chosen: Chosen, capacities: Capacities) -> PriceQuestion:
        return replace(self._question, term=Term(self._term), category_code=chosen.category_code, capacities=capacities)
