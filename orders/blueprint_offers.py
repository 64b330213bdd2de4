"""Every blueprint with its price here and whether it can be ordered as it is: the page to start from."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import OuterRef, Subquery

from accounts.models import Account
from catalog.models import BlueprintPart, BlueprintRole, Item, ItemAttribute, Location
from catalog.pricing import Term
from catalog.services import ContainerAnswer, ContainerQuestion, containers_check
from catalog.shelf_items import RACK_UNITS, item_words
from catalog.shelves import Place, Shelf, shelves_on_sale
from core.errors import Violation
from core.json_rows import JsonRows
from core.money import Total
from orders.compose_address import Asked
from orders.composing import Choice, Composition
from orders.options import value_of
from orders.totals import Totals, hourly_of, owed_for, totals_of

SOLUTIONS = "Solutions"


@dataclass(frozen=True)
class RoleOffer:
    """One kind of machine of a blueprint, as it can be had here."""

    composition: Composition
    totals: Totals
    hourly: Total
    violations: tuple[Violation, ...]

    @property
    def parts(self) -> list[str]:
        """What is in one machine: "4 × 600 GB SAS (15K RPM)"; equal parts of several slots together."""
        counts: defaultdict[str, int] = defaultdict(int)
        for choice in self.composition.choices:
            counts[choice.item.description] += 1
        return [words if count == 1 else f"{count} × {words}" for words, count in counts.items()]


@dataclass(frozen=True)
class BlueprintOffer:
    """A blueprint under the conditions of the page. A preset, which has one role, can be changed in the composer."""

    key_name: str
    name: str
    description: str
    roles: tuple[RoleOffer, ...]
    totals: Totals

    @property
    def kind(self) -> str:
        """Under which heading it stands: with the others of its package, or with the solutions."""
        return self.roles[0].composition.package.name if len(self.roles) == 1 else SOLUTIONS

    @property
    def hourly(self) -> Total:
        """What its hourly machines cost an hour."""
        return sum((role.hourly for role in self.roles), start=hourly_of([], currency=self.totals.currency))

    @property
    def violations(self) -> tuple[Violation, ...]:
        return tuple(violation for role in self.roles for violation in role.violations)

    @property
    def is_valid(self) -> bool:
        return not self.violations

    @property
    def compositions(self) -> tuple[Composition, ...]:
        return tuple(role.composition for role in self.roles)

    def compose_url(self, order_id: int | None) -> str:
        """Return the composer's address with the choices of a preset, for a draft or a new one; "" for a solution."""
        if len(self.roles) != 1:
            return ""
        return _address(self.roles[0].composition, order_id).url


@dataclass(frozen=True)
class BlueprintPage:
    """The offers, and every location in which one of their machines is sold, by name."""

    offers: tuple[BlueprintOffer, ...]
    places: tuple[Place, ...]


def blueprint_offers(
    *, account: Account, location_key: str, term: Term, hours_per_month: Decimal, at: datetime, key_name: str = ""
) -> list[BlueprintOffer]:
    """Price and check every blueprint, or the one of a key name, in a number of queries that does not grow with them.

    A role that is not sold in the location, or not on the term, is offered where and how it can be had.
    """
    roles = _roles(key_name)
    offers = _offers(roles, account=account, location_key=location_key, term=term, hours=hours_per_month, at=at)
    return list(offers)


def blueprint_page(
    *, account: Account, location_key: str, term: Term, hours_per_month: Decimal, at: datetime
) -> BlueprintPage:
    """Return all offers as `blueprint_offers` does, with the places to choose from, in the same queries."""
    roles = _roles("")
    offers = _offers(roles, account=account, location_key=location_key, term=term, hours=hours_per_month, at=at)
    found = {place.key_name: place for role in roles for place in role.shelf.places}
    return BlueprintPage(tuple(offers), tuple(sorted(found.values(), key=lambda place: place.name)))


