"""Repairing a draft: making the changes that its check offers, all of them or those for some violations."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from catalog.models import Item, ItemCategory, Location
from catalog.pricing import Term
from core.errors import RuleBroken
from orders.asked import DraftAsked
from orders.checking import OrderCheck, check_tree
from orders.composing import Choice, Composition, containers_change
from orders.documents import from_document, to_document
from orders.json_patch import patch_apply
from orders.locks import locked_order
from orders.models import BillingOrder
from orders.moves import require_draft
from orders.repairs import patch_of
from orders.selectors import OrderTree, order_tree

Chosen = Collection[tuple[str, str]]
"""Violations by their code and field."""


@transaction.atomic
def order_repair(*, order_id: int, account_id: int, now: datetime, only: Chosen | None = None) -> OrderCheck:
    """Make the changes that settle these violations, or all that can be settled, and return what is left.

    Raises BillingOrder.DoesNotExist, and RuleBroken where there is nothing to repair or the order is no draft.
    """
    require_draft(locked_order(order_id=order_id, account_id=account_id))
    tree = order_tree(order_id=order_id, account_id=account_id)
    check = check_tree(tree=tree, now=now)
    patch = _patch_for(check, only)
    if not patch:
        words = "There is no such problem with this order any more, or nothing is known that would settle it."
        raise RuleBroken("nothing_to_repair", words)
    asked = from_document(patch_apply(to_document(tree), patch))
    if asked.promotion_code != tree.order.promotion_code:
        BillingOrder.objects.filter(pk=order_id).update(promotion_code=asked.promotion_code)
    compositions = _changed(tree, asked)
    containers_change(order_id=order_id, account_id=account_id, compositions=compositions, now=now)
    return check_tree(tree=order_tree(order_id=order_id, account_id=account_id), now=now)


def _patch_for(check: OrderCheck, only: Chosen | None) -> tuple[dict[str, object], ...]:
    if only is None:
        return check.repair.patch if check.repair else ()
    chosen = [
        repair
        for violation, repair in zip(check.violations, check.repairs, strict=True)
        if repair and (violation.code, violation.field) in only
    ]
    return patch_of(chosen)


def _changed(tree: OrderTree, asked: DraftAsked) -> dict[int, Composition]:
    """Return the containers, by id, of which the document now says something else."""
    before = {container.field: container for container in from_document(to_document(tree)).containers}
    changed = {each.field: each for each in asked.containers if each != before[each.field]}
    parts = [part for container in changed.values() for part in container.parts]
    items = Item.objects.in_bulk([part.item for part in parts])
    categories = ItemCategory.objects.in_bulk([part.category_code for part in parts], field_name="category_code")
    locations = Location.objects.in_bulk([each.location_key_name for each in changed.values()], field_name="key_name")
    return {
        node.container.pk: Composition(
            item_name=item.item.name,
            package=node.container.package,
            location=locations[changed[node.field].location_key_name],
            term=Term(node.container.term),
            quantity=changed[node.field].quantity or node.container.quantity,
            host_names=changed[node.field].host_names,
            choices=tuple(
                Choice(str(part.category_code), categories[part.category_code].name, items[part.item])
                for part in changed[node.field].parts
                for _ in range(part.count or 1)
            ),
            contract_months=node.container.contract_months,
        )
        for item in tree.items
        for node in item.containers
        if node.field in changed
    }
