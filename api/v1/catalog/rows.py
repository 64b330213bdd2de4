"""The catalogue as JSON."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from django.urls import reverse

from accounts.models import Account
from api.v1.texts import money_text, number_text
from catalog.browsing import PackageListing, Place
from catalog.models import Item, Package, PackageConfiguration
from catalog.package_contents import CategoryListing, Conditions, ItemListing
from catalog.pricing import PriceAnswer

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
            }
            for row in configuration
        ],
        "items_href": reverse("api-package-items", args=[package.key_name]),
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


def price_here(answer: PriceAnswer, *, rate: Decimal | None) -> Json:
    chosen = answer.chosen
    return {
        "is_unpriced": answer.is_unpriced,
        "rate": None if rate is None else number_text(rate),
        "monthly": money_text(answer.monthly),
        "once": money_text(answer.once),
        "source": chosen.source if chosen else "",
        "basis": chosen.basis if chosen else "",
        "words": " ".join(step.words for step in answer.steps),
    }


def price_explained(answer: PriceAnswer, *, item: Item, conditions: Conditions, account: Account) -> Json:
    chosen = answer.chosen
    return {
        **price_here(answer, rate=chosen.fee_on(conditions.term) if chosen else None),
        **conditions_json(conditions, account=account),
        "item": item.key_name,
        "price_id": chosen.price_id if chosen else None,
        "steps": [{"rule": step.rule, "words": step.words} for step in answer.steps],
        "ties": list(answer.ties),
    }


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
        "price": price_here(item.price, rate=item.rate),
        "price_href": reverse("api-item-price", args=[item.item_id]),
    }
