"""The catalogue as JSON."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from accounts.models import Account
from api.v1.texts import money_text, number_text, time_text
from catalog.browsing import PackageListing, Place
from catalog.fees import FEE_NAMES
from catalog.item_search import ItemFound
from catalog.models import Item, Package, PackageConfiguration
from catalog.package_contents import CategoryListing, Conditions, ItemListing
from catalog.price_history import PricePeriod
from catalog.pricing import PriceAnswer
from catalog.selectors import PriceExplanation

Json = dict[str, Any]


def package_line(listing: PackageListing, *, account: Account) -> Json:
    return {
        "key_name": listing.key_name,
        "name": listing.name,
        "description": listing.description,
        "locations": list(listing.location_key_names),
        "item_count": listing.item_count,
        "from_price": money_text(listing.from_price),
        "currency": account.currency,
        "href": reverse("api-package", args=[listing.key_name]),
    }


def package_json(package: Package, *, places: Iterable[Place], configuration: Iterable[PackageConfiguration]) -> Json:
    return {
        "key_name": package.key_name,
        "name": package.name,
        "description": package.description,
        "locations": [{"key_name": place.key_name, "name": place.name} for place in places],
        "categories": [
            {
                "category_code": row.category.category_code,
                "name": row.category.name,
                "is_required": row.is_required,
                "order_step": row.order_step,
                "quantity_limit": row.quantity_limit,
                "default_item": row.default_item.key_name if row.default_item else None,
                "same_items_as": row.same_items_as.category_code if row.same_items_as else None,
                "error_words": row.error_words,
            }
            for row in configuration
        ],
        "networks": {
            "public": package.public_network,
            "private": package.private_network,
            "management": package.management_network,
            "source": package.networks_source,
            "basis": package.networks_basis,
        },
        "items_href": reverse("api-package-items", args=[package.key_name]),
        "blueprints_href": f"{reverse('api-blueprints')}?{urlencode({'package': package.key_name})}",
        "href": reverse("api-package", args=[package.key_name]),
    }


def conditions_json(conditions: Conditions, *, account: Account) -> Json:
    return {
        "location": conditions.place.key_name,
        "term": conditions.term.value,
        "hours_per_month": number_text(conditions.hours_per_month),
        "currency": account.currency,
    }


def item_lines(categories: Iterable[CategoryListing]) -> Iterator[Json]:
    """Yield the items of all categories, in the order in which the package asks."""
    for category in categories:
        for item in category.items:
            yield _item_line(item, category_code=category.category_code)


def price_here(answer: PriceAnswer) -> Json:
    return {
        "is_unpriced": answer.is_unpriced,
        "rate": _fee_text(answer.rate),
        "monthly": money_text(answer.monthly),
        "once": money_text(answer.once),
        "source": answer.source,
        "basis": answer.basis,
        "words": " ".join(step.words for step in answer.steps),
    }


def item_found(item: ItemFound) -> Json:
    return {
        "id": item.item_id,
        "key_name": item.key_name,
        "description": item.description,
        "categories": list(item.category_codes),
        "packages": list(item.package_key_names),
        "price_href": reverse("api-item-price", args=[item.item_id]),
        "prices_href": reverse("api-item-prices", args=[item.item_id]),
    }


def price_period(period: PricePeriod) -> Json:
    return {
        "id": period.price_id,
        "monthly": None if period.monthly is None else number_text(period.monthly),
        "hourly": None if period.hourly is None else number_text(period.hourly),
        "once": number_text(period.once),
        "currency": period.currency,
        "where": period.where,
        "capacity": period.capacity,
        "valid_from": time_text(period.valid_from),
        "valid_to": time_text(period.valid_to),
        "is_open": period.is_open,
        "source": period.source,
        "basis": period.basis,
    }


def price_explained(
    explained: PriceExplanation, *, item: Item, package_key_name: str, conditions: Conditions, account: Account
) -> Json:
    answer = explained.answer
    chosen, later = answer.chosen, answer.afterwards
    return {
        **price_here(answer),
        **conditions_json(conditions, account=account),
        "item": item.key_name,
        "package": package_key_name,
        "price_id": chosen.price_id if chosen else None,
        "steps": [{"rule": step.rule, "words": step.words} for step in answer.steps],
        "ties": list(answer.ties),
        "fees": {name: _fee_text(getattr(answer.fees, name)) for name in FEE_NAMES},
        "usage": [{"from_units": tier.from_units, "rate": number_text(tier.rate)} for tier in answer.usage],
        "afterwards": (
            {"months": later.months, "rate": number_text(later.rate), "monthly": later.monthly.text} if later else None
        ),
        "costs": [
            {
                "months": cost.months,
                "total": money_text(cost.total),
                "total_under_contract": money_text(cost.total_under_contract),
            }
            for cost in explained.costs
        ],
    }


def _fee_text(fee: Decimal | None) -> str | None:
    return None if fee is None else number_text(fee)


def _item_line(item: ItemListing, *, category_code: str) -> Json:
    return {
        "id": item.item_id,
        "key_name": item.key_name,
        "description": item.description,
        "category": category_code,
        "attributes": {
            fact.name: {"value": fact.value, "unit": fact.unit, "source": fact.source, "basis": fact.basis}
            for fact in item.attributes.values()
        },
        "price": price_here(item.price),
        "price_href": reverse("api-item-price", args=[item.item_id]),
        "prices_href": reverse("api-item-prices", args=[item.item_id]),
    }
