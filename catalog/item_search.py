"""Finding items in all packages on sale, for programs that do not know yet which package holds what they want."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from catalog.models import Item


@dataclass(frozen=True)
class ItemFound:
    """One item on sale: the categories that it may fill and the packages that hold it, by their codes and keys."""

    item_id: int
    key_name: str
    description: str
    category_codes: tuple[str, ...]
    package_key_names: tuple[str, ...]


def items_on_sale(*, search: str = "", category_code: str = "", package_key_name: str = "") -> QuerySet[Item]:
    """Return the items of the packages on sale in which every word of the search occurs, by key name."""
    on_sale = Q(packages__is_active=True)
    if package_key_name:
        on_sale &= Q(packages__key_name=package_key_name)
    items = Item.objects.filter(on_sale)
    if category_code:
        items = items.filter(categories__category_code=category_code)
    for word in search.split():
        items = items.filter(Q(description__icontains=word) | Q(key_name__icontains=word))
    return items.order_by("key_name", "pk").distinct()


def items_found(items: Iterable[Item]) -> list[ItemFound]:
    """Return these items with where they belong, in one more query."""
    listed = list(items)
    codes: defaultdict[int, set[str]] = defaultdict(set)
    packages: defaultdict[int, set[str]] = defaultdict(set)
    rows = Item.objects.filter(pk__in=[item.pk for item in listed], packages__is_active=True)
    for pk, code, package in rows.values_list("pk", "categories__category_code", "packages__key_name").order_by():
        packages[pk].add(package)
        if code is not None:
            codes[pk].add(code)
    return [
        ItemFound(
            item_id=item.pk,
            key_name=item.key_name,
            description=item.description,
            category_codes=tuple(sorted(codes[item.pk])),
            package_key_names=tuple(sorted(packages[item.pk])),
        )
        for item in listed
    ]
