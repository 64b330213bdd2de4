"""What a configurator asks: the categories of a package in order, each with its options and what they cost here."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from accounts.models import Account
from catalog.browsing import Place
from catalog.models import Package, PackageConfiguration
from catalog.package_contents import AttributeFact, Conditions, attributes_by_item
from catalog.pricing import HOURS_PER_MONTH, PriceAnswer, PriceFacts, PriceQuestion, Term, answer_price
from catalog.ranges import price_without_container
from catalog.selectors import prices_by_item
from catalog.sizes import SIZES, capacities_of


@dataclass(frozen=True)
class FormOption:
    """One item that may be chosen for a category."""

    item_id: int
    key_name: str
    description: str
    attributes: Mapping[str, AttributeFact]
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


def package_form(
    *,
    package: Package,
    account: Account,
    place: Place,
    term: Term,
    at: datetime,
    hours_per_month: Decimal = HOURS_PER_MONTH,
    chosen_item_ids: Iterable[int] = (),
) -> PackageForm:
    """Return the questions of a package with prices on this term, in four queries whatever its size.

    Prices that depend on processors or cores are those for the chosen items; with none, for the smallest machine.
    """
    configuration = list(package.configuration.select_related("category", "same_items_as"))
    items = _items_by_category(package)
    item_ids = {item_id for rows in items.values() for item_id, _, _ in rows}
    prices = prices_by_item(item_ids=item_ids, at=at)
    attributes = attributes_by_item(item_ids)
    capacities = capacities_of(_sizes(attributes[item_id]) for item_id in chosen_item_ids)
    question = PriceQuestion(place.groups, term, account.currency, hours_per_month, capacities=capacities)
    categories = []
    for row in configuration:
        codes = [row.category.category_code, *([row.same_items_as.category_code] if row.same_items_as else [])]
        options = tuple(
            FormOption(
                item_id=item_id,
                key_name=key_name,
                description=description,
                attributes=attributes[item_id],
                price=_price(prices.get(item_id, ()), question.for_category(codes[0])),
            )
            for item_id, key_name, description in sorted({row for code in codes for row in items.get(code, ())})
        )
        categories.append(_category(row, options))
    return PackageForm(Conditions(place, term, hours_per_month), capacities, tuple(categories))


def _price(prices: Sequence[PriceFacts], question: PriceQuestion) -> PriceAnswer:
    if question.capacities:
        return answer_price(prices, question)
    return price_without_container(prices, question)[0]


def _items_by_category(package: Package) -> dict[str, list[tuple[int, str, str]]]:
    found: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    rows = package.items.values_list("categories__category_code", "pk", "key_name", "description")
    for code, item_id, key_name, description in rows:
        found[code].append((item_id, key_name, description))
    return found


def _sizes(attributes: Mapping[str, AttributeFact]) -> dict[str, int]:
    return {name: int(fact.value) for name, fact in attributes.items() if name in SIZES and fact.value.isdigit()}


def _category(row: PackageConfiguration, options: tuple[FormOption, ...]) -> FormCategory:
    return FormCategory(
        category_code=row.category.category_code,
        name=row.category.name,
        order_step=row.order_step,
        is_required=row.is_required,
        quantity_limit=row.quantity_limit,
        error_words=row.error_words,
        options=options,
        default=_default(row, options),
    )


def _default(row: PackageConfiguration, options: Sequence[FormOption]) -> FormOption | None:
    """Return the package's default, or the cheapest option where that is not offered on the term."""
    if row.default_item_id is None:
        return None
    offered = [(option.price.monthly.amount, option.item_id, option) for option in options if option.price.monthly]
    for _, item_id, option in offered:
        if item_id == row.default_item_id:
            return option
    return min(offered, key=lambda each: each[:2])[2] if offered else None
