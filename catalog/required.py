"""Which categories may not stay empty: asked of the rules themselves, so that no form can disagree with them."""

from collections.abc import Sequence

from catalog.container_facts import Chosen, ContainerFacts
from catalog.repairing import ContainerPrices
from catalog.rules import broken_choices


def required_categories(
    container: ContainerFacts, choices: Sequence[Chosen], prices: ContainerPrices
) -> frozenset[str]:
    """Return the categories that must be filled beside the other choices.

    One with choices is required where emptying it breaks a rule; an empty one where a broken rule asks for it.
    """
    broken = broken_choices(container, choices, *prices.of(choices))
    known = {(each.code, each.field) for each in broken}
    chosen = {choice.category_code for choice in choices}
    required = {fill.category_code for each in broken for fill in each.fills if len(each.fills) == 1} - chosen
    for category_code in chosen & container.package.by_code.keys():
        rest = [choice for choice in choices if choice.category_code != category_code]
        without = broken_choices(container, rest, *prices.of(rest))
        if any((each.code, each.field) not in known for each in without):
            required.add(category_code)
    return frozenset(required)
