"""What the choices of one container cost together: a price may depend on the machine that the others make up."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from catalog.container_facts import Chosen
from catalog.list_prices import PriceFacts, PriceQuestion, PriceStep
from catalog.pricing import PriceAnswer, Term, answer_price
from catalog.sizes import RESTRICTED_BY, capacities_of

Capacities = tuple[tuple[str, int], ...]
Known = dict[tuple[str, int, Capacities], tuple[PriceAnswer, bool]]


class ChoicePrices:
    """Prices under the conditions of one container, each worked out once."""

    def __init__(
        self,
        *,
        question: PriceQuestion,
        term: str,
        prices: Mapping[int, Sequence[PriceFacts]],
        capacities: Capacities = (),
        known: Known | None = None,
    ) -> None:
        """`capacities` are those of the machine; without them they are counted from the choices.

        `known` is where the answers are kept: containers under the same conditions may share it.
        """
        self._question, self._term, self._prices, self._fixed = question, term, prices, capacities
        self._known: Known = {} if known is None else known

    def of(self, choices: Sequence[Chosen]) -> tuple[list[PriceAnswer], list[bool]]:
        """Return what each choice costs beside the others, and whether that waits for a machine to be chosen."""
        capacities = self._capacities(choices)
        answers = [self._answer(chosen, capacities) for chosen in choices]
        return [answer for answer, _ in answers], [is_waiting for _, is_waiting in answers]

    def of_one(self, chosen: Chosen, beside: Sequence[Chosen]) -> tuple[PriceAnswer, bool]:
        """Return what one more choice would cost, and whether that waits for a machine to be chosen."""
        is_sized = any(size in chosen.item.sizes for size in RESTRICTED_BY)
        return self._answer(chosen, self._capacities([*beside, chosen] if is_sized else beside))

    def depends_on_machine(self, chosen: Chosen) -> bool:
        """Tell whether a price holds only for so many processors, cores or GB."""
        return any(price.restriction for price in self._prices.get(chosen.item.item_id, ()))

    @property
    def restrictions(self) -> frozenset[str]:
        """The sizes of a machine on which any price here depends."""
        return frozenset(price.restriction for prices in self._prices.values() for price in prices) - {""}

    def _capacities(self, choices: Sequence[Chosen]) -> Capacities:
        return self._fixed or capacities_of(chosen.item.sizes for chosen in choices)

    def _answer(self, chosen: Chosen, capacities: Capacities) -> tuple[PriceAnswer, bool]:
        key = (*chosen.key, capacities if self.depends_on_machine(chosen) else ())
        if key not in self._known:
            self._known[key] = self._worked_out(chosen, capacities)
        return self._known[key]

    def _worked_out(self, chosen: Chosen, capacities: Capacities) -> tuple[PriceAnswer, bool]:
        if self._term not in list(Term):
            step = PriceStep("term", f"“{self._term}” is no billing term. Unpriced.")
            return PriceAnswer(None, None, None, (step,)), False
        prices = self._prices.get(chosen.item.item_id, ())
        answer = answer_price(prices, self._asked(chosen, capacities))
        measured = {name for name, _ in capacities}
        is_waiting = answer.is_unpriced and any(
            price.restriction and price.restriction not in measured for price in prices
        )
        return answer, is_waiting

    def _asked(self, chosen: Chosen, capacities: Capacities) -> PriceQuestion:
        return replace(self._question, term=Term(self._term), category_code=chosen.category_code, capacities=capacities)
