"""What makes a container orderable: plain functions on plain values that name every broken rule at once."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalog.pricing import PriceAnswer, Term
from core.errors import Violation

DISK_SLOT = re.compile(r"disk(\d{1,4})")


@dataclass(frozen=True)
class CategoryFacts:
    """A category that the package asks for."""

    category_code: str
    name: str
    is_required: bool
    quantity_limit: int
    error_words: str
    same_items_as: str = ""


@dataclass(frozen=True)
class PackageFacts:
    """What a package asks for, holds, and where it is sold."""

    name: str
    is_active: bool
    categories: tuple[CategoryFacts, ...]
    item_ids: frozenset[int]
    location_ids: frozenset[int]


@dataclass(frozen=True)
class ChoiceFacts:
    """One item chosen for a category, with what it costs there."""

    category_code: str
    item_id: int
    description: str
    item_category_codes: frozenset[str]
    price: PriceAnswer
    disk_slots: int | None = None


@dataclass(frozen=True)
class RuleFacts:
    """That one item requires another one or conflicts with it."""

    item_id: int
    kind: str
    other_id: int
    other_description: str


def container_violations(
    *,
    package: PackageFacts,
    location_id: int,
    location_name: str,
    term: str,
    choices: Sequence[ChoiceFacts],
    rules: Iterable[RuleFacts],
) -> tuple[Violation, ...]:
    """Return every rule that one container breaks. The field of a choice is its category code."""
    return (
        *_of_sale(package, location_id, location_name, term),
        *_of_categories(package, choices),
        *_of_items(package, choices),
        *_of_slots(choices),
        *_of_prices(choices, location_name, term),
        *_between_items(choices, rules),
    )


def _of_sale(package: PackageFacts, location_id: int, location_name: str, term: str) -> Iterable[Violation]:
    if not package.is_active:
        words = f"{package.name} is not sold any more. Choose another package."
        yield Violation("package_not_sold", "package", words)
    if location_id not in package.location_ids:
        words = f"{package.name} is not sold in {location_name}. Choose another location."
        yield Violation("location_not_sold", "location", words)
    if term not in list(Term):
        words = f"“{term}” is not a billing term. Choose one of: {', '.join(Term)}."
        yield Violation("term_unknown", "term", words)


def _of_categories(package: PackageFacts, choices: Sequence[ChoiceFacts]) -> Iterable[Violation]:
    chosen = Counter(choice.category_code for choice in choices)
    for category in package.categories:
        count = chosen[category.category_code]
        if category.is_required and not count:
            words = category.error_words or f"{category.name} is missing. Choose one."
            yield Violation("category_required", category.category_code, words)
        if count > category.quantity_limit:
            surplus = count - category.quantity_limit
            words = f"{category.name}: {count} chosen, {category.quantity_limit} allowed. Remove {surplus}."
            yield Violation("quantity_limit", category.category_code, words)
    asked = {category.category_code for category in package.categories}
    for code in sorted(chosen.keys() - asked):
        words = f"{package.name} does not ask for “{code}”. Remove what was chosen for it."
        yield Violation("category_unknown", code, words)


def _of_items(package: PackageFacts, choices: Sequence[ChoiceFacts]) -> Iterable[Violation]:
    alike = {category.category_code: category.same_items_as for category in package.categories}
    for choice in choices:
        filling = {choice.category_code, alike.get(choice.category_code, "")}
        if choice.item_id not in package.item_ids:
            words = f"{choice.description} does not belong to {package.name}. Choose another item."
            yield Violation("item_not_in_package", choice.category_code, words)
        elif not filling & choice.item_category_codes:
            words = f"{choice.description} cannot be chosen for “{choice.category_code}”. Choose another item."
            yield Violation("item_not_in_category", choice.category_code, words)


def _of_slots(choices: Sequence[ChoiceFacts]) -> Iterable[Violation]:
    """A disk stands in the slot that its category names; a chassis has so many slots, counted from disk0."""
    for chassis in choices:
        slots = chassis.disk_slots
        for choice in choices:
            disk = DISK_SLOT.fullmatch(choice.category_code)
            if slots is not None and disk and int(disk[1]) >= slots:
                words = (
                    f"{chassis.description} has {slots} disk slots; there is none for {choice.description} as disk "
                    f"{int(disk[1]) + 1}. Remove it, or choose a larger chassis."
                )
                yield Violation("disk_slots", choice.category_code, words)


def _of_prices(choices: Sequence[ChoiceFacts], location_name: str, term: str) -> Iterable[Violation]:
    if term not in list(Term):
        return
    for choice in choices:
        if choice.price.is_unpriced:
            words = (
                f"{choice.description} has no price on {term} terms in {location_name}. "
                "Choose another item, term or location."
            )
            yield Violation("unpriced", choice.category_code, words)


def _between_items(choices: Sequence[ChoiceFacts], rules: Iterable[RuleFacts]) -> Iterable[Violation]:
    chosen = {choice.item_id: choice for choice in choices}
    for rule in rules:
        choice, other = chosen.get(rule.item_id), chosen.get(rule.other_id)
        if choice is None:
            continue
        if rule.kind == "requires" and other is None:
            words = f"{choice.description} requires {rule.other_description}. Add it, or choose another item."
            yield Violation("requires", choice.category_code, words)
        if rule.kind == "conflicts" and other is not None:
            words = f"{choice.description} cannot stand beside {other.description}. Remove one of the two."
            yield Violation("conflicts", choice.category_code, words)
