"""Small makers of a catalogue to order from, and of drafts, for the tests of orders and of the rooms above."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from accounts.models import Account, User
from catalog.blueprints import Role
from catalog.models import Basis, Item, ItemCategory, ItemPrice, Location, Package, PackageConfiguration
from catalog.pricing import HOURS_PER_MONTH, Term
from orders.drafting import order_draft
from orders.models import BillingOrder

CATALOGUE_START = datetime(2012, 4, 1, tzinfo=UTC)
NOW = datetime(2026, 5, 3, 12, 3, tzinfo=UTC)
PACKAGE = "virtual-server"


@dataclass(frozen=True)
class Shop:
    """A small catalogue: one package of hourly virtual servers, which asks for a machine type and a system."""

    package: Package
    location: Location
    items: dict[str, Item]


def make_shop() -> Shop:
    """Return a catalogue with two machine types (one of them unpriced) and two systems."""
    package = Package.objects.create(source="test", external_id="1", key_name=PACKAGE, name="Virtual server")
    location = Location.objects.create(key_name="us-east-1", name="N. Virginia", source="test")
    package.locations.add(location)
    machine_type = _category(package, "machine_type", "Machine type", step=1)
    system = _category(package, "os", "Operating system", step=2)
    items = {
        "m1.small": make_item(package, machine_type, "m1.small", hourly="0.08"),
        "m1.large": make_item(package, machine_type, "m1.large", hourly="0.32", setup="5.00"),
        "m9.unpriced": make_item(package, machine_type, "m9.unpriced", hourly=None),
        "debian": make_item(package, system, "debian", hourly="0"),
        "centos": make_item(package, system, "centos", hourly="0"),
    }
    return Shop(package, location, items)


def make_item(
    package: Package, category: ItemCategory, key_name: str, *, hourly: str | None, setup: str | None = None
) -> Item:
    item = Item.objects.create(source="test", external_id=key_name, key_name=key_name, description=f"The {key_name}")
    item.categories.add(category)
    package.items.add(item)
    make_price(item, hourly=hourly, setup=setup)
    return item


def make_price(
    item: Item, *, hourly: str | None, setup: str | None = None, valid_from: datetime = CATALOGUE_START
) -> ItemPrice:
    """Return a new standard price; with neither fee it says that the price is unknown."""
    return ItemPrice.objects.create(
        item=item,
        external_id=f"{item.key_name}-{ItemPrice.objects.count()}",
        hourly_recurring_fee=None if hourly is None else Decimal(hourly),
        setup_fee=None if setup is None else Decimal(setup),
        valid_from=valid_from,
        source="price list of the test",
        basis=Basis.PUBLISHED,
    )


def replace_price(item: Item, *, hourly: str | None, at: datetime) -> ItemPrice:
    """Close the item's prices and open a new one from that time on."""
    item.prices.filter(valid_to__isnull=True).update(valid_to=at)
    return make_price(item, hourly=hourly, valid_from=at)


def role(name: str, quantity: int, machine: str, system: str | None = "debian", package: str = PACKAGE) -> Role:
    """Return N machines of one type; without a system the role breaks the rule that asks for one."""
    parts = (("machine_type", machine),) + ((("os", system),) if system else ())
    return Role(name=name, package_key_name=package, quantity=quantity, parts=parts)


PROXIES = role("proxies", 2, "m1.large")
STORAGE_NODES = role("storage nodes", 10, "m1.small")


def make_draft(
    *,
    shop: Shop,
    account: Account,
    user: User,
    roles: Sequence[Role] = (PROXIES, STORAGE_NODES),
    hours_per_month: Decimal = HOURS_PER_MONTH,
    now: datetime = NOW,
) -> BillingOrder:
    """Return a draft; with the roles given it comes to 2 × 230.40 + 10 × 57.60 = 1036.80 a month and 10.00 once."""
    return order_draft(
        account=account,
        user=user,
        name="Storage for backups",
        roles=roles,
        location=shop.location,
        term=Term.HOURLY,
        hours_per_month=hours_per_month,
        now=now,
    )


def _category(package: Package, category_code: str, name: str, *, step: int) -> ItemCategory:
    category = ItemCategory.objects.create(category_code=category_code, name=name)
    PackageConfiguration.objects.create(package=package, category=category, is_required=True, order_step=step)
    return category
