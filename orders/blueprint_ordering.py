"""An order from a blueprint in one call."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from accounts.models import Account, User
from catalog.models import Blueprint
from catalog.pricing import HOURS_PER_MONTH, Term
from core.errors import InputRefused, Violation
from orders.blueprint_offers import BlueprintOffer, BlueprintPage, blueprint_page
from orders.blueprint_roles import StoredRole
from orders.composing import Composition, order_compose
from orders.drafting import MOST_PIECES, hours_problems, name_problems, quantity_problems
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


@dataclass(frozen=True)
class BlueprintLook:
    """A blueprint as asked for, with everything that keeps it from being drafted so; numbers refused count as usual."""

    offer: BlueprintOffer
    problems: tuple[Violation, ...]
    page: BlueprintPage


def blueprint_look(*, account: Account, asked: BlueprintAsked, at: datetime) -> BlueprintLook:
    """Price, place and check one blueprint as asked for; raises Blueprint.DoesNotExist."""
    hours = HOURS_PER_MONTH if hours_problems(asked.hours_per_month) else asked.hours_per_month
    page = blueprint_page(
        account=account,
        location_key=asked.location_key,
        term=asked.term,
        hours_per_month=hours,
        at=at,
        key_name=asked.key_name,
        machines={
            role.name: role.quantity
            for role in asked.roles
            if role.name is not None and role.quantity is not None and role.quantity <= MOST_PIECES
        },
    )
    if not page.offers:
        raise Blueprint.DoesNotExist
    return BlueprintLook(page.offers[0], tuple(_problems(page.offers[0], asked)), page)


def blueprint_offer(*, account: Account, asked: BlueprintAsked, at: datetime) -> BlueprintOffer:
    """Price and check one blueprint; raises Blueprint.DoesNotExist, and InputRefused where it is not sold so."""
    look = blueprint_look(account=account, asked=asked, at=at)
    if look.problems:
        raise InputRefused(look.problems)
    return look.offer


def blueprint_problems(*, account: Account, asked: BlueprintAsked, at: datetime) -> list[Violation]:
    """Say everything that keeps a blueprint from becoming a draft as asked; raises Blueprint.DoesNotExist."""
    return list(blueprint_look(account=account, asked=asked, at=at).problems)


def order_of_blueprint(*, account: Account, user: User, asked: BlueprintAsked, now: datetime) -> BillingOrder:
    """Make a draft of all machines of a blueprint, under its own name unless told another one.

    A role that cannot be had on the term is taken on the other one. Raises Blueprint.DoesNotExist, and InputRefused
    with every problem at once.
    """
    offer = blueprint_offer(account=account, asked=asked, at=now)
    changes = {role.name: role for role in asked.roles}
    return order_compose(
        account=account,
        user=user,
        name=offer.name if asked.name is None else asked.name,
        hours_per_month=asked.hours_per_month,
        compositions=[_changed(composition, changes) for composition in offer.compositions],
        now=now,
    )


def _problems(offer: BlueprintOffer, asked: BlueprintAsked) -> list[Violation]:
    problems = [] if asked.name is None else name_problems(asked.name)
    problems += hours_problems(asked.hours_per_month)
    problems += [*_location_problems(offer, asked.location_key), *offer.not_sold]
    absent = {violation.field for violation in offer.not_sold}
    known = {role.name: role for role in offer.stored_roles}
    for change in asked.roles:
        role = known.get(change.name or "")
        if change.name is not None and role is None and f"roles.{change.name}" not in absent:
            words = f"{offer.name} has no role “{change.name}”. Its roles are: {', '.join(known)}."
            problems.append(Violation("role_unknown", f"{change.field}.name", words))
        if change.quantity is not None:
            problems += _quantity_problems(role, change.quantity, field=f"{change.field}.quantity")
        problems += host_name_problems(change.host_names, field=f"{change.field}.host_names")
    if not offer.roles:
        words = f"{offer.name} would have no machine. Ask for at least one."
        problems.append(Violation("blueprint_empty", "roles", words))
    return problems


def _quantity_problems(role: StoredRole | None, quantity: int, *, field: str) -> list[Violation]:
    if role and role.is_optional and quantity == 0:
        return []
    problems = quantity_problems(quantity, field=field)
    if problems or role is None or role.allows(quantity):
        return problems
    most = f" and at most {role.most:,}" if role.most is not None else ""
    none = ", or none" if role.is_optional else ""
    words = f"{role.name}: at least {role.least:,}{most}{none}, not {quantity:,}."
    return [Violation("role_out_of_range", field, words)]


def _location_problems(offer: BlueprintOffer, location_key: str) -> list[Violation]:
    elsewhere = [each for each in offer.compositions if location_key not in ("", each.location.key_name)]
    if not elsewhere:
        return []
    names = ", ".join(dict.fromkeys(each.package.name for each in elsewhere))
    words = f"{names}: not sold in “{location_key}”. Choose another location, or leave it out."
    return [Violation("location_not_sold", "location", words)]


def _changed(composition: Composition, changes: Mapping[str | None, RoleAsked]) -> Composition:
    change = changes.get(composition.item_name)
    return composition if change is None else replace(composition, host_names=change.host_names)
