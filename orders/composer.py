"""One container as its address describes it: what was chosen, what it costs, and everything that is wrong with it.

Nothing is written here. What a page shows and what a draft then holds come from the same check of the catalogue.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from accounts.models import Account
from catalog.models import Item, Location, Package
from catalog.package_form import package_parts
from catalog.pricing import HOURS_PER_MONTH, PriceAnswer, Term
from catalog.promotions import promotion_code_problems
from catalog.services import ContainerAnswer, ContainerQuestion, containers_check
from catalog.shelves import Place, Shelf
from core.errors import Violation
from orders.asked import MOST_OF_ONE_ITEM
from orders.compose_address import Asked, Pick
from orders.composing import Choice, Composition
from orders.drafts import Draft
from orders.forms import ComposeForm
from orders.host_names import host_count_problems, host_names_of, repeated_among, repeated_problem
from orders.options import CategoryOptions, Option, PackageOptions, package_options
from orders.presets import PresetOffer, preset_offers, preset_questions, presets_of
from orders.totals import Owed, Totals, owed_for, totals_of

LONGEST_COUNT = len(str(MOST_OF_ONE_ITEM))


@dataclass(frozen=True)
class ChosenRow:
    """One row of a category: what was typed, and the option and the number that it means, where it means any."""

    pick: Pick
    option: Option | None
    count: int


@dataclass(frozen=True)
class ComposedLine:
    """One chosen item as the summary lists it, for all pieces."""

    category_code: str
    category_name: str
    description: str
    count: int
    price: PriceAnswer
    totals: Totals
    included: tuple[str, ...]
    """What comes along in a bundle, in words."""


@dataclass(frozen=True)
class Composed:
    """Everything that the composer's page says. `composition` is None while something typed cannot be kept."""

    asked: Asked
    package: Package
    places: tuple[Place, ...]
    place: Place
    term: Term
    hours_per_month: Decimal
    quantity: int
    form: ComposeForm
    options: PackageOptions
    rows: Mapping[str, tuple[ChosenRow, ...]]
    lines: tuple[ComposedLine, ...]
    each: Totals
    totals: Totals
    refusals: tuple[Violation, ...]
    answer: ContainerAnswer
    host_violations: tuple[Violation, ...]
    code_violations: tuple[Violation, ...]
    taken_host_names: frozenset[str]
    presets: tuple[PresetOffer, ...]
    composition: Composition | None

    @property
    def hourly_rate(self) -> Decimal:
        """What all pieces cost an hour, unrounded; unpriced parts are left out, as in the totals."""
        fees = (line.price.fees.hourly_recurring_fee for line in self.lines for _ in range(line.count))
        return sum((fee for fee in fees if fee is not None), Decimal(0)) * self.quantity

    @property
    def violations(self) -> tuple[Violation, ...]:
        """What the catalogue says of the choices, and what is wrong with the host names and the promotion code."""
        return (*self.answer.violations, *self.host_violations, *self.code_violations)

    @property
    def promotion_code(self) -> str:
        """The code typed for a new order; a draft has its own."""
        return _new_code(self.form)

    @property
    def bundles(self) -> tuple[ComposedLine, ...]:
        """The chosen items that bring others along."""
        return tuple(line for line in self.lines if line.included)

    @property
    def is_unfinished(self) -> bool:
        """Whether something required is still to be chosen, so that the price will grow."""
        return any(violation.code == "category_required" for violation in self.violations)

    @property
    def problems(self) -> tuple[Violation, ...]:
        """Everything that is wrong, what cannot even be kept in a draft first."""
        return (*self.refusals, *self.violations)


class NotSoldAnywhere(Exception):
    """The package has no location, so nothing in it has a price."""


