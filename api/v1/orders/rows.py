"""Orders as JSON."""

from decimal import Decimal
from typing import Any

from django.urls import reverse

from api.v1.texts import money_text, number_text, time_text
from core.money import Total
from orders.checking import OrderCheck, PriceChange
from orders.documents import to_document
from orders.drafting import DraftCheck
from orders.models import BillingOrder, OrderContainer
from orders.selectors import ContainerNode, ItemNode, LineNode, OrderTree
from orders.totals import Totals

Json = dict[str, Any]


def order_line(order: BillingOrder, *, totals: Totals, hourly: Total) -> Json:
    return {
        "id": order.pk,
        "number": order.number,
        "name": order.name,
        "state": str(order.state),
        "created_at": time_text(order.created_at),
        "created_by": order.created_by.email,
        "placed_at": time_text(order.placed_at),
        "placed_by": order.placed_by.email if order.placed_by else None,
        "totals": totals_json(totals, hourly=hourly),
        "href": reverse("api-order", args=[order.pk]),
    }


def order_json(tree: OrderTree) -> Json:
    return {
        **order_line(tree.order, totals=tree.totals, hourly=tree.hourly),
        "hours_per_month": number_text(tree.order.hours_per_month),
        "promotion_code": tree.order.promotion_code,
        "items": [_item(node) for node in tree.items],
    }


def order_verified(check: OrderCheck) -> Json:
    return {
        "valid": check.is_valid,
        "violations": [violation.as_dict() for violation in check.violations],
        "repair": check.repair.as_dict() if check.repair else None,
        "document": to_document(check.tree),
        "price_changes": [price_change(change) for change in check.price_changes],
        "totals": totals_json(check.totals, hourly=check.hourly),
    }


def order_priced(found: DraftCheck) -> Json:
    tree = found.tree
    return {
        "valid": not found.violations,
        "violations": [violation.as_dict() for violation in found.violations],
        "repair": found.repair.as_dict() if found.repair else None,
        "name": tree.order.name,
        "hours_per_month": number_text(tree.order.hours_per_month),
        "promotion_code": tree.order.promotion_code,
        "totals": totals_json(tree.totals, hourly=tree.hourly),
        "items": [_item(node) for node in tree.items],
    }


def totals_json(totals: Totals, *, hourly: Total) -> Json:
    one_year, three_years = totals.over_one_year, totals.over_three_years
    return {
        "currency": totals.monthly.known.currency,
        "monthly": _exact(totals.monthly),
        "once": _exact(totals.once),
        "hourly": number_text(hourly.known.amount) if hourly.is_exact else None,
        "over_1_month": _exact(totals.over_one_month),
        "over_12_months": _exact(one_year),
        "over_36_months": _exact(three_years),
        "monthly_at_least": totals.monthly.known.text,
        "once_at_least": totals.once.known.text,
        "hourly_at_least": number_text(hourly.known.amount),
        "unpriced_parts": one_year.unpriced_parts,
    }


def _exact(total: Total) -> str | None:
    return total.known.text if total.is_exact else None


def _item(node: ItemNode) -> Json:
    return {
        "name": node.item.name,
        "quantity": node.quantity,
        "totals": totals_json(node.totals, hourly=node.hourly),
        "containers": [_container(container) for container in node.containers],
    }


def _container(node: ContainerNode) -> Json:
    container = node.container
    stored = {} if container.pk is None else {"id": container.pk}
    return {
        **stored,
        "package": container.package.key_name,
        "location": container.location.key_name,
        "term": str(container.term),
        "quantity": container.quantity,
        "host_names": container.host_names,
        "contract_months": container.contract_months,
        "totals": totals_json(node.totals, hourly=node.hourly),
        "lines": [_line(line, container=container) for line in node.lines],
    }


def _line(node: LineNode, *, container: OrderContainer) -> Json:
    line = node.line
    is_hourly = container.term == OrderContainer.Term.HOURLY
    rate = line.hourly_recurring_fee if is_hourly else line.recurring_fee
    return {
        "category": line.category_code,
        "category_name": line.category_name,
        "item": line.key_name,
        "item_id": line.item_id,
        "description": line.description,
        "rate": None if rate is None else number_text(rate),
        "monthly": money_text(node.owed.monthly),
        "once": money_text(node.owed.once),
        "source": line.source,
        "basis": line.basis,
        "source_price_id": line.source_price_id,
        "later_monthly": money_text(node.owed.later),
        "promotion_months": line.promotion_months,
        "usage": [
            {"from_units": from_units, "rate": number_text(Decimal(each))} for from_units, each in line.usage_tiers
        ],
        "usage_allowance": None if line.usage_allowance is None else number_text(line.usage_allowance),
        "steps": line.price_steps,
    }


def price_change(change: PriceChange) -> Json:
    return {
        "field": change.field,
        "description": change.description,
        "monthly_shown": money_text(change.monthly_shown),
        "monthly_today": money_text(change.monthly_today),
        "once_shown": money_text(change.once_shown),
        "once_today": money_text(change.once_today),
        "use_shown": change.use_shown,
        "use_today": change.use_today,
    }
