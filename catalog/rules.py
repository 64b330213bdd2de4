"""What makes a container orderable: plain functions on plain values that name every broken rule at once.

Each broken rule also says what may mend it, `Broken`; `catalog.repairing` looks there for the cheapest repair.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from catalog.broken import Broken, Fill, last_of_each
from catalog.container_facts import Chosen, ContainerFacts, slot_of
from catalog.pricing import PriceAnswer, Term
from catalog.rules_between import broken_between
from core.errors import Violation


def container_violations(
    container: ContainerFacts, choices: Sequence[Chosen], prices: Sequence[PriceAnswer], waiting: Sequence[bool] = ()
) -> tuple[Violation, ...]:
    """Return every rule that one container breaks. The field of a choice is its category code."""
    broken = broken_choices(container, choices, prices, waiting)
    return (*broken_conditions(container), *(each.violation for each in broken))


def broken_conditions(container: ContainerFacts) -> Iterator[Violation]:
    """Give what is wrong whatever was chosen: the package, the location, the term."""
    package, term = container.package, container.term
    if not package.is_active:
        words = f"{package.name} is not sold any more. Choose another package."
        yield Violation("package_not_sold", "package", words)
    if container.location_id not in package.location_ids:
        words = f"{package.name} is not sold in {container.location_name}. Choose another location."
        yield Violation("location_not_sold", "location", words)
    if term not in list(Term):
        words = f"“{term}” is not a billing term. Choose one of: {', '.join(Term)}."
        yield Violation("term_unknown", "term", words)


def broken_choices(
    container: ContainerFacts, choices: Sequence[Chosen], prices: Sequence[PriceAnswer], waiting: Sequence[bool] = ()
) -> list[Broken]:
    """Return every rule that the choices break, with what may mend it.

    `waiting` says of each choice that its price depends on a machine that is not chosen yet. What only a required
    category that is still missing can settle is not told beside it: the missing category is told, once.
    """
    missing = missing_categories(container, choices)
    return [
        *_of_categories(container, choices, missing),
        *_of_items(container, choices),
        *_of_slots(choices),
        *_of_prices(container, choices, prices, [] if not missing else waiting),
        *_of_stock(container, choices),
        *broken_between(container, choices, missing),
    ]


def missing_categories(container: ContainerFacts, choices: Sequence[Chosen]) -> frozenset[str]:
    """Return the required categories for which nothing is chosen, nor included in what is."""
    chosen = {choice.category_code for choice in choices}
    included = {code for rule in container.rules.of(choices) if rule.kind == "includes" for code in rule.other_codes}
    return frozenset(
        category.category_code
        for category in container.package.categories
        if category.is_required and category.category_code not in chosen and not category.filled_by & included
    )


def _of_categories(container: ContainerFacts, choices: Sequence[Chosen], missing: frozenset[str]) -> Iterable[Broken]:
    package = container.package
    chosen = Counter(choice.category_code for choice in choices)
    for category in package.categories:
        code, count = category.category_code, chosen[category.category_code]
        if code in missing:
            words = category.error_words or f"{category.name} is missing. Choose one."
            yield Broken("category_required", code, words, fills=(Fill(code),))
        if count > category.quantity_limit:
            surplus = count - category.quantity_limit
            words = f"{category.name}: {count} chosen, {category.quantity_limit} allowed. Remove {surplus}."
            yield Broken("quantity_limit", code, words, _last_in(choices, code))
    for code in sorted(chosen.keys() - package.by_code.keys()):
        words = f"{package.name} does not ask for “{code}”. Remove what was chosen for it."
        yield Broken("category_unknown", code, words, _last_in(choices, code))


def _of_items(container: ContainerFacts, choices: Sequence[Chosen]) -> Iterable[Broken]:
    package = container.package
    for index, choice in enumerate(choices):
        code, item = choice.category_code, choice.item
        if item.item_id not in package.item_ids:
            words = f"{item.description} does not belong to {package.name}. Choose another item."
            yield Broken("item_not_in_package", code, words, (index,))
        elif not package.filled_by(code) & item.category_codes:
            words = f"{item.description} cannot be chosen for “{code}”. Choose another item."
            yield Broken("item_not_in_category", code, words, (index,))


def _of_slots(choices: Sequence[Chosen]) -> Iterable[Broken]:
    """A disk stands in the slot that its category names; a chassis has so many slots, counted from disk0."""
    for at, chassis in enumerate(choices):
        slots = chassis.item.sizes.get("disk_slots")
        if slots is None:
            continue
        for index, choice in enumerate(choices):
            slot = slot_of(choice.category_code)
            if slot is not None and slot >= slots:
                words = (
                    f"{chassis.item.description} has {slots} disk slots; there is none for {choice.item.description} "
                    f"as disk {slot + 1}. Remove it, or choose a larger chassis."
                )
                yield Broken("disk_slots", choice.category_code, words, (index, at))


def _of_prices(
    container: ContainerFacts, choices: Sequence[Chosen], prices: Sequence[PriceAnswer], waiting: Sequence[bool]
) -> Iterable[Broken]:
    if container.term not in list(Term):
        return
    for index, (choice, price) in enumerate(zip(choices, prices, strict=True)):
        if price.is_unpriced and not (waiting and waiting[index]):
            words = (
                f"{choice.item.description} has no price on {container.term} terms in {container.location_name}. "
                "Choose another item, term or location."
            )
            yield Broken("unpriced", choice.category_code, words, (index,))


def _of_stock(container: ContainerFacts, choices: Sequence[Chosen]) -> Iterable[Broken]:
    counts = Counter(choice.item.item_id for choice in choices)
    for index in last_of_each(choices):
        choice = choices[index]
        left, needed = container.stock.get(choice.item.item_id), counts[choice.item.item_id] * container.quantity
        if left is not None and needed > left:
            words = (
                f"{choice.item.description}: {left:,} left in {container.location_name}, {needed:,} asked for. "
                "Order fewer, or choose another item or location."
            )
            yield Broken("stock_short", choice.category_code, words, (index,))


def _last_in(choices: Sequence[Chosen], category_code: str) -> tuple[int, ...]:
    return last_of_each(choices, within=lambda choice: choice.category_code == category_code)
