"""Reading configurations to predict: of an order's containers, of a package, of what is being composed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from itertools import groupby

from django.db.models import QuerySet, prefetch_related_objects

from accounts.models import Account
from catalog.models import BlueprintPart, Item, Location, Package, PackageConfiguration
from catalog.pricing import Term
from catalog.services import ContainerAnswer, ContainerQuestion, containers_check
from catalog.shelves import Place, Shelf
from core.money import Money, Total
from orders.composer import Composed
from orders.selectors import OrderTree
from orders.totals import owed_for, totals_of
from planner.configurations import MACHINE_TYPE, Configuration, DriveGroup, Part, configuration_of
from planner.learnt import NOTHING_LEARNT, Learnt
from planner.predicted import Predicted, PredictedFigure, predicted_of
from simulation.drives import NETWORK

VOLUMES = ("volume", "iscsi")
"""Categories whose items are volumes reached over a network."""
COLUMNS = (
    ("random_read", "Random reads", "IOPS"),
    ("random_write", "Random writes", "IOPS"),
    ("sequential_read", "Sequential reads", "MB/s"),
    ("sequential_write", "Sequential writes", "MB/s"),
    ("network", "Network", "MB/s each way"),
)
LEADS = (MACHINE_TYPE, *VOLUMES)
"""Categories of which every item makes a configuration of its own."""
STANDARD = "As it comes"
CENTS_FROM = Decimal("0.1")
FINE = Decimal("0.0001")


@dataclass(frozen=True)
class PredictedRow:
    """One configuration with what it is predicted to do and what it costs.

    `monthly` is for one machine; None while something required is still to be chosen.
    """

    title: str
    note: str
    predicted: Predicted
    monthly: Total | None

    @property
    def groups(self) -> list[tuple[str, list["PredictedCell"]]]:
        """Each array in words with its figures; the network stands with the data array, or alone."""
        groups = [(array.words, self._cells(array.figures)) for array in self.predicted.arrays] or [("", [])]
        if self.predicted.network:
            groups[0][1].append(PredictedCell(self.predicted.network, self.monthly))
        return [group for group in groups if group[1]]

    @property
    def by_key(self) -> dict[str, "PredictedCell"]:
        """The cells of the data array and the network."""
        return {cell.figure.key: cell for cell in self._cells(self.predicted.figures)}

    def _cells(self, figures: Iterable[PredictedFigure]) -> list["PredictedCell"]:
        return [PredictedCell(figure, self.monthly) for figure in figures]


@dataclass(frozen=True)
class PredictedCell:
    """One figure in words, with what one of it costs a month."""

    figure: PredictedFigure
    monthly: Total | None

    @property
    def value_words(self) -> str:
        return figure_words(self.figure.value)

    @property
    def band_words(self) -> str:
        return f"{figure_words(self.figure.low)} to {figure_words(self.figure.high)}" if self.figure.has_band else ""

    @property
    def price_words(self) -> str:
        """What one MB/s or a thousand IOPS cost a month; a lower bound where a part is unpriced."""
        if self.monthly is None or not self.figure.price_unit or not self.monthly.known.amount:
            return ""
        amount = self.monthly.known.amount / Decimal(str(self.figure.priced_amount))
        bound = "" if self.monthly.is_exact else "≥ "
        return f"{bound}{_unit_price(Money(amount, self.monthly.known.currency))} / {self.figure.price_unit}"


def figure_words(value: float) -> str:
    """Return a figure with three digits that mean something: 32,700 and 14.5."""
    if value >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


@dataclass(frozen=True)
class PredictedTable:
    """Configurations side by side: the columns that any of them fills, and what is unknown of all of them alike."""

    columns: tuple[tuple[str, str, str], ...]
    rows: tuple[tuple[PredictedRow, tuple[PredictedCell | None, ...]], ...]
    unknown: tuple[str, ...]


def table_of(rows: Sequence[PredictedRow]) -> PredictedTable:
    """Arrange rows of which something is known."""
    known = [row for row in rows if row.predicted.figures]
    cells = [row.by_key for row in known]
    columns = tuple(column for column in COLUMNS if any(column[0] in each for each in cells))
    shared = [words for words in (known[0].predicted.unknown if known else ()) if _is_in_all(words, known)]
    return PredictedTable(
        columns=columns,
        rows=tuple(
            (replace(row, predicted=replace(row.predicted, unknown=_without(row, shared))), filled)
            for row, filled in (
                (row, tuple(each.get(key) for key, _, _ in columns)) for row, each in zip(known, cells, strict=True)
            )
        ),
        unknown=tuple(shared),
    )


def _is_in_all(words: str, rows: Sequence[PredictedRow]) -> bool:
    return len(rows) > 1 and all(words in row.predicted.unknown for row in rows)


def _without(row: PredictedRow, shared: Sequence[str]) -> tuple[str, ...]:
    return tuple(words for words in row.predicted.unknown if words not in shared)


def predicted_row(
    *,
    title: str,
    parts: Sequence[Part],
    monthly: Total | None,
    note: str = "",
    learnt: Learnt = NOTHING_LEARNT,
) -> PredictedRow:
    """Predict what the parts of one machine make; their items are read with their attributes."""
    configuration = _with_volume(configuration_of(title=title, quantity=1, parts=parts), parts)
    facts = {fact.name: fact.value for code, item in parts if code == MACHINE_TYPE for fact in item.attributes.all()}
    predicted = predicted_of(configuration, io_class=facts.get("io_class", ""), learnt=learnt)
    return PredictedRow(title=title, note=note, predicted=predicted, monthly=monthly)


def rows_of_order(tree: OrderTree, *, learnt: Learnt = NOTHING_LEARNT) -> list[PredictedRow]:
    """Predict every container of an order; one query more than the tree took."""
    nodes = [(item, node) for item in tree.items for node in item.containers]
    prefetch_related_objects([line.line.item for _, node in nodes for line in node.lines], "attributes")
    return [
        predicted_row(
            title=item.item.name,
            note=f"{node.container.quantity:,} × {node.container.package.name}",
            parts=[(line.line.category_code, line.line.item) for line in node.lines],
            monthly=_share(node.totals.monthly, node.container.quantity),
            learnt=learnt,
        )
        for item, node in nodes
    ]


def row_of_composed(composed: Composed, *, learnt: Learnt = NOTHING_LEARNT) -> PredictedRow:
    """Predict what is being composed, at the price that the composer shows."""
    parts = [
        (code, row.option.item)
        for code, rows in composed.rows.items()
        for row in rows
        if row.option is not None
        for _ in range(row.count)
    ]
    prefetch_related_objects([item for _, item in parts], "attributes")
    monthly = None if composed.is_unfinished else composed.each.monthly
    return predicted_row(title=composed.package.name, parts=parts, monthly=monthly, learnt=learnt)


def rows_of_package(
    *,
    shelf: Shelf,
    account: Account,
    place: Place,
    term: Term,
    hours_per_month: Decimal,
    at: datetime,
    learnt: Learnt = NOTHING_LEARNT,
) -> list[PredictedRow]:
    """Predict a package's presets, or each of its machine types or volumes, at prices here and now.

    What they leave open is filled with the package's defaults; a configuration to which something required is missing
    is left out. The number of queries does not grow with them.
    """
    named = _configurations_of(shelf)
    prefetch_related_objects([item for _, _, parts in named for _, item in parts], "attributes")
    location = Location(pk=place.location_id, key_name=place.key_name, name=place.name)
    answers = containers_check(
        account=account,
        hours_per_month=hours_per_month,
        questions=[ContainerQuestion(shelf.package, location, term.value, tuple(parts)) for _, _, parts in named],
        at=at,
    )
    return [
        predicted_row(title=title, note=note, parts=parts, monthly=_monthly(answer, account.currency), learnt=learnt)
        for (title, note, parts), answer in zip(named, answers, strict=True)
        if not any(violation.code == "category_required" for violation in answer.violations)
    ]


def _configurations_of(shelf: Shelf) -> list[tuple[str, str, list[Part]]]:
    """Return the configurations worth showing: title, note and parts."""
    rows = PackageConfiguration.objects.filter(package=shelf.package, is_required=True, default_item__isnull=False)
    usual = [
        (row.category.category_code, row.default_item)
        for row in rows.select_related("category", "default_item")
        if row.default_item
    ]
    leads = [category.category_code for category in shelf.categories if category.category_code in LEADS]
    if leads:
        items = shelf.package.items.filter(categories__category_code=leads[0]).order_by("pk")
        others = [part for part in usual if part[0] != leads[0]]
        return [(item.description, _note(item), [(leads[0], item), *others]) for item in items]
    return [(STANDARD, "", usual), *_presets_of(shelf.package, usual)]


def _presets_of(package: Package, usual: Sequence[Part]) -> list[tuple[str, str, list[Part]]]:
    rows = BlueprintPart.objects.filter(role__package=package).select_related("role__blueprint", "category", "item")
    roles = [list(parts) for _, parts in groupby(_in_order(rows), key=lambda part: part.role_id)]
    counts = Counter(parts[0].role.blueprint_id for parts in roles)
    found = []
    for parts in roles:
        role = parts[0].role
        codes = {part.category.category_code for part in parts}
        filled = [
            *((part.category.category_code, part.item) for part in parts),
            *(part for part in usual if part[0] not in codes),
        ]
        found.append((role.blueprint.name, role.name if counts[role.blueprint_id] > 1 else "", filled))
    return found


def _in_order(parts: QuerySet[BlueprintPart]) -> QuerySet[BlueprintPart]:
    return parts.order_by("role__blueprint__name", "role__sequence", "role_id", "pk")


def _note(item: Item) -> str:
    return "" if item.key_name == item.description else item.key_name


def _with_volume(configuration: Configuration, parts: Sequence[Part]) -> Configuration:
    """Take a volume of the network for the drives of a configuration that is nothing else."""
    volumes = [item for code, item in parts if code in VOLUMES]
    if not volumes or configuration.drives:
        return configuration
    capacity = volumes[0].capacity
    group = DriveGroup(NETWORK, float(capacity) if capacity else None, 1, volumes[0].description)
    note = "Volumes are taken to be like the network storage of 2012 that was measured at about 400 IOPS."
    return replace(configuration, drives=(group,), raid="none", notes=(*configuration.notes, note))


def _share(total: Total, quantity: int) -> Total:
    """Return what one of `quantity` equal machines costs of a total, to a fraction of a cent."""
    return Total(Money(total.known.amount / quantity, total.known.currency), total.unpriced_parts)


def _monthly(answer: ContainerAnswer, currency: str) -> Total:
    return totals_of((owed_for(price=line.price, quantity=1) for line in answer.lines), currency=currency).monthly


def _unit_price(money: Money) -> str:
    """Return a price of one of something: cents, and four places below ten cents."""
    if not 0 < money.amount < CENTS_FROM:
        return str(money)
    sign = str(Money(Decimal(0), money.currency))[:-4]
    return f"{sign}{money.amount.quantize(FINE)}"
