"""Every blueprint with its price here and whether it can be ordered as it is: the page to start from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from accounts.models import Account
from catalog.blueprint_placement import Placement
from catalog.models import Item, Location
from catalog.pricing import Term
from catalog.services import ContainerAnswer, ContainerQuestion, orders_check
from catalog.shelves import Place
from core.errors import Violation
from core.money import Total
from orders.blueprint_roles import PlacedRoles, StoredRole, roles_placed, roles_stored
from orders.compose_address import Asked
from orders.composing import Choice, Composition
from orders.options import value_of
from orders.totals import Totals, hourly_of, owed_for, totals_of

SOLUTIONS = "Solutions"


def part_words(choices: Iterable[Choice]) -> list[str]:
    """Name parts in words: "4 × 600 GB SAS (15K RPM)"; equal parts of several slots together."""
    counts = Counter(choice.item.description for choice in choices)
    return [words if count == 1 else f"{count} × {words}" for words, count in counts.items()]


@dataclass(frozen=True)
class RoleOffer:
    """One kind of machine of a blueprint, as it can be had here."""

    composition: Composition
    totals: Totals
    hourly: Total
    violations: tuple[Violation, ...]

    @property
    def parts(self) -> list[str]:
        """What is in one machine, in words."""
        return part_words(self.composition.choices)


@dataclass(frozen=True)
class BlueprintOffer:
    """A blueprint under the conditions of the page. A preset, which has one role, can be changed in the composer.

    Its `roles` are those that have machines; `stored_roles` are all whose packages are sold, `not_sold` the others.
    """

    key_name: str
    name: str
    description: str
    roles: tuple[RoleOffer, ...]
    totals: Totals
    stored_roles: tuple[StoredRole, ...]
    not_sold: tuple[Violation, ...]
    placement: Placement[Item]

    @property
    def kind(self) -> str:
        """Under which heading it stands: with the others of its package, or with the solutions."""
        return self.stored_roles[0].shelf.package.name if self.is_preset else SOLUTIONS

    @property
    def is_preset(self) -> bool:
        return len(self.stored_roles) + len(self.not_sold) == 1

    @property
    def service_count(self) -> int:
        """How many services stand on its machines."""
        return sum(len(rules) for rules in self.placement.services.values())

    @property
    def hourly(self) -> Total:
        """What its hourly machines cost an hour."""
        return sum((role.hourly for role in self.roles), start=hourly_of([], currency=self.totals.currency))

    @property
    def violations(self) -> tuple[Violation, ...]:
        found = (violation for role in self.roles for violation in role.violations)
        return (*self.not_sold, *found, *self.placement.violations)

    @property
    def is_valid(self) -> bool:
        return not self.violations

    @property
    def compositions(self) -> tuple[Composition, ...]:
        return tuple(role.composition for role in self.roles)

    def compose_url(self, order_id: int | None) -> str:
        """Return the composer's address with the choices of a preset, for a draft or a new one; "" for a solution."""
        if not self.is_preset:
            return ""
        return _address(self.roles[0].composition, order_id).url


@dataclass(frozen=True)
class BlueprintPage:
    """The offers, and every location in which one of their machines is sold, by name."""

    offers: tuple[BlueprintOffer, ...]
    places: tuple[Place, ...]


def blueprint_offers(
    *,
    account: Account,
    location_key: str,
    term: Term,
    hours_per_month: Decimal,
    at: datetime,
    key_name: str = "",
    machines: Mapping[str, int] | None = None,
) -> list[BlueprintOffer]:
    """Price and check every blueprint, or the one of a key name, in a number of queries that does not grow with them.

    A role that is not sold in the location, or not on the term, is offered where and how it can be had. `machines`
    says how many machines roles get, by their names; a number that a role may not have leaves it as it is.
    """
    page = blueprint_page(
        account=account,
        location_key=location_key,
        term=term,
        hours_per_month=hours_per_month,
        at=at,
        key_name=key_name,
        machines=machines,
    )
    return list(page.offers)


