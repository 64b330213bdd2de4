"""A catalogue for the composer's tests: servers with disks, an add-on that conflicts, presets, prices on both terms."""

from dataclasses import dataclass

from catalog.models import (
    Blueprint,
    BlueprintPart,
    BlueprintRole,
    Item,
    ItemAttribute,
    ItemRule,
    Package,
    PackageConfiguration,
)
from catalog.tests.factories import SOURCE, make_category, make_item, make_location, make_package, make_price

DISKS = ("disk0", "disk1", "disk2")


@dataclass(frozen=True)
class ServerShop:
    """A package of servers: two machines, three slots for disks, systems, add-ons; sold in dal05 and ams01."""

    package: Package
    items: dict[str, Item]


def make_server_shop() -> ServerShop:
    """Return a catalogue in which the small machine has two slots, and Windows and the backup are monthly only."""
    items = {
        "small": _item("small", "server", monthly="100", hourly="0.20", setup="25"),
        "large": _item("large", "server", monthly="300", hourly="0.50"),
        "debian": _item("debian", "os", monthly="0", hourly="0"),
        "windows": _item("windows", "os", monthly="20"),
        "sata": _item("sata", "disk0", monthly="17.40", hourly="0.026"),
        "ssd": _item("ssd", "disk0", monthly="83.38", hourly="0.125"),
        "mystery": _item("mystery", "disk0"),
        "backup": _item("backup", "addon", monthly="9"),
        "monitor": _item("monitor", "addon", monthly="5", hourly="0.01"),
    }
    package = make_package(
        "server",
        items=items.values(),
        required=("server", "os", "disk0"),
        optional=("disk1", "disk2", "addon"),
        locations=[make_location("ams01"), make_location("dal05")],
    )
    rows = {row.category.category_code: row for row in PackageConfiguration.objects.select_related("category")}
    for code in DISKS[1:]:
        rows[code].same_items_as = rows["disk0"].category
    rows["os"].default_item = items["debian"]
    rows["addon"].quantity_limit = 3
    for row in rows.values():
        row.save()
    ItemAttribute.objects.create(item=items["small"], name="disk_slots", value="2", source=SOURCE, basis="published")
    ItemRule.objects.create(item=items["windows"], kind=ItemRule.Kind.CONFLICTS, other=items["monitor"])
    return ServerShop(package, items)


def make_blueprint(shop: ServerShop, key_name: str, roles: dict[str, tuple[int, list[tuple[str, str]]]]) -> Blueprint:
    """Return a blueprint of roles: name → how many, and pairs of category code and item."""
    blueprint = Blueprint.objects.create(key_name=key_name, name=key_name.replace("-", " ").capitalize(), source=SOURCE)
    for sequence, (name, (quantity, parts)) in enumerate(roles.items()):
        role = BlueprintRole.objects.create(
            blueprint=blueprint, name=name, sequence=sequence, package=shop.package, quantity=quantity
        )
        BlueprintPart.objects.bulk_create(
            BlueprintPart(role=role, category=make_category(code), item=shop.items[key]) for code, key in parts
        )
    return blueprint


def _item(
    key_name: str,
    category_code: str,
    *,
    monthly: str | None = None,
    hourly: str | None = None,
    setup: str | None = None,
) -> Item:
    item = make_item(key_name, category_code=category_code)
    make_price(item, hourly=hourly, monthly=monthly, setup_fee=setup)
    return item