def compose(*, asked: Asked, shelf: Shelf, account: Account, draft: Draft | None, at: datetime) -> Composed:
    """Work out what an address asks for; raises NotSoldAnywhere."""
    package, places = shelf.package, shelf.places
    place = shelf.place(asked.location or (draft.location_key if draft else ""))
    if place is None:
        raise NotSoldAnywhere
    code = draft.order.promotion_code if draft else asked.code
    parts = package_parts(shelf=shelf, account=account, at=at, promotion_code=code)
    has_contracts = bool(asked.contract) or parts.has_contracts
    form = ComposeForm(_typed(asked, package, draft), is_in_draft=draft is not None, has_contracts=has_contracts)
    form.is_valid()
    contract = form.cleaned_data.get("contract")
    hours = draft.order.hours_per_month if draft else form.cleaned_data.get("hours") or HOURS_PER_MONTH
    quantity = form.cleaned_data.get("quantity") or 1
    options = package_options(
        parts=parts,
        place=place,
        term=_term(asked.term),
        hours_per_month=hours,
        chosen=[pick.value for picks in (asked.picks or {}).values() for pick in picks],
        contract_months=contract,
    )
    refused_conditions = _refused_conditions(asked, places)
    asked = replace(
        asked,
        location=place.key_name,
        term=options.term.value,
        quantity=asked.quantity if asked.quantity is not None else "1",
        picks=_usual_picks(options) if asked.picks is None else asked.picks,
    )
    rows, unknown = _rows(asked, options, package)
    asked = replace(asked, picks={code: tuple(row.pick for row in found) for code, found in rows.items()})
    choices = _choices(rows, options)
    presets = presets_of(package_id=package.pk)
    location = Location(pk=place.location_id, key_name=place.key_name, name=place.name)
    answers = containers_check(
        account=account,
        hours_per_month=hours,
        questions=[
            ContainerQuestion(
                package,
                location,
                options.term.value,
                choices,
                contract_months=contract,
                quantity=quantity,
                wants_repairs=True,
            ),
            *preset_questions(presets, package=package, location=location, options=options, contract_months=contract),
        ],
        at=at,
        promotion_code=code,
    )
    answer = answers[0]
    owed = [owed_for(price=line.price, quantity=quantity) for line in answer.lines]
    refusals = (*form.violations, *refused_conditions, *unknown)
    composed = Composed(
        asked=asked,
        package=package,
        places=places,
        place=place,
        term=options.term,
        hours_per_month=hours,
        quantity=quantity,
        form=form,
        options=options,
        rows=rows,
        lines=_lines(choices, owed, answer, options, account.currency),
        each=_each(answer, currency=account.currency),
        totals=totals_of(owed, currency=account.currency),
        refusals=refusals,
        answer=answer,
        host_violations=tuple(_host_name_violations(form, quantity, draft)),
        code_violations=tuple(promotion_code_problems(account=account, code=_new_code(form), at=at, field="code")),
        taken_host_names=draft.other_host_names if draft else frozenset(),
        presets=preset_offers(
            presets,
            answers[1:],
            options=options,
            asked=asked,
            is_named=asked.name not in (None, package.name),
            currency=account.currency,
        ),
        composition=None,
    )
    return composed if refusals else replace(composed, composition=_composition(composed, location, choices))


def _typed(asked: Asked, package: Package, draft: Draft | None) -> dict[str, str]:
    """Return what was typed, and the usual words where the address says nothing."""
    return {
        "hours": str(draft.order.hours_per_month) if draft else asked.hours or f"{HOURS_PER_MONTH}",
        "quantity": "1" if asked.quantity is None else asked.quantity,
        "name": package.name if asked.name is None else asked.name,
        "hosts": asked.hosts,
        "contract": asked.contract,
        "code": asked.code,
    }


def _new_code(form: ComposeForm) -> str:
    return str(form.cleaned_data.get("code", ""))


def _term(word: str) -> Term | None:
    return Term(word) if word in list(Term) else None


def _usual_picks(options: PackageOptions) -> dict[str, tuple[Pick, ...]]:
    return {code: (Pick(option.value),) for code, option in options.usual.items()}


def _rows(
    asked: Asked, options: PackageOptions, package: Package
) -> tuple[dict[str, tuple[ChosenRow, ...]], list[Violation]]:
    """Return the rows of each category, and what in them means nothing here."""
    rows: dict[str, tuple[ChosenRow, ...]] = {}
    unknown = []
    for code, picks in (asked.picks or {}).items():
        category = options.category(code)
        if category is None:
            if picks:
                words = f"{package.name} does not ask for “{code}”. What was chosen for it is left out."
                unknown.append(Violation("category_unknown", code, words))
            continue
        rows[code] = tuple(_row(pick, category) for pick in picks)
        unknown += [violation for row in rows[code] for violation in _row_problems(row, category)]
    return rows, unknown


