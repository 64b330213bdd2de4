"""Blueprints as JSON."""

from collections import Counter
from decimal import Decimal
from typing import Any

from django.urls import reverse

from api.v1.orders.rows import totals_json
from api.v1.texts import number_text
from catalog.blueprint_listings import BlueprintListing, PartListing, RoleListing, ServiceListing
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
        "services": [_service(service) for service in listing.services],
        "href": reverse("api-blueprint", args=[listing.key_name]),
    }


def blueprint_json(listing: BlueprintListing, offer: BlueprintOffer, *, hours_per_month: Decimal) -> Json:
    return {
        **blueprint_line(listing),
        "valid": offer.is_valid,
        "hours_per_month": number_text(hours_per_month),
        "totals": totals_json(offer.totals, hourly=offer.hourly),
        "roles": [_role_priced(role, offer) for role in offer.roles],
        "warnings": [warning.as_dict() for warning in offer.placement.warnings],
    }


def _role(role: RoleListing) -> Json:
    return {
        "name": role.name,
        "package": role.package_key_name,
        "quantity": role.quantity,
        "least": role.least,
        "most": role.most,
        "optional": role.is_optional,
        "parts": [_part(part) for part in role.parts],
    }


def _service(service: ServiceListing) -> Json:
    return {
        "key_name": service.key_name,
        "name": service.name,
        "role": service.role,
        "otherwise": service.otherwise,
        "agents": service.agents,
        "shares_up_to": service.shares_up_to,
        "needs": [_part(need) for need in service.needs],
    }


def _role_priced(role: RoleOffer, offer: BlueprintOffer) -> Json:
    composition = role.composition
    name = composition.item_name
    (stored,) = (each for each in offer.stored_roles if each.name == name)
    counts = Counter(
        (choice.category_code, choice.item.pk, choice.item.key_name, choice.item.description)
        for choice in composition.choices
    )
    return {
        "name": name,
        "package": composition.package.key_name,
        "quantity": composition.quantity,
        "least": stored.least,
        "most": stored.most,
        "optional": stored.is_optional,
        "services": [rule.key_name for rule in offer.placement.services.get(name, ())],
        "agents": [rule.key_name for rule in offer.placement.agents.get(name, ())],
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
