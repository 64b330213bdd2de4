"""The composer's page in rows: what each category shows, what stands open, and where a problem leads."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.container_facts import DISK_SLOT
from core.money import Money
from orders.compose_repairs import AddressRepair, address_repairs
from orders.composer import ChosenRow, Composed
from orders.options import CategoryOptions, Option

OPTIONS_SHOWN = 40
OPTIONS_WITHOUT_SEARCH = 10
TYPED_FIELDS = ("quantity", "hours", "contract", "code", "name", "hosts")


@dataclass(frozen=True)
class ComposeProblem:
    """A violation in words, the place on the page that it is about, and the click that settles it, if one can."""

    words: str
    field: str
    anchor: str
    repair: AddressRepair | None


@dataclass(frozen=True)
class OptionRow:
    """One option as it is shown: what it costs, and whether it is chosen."""

    option: Option
    is_chosen: bool


@dataclass(frozen=True)
class CategoryRow:
    """One category as it is shown, closed or open."""

    category: CategoryOptions
    is_required: bool
    chosen: tuple[ChosenRow, ...]
    monthly: Money | None
    options: tuple[OptionRow, ...]
    hidden: int
    search: str
    problems: tuple[ComposeProblem, ...]
    is_open: bool

    @property
    def anchor(self) -> str:
        return f"category-{self.category.category_code}"

    @property
    def takes_several(self) -> bool:
        return self.category.quantity_limit > 1

    @property
    def may_be_empty(self) -> bool:
        """Whether nothing may be chosen; then other choices may have to change with it."""
        return not (self.is_required and self.category.is_required)

    @property
    def has_search(self) -> bool:
        return bool(self.search) or len(self.category.options) > OPTIONS_WITHOUT_SEARCH

    @property
    def is_spare(self) -> bool:
        """Whether this is an empty slot beside others of its kind."""
        return self.category.shares_items and not self.chosen and not self.problems and not self.search


@dataclass(frozen=True)
class Block:
    """A row, and the empty slots that follow it folded away."""

    row: CategoryRow
    spare: tuple[CategoryRow, ...]


def page_of(composed: Composed) -> dict[str, Any]:
    """Return what the templates of the composer show of a composed container."""
    slots = _disk_slots(composed)
    clicks, click_for_all = address_repairs(composed)
    problems = [
        ComposeProblem(problem.words, problem.field, anchor_of(problem.field), click)
        for problem, click in zip(composed.problems, clicks, strict=True)
    ]
    rows = [row for row in _category_rows(composed, problems) if not (row.is_spare and _is_beyond(row, slots))]
    return {
        "composed": composed,
        "blocks": list(_blocks(rows)),
        "problems": problems,
        "repair_of_all": click_for_all,
        "field_errors": {name: _field_error(composed, problems, name) for name in TYPED_FIELDS},
        "field_repairs": {problem.field: problem.repair for problem in problems if problem.field in TYPED_FIELDS},
    }


def _field_error(composed: Composed, problems: Sequence[ComposeProblem], name: str) -> str:
    """Return what stands under a field that is typed into: what cannot be kept, or else what a rule says of it."""
    errors = composed.form.errors.get(name)
    if errors:
        return str(errors[0])
    return next((problem.words for problem in problems if problem.field == name), "")


def anchor_of(field: str) -> str:
    """Return the page's id for the field of a violation."""
    if field == "package":
        return "content"
    return f"id_{field}" if field in (*TYPED_FIELDS, "location", "term") else f"category-{field}"


def _disk_slots(composed: Composed) -> int | None:
    """Return how many slots the chosen chassis has; None where that is unknown."""
    chosen = [row.option for rows in composed.rows.values() for row in rows if row.option]
    return min((option.disk_slots for option in chosen if option.disk_slots is not None), default=None)


def _is_beyond(row: CategoryRow, slots: int | None) -> bool:
    slot = DISK_SLOT.fullmatch(row.category.category_code)
    return bool(slot and slots is not None and int(slot[1]) >= slots)


def _category_rows(composed: Composed, problems: Sequence[ComposeProblem]) -> list[CategoryRow]:
    missing = {problem.field for problem in composed.problems if problem.code == "category_required"}
    first_missing = next((each for each in composed.options.categories if each.category_code in missing), None)
    return [
        _category_row(
            category,
            composed,
            [problem for problem in problems if problem.field == category.category_code],
            is_missing=category.category_code in missing,
            is_first_missing=category is first_missing,
        )
        for category in composed.options.categories
    ]


def _category_row(
    category: CategoryOptions,
    composed: Composed,
    about: Sequence[ComposeProblem],
    *,
    is_missing: bool,
    is_first_missing: bool,
) -> CategoryRow:
    code = category.category_code
    chosen = composed.rows.get(code, ())
    search = (composed.asked.searches or {}).get(code, "")
    options, hidden = _shown(category, {row.pick.value for row in chosen}, search)
    is_wrong = len(about) > is_missing
    return CategoryRow(
        category=category,
        is_required=code in composed.answer.required,
        chosen=chosen,
        monthly=_monthly(composed, code),
        options=options,
        hidden=hidden,
        search=search,
        problems=tuple(about),
        is_open=is_first_missing or is_wrong or bool(search),
    )


def _shown(category: CategoryOptions, chosen: set[str], search: str) -> tuple[tuple[OptionRow, ...], int]:
    """Return the options that suit the search, the chosen ones always, and how many more there are."""
    words = search.lower().split()
    found = [
        OptionRow(option, option.value in chosen)
        for option in category.options
        if option.value in chosen or all(word in _text(option) for word in words)
    ]
    shown = [row for number, row in enumerate(found) if number < OPTIONS_SHOWN or row.is_chosen]
    return tuple(shown), len(found) - len(shown)


def _text(option: Option) -> str:
    return f"{option.item.description} {option.item.key_name}".lower()


def _monthly(composed: Composed, category_code: str) -> Money | None:
    """Return what one machine's choices in a category cost a month; None where that is unknown or there are none."""
    lines = [line for line in composed.lines if line.category_code == category_code]
    parts = [line.price.monthly.owed() * line.count if line.price.monthly else None for line in lines]
    known = [part for part in parts if part is not None]
    if not parts or len(known) < len(parts):
        return None
    return sum(known[1:], start=known[0])


def _blocks(rows: Sequence[CategoryRow]) -> Iterator[Block]:
    """Keep the first empty slot of a kind in sight and fold the others away behind it."""
    number = 0
    while number < len(rows):
        end = number + 1
        while rows[number].is_spare and end < len(rows) and rows[end].is_spare:
            end += 1
        yield Block(rows[number], tuple(rows[number + 1 : end]))
        number = end
