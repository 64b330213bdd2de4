"""Every blueprint with its price here and whether it can be ordered as it is: the page to start from."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Prefetch

from accounts.models import Account
from catalog.browsing import Place, locations_of
from catalog.models import BlueprintPart, BlueprintRole, Location, PackageConfiguration
from catalog.pricing import Term
from catalog.services import ContainerAnswer, ContainerQuestion, containers_check
from core.errors import Violation
from orders.compose_address import Asked
from orders.composing import Choice, Composition
from orders.options import value_of
from orders.totals import Totals, owed_for, totals_of

SOLUTIONS = "Solutions"


@dataclass(frozen=True)
class RoleOffer:
    """One kind of machine of a blueprint, as it can be had here."""

    composition: Composition
    totals: Totals
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


def blueprint_offers(
    *, account: Account, location_key: str, term: Term, hours_per_month: Decimal, at: datetime, key_name: str = ""
) -> list[BlueprintOffer]:
    """Price and check every blueprint, or the one of a key name, in a number of queries that does not grow with them.

    A role that is not sold in the location, or not on the term, is offered where and how it can be had.
    """
    roles = _roles(key_name)
    places = locations_of(package_ids={role.package_id for role in roles})
    usual = _usual_choices({role.package_id for role in roles})
    sold = [role for role in roles if places[role.package_id]]
    drafts = [
        _composition(role, _place(places[role.package_id], location_key), each, usual[role.package_id])
        for role in sold
        for each in Term
    ]
    answers = containers_check(
        account=account, hours_per_month=hours_per_month, questions=[_question(draft) for draft in drafts], at=at
    )
    by_blueprint: defaultdict[str, list[RoleOffer]] = defaultdict(list)
    for number, role in enumerate(sold):
        both = slice(number * len(Term), (number + 1) * len(Term))
        by_blueprint[role.blueprint.key_name].append(_role_offer(drafts[both], answers[both], term, account.currency))
    blueprints = {role.blueprint.key_name: role.blueprint for role in roles}
    offers = [
        BlueprintOffer(
            key_name=key,
            name=blueprint.name,
            description=blueprint.description,
            roles=tuple(by_blueprint[key]),
            totals=sum((offer.totals for offer in by_blueprint[key]), start=totals_of([], currency=account.currency)),
        )
        for key, blueprint in blueprints.items()
        if by_blueprint[key]
    ]
    return sorted(offers, key=lambda offer: (offer.kind != SOLUTIONS, offer.kind))


def _roles(key_name: str) -> list[BlueprintRole]:
    parts = BlueprintPart.objects.select_related("category", "item")
    roles = BlueprintRole.objects.filter(package__is_active=True)
    if key_name:
        roles = roles.filter(blueprint__key_name=key_name)
    return list(
        roles.select_related("blueprint", "package")
        .prefetch_related(Prefetch("parts", parts))
        .order_by("blueprint__name", "blueprint_id", "sequence", "pk")
    )


def _usual_choices(package_ids: Iterable[int]) -> defaultdict[int, list[Choice]]:
    """Return what each package takes where it requires something and nobody chose."""
    rows = PackageConfiguration.objects.filter(
        package_id__in=list(package_ids), is_required=True, default_item__isnull=False
    )
    found: defaultdict[int, list[Choice]] = defaultdict(list)
    for row in rows.select_related("category", "default_item"):
        if row.default_item:
            found[row.package_id].append(Choice(row.category.category_code, row.category.name, row.default_item))
    return found


def _place(places: Sequence[Place], key_name: str) -> Place:
    return next((place for place in places if place.key_name == key_name), places[0])


def _composition(role: BlueprintRole, place: Place, term: Term, usual: Sequence[Choice]) -> Composition:
    named = [Choice(part.category.category_code, part.category.name, part.item) for part in role.parts.all()]
    codes = {choice.category_code for choice in named}
    return Composition(
        item_name=role.name,
        package=role.package,
        location=Location(pk=place.location_id, key_name=place.key_name, name=place.name),
        term=term,
        quantity=role.quantity,
        host_names="",
        choices=(*named, *(choice for choice in usual if choice.category_code not in codes)),
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
    return RoleOffer(draft, totals_of(owed, currency=currency), answer.violations)


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
