"""What can be chosen in a package, as the composer names, sorts and shows it: the catalogue's form in our words."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from catalog.models import Item
from catalog.package_form import FormCategory, FormOption, PackageForm, PackageParts, package_form
from catalog.pricing import PriceAnswer, Term
from catalog.shelves import Place

BETWEEN_NAME_AND_ID = "~"
NOTES = (
    ("compute_units", "ECU"),
    ("memory_gb", "GB memory"),
    ("local_storage_gb", "GB local storage"),
    ("disk_slots", "disk slots"),
)


@dataclass(frozen=True)
class Option:
    """One item that may fill a category, with its price there. `value` names it in an address."""

    item: Item
    value: str
    note: str
    disk_slots: int | None
    price: PriceAnswer

    @property
    def is_offered(self) -> bool:
        return not self.price.is_unpriced

    @property
    def why_not(self) -> str:
        """Why the option cannot be chosen, in the words of the price ladder."""
        return self.price.steps[-1].words


@dataclass(frozen=True)
class CategoryOptions:
    """One category that a package asks for, with everything that may fill it, the cheapest first.

    One that shares the items of the category before it is another slot for the same kind of thing.
    """

    category_code: str
    name: str
    is_required: bool
    quantity_limit: int
    shares_items: bool
    usual: Option | None
    options: tuple[Option, ...]

    def option(self, value: str) -> Option | None:
        """Return the option that an address calls so, by the shortest name or with its id."""
        return next((each for each in self.options if value in (each.value, value_of(each.item))), None)

    def option_of(self, item_id: int) -> Option | None:
        return next((option for option in self.options if option.item.pk == item_id), None)


@dataclass(frozen=True)
class PackageOptions:
    """What a package asks for, on one term."""

    term: Term
    categories: tuple[CategoryOptions, ...]

    def category(self, category_code: str) -> CategoryOptions | None:
        return next((found for found in self.categories if found.category_code == category_code), None)

    @property
    def usual(self) -> dict[str, Option]:
        """What stands there when nobody chose."""
        return {each.category_code: each.usual for each in self.categories if each.usual and each.is_required}


def value_of(item: Item) -> str:
    """Name an item in an address so that no other one is meant; key names can repeat in a package."""
    return f"{item.key_name}{BETWEEN_NAME_AND_ID}{item.pk}"


def package_options(
    *,
    parts: PackageParts,
    place: Place,
    term: Term | None,
    hours_per_month: Decimal,
    chosen: Iterable[str],
    contract_months: int | None = None,
) -> PackageOptions:
    """Return what the package asks for, in its order; categories that nothing fills are left out.

    Without a term it is the one on which more is offered. `chosen` are the items chosen so far, as an address names
    them: on the size of the machine some prices depend.
    """
    item_ids = _item_ids(parts, chosen)

    def form_on(each: Term) -> PackageForm:
        return package_form(
            parts=parts,
            place=place,
            term=each,
            hours_per_month=hours_per_month,
            chosen_item_ids=item_ids,
            contract_months=contract_months,
        )

    form = form_on(term) if term else max((form_on(each) for each in (Term.MONTHLY, Term.HOURLY)), key=_offered)
    return PackageOptions(form.conditions.term, tuple(_categories(form)))


def _item_ids(parts: PackageParts, chosen: Iterable[str]) -> set[int]:
    """Return the items that these words name, by the key name alone or with the id."""
    words = frozenset(chosen)
    return {
        item.item_id
        for item in parts.items
        if item.key_name in words or f"{item.key_name}{BETWEEN_NAME_AND_ID}{item.item_id}" in words
    }


def _offered(form: PackageForm) -> int:
    return sum(not option.price.is_unpriced for category in form.categories for option in category.options)


def _categories(form: PackageForm) -> Iterable[CategoryOptions]:
    before: set[int] = set()
    for category in form.categories:
        item_ids = {option.item.item_id for option in category.options}
        if item_ids:
            yield _category(category, shares_items=item_ids == before)
        before = item_ids


def _category(category: FormCategory, *, shares_items: bool) -> CategoryOptions:
    names = Counter(option.item.key_name for option in category.options)
    words = Counter(option.item.words for option in category.options)
    options = {
        option.item.item_id: _option(
            option, is_unique=names[option.item.key_name] == 1, is_told_apart=words[option.item.words] == 1
        )
        for option in category.options
    }
    return CategoryOptions(
        category_code=category.category_code,
        name=category.name,
        is_required=category.is_required,
        quantity_limit=category.quantity_limit,
        shares_items=shares_items,
        usual=options[category.default.item.item_id] if category.default else None,
        options=tuple(sorted(options.values(), key=_rank)),
    )


def _option(option: FormOption, *, is_unique: bool, is_told_apart: bool) -> Option:
    """Name an option in words of ours; its key name stands beside them where they leave open which one is meant."""
    facts = option.item
    item = Item(pk=facts.item_id, key_name=facts.key_name, description=facts.words)
    known = [f"{facts.attributes[name].value} {unit}" for name, unit in NOTES if name in facts.attributes]
    return Option(
        item=item,
        value=facts.key_name if is_unique else value_of(item),
        note=" · ".join(known if is_told_apart else [*known, facts.key_name]),
        disk_slots=facts.sizes.get("disk_slots"),
        price=option.price,
    )


def _rank(option: Option) -> tuple[bool, Decimal, str]:
    """Put what is offered first, then the cheapest."""
    monthly = option.price.monthly
    return monthly is None, monthly.amount if monthly else Decimal(0), option.item.description
