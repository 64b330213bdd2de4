"""Looking for the cheapest repair of each container that breaks a rule, among everything its package offers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from catalog.container_facts import Chosen, ContainerFacts, ItemFacts
from catalog.containers import CategoryChange, ContainerAnswer, ContainerQuestion, ContainerRepair
from catalog.desk import Desk, Examined, StockLeft
from catalog.models import Item, Location
from catalog.repairing import Mended, changed_categories, cheapest_repair
from catalog.rules import broken_choices
from core.money import Money

BEYOND_REPAIR = frozenset({"package_not_sold", "term_unknown"})


@dataclass(frozen=True)
class _Cure:
    """An orderable container beside the one that was asked for. `moved` and `fewer` say what else had to change."""

    examined: Examined
    mended: Mended
    moved: Location | None
    fewer: int | None


def with_repairs(
    *, examined: Sequence[Examined], answers: Sequence[ContainerAnswer], desk: Desk, is_one_order: bool
) -> list[ContainerAnswer]:
    """Return the answers with the repairs that were asked for, in three more queries where there is any to look for."""
    broken = [
        each.question
        for each, answer in zip(examined, answers, strict=True)
        if each.question.wants_repairs and answer.violations
    ]
    if not broken:
        return list(answers)
    places = _places_of(broken, answers)
    workshop = desk.with_everything_of(broken, location_ids=places.keys())
    stock = StockLeft(workshop.facts.stock, is_shared=is_one_order)
    found = []
    for each, answer in zip(examined, answers, strict=True):
        question, choices = each.question, each.choices
        if question.wants_repairs and answer.violations:
            cure = _cure(question, answer, workshop, stock, places)
            if cure is not None:
                answer = _told(answer, each, cure)
                question, choices = cure.examined.question, cure.mended.choices
        stock.use(location_id=question.location.pk, quantity=question.quantity, choices=choices)
        found.append(answer)
    return found


def _places_of(broken: Sequence[ContainerQuestion], answers: Sequence[ContainerAnswer]) -> dict[int, Location]:
    """Return the locations of these containers, and where else they are sold if one is in a wrong place."""
    known = {question.location.pk: question.location for question in broken}
    if any(violation.code == "location_not_sold" for answer in answers for violation in answer.violations):
        others = Location.objects.filter(packages__in=[question.package for question in broken])
        known |= {location.pk: location for location in others}
    return known


def _cure(
    question: ContainerQuestion,
    answer: ContainerAnswer,
    workshop: Desk,
    stock: StockLeft,
    places: Mapping[int, Location],
) -> _Cure | None:
    codes = {violation.code for violation in answer.violations}
    if codes & BEYOND_REPAIR:
        return None
    moved = fewer = None
    if "location_not_sold" in codes:
        moved = _best_place(question, workshop, stock, places)
        if moved is None:
            return None
        question = replace(question, location=moved)
    examined = workshop.examine(question, stock)
    found = mended(examined)
    if found is None:
        fewer = _pieces_left(examined)
        if fewer:
            examined = workshop.examine(replace(question, quantity=fewer), stock)
            found = mended(examined)
    return _Cure(examined, found, moved, fewer) if found else None


def mended(examined: Examined) -> Mended | None:
    """Return the container with its cheapest repair, from the items that the desk knows of its package."""
    return cheapest_repair(
        container=examined.container,
        choices=examined.choices,
        prices=examined.prices,
        candidates=_candidates(examined.container, examined.items_offered),
    )


def _candidates(container: ContainerFacts, items: Sequence[ItemFacts]) -> dict[str, list[ItemFacts]]:
    by_code: defaultdict[str, dict[int, ItemFacts]] = defaultdict(dict)
    for item in items:
        for code in item.category_codes:
            by_code[code][item.item_id] = item
    return {
        category.category_code: list({k: v for code in category.filled_by for k, v in by_code[code].items()}.values())
        for category in container.package.categories
    }


def _best_place(
    question: ContainerQuestion, workshop: Desk, stock: StockLeft, places: Mapping[int, Location]
) -> Location | None:
    """Return where the container breaks the fewest rules as it is; of several such where it costs least."""
    ranked = []
    for location_id in workshop.facts.packages[question.package.pk].location_ids:
        place = places[location_id]
        examined = workshop.examine(replace(question, location=place), stock)
        prices, waiting = examined.prices.of(examined.choices)
        broken = broken_choices(examined.container, examined.choices, prices, waiting)
        cost = sum((price.monthly.amount for price in prices if price.monthly), Decimal(0))
        ranked.append((len(broken), cost, place.key_name, location_id))
    return places[min(ranked)[3]] if ranked else None


def _pieces_left(examined: Examined) -> int | None:
    """Return for how many pieces the stock is enough; None where there is enough, or none at all."""
    counts: defaultdict[int, int] = defaultdict(int)
    for chosen in examined.choices:
        counts[chosen.item.item_id] += 1
    stock = examined.container.stock
    most = min((stock[item] // count for item, count in counts.items() if item in stock), default=0)
    return most if 0 < most < examined.question.quantity else None


def _told(answer: ContainerAnswer, before: Examined, cure: _Cure) -> ContainerAnswer:
    """Put the repair of each violation beside it: the changes that were made because of it."""
    changes = {code: _change(before, cure, code) for code in changed_categories(before.choices, cure.mended.choices)}
    whole = _repair(before, cure, list(changes.values()))
    if cure.moved or cure.fewer:
        return replace(answer, repairs=tuple(whole for _ in answer.violations), repair=whole)
    repairs = []
    for codes in cure.mended.mends:
        repairs.append(_repair(before, cure, [change for code, change in changes.items() if code in codes]))
    return replace(answer, repairs=tuple(repairs), repair=whole)


def _change(before: Examined, cure: _Cure, code: str) -> CategoryChange:
    category = before.container.package.by_code.get(code)
    return CategoryChange(
        category_code=code,
        category_name=category.name if category else code,
        before=_items_in(before.choices, code),
        after=_items_in(cure.mended.choices, code),
    )


def _items_in(choices: Sequence[Chosen], code: str) -> tuple[Item, ...]:
    return tuple(
        Item(pk=chosen.item.item_id, key_name=chosen.item.key_name, description=chosen.item.description)
        for chosen in choices
        if chosen.category_code == code
    )


def _repair(before: Examined, cure: _Cure, changes: Sequence[CategoryChange]) -> ContainerRepair:
    codes = {change.category_code for change in changes}
    old = _monthly(before, before.choices, codes)
    new = _monthly(cure.examined, cure.mended.choices, codes)
    is_comparable = cure.moved is None and cure.fewer is None
    return ContainerRepair(
        changes=tuple(changes),
        location=cure.moved,
        quantity=cure.fewer,
        monthly=new + old * -1 if is_comparable and new is not None and old is not None else None,
    )


def _monthly(examined: Examined, choices: Sequence[Chosen], codes: set[str]) -> Money | None:
    """Return what the choices of these categories cost for all pieces; None where a price of them is unknown."""
    prices, _ = examined.prices.of(choices)
    total = Money.zero(examined.currency)
    for chosen, price in zip(choices, prices, strict=True):
        if chosen.category_code in codes:
            if price.monthly is None:
                return None
            total += (price.monthly * examined.question.quantity).owed()
    return total
