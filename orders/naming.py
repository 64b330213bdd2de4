"""What the key names of an order stand for, and the order that they describe, before anything of it is stored."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from accounts.models import Account
from catalog.models import Item, ItemCategory, Location, Package
from catalog.pricing import HOURS_PER_MONTH
from orders.asked import MOST_OF_ONE_ITEM, ContainerAsked, DraftAsked, ItemAsked, PartAsked
from orders.documents import PartRow
from orders.host_names import tidy
from orders.models import BillingOrder, BillingOrderItem, OrderContainer, OrderLine
from orders.selectors import ContainerNode, ItemNode, OrderTree, container_node, item_node, order_node


@dataclass(frozen=True)
class Named:
    """What the words of one order stand for: items by their package's key name with their own, or with their id."""

    packages: Mapping[str, Package]
    categories: Mapping[str, ItemCategory]
    locations: Mapping[str, Location]
    items: Mapping[tuple[str, str | int], list[Item]]

    def item_for(self, package_key_name: str, part: PartAsked) -> Item | None:
        """Return the item that is meant; real catalogues repeat a key, then one of the category, then the oldest."""
        candidates = self.items.get((package_key_name, part.item), []) if part.item is not None else []
        in_category = (item for item in candidates if part.category_code in _category_codes(item))
        return next(in_category, candidates[0] if candidates else None)


def named_in(asked: DraftAsked) -> Named:
    """Look up everything that an order names, in a number of queries that does not grow with it."""
    package_keys = {each.package_key_name for each in asked.containers if each.package_key_name is not None}
    location_keys = {each.location_key_name for each in asked.containers} | {asked.location_key_name}
    category_codes = {part.category_code for part in asked.parts if part.category_code is not None}
    packages = Package.objects.filter(key_name__in=package_keys, is_active=True)
    categories = ItemCategory.objects.filter(category_code__in=category_codes)
    locations = Location.objects.filter(key_name__in=location_keys - {None})
    return Named(
        packages={package.key_name: package for package in packages},
        categories={category.category_code: category for category in categories},
        locations={location.key_name: location for location in locations},
        items=_items_sold(package_keys, {part.item for part in asked.parts if part.item is not None}),
    )


def tree_of_asked(asked: DraftAsked, named: Named, *, account: Account) -> OrderTree:
    """Return the order, unsaved and unpriced, with those of its containers whose words all stand for something."""
    order = BillingOrder(
        account=account,
        partner=account.partner,
        name=(asked.name or "").strip(),
        currency=account.currency,
        promotion_code=asked.promotion_code.strip().upper(),
        hours_per_month=asked.hours_per_month or HOURS_PER_MONTH,
    )
    items = [_item(order, item, asked, named, sequence=index) for index, item in enumerate(asked.items)]
    return order_node(order, items=(item for item in items if item.containers))


def rows_of(asked: DraftAsked, named: Named) -> dict[str, tuple[PartRow, ...]]:
    """Return the parts of each container as they are listed, by its field, but for those that stand for nothing."""
    found = {}
    for container in asked.containers:
        named_parts = [(part, named.item_for(container.package_key_name or "", part)) for part in container.parts]
        found[container.field] = tuple(
            PartRow(part.category_code or "", item.pk, part.count or 1) for part, item in named_parts if item
        )
    return found


def _items_sold(package_keys: set[str], words: set[str | int]) -> dict[tuple[str, str | int], list[Item]]:
    key_names = [word for word in words if isinstance(word, str)]
    ids = [word for word in words if isinstance(word, int)]
    items = Item.objects.filter(Q(key_name__in=key_names) | Q(pk__in=ids), packages__key_name__in=package_keys)
    sold: dict[tuple[str, str | int], list[Item]] = defaultdict(list)
    for item in items.distinct().prefetch_related("categories", "packages").order_by("pk"):
        for package in item.packages.all():
            sold[package.key_name, item.key_name].append(item)
            sold[package.key_name, item.pk].append(item)
    return dict(sold)


def _category_codes(item: Item) -> set[str]:
    return {category.category_code for category in item.categories.all()}


def _item(order: BillingOrder, item: ItemAsked, asked: DraftAsked, named: Named, *, sequence: int) -> ItemNode:
    row = BillingOrderItem(order=order, name=(item.name or "").strip(), sequence=sequence)
    nodes = (
        _container(row, container, asked, named, sequence=index) for index, container in enumerate(item.containers)
    )
    return item_node(row, containers=(node for node in nodes if node), field=item.field, currency=order.currency)


def _container(
    item: BillingOrderItem, container: ContainerAsked, asked: DraftAsked, named: Named, *, sequence: int
) -> ContainerNode | None:
    package = named.packages.get(container.package_key_name or "")
    location = named.locations.get(container.location_key_name or asked.location_key_name or "")
    term = container.term or asked.term
    if not (container.is_readable and package and location and term and container.quantity is not None):
        return None
    row = OrderContainer(
        order_item=item,
        package=package,
        location=location,
        term=term,
        quantity=container.quantity,
        host_names=tidy(container.host_names),
        contract_months=container.contract_months,
        sequence=sequence,
    )
    lines: list[OrderLine] = []
    for part in container.parts:
        category, chosen = named.categories.get(part.category_code or ""), named.item_for(package.key_name, part)
        if not (category and chosen and part.count and 1 <= part.count <= MOST_OF_ONE_ITEM):
            return None
        lines += [_line(row, category, chosen) for _ in range(part.count)]
    return container_node(row, lines=lines, field=container.field, currency=item.order.currency)


def _line(container: OrderContainer, category: ItemCategory, item: Item) -> OrderLine:
    return OrderLine(
        container=container,
        category_code=category.category_code,
        category_name=category.name,
        item=item,
        key_name=item.key_name,
        description=item.description,
    )
