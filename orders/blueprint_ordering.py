"""An order from a blueprint in one call."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from accounts.models import Account, User
from catalog.models import Blueprint
from catalog.pricing import HOURS_PER_MONTH, Term
from core.errors import InputRefused, Violation
from orders.blueprint_offers import BlueprintOffer, blueprint_offers
from orders.composing import Composition, order_compose
from orders.drafting import hours_problems, name_problems, quantity_problems
from orders.host_names import host_name_problems
from orders.models import BillingOrder


@dataclass(frozen=True)
class RoleAsked:
    """What is to be otherwise in one role of a blueprint; None leaves its number of machines as it is."""

    field: str
    name: str | None
    quantity: int | None = None
    host_names: str = ""


@dataclass(frozen=True)
class BlueprintAsked:
    """A blueprint as somebody wants it. Without a location each role stands where its package is sold first."""

    key_name: str
    name: str | None = None
    location_key: str = ""
    term: Term = Term.MONTHLY
    hours_per_month: Decimal = HOURS_PER_MONTH
    roles: tuple[RoleAsked, ...] = ()


def blueprint_offer(*, account: Account, asked: BlueprintAsked, at: datetime) -> BlueprintOffer:
    """Price and check one blueprint; raises Blueprint.DoesNotExist, and InputRefused where it is not sold."""
    offer = _offer(account, asked, at)
    problems = _location_problems(offer, asked.location_key)
    if problems:
        raise InputRefused(tuple(problems))
    return offer


def blueprint_problems(*, account: Account, asked: BlueprintAsked, at: datetime) -> list[Violation]:
    """Say everything that keeps a blueprint from becoming a draft as asked; raises Blueprint.DoesNotExist."""
    return _problems(_offer(account, asked, at), asked)


def order_of_blueprint(*, account: Account, user: User, asked: BlueprintAsked, now: datetime) -> BillingOrder:
    """Make a draft of all machines of a blueprint, under its own name unless told another one.

    A role that cannot be had on the term is taken on the other one. Raises Blueprint.DoesNotExist, and InputRefused
    with every problem at once.
    """
    offer = _offer(account, asked, now)
    problems = _problems(offer, asked)
    if problems:
        raise InputRefused(tuple(problems))
    changes = {role.name: role for role in asked.roles}
    return order_compose(
        account=account,
        user=user,
        name=offer.name if asked.name is None else asked.name,
        hours_per_month=asked.hours_per_month,
        compositions=[_changed(composition, changes) for composition in offer.compositions],
        now=now,
    )


def _offer(account: Account, asked: BlueprintAsked, at: datetime) -> BlueprintOffer:
    hours = HOURS_PER_MONTH if hours_problems(asked.hours_per_month) else asked.hours_per_month
    offers = blueprint_offers(
        account=account,
        location_key=asked.location_key,
        term=asked.term,
        hours_per_month=hours,
        at=at,
        key_name=asked.key_name,
    )
    if not offers:
        raise Blueprint.DoesNotExist
    return offers[0]


def _problems(offer: BlueprintOffer, asked: BlueprintAsked) -> list[Violation]:
    problems = [] if asked.name is None else name_problems(asked.name)
    problems += hours_problems(asked.hours_per_month)
    problems += _location_problems(offer, asked.location_key)
    known = [composition.item_name for composition in offer.compositions]
    for role in asked.roles:
        if role.name not in (None, *known):
            words = f"{offer.name} has no role “{role.name}”. Its roles are: {', '.join(known)}."
            problems.append(Violation("role_unknown", f"{role.field}.name", words))
        if role.quantity is not None:
            problems += quantity_problems(role.quantity, field=f"{role.field}.quantity")
        problems += host_name_problems(role.host_names, field=f"{role.field}.host_names")
    return problems


def _location_problems(offer: BlueprintOffer, location_key: str) -> list[Violation]:
    elsewhere = [each for each in offer.compositions if location_key not in ("", each.location.key_name)]
    if not elsewhere:
        return []
    names = ", ".join(dict.fromkeys(each.package.name for each in elsewhere))
    words = f"{names}: not sold in “{location_key}”. Choose another location, or leave it out."
    return [Violation("location_not_sold", "location", words)]


def _changed(composition: Composition, changes: Mapping[str | None, RoleAsked]) -> Composition:
    change = changes.get(composition.item_name)
    if change is None:
        return composition
    quantity = composition.quantity if change.quantity is None else change.quantity
    return replace(composition, quantity=quantity, host_names=change.host_names)