def _row(pick: Pick, category: CategoryOptions) -> ChosenRow:
    option = category.option(pick.value)
    # An address may give an item's id along; from here on the shortest name that is enough is used.
    return ChosenRow(replace(pick, value=option.value) if option else pick, option, _count(pick.count))


def _count(typed: str) -> int:
    """Return how many of an item were asked for; 0 where that is no number from 1 to the most that there may be."""
    is_number = typed.isascii() and typed.isdigit() and len(typed) <= LONGEST_COUNT
    count = int(typed) if is_number else 0
    return count if count <= MOST_OF_ONE_ITEM else 0


def _row_problems(row: ChosenRow, category: CategoryOptions) -> list[Violation]:
    problems = []
    if row.option is None:
        words = f"{category.name}: there is no “{row.pick.value}” here any more. Choose another item."
        problems.append(Violation("item_unknown", category.category_code, words))
    if not row.count:
        words = f"{category.name}: “{row.pick.count}” is not a number from 1 to {MOST_OF_ONE_ITEM}."
        problems.append(Violation("count_out_of_range", category.category_code, words))
    return problems


def _choices(rows: Mapping[str, tuple[ChosenRow, ...]], options: PackageOptions) -> list[tuple[str, Item]]:
    """Return each chosen item as often as it is wanted, in the order of the package's categories."""
    codes = [category.category_code for category in options.categories if category.category_code in rows]
    return [
        (code, row.option.item)
        for code in codes
        for row in rows[code]
        if row.option is not None
        for _ in range(row.count)
    ]


def _refused_conditions(asked: Asked, places: Sequence[Place]) -> list[Violation]:
    problems = []
    if asked.location and asked.location not in {place.key_name for place in places}:
        words = f"This package is not sold in “{asked.location}”. The prices are those of {places[0].name}."
        problems.append(Violation("location_not_sold", "location", words))
    if asked.term and _term(asked.term) is None:
        words = f"“{asked.term}” is not a billing term. Choose one of: {', '.join(Term)}."
        problems.append(Violation("term_unknown", "term", words))
    return problems


def _host_name_violations(form: ComposeForm, quantity: int, draft: Draft | None) -> list[Violation]:
    typed = form.cleaned_data.get("hosts", "")
    problems = host_count_problems(typed, quantity=quantity, field="hosts")
    names = host_names_of(typed, quantity=quantity)
    taken = draft.other_host_names if draft else frozenset()
    repeated = [*repeated_among(names), *(name for name in names if name in taken)]
    return [*problems, repeated_problem(repeated, field="hosts")] if repeated else problems


def _lines(
    choices: Sequence[tuple[str, Item]],
    owed: Sequence[Owed],
    answer: ContainerAnswer,
    options: PackageOptions,
    currency: str,
) -> tuple[ComposedLine, ...]:
    """Return one line for each item in a category, however often it was chosen."""
    names = {category.category_code: category.name for category in options.categories}
    amounts: dict[tuple[str, int], list[Owed]] = {}
    for (code, item), part in zip(choices, owed, strict=True):
        amounts.setdefault((code, item.pk), []).append(part)
    prices = {(line.category_code, line.item.pk): line for line in answer.lines}
    return tuple(
        ComposedLine(
            category_code=key[0],
            category_name=names[key[0]],
            description=prices[key].item.description,
            count=len(parts),
            price=prices[key].price,
            totals=totals_of(parts, currency=currency),
            included=prices[key].included,
        )
        for key, parts in amounts.items()
    )


def _each(answer: ContainerAnswer, *, currency: str) -> Totals:
    return totals_of((owed_for(price=line.price, quantity=1) for line in answer.lines), currency=currency)


def _composition(composed: "Composed", location: Location, choices: Sequence[tuple[str, Item]]) -> Composition:
    names = {category.category_code: category.name for category in composed.options.categories}
    return Composition(
        item_name=composed.form.cleaned_data["name"],
        package=composed.package,
        location=location,
        term=composed.term,
        quantity=composed.quantity,
        host_names=composed.form.cleaned_data["hosts"],
        choices=tuple(Choice(code, names[code], item) for code, item in choices),
        contract_months=composed.form.cleaned_data.get("contract"),
    )
