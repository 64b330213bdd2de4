"""Small makers of catalogue rows, for every room's tests."""

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count
from typing import Any

from catalog.models import (
    Basis,
    Item,
    ItemAttribute,
    ItemCategory,
    ItemPrice,
    Location,
    LocationGroup,
    Package,
    PackageConfiguration,
)

LONG_AGO = datetime(2012, 3, 6, tzinfo=UTC)
SOURCE = "a price list made for tests"
numbers = count(1)


def make_category(category_code: str = "machine_type", *, name: str = "") -> ItemCategory:
    """Return the category of this code, new or not."""
    words = name or category_code.replace("_", " ").capitalize()
    return ItemCategory.objects.get_or_create(category_code=category_code, defaults={"name": words})[0]


def make_location(key_name: str = "us-east-1", *, groups: Iterable[LocationGroup] = ()) -> Location:
    """Return the location of this key, new or not."""
    location, _ = Location.objects.get_or_create(key_name=key_name, defaults={"name": key_name, "source": SOURCE})
    location.groups.add(*groups)
    return location


def make_group(external_id: int, *, is_active: bool = True) -> LocationGroup:
    return LocationGroup.objects.create(external_id=external_id, is_active=is_active)


def make_item(
    key_name: str = "m1.small", *, category_code: str = "machine_type", attributes: dict[str, str] | None = None
) -> Item:
    """Return a new item; attributes are published facts such as {"compute_units": "4"}."""
    item = Item.objects.create(source="tests", external_id=key_name, key_name=key_name, description=key_name)
    item.categories.add(make_category(category_code))
    for name, value in (attributes or {}).items():
        ItemAttribute.objects.create(item=item, name=name, value=value, source=SOURCE, basis=Basis.PUBLISHED)
    return item


def make_price(
    item: Item,
    *,
    hourly: str | None = None,
    monthly: str | None = None,
    group: LocationGroup | None = None,
    valid_from: datetime = LONG_AGO,
    **fields: Any,
) -> ItemPrice:
    """Return a new open price; without fees it is an unpriced one."""
    return ItemPrice.objects.create(
        item=item,
        external_id=fields.pop("external_id", f"price-{next(numbers)}"),
        hourly_recurring_fee=None if hourly is None else Decimal(hourly),
        recurring_fee=None if monthly is None else Decimal(monthly),
        location_group=group,
        valid_from=valid_from,
        source=fields.pop("source", SOURCE),
        basis=fields.pop("basis", Basis.PUBLISHED),
        **fields,
    )


def make_package(
    key_name: str = "virtual-server",
    *,
    items: Iterable[Item] = (),
    required: Iterable[str] = ("machine_type",),
    optional: Iterable[str] = (),
    locations: Iterable[Location] | None = None,
) -> Package:
    """Return a new package that asks for these categories and is sold in us-east-1 unless told otherwise."""
    package = Package.objects.create(
        source="tests", external_id=key_name, key_name=key_name, name=key_name.replace("-", " ").capitalize()
    )
    package.items.add(*items)
    package.locations.add(*(locations if locations is not None else [make_location()]))
    asked = [*((code, True) for code in required), *((code, False) for code in optional)]
    for step, (code, is_required) in enumerate(asked, start=1):
        PackageConfiguration.objects.create(
            package=package, category=make_category(code), is_required=is_required, order_step=step
        )
    return package
