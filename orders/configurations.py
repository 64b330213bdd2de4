"""Configurations: whatever can be shown to others or set beside another, under one short reference.

order:12                              an order, or a draft
container:34                          one container of an order
blueprint:web-tier:ams01:monthly      a preset or solution in a location on a term; without these, where it is first
blueprint:web-tier:ams01:monthly:web=3  the same with so many machines of a role
composed:package=…&term=…             what stands in the composer, by the query of its address
shared:TOKEN                          a configuration that somebody of the same partner shared
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.http import QueryDict

from accounts.models import Account
from catalog.models import Package
from catalog.pricing import HOURS_PER_MONTH, Term
from catalog.shelves import shelf_of
from core.errors import InputRefused
from orders.blueprint_offers import BlueprintOffer, blueprint_offers
from orders.compose_address import Asked, asked_in
from orders.composer import NotSoldAnywhere, compose
from orders.composing import Composition
from orders.documents import from_document, to_document
from orders.drafting import draft_check
from orders.drafts import draft_for
from orders.models import BillingOrder, OrderContainer, SharedConfiguration
from orders.quote_document import document_of
from orders.selectors import OrderTree, item_node, order_node, order_tree
from orders.sharing import shared_by_token

Json = dict[str, Any]
LONGEST_NUMBER = 18
NO_KEY_NAME = "-"
"""Finds no blueprint; an empty one would find all."""


class NoConfiguration(Exception):
    """A reference leads to nothing that this account may see."""


@dataclass(frozen=True)
class Configuration:
    """What is configured, as programs would order it, with its lines and totals at the prices that it has now."""

    reference: str
    name: str
    asked: Json
    document: Json


def configuration_of(*, reference: str, account: Account, at: datetime) -> Configuration:
    """Return what a reference stands for.

    Raises NoConfiguration, RuleBroken where a draft is none any more, and InputRefused for a composition that cannot
    be kept as it is.
    """
    kind, _, rest = reference.partition(":")
    match kind:
        case "order":
            tree = _tree(_number(rest), account=account)
            return _of_tree(reference, tree, name=f"{tree.order}: {tree.order.name}")
        case "container":
            return _of_container(reference, _number(rest), account=account)
        case "blueprint":
            return _of_blueprint(reference, rest, account=account, at=at)
        case "composed":
            return _of_composed(reference, asked_in(QueryDict(rest)), account=account, at=at)
        case "shared":
            return _of_shared(reference, rest, account=account, at=at)
    raise NoConfiguration


def blueprint_reference(offer: BlueprintOffer, *, location_key: str, term: Term) -> str:
    """Return the reference of a preset or solution with its machines, under the conditions of its page."""
    machines = {role.name: 0 for role in offer.stored_roles}
    machines |= {each.item_name: each.quantity for each in offer.compositions}
    return f"blueprint:{offer.key_name}:{location_key}:{term}:{urlencode(machines)}"


def composed_reference(asked: Asked) -> str:
    """Return the reference of what the composer's address describes."""
    return f"composed:{asked.query()}"


def _of_tree(reference: str, tree: OrderTree, *, name: str) -> Configuration:
    return Configuration(reference, name, asked=to_document(tree), document=document_of(tree))


def _of_container(reference: str, container_id: int, *, account: Account) -> Configuration:
    order_ids = OrderContainer.objects.filter(pk=container_id).values_list("order_item__order_id", flat=True)
    tree = _tree(next(iter(order_ids), 0), account=account)
    item, node = next(
        (item, node) for item in tree.items for node in item.containers if node.container.pk == container_id
    )
    alone = item_node(item.item, containers=[node], field=item.field, currency=tree.order.currency)
    container = node.container
    name = f"{container.quantity:,} × {item.item.name} of {tree.order}"
    return _of_tree(reference, order_node(tree.order, items=[alone]), name=name)


def _of_blueprint(reference: str, rest: str, *, account: Account, at: datetime) -> Configuration:
    key_name, _, where = rest.partition(":")
    location_key, _, how = where.partition(":")
    word, _, sizes = how.partition(":")
    if word not in ("", *Term):
        raise NoConfiguration
    offers = blueprint_offers(
        account=account,
        location_key=location_key,
        term=Term(word or Term.MONTHLY),
        hours_per_month=HOURS_PER_MONTH,
        at=at,
        key_name=key_name or NO_KEY_NAME,
        machines={name: _number(count) for name, count in parse_qsl(sizes)},
    )
    if not offers:
        raise NoConfiguration
    offer = offers[0]
    places = ", ".join(dict.fromkeys(each.location.name for each in offer.compositions))
    terms = ", ".join(dict.fromkeys(str(each.term) for each in offer.compositions))
    return _of_compositions(
        reference,
        offer.compositions,
        name=f"{offer.name} in {places}, {terms}",
        hours_per_month=HOURS_PER_MONTH,
        account=account,
        at=at,
    )


def _of_composed(reference: str, asked: Asked, *, account: Account, at: datetime) -> Configuration:
    try:
        draft = draft_for(order_id=_number(asked.order), account_id=account.pk) if asked.order else None
        composed = compose(asked=asked, shelf=shelf_of(key_name=asked.package), account=account, draft=draft, at=at)
    except (BillingOrder.DoesNotExist, Package.DoesNotExist, NotSoldAnywhere):
        raise NoConfiguration from None
    composition = composed.composition
    if composition is None:
        raise InputRefused(composed.refusals)
    return _of_compositions(
        reference,
        [composition],
        name=f"{composition.quantity:,} × {composition.item_name}, composed",
        hours_per_month=composed.hours_per_month,
        promotion_code=draft.order.promotion_code if draft else composed.promotion_code,
        account=account,
        at=at,
    )


def _of_shared(reference: str, token: str, *, account: Account, at: datetime) -> Configuration:
    try:
        shared = shared_by_token(token=token, partner_id=account.partner_id, at=at)
    except SharedConfiguration.DoesNotExist:
        raise NoConfiguration from None
    return Configuration(reference, f"{shared.name}, as shared", asked=shared.asked, document=shared.document)


def _of_compositions(
    reference: str,
    compositions: Sequence[Composition],
    *,
    name: str,
    hours_per_month: Decimal,
    account: Account,
    at: datetime,
    promotion_code: str = "",
) -> Configuration:
    """Price compositions as an order of them would be, without storing anything."""
    asked: Json = {
        "name": name[:120],
        "hours_per_month": f"{hours_per_month.normalize():f}",
        "promotion_code": promotion_code,
        "items": [{"name": each.item_name, "containers": [_container(each)]} for each in compositions],
    }
    check = draft_check(account=account, asked=from_document(asked), now=at)
    if check.problems:
        raise InputRefused(check.problems)
    return Configuration(reference, name, asked=asked, document=document_of(check.tree))


def _container(composition: Composition) -> Json:
    counts = Counter((choice.category_code, choice.item.pk) for choice in composition.choices)
    return {
        "package": composition.package.key_name,
        "location": composition.location.key_name,
        "term": str(composition.term),
        **({"contract_months": composition.contract_months} if composition.contract_months else {}),
        "quantity": composition.quantity,
        "parts": [{"category": code, "item_id": item_id, "count": count} for (code, item_id), count in counts.items()],
    }


def _tree(order_id: int, *, account: Account) -> OrderTree:
    try:
        return order_tree(order_id=order_id, account_id=account.pk)
    except BillingOrder.DoesNotExist:
        raise NoConfiguration from None


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER):
        raise NoConfiguration
    return int(word)
