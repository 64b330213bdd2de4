"""What one package holds, with prices, as plain rows for the pages and the API alike."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.core.paginator import Page, Paginator

from accounts.models import Account
from catalog.deals import deal_reading
from catalog.models import Basis
from catalog.pricing import HOURS_PER_MONTH, PriceAnswer, PriceFacts, PriceQuestion, Term, answer_price
from catalog.ranges import RangePrice, price_without_container
from catalog.selectors import prices_by_item
from catalog.shelf_items import AttributeFact, ShelfItem, items_reading
from catalog.shelves import CategoryAsked, Place, Shelf
from core.json_rows import read_both

ITEMS_ON_A_PAGE = 100
BANDWIDTH = "bandwidth"


class Show(StrEnum):
    """Which items are listed, by what is known of their prices."""

    ALL = "all"
    PRICED = "priced"
    UNPRICED = "unpriced"
    ILLUSTRATIVE = "illustrative"


@dataclass(frozen=True)
class ItemListing:
    """One item of a package, in one category, with its price under the conditions asked.

    `rate` is the fee as the account pays it, each hour or each month; it is None where the item is unpriced. Where the
    price depends on the machine, `ranges` has each price with its range and `price` is that of the smallest.
    """

    item_id: int
    key_name: str
    description: str
    words: str
    """The description, made so that no other item is meant."""
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
    item: ShelfItem


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
    shelf: Shelf,
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
    """Return the items of a package with their prices, in two queries whatever their number.

    Without a term it is the one on which more of the items are offered; with a category code only that category counts.
    A category that has the same items as another one is listed without them, unless it is asked for.
    """
    held, deal = read_both(items_reading(package=shelf.package), deal_reading(account=account, at=at))
    items = {item.item_id: item for item in held}
    names = tuple((row.category_code, row.name) for row in shelf.categories if not row.same_items_as)
    asked_for = [row for row in shelf.categories if category_code in ("", row.category_code)]
    found = [item for item in items.values() if item.suits(search)]
    entries = _items_in_categories(found, asked_for, with_alike=bool(category_code))
    page = Paginator(entries, ITEMS_ON_A_PAGE).get_page(page_number)
    priced = entries if show is not Show.ALL or not term else list(page.object_list)
    bandwidths = _bandwidth_defaults(shelf)
    prices = prices_by_item(item_ids={entry.item.item_id for entry in priced} | bandwidths, at=at)
    conditions = Conditions(place, term or _usual_term(prices), hours_per_month)
    question = PriceQuestion(
        place.groups,
        conditions.term,
        account.currency,
        hours_per_month,
        package_id=shelf.package.pk,
        deal=deal,
    )
    if show is not Show.ALL:
        page = Paginator(
            [entry for entry in entries if _is_shown(show, _answer(entry, prices, question)[0])], ITEMS_ON_A_PAGE
        ).get_page(page_number)
    listed: dict[str, list[ItemListing]] = defaultdict(list)
    for entry in page.object_list:
        listed[entry.category_code].append(_listing(entry, *_answer(entry, prices, question)))
    categories = tuple(_category(row, tuple(listed[row.category_code])) for row in asked_for)
    offered = [items[each] for each in bandwidths if not answer_price(prices.get(each, ()), question).is_unpriced]
    included = (item.attributes.get("outbound_gb") for item in offered)
    return PackageContents(conditions, categories, page, names, next(filter(None, included), None))


def _listing(entry: ItemInCategory, answer: PriceAnswer, ranges: tuple[RangePrice, ...]) -> ItemListing:
    item = entry.item
    return ItemListing(
        item_id=item.item_id,
        key_name=item.key_name,
        description=item.description,
        words=item.words,
        attributes=item.attributes,
        rate=answer.rate,
        price=answer,
        ranges=ranges,
    )


def _answer(
    entry: ItemInCategory, prices: Mapping[int, Sequence[PriceFacts]], question: PriceQuestion
) -> tuple[PriceAnswer, tuple[RangePrice, ...]]:
    return price_without_container(prices.get(entry.item.item_id, ()), question.for_category(entry.category_code))


def _is_shown(show: Show, price: PriceAnswer) -> bool:
    if show is Show.UNPRICED:
        return price.is_unpriced
    if show is Show.ILLUSTRATIVE:
        return not price.is_unpriced and price.basis != Basis.PUBLISHED
    return not price.is_unpriced


def _bandwidth_defaults(shelf: Shelf) -> set[int]:
    return {row.default_item_id for row in shelf.categories if row.category_code == BANDWIDTH and row.default_item_id}


def _items_in_categories(
    items: Sequence[ShelfItem], categories: Sequence[CategoryAsked], *, with_alike: bool
) -> list[ItemInCategory]:
    """Return which item stands in which category, in the order of the categories."""
    filled_by = {
        row.category_code: {row.category_code, row.same_items_as} if with_alike else {row.category_code}
        for row in categories
    }
    return [
        ItemInCategory(code, item) for code, codes in filled_by.items() for item in items if codes & item.category_codes
    ]


def _usual_term(prices: Mapping[int, Sequence[PriceFacts]]) -> Term:
    offered = {
        term: sum(any(price.fee_on(term) is not None for price in prices_of_item) for prices_of_item in prices.values())
        for term in Term
    }
    return Term.HOURLY if offered[Term.HOURLY] > offered[Term.MONTHLY] else Term.MONTHLY


def _category(row: CategoryAsked, items: tuple[ItemListing, ...]) -> CategoryListing:
    return CategoryListing(
        category_code=row.category_code,
        name=row.name,
        is_required=row.is_required,
        quantity_limit=row.quantity_limit,
        default_item_id=row.default_item_id,
        same_items_as=row.same_items_as_name,
        items=items,
    )
