"""Rules from catalogue data: reading one row, and writing what is missing or measures something else now."""

from collections.abc import Iterable, Mapping

from django.db.models import Q

from catalog.cells import Cells
from catalog.layout import RuleRow
from catalog.models import Basis, Item, ItemCategory, ItemRule, Location, PriceRestriction
from catalog.row_reading import Sources, source_and_basis
from catalog.tallying import Tally, write_rows

SUBJECTS = ("item", "category")
OBJECTS = ("other", "other_category", "location")
NUMBERS = ("minimum", "maximum", "multiple_of")
MEASURES = (*NUMBERS, "equality")
RULE_KEY = (*SUBJECTS, *OBJECTS, "restriction", "kind")
RULE_COLUMNS = ({"kind"}, {*RULE_KEY, *MEASURES, "source", "basis"} - {"kind"})
KINDS = ItemRule.Kind
BELONGING: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    KINDS.REQUIRES: (("other", "other_category"), ()),
    KINDS.CONFLICTS: (OBJECTS, ()),
    KINDS.INCLUDES: (("other",), ()),
    KINDS.CAPACITY: (("restriction",), ("minimum", "maximum")),
    KINDS.DRIVES: ((), MEASURES),
}
"""For each kind the columns of which just one is filled, and those of which at least one is."""


def read_rule(cells: Cells, sources: Sources) -> RuleRow:
    """Return one rule; what is wrong with it is noted in the cells."""
    source, basis = source_and_basis(cells, sources) if "source" in cells.values else ("", Basis.PUBLISHED.value)
    row = RuleRow(
        item=cells.text("item", longest=60),
        kind=cells.choice("kind", KINDS.values),
        other=cells.text("other", longest=60),
        source=source,
        basis=basis,
        category=cells.text("category", longest=60),
        other_category=cells.text("other_category", longest=60),
        location=cells.text("location", longest=40),
        restriction=cells.text("restriction", longest=20),
        minimum=cells.whole("minimum"),
        maximum=cells.whole("maximum"),
        multiple_of=cells.whole("multiple_of", smallest=2, largest=1000),
        equality=cells.text("equality", longest=20),
    )
    if bool(row.item) == bool(row.category):
        cells.refuse("item", "missing", "A rule is about one item or one category. Fill in one of the two.")
    if row.item and row.item == row.other:
        cells.refuse("other", "same_item", "Is the item itself. Name another one.")
    if row.kind:
        _refuse_misfits(cells, row)
    return row


def _refuse_misfits(cells: Cells, row: RuleRow) -> None:
    one_of, some_of = BELONGING[row.kind]
    for column in (*OBJECTS, "restriction", *MEASURES):
        if getattr(row, column) not in ("", None) and column not in (*one_of, *some_of):
            cells.refuse(column, "misplaced", f"Has no meaning in a rule of the kind “{row.kind}”. Leave it empty.")
    if one_of and sum(bool(getattr(row, column)) for column in one_of) != 1:
        cells.refuse(one_of[0], "missing", f"Fill in just one of: {', '.join(one_of)}.")
    if some_of and not any(getattr(row, column) for column in some_of):
        cells.refuse(some_of[0], "missing", f"Fill in at least one of: {', '.join(some_of)}.")
    if row.restriction and row.restriction not in PriceRestriction.values:
        known = ", ".join(filter(None, PriceRestriction.values))
        cells.refuse("restriction", "unknown_word", f"“{row.restriction}” is unknown here. Write one of: {known}.")
    if row.equality and row.equality not in ItemRule.Equality.values:
        known = ", ".join(filter(None, ItemRule.Equality.values))
        cells.refuse("equality", "unknown_word", f"“{row.equality}” is unknown here. Write one of: {known}.")
    if row.minimum is not None and row.maximum is not None and row.minimum > row.maximum:
        words = f"{row.minimum} is above the maximum {row.maximum}. Swap or mend them."
        cells.refuse("minimum", "above_maximum", words)


def rules_load(
    *,
    rows: Iterable[RuleRow],
    items: Mapping[str, Item],
    categories: Mapping[str, ItemCategory],
    locations: Mapping[str, Location],
    tally: Tally,
) -> None:
    """Make the rules that are missing; of those that are there only the numbers follow the data."""
    wanted = {}
    for row in rows:
        values = {
            "item": items[row.item] if row.item else None,
            "category": categories[row.category] if row.category else None,
            "kind": row.kind,
            "other": items[row.other] if row.other else None,
            "other_category": categories[row.other_category] if row.other_category else None,
            "location": locations[row.location] if row.location else None,
            "restriction": row.restriction,
            **{column: getattr(row, column) for column in MEASURES},
            "source": row.source,
            "basis": row.basis,
        }
        wanted[_key(ItemRule(**values))] = values
    known = {_key(rule): rule for rule in _rules_of(items.values())}
    missing = {key: values for key, values in wanted.items() if key not in known}
    write_rows(model=ItemRule, kind="rules", existing={}, wanted=missing, tally=tally)
    numbers = {key: {column: values[column] for column in MEASURES} for key, values in wanted.items() if key in known}
    write_rows(model=ItemRule, kind="rules", existing=known, wanted=numbers, tally=tally)


def _rules_of(items: Iterable[Item]) -> Iterable[ItemRule]:
    sources = {item.source for item in items}
    return ItemRule.objects.filter(Q(item__source__in=sources) | Q(item__isnull=True))


def _key(rule: ItemRule) -> tuple[int | str | None, ...]:
    ids = (rule.item_id, rule.category_id, rule.other_id, rule.other_category_id, rule.location_id)
    return (*ids, rule.kind, rule.restriction)
