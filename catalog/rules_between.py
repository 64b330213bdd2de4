"""Rules between things: what requires, excludes or includes what, and what asks for a place, a machine or disks."""

from collections import Counter
from collections.abc import Iterator, Sequence

from catalog.broken import Broken, Fill, last_of_each
from catalog.container_facts import CategoryFacts, Chosen, ContainerFacts, RuleFacts, disks_of
from catalog.rule_words import disks_words, size_words, unit_words
from catalog.sizes import RESTRICTED_BY

SIZE_OF = {restriction: size for size, restriction in RESTRICTED_BY.items()}


def broken_between(container: ContainerFacts, choices: Sequence[Chosen], missing: frozenset[str]) -> Iterator[Broken]:
    """Give the broken rules between choices; `missing` are the required categories that stand empty."""
    rules = container.rules.of(choices)
    included = {rule.other_id for rule in rules if rule.kind == "includes"}
    for rule in rules:
        subjects = [at for at, choice in enumerate(choices) if rule.is_about(choice)]
        if rule.kind == "requires":
            yield from _requirement(container, choices, rule, subjects[-1], included, missing)
        elif rule.kind == "conflicts" and rule.location_id is not None:
            yield from _place(container, choices, rule, subjects[-1])
        elif rule.kind == "conflicts":
            yield from _conflict(choices, rule, subjects, rules)
        elif rule.kind == "capacity":
            yield from _capacity(container, choices, rule, subjects[-1], missing)
        elif rule.kind == "drives":
            yield from _drives(container, choices, rule, subjects[-1], missing)


def _requirement(
    container: ContainerFacts,
    choices: Sequence[Chosen],
    rule: RuleFacts,
    subject: int,
    included: set[int | None],
    missing: frozenset[str],
) -> Iterator[Broken]:
    package, choice = container.package, choices[subject]
    if rule.other_id is not None:
        is_met = rule.other_id in included or any(each.item.item_id == rule.other_id for each in choices)
        takers = [each.category_code for each in package.categories if each.filled_by & rule.other_codes]
        fills = tuple(Fill(code, frozenset({rule.other_id})) for code in takers)
        words = f"{choice.item.description} requires {rule.other_words}. Add it, or choose another item."
    else:
        is_met = any(each.category_code == rule.other_category for each in choices)
        takers = [rule.other_category]
        fills = (Fill(rule.other_category),) if rule.other_category in package.by_code else ()
        words = f"{choice.item.description} requires a choice for {rule.other_words}. Add one, or choose another item."
    if not is_met and not missing.intersection(takers):
        yield Broken("requires", choice.category_code, words, (subject,), fills)


def _conflict(
    choices: Sequence[Chosen], rule: RuleFacts, subjects: Sequence[int], rules: Sequence[RuleFacts]
) -> Iterator[Broken]:
    """Tell a conflict once, of the last choice on each side: all of one side have to go, in whatever order."""
    subject = subjects[-1]
    others = [
        at
        for at, choice in enumerate(choices)
        if at not in subjects and rule.other_id in (None, choice.item.item_id)
        if rule.other_id is not None or choice.category_code == rule.other_category
    ]
    bringing = [
        at
        for each in rules
        if each.kind == "includes" and rule.other_id is not None and each.other_id == rule.other_id
        for at, choice in enumerate(choices)
        if at not in subjects and each.is_about(choice)
    ]
    for other in (*others[-1:], *(bringing[-1:] if not others else ())):
        words = (
            f"{choices[subject].item.description} cannot stand beside {choices[other].item.description}. "
            "Remove one of the two."
        )
        yield Broken("conflicts", choices[subject].category_code, words, (subject, other))


def _place(container: ContainerFacts, choices: Sequence[Chosen], rule: RuleFacts, subject: int) -> Iterator[Broken]:
    if rule.location_id == container.location_id:
        words = (
            f"{choices[subject].item.description} cannot be had in {container.location_name}. "
            "Choose another item, or another location."
        )
        yield Broken("location_conflict", choices[subject].category_code, words, (subject,))