def blueprint_page(
    *,
    account: Account,
    location_key: str,
    term: Term,
    hours_per_month: Decimal,
    at: datetime,
    key_name: str = "",
    machines: Mapping[str, int] | None = None,
) -> BlueprintPage:
    """Return the offers as `blueprint_offers` does, with the places to choose from, in the same queries."""
    stored = roles_stored(key_name)
    blueprints = list(roles_placed(stored, machines or {}))
    drafts = [
        [_composition(role, location_key, each) for role in blueprint.present]
        for blueprint in blueprints
        for each in Term
    ]
    answers = orders_check(
        account=account,
        hours_per_month=hours_per_month,
        orders=[[_question(draft) for draft in same] for same in drafts],
        at=at,
    )
    # What is left in stock does not depend on the term: a blueprint on each one stands for any mix of them.
    on_a_term = iter([list(zip(*pair, strict=True)) for pair in zip(drafts, answers, strict=True)])
    offers = [
        _offer(blueprint, list(zip(*[next(on_a_term) for _ in Term], strict=True)), term, account.currency)
        for blueprint in blueprints
    ]
    places = {place.key_name: place for role in stored for place in role.shelf.places}
    return BlueprintPage(
        offers=tuple(sorted(offers, key=lambda offer: (offer.kind != SOLUTIONS, offer.kind))),
        places=tuple(sorted(places.values(), key=lambda place: place.name)),
    )


def _offer(
    blueprint: PlacedRoles, answers: Sequence[Sequence[tuple[Composition, ContainerAnswer]]], term: Term, currency: str
) -> BlueprintOffer:
    first = blueprint.roles[0]
    roles = tuple(_role_offer(both, term, currency) for both in answers)
    return BlueprintOffer(
        key_name=first.blueprint_key,
        name=first.blueprint_name,
        description=first.blueprint_description,
        roles=roles,
        totals=sum((offer.totals for offer in roles), start=totals_of([], currency=currency)),
        stored_roles=blueprint.roles,
        not_sold=blueprint.not_sold,
        placement=blueprint.placement,
    )


def _composition(role: StoredRole, location_key: str, term: Term) -> Composition:
    place = role.shelf.place(location_key) or role.shelf.places[0]
    return Composition(
        item_name=role.name,
        package=role.shelf.package,
        location=Location(pk=place.location_id, key_name=place.key_name, name=place.name),
        term=term,
        quantity=role.quantity,
        host_names="",
        choices=role.choices,
    )


def _question(composition: Composition) -> ContainerQuestion:
    choices = tuple((choice.category_code, choice.item) for choice in composition.choices)
    return ContainerQuestion(
        composition.package,
        composition.location,
        composition.term.value,
        choices,
        quantity=composition.quantity,
    )


def _role_offer(both: Sequence[tuple[Composition, ContainerAnswer]], term: Term, currency: str) -> RoleOffer:
    """Take the role on the term asked for; on the other one where only that can be had."""
    draft, answer = min(both, key=lambda pair: (bool(pair[1].violations), pair[0].term is not term))
    owed = (owed_for(price=line.price, quantity=draft.quantity) for line in answer.lines)
    rates = ((line.price.rate, draft.quantity) for line in answer.lines if draft.term is Term.HOURLY)
    return RoleOffer(draft, totals_of(owed, currency=currency), hourly_of(rates, currency=currency), answer.violations)


def _address(composition: Composition, order_id: int | None) -> Asked:
    asked = Asked(
        package=composition.package.key_name,
        location=composition.location.key_name,
        term=composition.term.value,
        quantity=str(composition.quantity),
        name=composition.item_name,
        order=str(order_id or ""),
    )
    return asked.with_choices((choice.category_code, value_of(choice.item)) for choice in composition.choices)
