"""Making a draft from roles: a plan's answer, a blueprint, or what a program sends."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from accounts.models import Account, User
from catalog.blueprints import Role
from catalog.models import Item, ItemCategory, Location, Package
from catalog.pricing import Term
from core.errors import InputRefused, Violation
from orders.models import BillingOrder, BillingOrderItem, OrderContainer, OrderLine
from orders.moves import move_record
from orders.repricing import order_today, prices_write
from orders.selectors import order_tree

MOST_PIECES = 400_000  # the storage nodes of the largest cloud that is planned
MOST_HOURS_PER_MONTH = 744
LONGEST_NAME = 120


@dataclass(frozen=True)
class Catalogue:
    """What the roles of one draft may name: packages and categories by key, items by package and key."""

    packages: Mapping[str, Package]
    categories: Mapping[str, ItemCategory]
    items: Mapping[tuple[str, str], list[Item]]

    def item_for(self, *, package_key_name: str, category_code: str, key_name: str) -> Item:
        """Return the item of this key; real catalogues repeat a key, then one of the category, then the oldest."""
        candidates = self.items[package_key_name, key_name]
        return next((item for item in candidates if category_code in _category_codes(item)), candidates[0])


@transaction.atomic
def order_draft(
    *,
    account: Account,
    user: User,
    name: str,
    roles: Sequence[Role],
    location: Location,
    term: Term,
    hours_per_month: Decimal,
    now: datetime,
) -> BillingOrder:
    """Make a draft with one item for each role, priced as of now; raises InputRefused with every problem at once.

    What is wrong with the choice itself, such as a missing category, does not stop a draft; `order_check` names it.
    """
    catalogue = _catalogue_for(roles)
    problems = [*name_problems(name), *hours_problems(hours_per_month), *_role_problems(roles, catalogue)]
    if problems:
        raise InputRefused(tuple(problems))
    order = BillingOrder.objects.create(
        account=account,
        partner=account.partner,
        name=name.strip(),
        currency=account.currency,
        hours_per_month=hours_per_month,
        created_by=user,
        created_at=now,
    )
    _parts_create(order, roles=roles, catalogue=catalogue, location=location, term=term)
    prices_write(order_today(tree=order_tree(order_id=order.pk, account_id=account.pk), now=now).lines)
    move_record(order=order, from_state="", user=user, now=now)
    return order


def name_problems(name: str) -> list[Violation]:
    """Say what keeps a text from being an order's name."""
    if 0 < len(name.strip()) <= LONGEST_NAME:
        return []
    return [Violation("name_length", "name", f"Give the order a name of 1 to {LONGEST_NAME} characters.")]


def quantity_problems(quantity: int, *, field: str) -> list[Violation]:
    """Say what keeps a number from being a container's quantity."""
    if 1 <= quantity <= MOST_PIECES:
        return []
    return [Violation("quantity_out_of_range", field, f"A quantity is from 1 to {MOST_PIECES:,}, not {quantity:,}.")]


def hours_problems(hours_per_month: Decimal) -> list[Violation]:
    """Say what keeps a number from being an order's hours per month."""
    if not (hours_per_month.is_finite() and 1 <= hours_per_month <= MOST_HOURS_PER_MONTH):
        words = f"Hours per month are from 1 to {MOST_HOURS_PER_MONTH}, not {hours_per_month}."
        return [Violation("hours_out_of_range", "hours_per_month", words)]
    if hours_per_month != round(hours_per_month, 2):
        words = f"Hours per month have at most two places, not {hours_per_month}."
        return [Violation("hours_too_fine", "hours_per_month", words)]
    return []


def _role_problems(roles: Sequence[Role], catalogue: Catalogue) -> list[Violation]:
    problems: list[Violation] = []
    for index, role in enumerate(roles):
        field = f"items[{index}]"
        problems += [
            Violation(problem.code, f"{field}.name", "Give the item a name of 1 to 120 characters.")
            for problem in name_problems(role.name)
        ]
        problems += quantity_problems(role.quantity, field=f"{field}.quantity")
        if role.package_key_name not in catalogue.packages:
            words = f"There is no package {role.package_key_name}."
            problems.append(Violation("package_unknown", f"{field}.package", words))
        else:
            problems += _part_problems(role, catalogue, field=field)
    return problems


def _part_problems(role: Role, catalogue: Catalogue, *, field: str) -> list[Violation]:
    problems: list[Violation] = []
    for category_code, key_name in role.parts:
        if category_code not in catalogue.categories:
            words = f"There is no category {category_code}."
            problems.append(Violation("category_unknown", f"{field}.{category_code}", words))
        elif (role.package_key_name, key_name) not in catalogue.items:
            words = f"The package {role.package_key_name} has no item {key_name}."
            problems.append(Violation("item_unknown", f"{field}.{category_code}", words))
    return problems


def _catalogue_for(roles: Sequence[Role]) -> Catalogue:
    package_keys = {role.package_key_name for role in roles}
    item_keys = {key_name for role in roles for _, key_name in role.parts}
    category_codes = {category_code for role in roles for category_code, _ in role.parts}
    packages = Package.objects.filter(key_name__in=package_keys, is_active=True)
    categories = ItemCategory.objects.filter(category_code__in=category_codes)
    return Catalogue(
        packages={package.key_name: package for package in packages},
        categories={category.category_code: category for category in categories},
        items=_items_sold(package_keys, item_keys),
    )


def _items_sold(package_keys: set[str], item_keys: set[str]) -> dict[tuple[str, str], list[Item]]:
    items = Item.objects.filter(packages__key_name__in=package_keys, key_name__in=item_keys).distinct()
    sold: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items.prefetch_related("categories", "packages").order_by("pk"):
        for package in item.packages.all():
            sold[package.key_name, item.key_name].append(item)
    return dict(sold)


def _category_codes(item: Item) -> set[str]:
    return {category.category_code for category in item.categories.all()}


def _parts_create(
    order: BillingOrder, *, roles: Sequence[Role], catalogue: Catalogue, location: Location, term: Term
) -> None:
    items = BillingOrderItem.objects.bulk_create(
        BillingOrderItem(order=order, name=role.name.strip(), sequence=index) for index, role in enumerate(roles)
    )
    containers = OrderContainer.objects.bulk_create(
        OrderContainer(
            order_item=item,
            package=catalogue.packages[role.package_key_name],
            location=location,
            term=term,
            quantity=role.quantity,
        )
        for item, role in zip(items, roles, strict=True)
    )
    OrderLine.objects.bulk_create(
        _line(
            container,
            category=catalogue.categories[category_code],
            item=catalogue.item_for(
                package_key_name=role.package_key_name, category_code=category_code, key_name=key_name
            ),
        )
        for container, role in zip(containers, roles, strict=True)
        for category_code, key_name in role.parts
    )


def _line(container: OrderContainer, *, category: ItemCategory, item: Item) -> OrderLine:
    return OrderLine(
        container=container,
        category_code=category.category_code,
        category_name=category.name,
        item=item,
        key_name=item.key_name,
        description=item.description,
    )
