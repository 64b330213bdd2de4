"""Reading JSON in the shape of the SoftLayer API: packages with items with prices, items alone, or prices with items.

Nothing is written here and nothing is raised for bad data: refused and doubtful rows are noted with their path.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from catalog.cells import Cells
from catalog.files import digest_of, parse_json
from catalog.layout import (
    AttributeRow,
    CatalogData,
    CategoryRow,
    GroupRow,
    ItemRow,
    Notes,
    PackageRow,
    PriceRow,
    RuleRow,
    name_from_code,
)
from catalog.models import Basis, ItemRule
from catalog.row_reading import read_item, read_price
from catalog.softlayer_words import attributes_of, clean_words, has_markup

Json = dict[str, Any]
ITEM_NAMES = {"external_id": "id", "key_name": "keyName", "categories": "itemCategory"}
PRICE_NAMES = {
    "external_id": "id",
    "item": "itemId",
    "recurring_fee": "recurringFee",
    "hourly_recurring_fee": "hourlyRecurringFee",
    "setup_fee": "setupFee",
    "one_time_fee": "oneTimeFee",
    "labor_fee": "laborFee",
    "usage_rate": "usageRate",
    "location_group": "locationGroupId",
    "restriction": "capacityRestrictionType",
    "restriction_minimum": "capacityRestrictionMinimum",
    "restriction_maximum": "capacityRestrictionMaximum",
    "term_months": "termLength",
    "tier": "tierMinimumThreshold",
}


@dataclass
class _Found:
    """What has been read so far."""

    path: str
    price_source: str
    notes: Notes
    packages: dict[str, PackageRow] = field(default_factory=dict)
    items: dict[str, ItemRow] = field(default_factory=dict)
    prices: dict[tuple[str, str], PriceRow] = field(default_factory=dict)
    category_names: dict[str, str] = field(default_factory=dict)
    rules: dict[tuple[str, str, str], tuple[RuleRow, Cells]] = field(default_factory=dict)

    def cells(self, values: Json, prefix: str, names: Mapping[str, str]) -> Cells:
        return Cells(self.path, None, values, self.notes.refused, prefix, names)


def read_packages(*, path: Path, text: str, source: str, price_source: str, currency: str, notes: Notes) -> CatalogData:
    """Return what the good rows say; `price_source` tells people where the prices come from."""
    found = _Found(str(path), price_source, notes)
    for package, prefix in _packages_in(parse_json(path, text, notes.refused), found):
        _read_package(package, prefix, found)
    rules = tuple(rule for rule, cells in found.rules.values() if _both_are_known(rule, cells, found))
    attributes: list[AttributeRow] = [each for item in found.items.values() for each in attributes_of(item)]
    mentioned = {price.location_group for price in found.prices.values() if price.location_group is not None}
    return CatalogData(
        digest=digest_of({path.name: text}),
        path=str(path),
        source=source,
        currency=currency,
        groups=tuple(GroupRow(group, "", is_listed=False) for group in sorted(mentioned)),
        categories=tuple(CategoryRow(code, name) for code, name in found.category_names.items()),
        packages=tuple(found.packages.values()),
        items=tuple(found.items.values()),
        attributes=tuple(attributes),
        prices=tuple(found.prices.values()),
        rules=rules,
    )


def _packages_in(value: Any, found: _Found) -> Iterator[tuple[Json, str]]:
    """Give each package with its path. Items or prices alone come as one package without a name."""
    rows = value if isinstance(value, list) else [value]
    if value is None:
        return
    if not all(isinstance(row, dict) for row in rows):
        found.cells({}, "", {}).refuse("", "shape_unknown", "Is not a list of objects as the SoftLayer API sends them.")
    elif rows and all("prices" in row for row in rows):
        yield {"items": rows}, ""
    elif rows and all("item" in row for row in rows):
        yield {"itemPrices": rows}, ""
    elif rows and all("items" in row or "itemPrices" in row for row in rows):
        for number, row in enumerate(rows):
            yield row, f"[{number}]." if isinstance(value, list) else ""
    else:
        words = "Holds no packages with items or itemPrices, no items with prices and no prices with items."
        found.cells({}, "", {}).refuse("", "shape_unknown", words)


def _read_package(package: Json, prefix: str, found: _Found) -> None:
    key_name = ""
    if "id" in package or "keyName" in package:
        before = len(found.notes.refused)
        row = _package_row(found.cells(_texts(package), prefix, {"external_id": "id", "key_name": "keyName"}))
        if len(found.notes.refused) > before:
            return
        key_name = row.key_name
        found.packages[key_name] = row
    else:
        words = "These items name no package. They are taken without one and cannot be ordered yet."
        found.notes.doubtful.append(found.cells({}, prefix, {}).note("", "no_package", words))
    for item, at in _objects(package, "items", prefix, found):
        prices = [(price, path) for price, path in _objects(item, "prices", at, found)]
        _read_item(item, at, prices, key_name, found)
    by_item: dict[str, list[tuple[Json, str]]] = {}
    for price, at in _objects(package, "itemPrices", prefix, found):
        by_item.setdefault(str(_item_of(price).get("id")), []).append((price, at))
    for prices in by_item.values():
        first, at = prices[0]
        _read_item(_item_of(first), f"{at}item.", prices, key_name, found)


def _item_of(price: Json) -> Json:
    item = price.get("item")
    return item if isinstance(item, dict) else {}


def _package_row(cells: Cells) -> PackageRow:
    number = cells.required("id", longest=60)
    name = cells.required("name", longest=120)
    return PackageRow(
        key_name=cells.text("keyName", longest=60) or f"package-{number}",
        external_id=number,
        name=name,
        description=cells.text("description", longest=2000),
        is_active=cells.values.get("isActive") not in ("0", False),
        locations=None,
    )


def _read_item(item: Json, prefix: str, prices: list[tuple[Json, str]], package: str, found: _Found) -> None:
    codes = _category_codes(item, found)
    named = {str(price["itemId"]) for price, _ in prices if price.get("itemId") is not None}
    texts = _texts(item)
    # Items of a package carry no id of their own: the itemId of their prices is it.
    number = str(item["id"]) if item.get("id") is not None else (min(named) if len(named) == 1 else "")
    values = {
        "external_id": number,
        "key_name": texts.get("keyName") or f"ITEM_{number}",
        "description": texts.get("description"),
        "capacity": texts.get("capacity"),
        "units": texts.get("units"),
        "categories": codes,
        "packages": [package] if package else [],
    }
    cells = found.cells(values, prefix, ITEM_NAMES)
    before = len(found.notes.refused)
    if len(named | {number}) > 1:
        words = f"Its prices belong to the items {', '.join(sorted(named))}. Leave it one id."
        cells.refuse("prices", "ids_differ", words)
    row = read_item(cells)
    if len(found.notes.refused) > before:
        return
    _doubt_item(cells, row, item, prices, found)
    _keep_item(cells, row, found)
    _read_rules(item, cells, row, found)
    for price, at in prices:
        _read_price(price, at, row.external_id, found)


def _doubt_item(cells: Cells, row: ItemRow, item: Json, prices: list[tuple[Json, str]], found: _Found) -> None:
    if not row.categories and not any(price.get("categories") for price, _ in prices):
        words = "Neither the item nor a price of it names a category. It is taken, and cannot be ordered yet."
        found.notes.doubtful.append(cells.note("categories", "no_category", words))
    if not prices:
        found.notes.doubtful.append(cells.note("prices", "no_price", "Has no price. It is taken as unpriced."))
    if has_markup(str(item.get("description", ""))):
        words = f"Contained markup. It is taken as “{row.description}”."
        found.notes.doubtful.append(cells.note("description", "markup", words))


def _keep_item(cells: Cells, row: ItemRow, found: _Found) -> None:
    """Keep an item; one that comes again in another package joins it."""
    old = found.items.get(row.external_id)
    if old is None:
        found.items[row.external_id] = row
        return
    if old.description != row.description:
        words = f"Item {row.external_id} was “{old.description}” above. The first words are taken."
        found.notes.doubtful.append(cells.note("description", "item_differs", words))
    found.items[row.external_id] = replace(
        old,
        categories=tuple(dict.fromkeys((*old.categories, *row.categories))),
        packages=tuple(dict.fromkeys((*old.packages, *row.packages))),
    )


def _read_price(price: Json, prefix: str, item: str, found: _Found) -> None:
    texts = _texts(price)
    values: Json = {name: texts.get(theirs) for name, theirs in PRICE_NAMES.items()}
    values |= {"item": item, "source": "list", "basis": Basis.PUBLISHED.value}
    if isinstance(price.get("categories"), list):
        values["categories"] = _category_codes(price, found)
    cells = found.cells(values, prefix, PRICE_NAMES)
    before = len(found.notes.refused)
    row = read_price(cells, {"list": found.price_source})
    if len(found.notes.refused) > before:
        return
    old = found.prices.setdefault((item, row.external_id), row)
    if old is not row and replace(old, place="") != replace(row, place=""):
        cells.refuse("external_id", "repeated", f"Price {row.external_id} stands at {old.place} with other conditions.")
    if row.valid_from is None and all(fee is None for _, fee in row.fees):
        found.notes.doubtful.append(
            cells.note("", "unpriced", "Has no fee at all. It is taken as unpriced, not as free.")
        )


def _read_rules(item: Json, cells: Cells, row: ItemRow, found: _Found) -> None:
    for kind, name, other in (
        (ItemRule.Kind.REQUIRES, "requirements", "requiredItemId"),
        (ItemRule.Kind.CONFLICTS, "conflicts", "resourceTableId"),
    ):
        for requirement, at in _objects(item, name, cells.prefix, found):
            rule = RuleRow(row.external_id, kind.value, str(requirement.get(other)), found.price_source, "published")
            place = found.cells(requirement, at, {"other": other})
            found.rules[rule.item, rule.kind, rule.other] = (rule, place)
    upgrade = item.get("upgradeItemId")
    if upgrade is not None:
        found.rules[row.external_id, "upgrade", str(upgrade)] = (
            RuleRow(row.external_id, "upgrade", str(upgrade), "", ""),
            found.cells({}, cells.prefix, {"other": "upgradeItemId"}),
        )


def _both_are_known(rule: RuleRow, cells: Cells, found: _Found) -> bool:
    """Say whether a rule can be kept. Upgrades are no rules: they are only looked at for items that do not exist."""
    if rule.other not in found.items:
        words = f"There is no item {rule.other} in this file. The {rule.kind} is left out."
        found.notes.doubtful.append(cells.note("other", "dangling", words))
        return False
    return rule.kind in ItemRule.Kind.values and rule.item != rule.other


def _category_codes(row: Json, found: _Found) -> list[str]:
    """Return the categories that an item or a price names, and remember their names."""
    single, several = row.get("itemCategory"), row.get("categories")
    named = [single] if isinstance(single, dict) else []
    named += [each for each in several if isinstance(each, dict)] if isinstance(several, list) else []
    codes = []
    for each in named:
        code = str(each.get("categoryCode") or "")
        if code:
            codes.append(code)
            name = clean_words(str(each.get("name") or ""))
            if name or code not in found.category_names:
                found.category_names[code] = name or name_from_code(code)
    return list(dict.fromkeys(codes))


def _objects(row: Json, name: str, prefix: str, found: _Found) -> Iterator[tuple[Json, str]]:
    """Give the objects of a list with their paths, such as "[0].items[3]."; what is no object is refused."""
    values = row.get(name) or []
    if not isinstance(values, list):
        found.cells({}, prefix, {}).refuse(name, "not_a_list", "Is not a list of objects.")
        return
    for number, value in enumerate(values):
        if isinstance(value, dict):
            yield value, f"{prefix}{name}[{number}]."
        else:
            found.cells({}, prefix, {}).refuse(f"{name}[{number}]", "not_an_object", "Is not an object.")


def _texts(row: Json) -> Json:
    """Return the row with numbers as text and words without markup; flags and lists stay."""
    texts: Json = {}
    for name, value in row.items():
        if isinstance(value, str):
            texts[name] = clean_words(value)
        else:
            texts[name] = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    return texts
