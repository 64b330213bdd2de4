"""What one package holds, with prices, as plain rows for the pages and the API alike."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.core.paginator import Page, Paginator
from django.db.models import Q

from accounts.models import Account
from catalog.browsing import Place
from catalog.models import ItemAttribute, Package, PackageConfiguration
from catalog.pricing import HOURS_PER_MONTH, PriceAnswer, PriceFacts, PriceQuestion, Term, answer_price
from catalog.selectors import prices_by_item

ITEMS_ON_A_PAGE = 100


@dataclass(frozen=True)
class AttributeFact:
    """One known fact about an item, and how it is known."""

    name: str
    value: str
    unit: str
    source: str
    basis: str


@dataclass(frozen=True)
class ItemListing:
    """One item of a package, in one category, with its price under the conditions asked.

    `rate` is the fee as it is listed, each hour or each month; it is None where the item is unpriced.
    """

    item_id: int
    key_name: str
    description: str
    attributes: Mapping[str, AttributeFact]
    rate: Decimal | None
    price: PriceAnswer


@dataclass(frozen=True)
class CategoryListing:
    """One category that a package asks for, with the items that fill it."""

    category_code: str
    name: str
    is_required: bool
    quantity_limit: int
    default_item_id: int | None
    items: tuple[ItemListing, ...]


@dataclass(frozen=True)
class Conditions:
    """Where and on which term prices are asked."""

    place: Place
    term: Term
    hours_per_month: Decimal = HOURS_PER_MONTH


@dataclass(frozen=True)
class ItemInCategory:
    """An item and one category that it may fill."""

    category_code: str
    item_id: int
    key_name: str
    description: str


@dataclass(frozen=True)
class PackageContents:
    """One page of what a package holds, by category in the order in which the package asks."""

    conditions: Conditions
    categories: tuple[CategoryListing, ...]
    page: Page[ItemInCategory]


def package_contents(
    *,
    package: Package,
    account: Account,
    place: Place,
    term: Term | None,
    at: datetime,
    hours_per_month: Decimal = HOURS_PER_MONTH,
    category_code: str = "",
    search: str = "",
    page_number: int = 1,
) -> PackageContents:
    """Return the items of a package with their prices, in four queries whatever their number.

    Without a term it is the one on which more of the items are offered; with a category code only that category counts.
    """
    asked_for = package.configuration.select_related("category")
    configuration = [row for row in asked_for if category_code in ("", row.category.category_code)]
    page = Paginator(_items_in_categories(package, configuration, search), ITEMS_ON_A_PAGE).get_page(page_number)
    item_ids = {entry.item_id for entry in page.object_list}
    prices = prices_by_item(item_ids=item_ids, at=at)
    attributes = _attributes(item_ids)
    conditions = Conditions(place, term or _usual_term(prices), hours_per_month)
    listed: dict[str, list[ItemListing]] = defaultdict(list)
    for entry in page.object_list:
        question = PriceQuestion(
            place.groups, conditions.term, account.currency, hours_per_month, category_code=entry.category_code
        )
        answer = answer_price(prices[entry.item_id], question)
        listed[entry.category_code].append(
            ItemListing(
                item_id=entry.item_id,
                key_name=entry.key_name,
                description=entry.description,
                attributes=attributes[entry.item_id],
                rate=answer.chosen.fee_on(conditions.term) if answer.chosen else None,
                price=answer,
            )
        )
    categories = tuple(_category(row, tuple(listed[row.category.category_code])) for row in configuration)
    return PackageContents(conditions, categories, page)


def _items_in_categories(
    package: Package, configuration: Sequence[PackageConfiguration], search: str
) -> list[ItemInCategory]:
    """Return which item stands in which category of the package, in order, where it suits the search."""
    order = {row.category.category_code: number for number, row in enumerate(configuration)}
    items = package.items.filter(categories__category_code__in=order)
    for word in search.split():
        items = items.filter(Q(description__icontains=word) | Q(key_name__icontains=word))
    rows = items.values_list("categories__category_code", "pk", "key_name", "description")
    entries = [ItemInCategory(*row) for row in rows]
    return sorted(entries, key=lambda entry: (order[entry.category_code], entry.item_id))


def _usual_term(prices: Mapping[int, Sequence[PriceFacts]]) -> Term:
    offered = {
        term: sum(any(price.fee_on(term) is not None for price in prices_of_item) for prices_of_item in prices.values())
        for term in Term
    }
    return Term.HOURLY if offered[Term.HOURLY] > offered[Term.MONTHLY] else Term.MONTHLY


def _attributes(item_ids: set[int]) -> defaultdict[int, dict[str, AttributeFact]]:
    found: defaultdict[int, dict[str, AttributeFact]] = defaultdict(dict)
    rows = ItemAttribute.objects.filter(item_id__in=item_ids)
    for item_id, name, value, unit, source, basis in rows.values_list(
        "item_id", "name", "value", "unit", "source", "basis"
    ):
        found[item_id][name] = AttributeFact(name, value, unit, source, basis)
    return found


def _category(row: PackageConfiguration, items: tuple[ItemListing, ...]) -> CategoryListing:
    return CategoryListing(
        category_code=row.category.category_code,
        name=row.category.name,
        is_required=row.is_required,
        quantity_limit=row.quantity_limit,
        default_item_id=row.default_item_id,
        items=items,
    )
