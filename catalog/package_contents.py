"""What one package holds, with prices, as plain rows for the pages and the API alike."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.core.paginator import Page, Paginator
from django.db.models import Q

from accounts.models import Account
from catalog.browsing import Place
from catalog.models import Basis, ItemAttribute, Package, PackageConfiguration
from catalog.pricing import HOURS_PER_MONTH, PriceAnswer, PriceFacts, PriceQuestion, Term, answer_price
from catalog.ranges import RangePrice, price_without_container
from catalog.selectors import prices_by_item

ITEMS_ON_A_PAGE = 100
BANDWIDTH = "bandwidth"


class Show(StrEnum):
    """Which items are listed, by what is known of their prices."""

    ALL = "all"
    PRICED = "priced"
    UNPRICED = "unpriced"
    ILLUSTRATIVE = "illustrative"


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

    `rate` is the fee as it is listed, each hour or each month; it is None where the item is unpriced. Where the price
    depends on the machine, `ranges` has each price with its range and `price` is that of the smallest.
    """

    item_id: int
    key_name: str
    description: str
    attributes: Mapping[str, AttributeFact]
    rate: Decimal | None
    price: PriceAnswer
    ranges: tuple[RangePrice, ...] = ()


@dataclass(frozen=True)
class CategoryListing:
    """One category that a package asks for, with the items that fill it."""

    category_code: str
    name: str
    is_required: bool
    quantity_limit: int
    default_item_id: int | None
    same_items_as: str
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
    category_names: tuple[tuple[str, str], ...]
    """Code and name of every category that has items of its own, whichever is shown."""
    included_outbound: AttributeFact | None = None
    """The outbound traffic of the default bandwidth, where that is offered on the term."""


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
    show: Show = Show.ALL,
    page_number: int = 1,
) -> PackageContents:
    """Return the items of a package with their prices, in four queries whatever their number.

    Without a term it is the one on which more of the items are offered; with a category code only that category counts.
    A category that has the same items as another one is listed without them, unless it is asked for.
    """
    asked_for = list(package.configuration.select_related("category", "same_items_as"))
    names = tuple((row.category.category_code, row.category.name) for row in asked_for if not row.same_items_as)
    configuration = [row for row in asked_for if category_code in ("", row.category.category_code)]
    entries = _items_in_categories(package, configuration, search, with_alike=bool(category_code))
    page = Paginator(entries, ITEMS_ON_A_PAGE).get_page(page_number)
    priced = entries if show is not Show.ALL or not term else list(page.object_list)
    bandwidths = _bandwidth_defaults(asked_for)
    prices = prices_by_item(item_ids={entry.item_id for entry in priced} | bandwidths, at=at)
    conditions = Conditions(place, term or _usual_term(prices), hours_per_month)
    question = PriceQuestion(place.groups, conditions.term, account.currency, hours_per_month)
    if show is not Show.ALL:
        page = Paginator(
            [entry for entry in entries if _is_shown(show, _answer(entry, prices, question)[0])], ITEMS_ON_A_PAGE
        ).get_page(page_number)
    attributes = attributes_by_item({entry.item_id for entry in page.object_list} | bandwidths)
    listed: dict[str, list[ItemListing]] = defaultdict(list)
    for entry in page.object_list:
        answer, ranges = _answer(entry, prices, question)
        listed[entry.category_code].append(
            ItemListing(
                item_id=entry.item_id,
                key_name=entry.key_name,
                description=entry.description,
                attributes=attributes[entry.item_id],
                rate=answer.chosen.fee_on(conditions.term) if answer.chosen else None,
                price=answer,
                ranges=ranges,
            )
        )
    categories = tuple(_category(row, tuple(listed[row.category.category_code])) for row in configuration)
    offered = [item for item in bandwidths if not answer_price(prices.get(item, ()), question).is_unpriced]
    included = (attributes[item_id].get("outbound_gb") for item_id in offered)
    return PackageContents(conditions, categories, page, names, next(filter(None, included), None))


def _answer(
    entry: ItemInCategory, prices: Mapping[int, Sequence[PriceFacts]], question: PriceQuestion
) -> tuple[PriceAnswer, tuple[RangePrice, ...]]:
    return price_without_container(prices.get(entry.item_id, ()), question.for_category(entry.category_code))


def _is_shown(show: Show, price: PriceAnswer) -> bool:
    if show is Show.UNPRICED:
        return price.is_unpriced
    if show is Show.ILLUSTRATIVE:
        return price.chosen is not None and price.chosen.basis != Basis.PUBLISHED
    return not price.is_unpriced


def _bandwidth_defaults(configuration: Sequence[PackageConfiguration]) -> set[int]:
    return {
        row.default_item_id for row in configuration if row.category.category_code == BANDWIDTH and row.default_item_id
    }


def _items_in_categories(
    package: Package, configuration: Sequence[PackageConfiguration], search: str, *, with_alike: bool
) -> list[ItemInCategory]:
    """Return which item stands in which category of the package, in order, where it suits the search."""
    order = {row.category.category_code: number for number, row in enumerate(configuration)}
    filled: dict[str, list[str]] = defaultdict(list)
    for row in configuration:
        filled[row.category.category_code].append(row.category.category_code)
        if with_alike and row.same_items_as:
            filled[row.same_items_as.category_code].append(row.category.category_code)
    items = package.items.filter(categories__category_code__in=filled)
    for word in search.split():
        items = items.filter(Q(description__icontains=word) | Q(key_name__icontains=word))
    rows = items.values_list("categories__category_code", "pk", "key_name", "description")
    entries = {
        ItemInCategory(code, item_id, key_name, description)
        for listed_in, item_id, key_name, description in rows
        for code in filled[listed_in]
    }
    return sorted(entries, key=lambda entry: (order[entry.category_code], entry.item_id))


def _usual_term(prices: Mapping[int, Sequence[PriceFacts]]) -> Term:
    offered = {
        term: sum(any(price.fee_on(term) is not None for price in prices_of_item) for prices_of_item in prices.values())
        for term in Term
    }
    return Term.HOURLY if offered[Term.HOURLY] > offered[Term.MONTHLY] else Term.MONTHLY


def attributes_by_item(item_ids: set[int]) -> defaultdict[int, dict[str, AttributeFact]]:
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
        same_items_as=row.same_items_as.name if row.same_items_as else "",
        items=items,
    )
