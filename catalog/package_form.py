"""What a configurator asks: the categories of a package in order, each with its options and what they cost here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from accounts.models import Account
from catalog.deal import Deal
from catalog.deals import deal_reading
from catalog.package_contents import Conditions
from catalog.pricing import HOURS_PER_MONTH, PriceAnswer, PriceFacts, PriceQuestion, Term, answer_price
from catalog.ranges import price_without_container
from catalog.selectors import prices_by_item
from catalog.shelf_items import ShelfItem, items_reading
from catalog.shelves import CategoryAsked, Place, Shelf
from catalog.sizes import capacities_of
from core.json_rows import read_both


@dataclass(frozen=True)
class FormOption:
    """One item that may be chosen for a category."""

    item: ShelfItem
    price: PriceAnswer


@dataclass(frozen=True)
class FormCategory:
    """One question. `default` is the option that stands where nobody chose: one that is offered on the term."""

    category_code: str
    name: str
    order_step: int
    is_required: bool
    quantity_limit: int
    error_words: str
    options: tuple[FormOption, ...]
    default: FormOption | None


@dataclass(frozen=True)
class PackageForm:
    """All questions of a package. The capacities are those of the items already chosen."""

    conditions: Conditions
    capacities: tuple[tuple[str, int], ...]
    categories: tuple[FormCategory, ...]

    def category(self, category_code: str) -> FormCategory | None:
        return next((each for each in self.categories if each.category_code == category_code), None)


@dataclass(frozen=True)
class PackageParts:
    """What is read of a package to ask its questions, on whichever term."""

    shelf: Shelf
    items: tuple[ShelfItem, ...]
    prices: Mapping[int, Sequence[PriceFacts]]
    deal: Deal
    currency: str

    @property
    def has_contracts(self) -> bool:
        """Whether some price holds only for those who commit to it for a while."""
        return any(price.term_months for prices in self.prices.values() for price in prices)


def package_parts(*, shelf: Shelf, account: Account, at: datetime, promotion_code: str = "") -> PackageParts:
    """Read the items of a package and their prices, in two queries whatever its size."""
    items, deal = read_both(
        items_reading(package=shelf.package), deal_reading(account=account, at=at, promotion_code=promotion_code)
    )
    prices = prices_by_item(item_ids=[item.item_id for item in items], at=at)
    return PackageParts(shelf, tuple(items), prices, deal, account.currency)


def package_form(
    *,
    parts: PackageParts,
    place: Place,
    term: Term,
    hours_per_month: Decimal = HOURS_PER_MONTH,
    chosen_item_ids: Collection[int] = (),
    contract_months: int | None = None,
) -> PackageForm:
    """Return the questions of a package with prices on this term.

    Prices that depend on processors or cores are those for the chosen items; with none, for the smallest machine.
    """
    capacities = capacities_of(item.sizes for item in parts.items if item.item_id in chosen_item_ids)
    question = PriceQuestion(
        place.groups,
        term,
        parts.currency,
        hours_per_month,
        capacities=capacities,
        contract_months=contract_months,
        package_id=parts.shelf.package.pk,
        deal=parts.deal,
    )
    categories = []
    for row in parts.shelf.categories:
        asked = question.for_category(row.category_code)
        options = tuple(
            FormOption(item, _price(parts.prices.get(item.item_id, ()), asked))
            for item in parts.items
            if item.category_codes & {row.category_code, row.same_items_as}
        )
        categories.append(_category(row, options))
    return PackageForm(Conditions(place, term, hours_per_month), capacities, tuple(categories))


def _price(prices: Sequence[PriceFacts], question: PriceQuestion) -> PriceAnswer:
    if question.capacities:
        return answer_price(prices, question)
    return price_without_container(prices, question)[0]


def _category(row: CategoryAsked, options: tuple[FormOption, ...]) -> FormCategory:
    return FormCategory(
        category_code=row.category_code,
        name=row.name,
        order_step=row.order_step,
        is_required=row.is_required,
        quantity_limit=row.quantity_limit,
        error_words=row.error_words,
        options=options,
        default=_default(row, options),
    )


def _default(row: CategoryAsked, options: Sequence[FormOption]) -> FormOption | None:
    """Return the package's default, or the cheapest option where that is not offered on the term."""
    if row.default_item_id is None:
        return None
    offered = [(option.price.monthly.amount, option.item.item_id, option) for option in options if option.price.monthly]
    for _, item_id, option in offered:
        if item_id == row.default_item_id:
            return option
    return min(offered, key=lambda each: each[:2])[2] if offered else None