def _offers(
    roles: Sequence["_Role"], *, account: Account, location_key: str, term: Term, hours: Decimal, at: datetime
) -> list[BlueprintOffer]:
    drafts = [_composition(role, location_key, each) for role in roles for each in Term]
    answers = containers_check(
        account=account, hours_per_month=hours, questions=[_question(draft) for draft in drafts], at=at
    )
    by_blueprint: defaultdict[str, list[RoleOffer]] = defaultdict(list)
    for number, role in enumerate(roles):
        both = slice(number * len(Term), (number + 1) * len(Term))
        by_blueprint[role.blueprint_key].append(_role_offer(drafts[both], answers[both], term, account.currency))
    first = {role.blueprint_key: role for role in reversed(roles)}
    offers = [
        BlueprintOffer(
            key_name=key,
            name=first[key].blueprint_name,
            description=first[key].blueprint_description,
            roles=tuple(found),
            totals=sum((offer.totals for offer in found), start=totals_of([], currency=account.currency)),
        )
        for key, found in by_blueprint.items()
    ]
    return sorted(offers, key=lambda offer: (offer.kind != SOLUTIONS, offer.kind))


@dataclass(frozen=True)
class _Role:
    """One role of a blueprint, of a package that is sold somewhere."""

    shelf: Shelf
    blueprint_name: str
    blueprint_key: str
    sequence: int
    role_id: int
    name: str
    quantity: int
    blueprint_description: str
    choices: tuple[Choice, ...]


def _roles(key_name: str) -> list[_Role]:
    """Return the roles with what they name, and what the package takes besides, in one query."""
    units = ItemAttribute.objects.filter(item=OuterRef("item"), name=RACK_UNITS)
    parts = BlueprintPart.objects.filter(role=OuterRef("pk")).order_by("pk")
    roles = BlueprintRole.objects.filter(package=OuterRef("pk"))
    asked = roles.filter(blueprint__key_name=key_name) if key_name else roles
    shelves = shelves_on_sale(
        role_rows=JsonRows(
            asked.order_by("pk"),
            *("blueprint__name", "blueprint__key_name", "sequence", "pk", "name", "quantity"),
            "blueprint__description",
            JsonRows(
                parts,
                *("category__category_code", "category__name"),
                *("item_id", "item__key_name", "item__description"),
                Subquery(units.values("value")),
            ),
        )
    )
    found = [
        _role(shelf, row, part_rows) for shelf in shelves if shelf.places for *row, part_rows in shelf.rows("role_rows")
    ]
    return sorted(found, key=lambda role: (role.blueprint_name, role.blueprint_key, role.sequence, role.role_id))


def _role(shelf: Shelf, row: Sequence[Any], part_rows: Iterable[Sequence[Any]]) -> _Role:
    blueprint_name, blueprint_key, sequence, role_id, name, quantity, description = row
    choices = _choices(shelf, part_rows)
    return _Role(shelf, blueprint_name, blueprint_key, sequence, role_id, name, quantity, description, choices)


def _choices(shelf: Shelf, part_rows: Iterable[Sequence[Any]]) -> tuple[Choice, ...]:
    """Return the parts that a role names, and the package's own where it requires something and nobody chose."""
    named = [_choice(*row) for row in part_rows]
    codes = {choice.category_code for choice in named}
    usual = (
        _choice(row.category_code, row.name, row.default_item_id, row.default_key_name, row.default_description)
        for row in shelf.categories
        if row.is_required and row.default_item_id and row.category_code not in codes
    )
    return (*named, *usual)


def _choice(
    category_code: str,
    category_name: str,
    item_id: int,
    key_name: str,
    description: str,
    rack_units: str | None = None,
) -> Choice:
    item = Item(pk=item_id, key_name=key_name, description=item_words(description, rack_units))
    return Choice(category_code, category_name, item)


def _composition(role: _Role, location_key: str, term: Term) -> Composition:
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
    return ContainerQuestion(composition.package, composition.location, composition.term.value, choices)


def _role_offer(
    drafts: Sequence[Composition], answers: Sequence[ContainerAnswer], term: Term, currency: str
) -> RoleOffer:
    """Take the role on the term asked for; on the other one where only that can be had."""
    draft, answer = min(
        zip(drafts, answers, strict=True), key=lambda pair: (bool(pair[1].violations), pair[0].term is not term)
    )
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
