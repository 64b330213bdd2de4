"""Reading the catalogue. Prices come in bulk, so that a page of a hundred items costs the queries of one."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from accounts.models import Account
from catalog.contracts import CostOver, costs_over
from catalog.deals import deal_of
from catalog.models import CatalogLoad, Item, ItemPrice, Location
from catalog.pricing import HOURS_PER_MONTH, PriceAnswer, PriceFacts, PriceQuestion, Term
from catalog.ranges import RangePrice, price_without_container

PRICE_COLUMNS = (
    "external_id",
    "currency",
    *ItemPrice.FEES,
    "restriction",
    "restriction_minimum",
    "restriction_maximum",
    "term_months",
    "tier",
    "source",
    "basis",
)


class PriceExplanation(NamedTuple):
    """What a piece costs and why, its prices by range of capacity, and what it comes to over months and years."""

    answer: PriceAnswer
    ranges: tuple[RangePrice, ...]
    costs: tuple[CostOver, ...]


def explain_price(*, item: Item, question: PriceQuestion, at: datetime) -> PriceExplanation:
    """Say what a piece of `item` costs at that time under the question's conditions, and why.

    `price_question` puts a question together: for this account, here, on this term. Where it names no capacities and
    all prices hold only in a range of them, the smallest range answers.
    """
    prices = prices_by_item(item_ids=[item.pk], at=at)[item.pk]
    answer, ranges = price_without_container(prices, question)
    return PriceExplanation(answer, ranges, costs_over(prices, question))


def price_question(
    *,
    account: Account,
    location: Location,
    term: Term,
    at: datetime,
    hours_per_month: Decimal = HOURS_PER_MONTH,
    category_code: str = "",
    capacities: tuple[tuple[str, int], ...] = (),
    contract_months: int | None = None,
    package_id: int | None = None,
    promotion_code: str = "",
) -> PriceQuestion:
    """Put the account's and the location's share of a price question together, once for many items."""
    return PriceQuestion(
        location_groups=groups_by_location(location_ids=[location.pk])[location.pk],
        term=term,
        currency=account.currency,
        hours_per_month=hours_per_month,
        category_code=category_code,
        capacities=capacities,
        contract_months=contract_months,
        package_id=package_id,
        deal=deal_of(account=account, at=at, promotion_code=promotion_code),
    )


def groups_by_location(*, location_ids: Iterable[int]) -> defaultdict[int, tuple[int, ...]]:
    """Return the active pricing groups of each location, by their id in the source, in one query."""
    groups: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    links = Location.groups.through._default_manager.filter(
        location_id__in=list(location_ids), locationgroup__is_active=True
    )
    for location_id, group in links.values_list("location_id", "locationgroup__external_id"):
        groups[location_id] += (group,)
    return groups


def prices_by_item(*, item_ids: Iterable[int], at: datetime) -> defaultdict[int, list[PriceFacts]]:
    """Return the prices open at that time for each item, in one query whatever their number.

    Location groups go by their id in the source, as the rule about them does.
    """
    rows = (
        ItemPrice.objects.open_on(at)
        .filter(item_id__in=list(item_ids))
        .order_by("pk")
        .values(*PRICE_COLUMNS, "pk", "item_id", "location_group__external_id", "categories__category_code")
    )
    found: defaultdict[int, list[PriceFacts]] = defaultdict(list)
    # A price in several categories comes once for each of them.
    for _, same in groupby(rows, key=itemgetter("pk")):
        rows_of_price = list(same)
        row = rows_of_price[0]
        codes = frozenset(row["categories__category_code"] for row in rows_of_price) - {None}
        facts = PriceFacts(
            price_id=row["pk"],
            item_id=row["item_id"],
            group_id=row["location_group__external_id"],
            category_codes=codes,
            **{column: row[column] for column in PRICE_COLUMNS},
        )
        found[row["item_id"]].append(facts)
    return found


def catalog_version() -> str:
    """Return a word that changes whenever the catalogue does; it is the ETag of catalogue answers."""
    newest = CatalogLoad.objects.values_list("pk", "digest").first()
    return f"{newest[0]}-{newest[1][:12]}" if newest else "empty"
