"""What can be chosen in a package, as the composer names, sorts and shows it: the catalogue's form in our words."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Q

from accounts.models import Account
from catalog.browsing import Place
from catalog.models import Item, Package
from catalog.package_form import FormCategory, FormOption, PackageForm, package_form
from catalog.pricing import PriceAnswer, Term

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
    package: Package,
    account: Account,
    place: Place,
    term: Term | None,
    hours_per_month: Decimal,
    chosen: Iterable[str],
    at: datetime,
) -> PackageOptions:
    """Return what the package asks for, in its order; categories that nothing fills are left out.

    Without a term it is the one on which more is offered. `chosen` are the items chosen so far, as an address names
    them: on the size of the machine some prices depend.
    """
    item_ids = _item_ids(package, chosen)

    def form_on(each: Term) -> PackageForm:
        return package_form(
            package=package,
            account=account,
            place=place,
            term=each,
            at=at,
            hours_per_month=hours_per_month,
            chosen_item_ids=item_ids,
        )

    form = form_on(term) if term else max((form_on(each) for each in (Term.MONTHLY, Term.HOURLY)), key=_offered)
    return PackageOptions(form.conditions.term, tuple(_categories(form)))


def _item_ids(package: Package, chosen: Iterable[str]) -> list[int]:
    names = [value.rpartition(BETWEEN_NAME_AND_ID) for value in chosen]
    if not names:
        return []
    ids = [
        int(number) for name, _, number in names if name and number.isascii() and number.isdigit() and len(number) < 19
    ]
    is_chosen = Q(pk__in=ids) | Q(key_name__in=[number for name, _, number in names if not name])
    return list(package.items.filter(is_chosen).values_list("pk", flat=True))


def _offered(form: PackageForm) -> int:
    return sum(not option.price.is_unpriced for category in form.categories for option in category.options)


def _categories(form: PackageForm) -> Iterable[CategoryOptions]:
    before: set[int] = set()
    for category in form.categories:
        item_ids = {option.item_id for option in category.options}
        if item_ids:
            yield _category(category, shares_items=item_ids == before)
        before = item_ids


def _category(category: FormCategory, *, shares_items: bool) -> CategoryOptions:
    names = Counter(option.key_name for option in category.options)
    options = {option.item_id: _option(option, is_unique=names[option.key_name] == 1) for option in category.options}
    return CategoryOptions(
        category_code=category.category_code,
        name=category.name,
        is_required=category.is_required,
        quantity_limit=category.quantity_limit,
        shares_items=shares_items,
        usual=options[category.default.item_id] if category.default else None,
        options=tuple(sorted(options.values(), key=_rank)),
    )


def _option(option: FormOption, *, is_unique: bool) -> Option:
    item = Item(pk=option.item_id, key_name=option.key_name, description=option.description)
    slots = option.attributes.get("disk_slots")
    known = [f"{option.attributes[name].value} {unit}" for name, unit in NOTES if name in option.attributes]
    return Option(
        item=item,
        value=option.key_name if is_unique else value_of(item),
        note=" · ".join(known),
        disk_slots=int(slots.value) if slots and slots.value.isdigit() else None,
        price=option.price,
    )


def _rank(option: Option) -> tuple[bool, Decimal, str]:
    """Put what is offered first, then the cheapest."""
    monthly = option.price.monthly
    return monthly is None, monthly.amount if monthly else Decimal(0), option.item.description