def _capacity(
    container: ContainerFacts, choices: Sequence[Chosen], rule: RuleFacts, subject: int, missing: frozenset[str]
) -> Iterator[Broken]:
    """Sizes are added up over the choices. One that no choice has is none, unless a required category is to give it."""
    size = SIZE_OF[rule.restriction]
    giving = [at for at, choice in enumerate(choices) if size in choice.item.sizes]
    total = sum(choices[at].item.sizes[size] for at in giving)
    is_short = rule.minimum is not None and total < rule.minimum
    is_over = rule.maximum is not None and total > rule.maximum
    if not (is_short or is_over) or (is_short and not giving and missing):
        return
    choice = choices[subject]
    words = (
        f"{choice.item.description} needs {size_words(rule.restriction, rule.minimum, rule.maximum)}; "
        f"here {'is' if total == 1 else 'are'} {total} {unit_words(rule.restriction, total)}. "
        "Choose another item, or another machine."
    )
    parts = last_of_each(choices, within=lambda each: size in each.item.sizes)
    fills = _room(container, choices, size=size) if is_short else ()
    yield Broken("capacity", choice.category_code, words, _distinct(subject, parts), fills)


def _drives(
    container: ContainerFacts, choices: Sequence[Chosen], rule: RuleFacts, subject: int, missing: frozenset[str]
) -> Iterator[Broken]:
    """RAID 10 and the like: how many disks there must be, in which multiples, and which of them equal."""
    disks = disks_of(choices)
    kinds = Counter(disk.item.item_id for disk in disks)
    count, multiple = len(disks), rule.multiple_of or 1
    odd_kinds = {item for item, number in kinds.items() if number % multiple}
    is_short = count < (rule.minimum or 0)
    is_uneven = bool(count % multiple or (rule.equality == "each_multiple" and odd_kinds))
    is_mixed = rule.equality == "all" and len(kinds) > 1
    is_over = rule.maximum is not None and count > rule.maximum
    awaits_disk = any(category.slot is not None for category in _named(container, missing))
    if not (is_short or is_uneven or is_mixed or is_over) or (awaits_disk and not is_over and not is_mixed):
        return
    choice = choices[subject]
    asked = disks_words(rule.minimum, rule.maximum, rule.multiple_of, rule.equality)
    words = (
        f"{choice.item.description} needs {asked}; {_counted_disks(count, len(kinds))}. "
        "Change the disks, or choose another item."
    )
    alike: frozenset[int] | None = None
    if rule.equality == "all" and kinds:
        alike = frozenset(kinds)
    elif rule.equality == "each_multiple" and odd_kinds and not is_short:
        alike = frozenset(odd_kinds)
    fills = () if is_mixed or is_over else _free_slot(container, choices, alike)
    parts = last_of_each(choices, within=lambda each: each in disks)
    yield Broken("drives", choice.category_code, words, _distinct(subject, parts), fills, _lacking(rule, kinds))


def _lacking(rule: RuleFacts, kinds: Counter[int]) -> tuple[frozenset[int] | None, ...]:
    """Return what must be added at least, unless something is left out: for each disk the kinds that it may be of."""
    count, multiple = kinds.total(), rule.multiple_of or 1
    if rule.equality == "each_multiple":
        odd = [frozenset({kind}) for kind, number in kinds.items() for _ in range(-number % multiple)]
        return (*odd, *[None] * ((rule.minimum or 0) - count - len(odd)))
    number = max((rule.minimum or 0) - count, -count % multiple, 1)
    return (frozenset(kinds) if rule.equality == "all" and kinds else None,) * number


def _named(container: ContainerFacts, codes: frozenset[str]) -> list[CategoryFacts]:
    return [category for category in container.package.categories if category.category_code in codes]


def _free_slot(
    container: ContainerFacts, choices: Sequence[Chosen], item_ids: frozenset[int] | None, size: str = ""
) -> tuple[Fill, ...]:
    """Return the first disk slot that stands empty: which of equal slots is filled makes no difference."""
    taken = {choice.category_code for choice in choices}
    slots = [each for each in container.package.categories if each.slot is not None and each.category_code not in taken]
    slots.sort(key=lambda each: each.slot or 0)
    return tuple(Fill(each.category_code, item_ids, size) for each in slots[:1])


def _room(container: ContainerFacts, choices: Sequence[Chosen], *, size: str) -> tuple[Fill, ...]:
    """Return the categories that could take something of a size in; of the disk slots only the first free one."""
    others = tuple(
        Fill(category.category_code, size=size) for category in container.package.categories if category.slot is None
    )
    return (*others, *_free_slot(container, choices, None, size))


def _distinct(subject: int, parts: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys((subject, *parts)))


def _counted_disks(count: int, kinds: int) -> str:
    if count == 0:
        return "there is none"
    if count == 1:
        return "there is one"
    return f"there are {count}" + (f" of {kinds} kinds" if kinds > 1 else "")
