"""Random valid containers of the shipped packages, made many at a time and put right by the rules that they break."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random

from accounts.models import Account
from catalog.containers import ContainerAnswer
from catalog.models import Item, Location, Package
from catalog.package_form import package_parts
from catalog.pricing import HOURS_PER_MONTH, Term
from catalog.services import ContainerQuestion, containers_check
from catalog.shelves import Place, shelves_of
from core.clock import now
from orders.composing import Choice, Composition
from orders.options import CategoryOptions, PackageOptions, package_options

ROUNDS = 8
QUANTITIES = (1, 1, 2, 3, 7, 16)


@dataclass(frozen=True)
class Candidate:
    """A container that somebody might order, chosen at random."""

    options: PackageOptions
    items: dict[int, Item]
    question: ContainerQuestion
    picks: dict[str, tuple[Item, ...]]

    def asked(self, picks: dict[str, tuple[Item, ...]]) -> "Candidate":
        choices = tuple((code, item) for code, items in picks.items() for item in items)
        return replace(self, picks=picks, question=replace(self.question, choices=choices))

    @property
    def composition(self) -> Composition:
        names = {one.category_code: one.name for one in self.options.categories}
        asked = self.question
        return Composition(
            item_name=f"{asked.package.name} in {asked.location.name}",
            package=asked.package,
            location=asked.location,
            term=Term(asked.term),
            quantity=asked.quantity,
            host_names="",
            choices=tuple(Choice(code, names[code], item) for code, item in asked.choices),
        )


def valid_containers(
    *, places: Sequence[tuple[Package, Place]], account: Account, random: Random, each: int, hours: Decimal
) -> list[tuple[Candidate, ContainerAnswer]]:
    """Return up to so many valid containers of each package at each place, on terms at which it is offered there."""
    waiting = list(_candidates(places, account=account, random=random, each=each))
    valid = []
    for _ in range(ROUNDS):
        answers = containers_check(
            account=account, questions=[one.question for one in waiting], at=now(), hours_per_month=hours
        )
        pairs = list(zip(waiting, answers, strict=True))
        valid += [(one, answer) for one, answer in pairs if not answer.violations]
        waiting = [_put_right(one, answer, random) for one, answer in pairs if answer.violations]
    return valid


def one_of_each_place_first(
    found: Sequence[tuple[Candidate, ContainerAnswer]],
) -> list[tuple[Candidate, ContainerAnswer]]:
    """Put one container of each package at each place before all the others."""
    first = {(one.question.package.pk, one.question.location.pk): (one, answer) for one, answer in reversed(found)}
    chosen = {id(one) for one, _ in first.values()}
    return [*first.values(), *(pair for pair in found if id(pair[0]) not in chosen)]


def _candidates(
    places: Sequence[tuple[Package, Place]], *, account: Account, random: Random, each: int
) -> Iterator[Candidate]:
    items, locations = Item.objects.in_bulk(), Location.objects.in_bulk()
    shelves = shelves_of(package_ids=[package.pk for package, _ in places])
    parts = {pk: package_parts(shelf=shelf, account=account, at=now()) for pk, shelf in shelves.items()}
    for package, place in places:
        for term in Term:
            options = package_options(
                parts=parts[package.pk], place=place, term=term, hours_per_month=HOURS_PER_MONTH, chosen=[]
            )
            if not all(any(one.is_offered for one in ask.options) for ask in options.categories if ask.is_required):
                continue
            for _ in range(each):
                question = ContainerQuestion(
                    package=package,
                    location=locations[place.location_id],
                    term=term.value,
                    choices=(),
                    quantity=random.choice(QUANTITIES),
                )
                picks = {ask.category_code: _picked(ask, items, random) for ask in options.categories}
                yield Candidate(options, items, question, {}).asked(
                    {code: some for code, some in picks.items() if some}
                )


def _picked(category: CategoryOptions, items: dict[int, Item], random: Random) -> tuple[Item, ...]:
    offered = [option for option in category.options if option.is_offered]
    if not offered or (not category.is_required and random.random() < 0.8):
        return ()
    return (items[random.choice(offered).item.pk],) * random.randint(1, category.quantity_limit)


def _put_right(candidate: Candidate, answer: ContainerAnswer, random: Random) -> Candidate:
    """Choose again, or leave out, where something is wrong."""
    picks = dict(candidate.picks)
    for code in {violation.field for violation in answer.violations}:
        category = candidate.options.category(code)
        if category is None:
            continue
        if category.is_required:
            picks[code] = _picked(category, candidate.items, random)
        else:
            picks.pop(code, None)
    return candidate.asked(picks)
