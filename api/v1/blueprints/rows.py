"""Blueprints as JSON."""

from collections import Counter
from decimal import Decimal
from typing import Any

from django.urls import reverse

from api.v1.orders.rows import totals_json
from api.v1.texts import number_text
from catalog.blueprint_listings import BlueprintListing, PartListing, RoleListing
from orders.blueprint_offers import BlueprintOffer, RoleOffer

Json = dict[str, Any]


def blueprint_line(listing: BlueprintListing) -> Json:
    return {
        "key_name": listing.key_name,
        "kind": listing.kind,
        "name": listing.name,
        "description": listing.description,
        "source": listing.source,
        "basis": listing.basis,
        "roles": [_role(role) for role in listing.roles],
        "href": reverse("api-blueprint", args=[listing.key_name]),
    }


def blueprint_json(listing: BlueprintListing, offer: BlueprintOffer, *, hours_per_month: Decimal) -> Json:
    return {
        **blueprint_line(listing),
        "valid": offer.is_valid,
        "hours_per_month": number_text(hours_per_month),
        "totals": totals_json(offer.totals, hourly=offer.hourly),
        "roles": [_role_priced(role) for role in offer.roles],
    }


def _role(role: RoleListing) -> Json:
    return {
        "name": role.name,
        "package": role.package_key_name,
        "quantity": role.quantity,
        "parts": [_part(part) for part in role.parts],
    }


def _role_priced(role: RoleOffer) -> Json:
    composition = role.composition
    counts = Counter(
        (choice.category_code, choice.item.pk, choice.item.key_name, choice.item.description)
        for choice in composition.choices
    )
    return {
        "name": composition.item_name,
        "package": composition.package.key_name,
        "quantity": composition.quantity,
        "location": composition.location.key_name,
        "term": composition.term.value,
        "parts": [_part(PartListing(*named, count)) for named, count in counts.items()],
        "totals": totals_json(role.totals, hourly=role.hourly),
        "violations": [violation.as_dict() for violation in role.violations],
    }


def _part(part: PartListing) -> Json:
    return {
        "category": part.category_code,
        "item": part.key_name,
        "item_id": part.item_id,
        "description": part.description,
        "count": part.count,
    }
