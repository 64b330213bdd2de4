"""Two configurations side by side: what they have in common, and where they differ."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby, zip_longest
from typing import Any

from core.money import Money
from orders.bill_of_materials import category_words
from orders.promise_words import contract_words, document_use_words, later_rate_words
from orders.quote_document import lines_of

Json = dict[str, Any]
ABSENT = "–"


@dataclass(frozen=True)
class Row:
    """One thing that both configurations are asked for, with the answer of each."""

    label: str
    one: str
    other: str

    @property
    def is_different(self) -> bool:
        return self.one != self.other


@dataclass(frozen=True)
class Section:
    """A part of both configurations, with its rows."""

    name: str
    rows: tuple[Row, ...]


def compared(one: Json, other: Json) -> list[Section]:
    """Set two documents side by side: parts of one name beside each other, then those left over in their order."""
    sections = [
        _section(*pair, currencies=(one["currency"], other["currency"]))
        for pair in _pairs(_containers(one), _containers(other))
    ]
    return [*sections, Section("Total", tuple(_totals(one, other)))]


Container = tuple[str, Json]
"""The name of an order item with one container of it."""
NOTHING: Container = ("", {})
Counts = Counter[tuple[str, str]]
"""How many of each item in the same words."""


def _containers(document: Json) -> list[Container]:
    return [(item["name"], container) for item in document["items"] for container in item["containers"]]


def _pairs(ones: list[Container], others: list[Container]) -> Iterator[tuple[Container, Container]]:
    left = list(others)
    unmatched = []
    for one in ones:
        match = next((other for other in left if other[0] == one[0]), None)
        if match is None:
            unmatched.append(one)
        else:
            left.remove(match)
            yield one, match
    yield from zip_longest(unmatched, left, fillvalue=NOTHING)


def _section(one: Container, other: Container, *, currencies: tuple[str, str]) -> Section:
    (name, here), (other_name, there) = one, other
    rows = [
        Row(label, _fact(here, key), _fact(there, key))
        for label, key in (
            ("Package", "package_name"),
            ("Location", "location_name"),
            ("Term", "term"),
            ("Pieces", "quantity"),
        )
    ]
    rows.append(Row("Contract", _contract(here), _contract(there)))
    rows += _part_rows(_by_category(here, currency=currencies[0]), _by_category(there, currency=currencies[1]))
    both = " / ".join(each for each in (name, other_name) if each)
    return Section(name if name == other_name else both, tuple(rows))


def _fact(container: Json, key: str) -> str:
    return str(container.get(key, ABSENT))


def _contract(container: Json) -> str:
    """Say a container's contract; documents of before contracts were kept in them say nothing."""
    if "contract_months" not in container:
        return ABSENT
    return contract_words(container["contract_months"]) or "none"


def _by_category(container: Json, *, currency: str) -> dict[str, Counts]:
    found: dict[str, Counts] = {}
    for line in container.get("lines", ()):
        later = later_rate_words(line, container=container, currency=currency)
        use = document_use_words(line, container=container, currency=currency)
        notes = "; ".join(filter(None, (later, use)))
        words = f"{line['description']} ({notes})" if notes else line["description"]
        found.setdefault(line["category_name"], Counter())[line["key_name"], words] += 1
    return found


def _part_rows(one: dict[str, Counts], other: dict[str, Counts]) -> Iterator[Row]:
    """Set category beside category; neighbours with the same parts on both sides, such as disk slots, are one row."""
    names = _in_order(list(one), list(other))
    for (here, there), alike in groupby(names, key=lambda name: (one.get(name), other.get(name))):
        several = list(alike)
        yield Row(category_words(several), _counted(here, len(several)), _counted(there, len(several)))


def _in_order(ones: list[str], others: list[str]) -> list[str]:
    """Return all names, those of the others alone after the one that they follow there."""
    names, at = list(ones), 0
    for name in others:
        if name not in names:
            names.insert(at, name)
        at = names.index(name) + 1
    return names


def _counted(parts: Counts | None, times: int) -> str:
    if parts is None:
        return ABSENT
    counts = ((words, count * times) for (_, words), count in parts.items())
    return ", ".join(f"{count} × {words}" if count > 1 else words for words, count in counts)


def _totals(one: Json, other: Json) -> Iterator[Row]:
    for label, key in (("A month", "monthly"), ("Once", "once"), ("Over 36 months", "over_36_months")):
        yield Row(label, total_words(one, key), total_words(other, key))


def total_words(document: Json, key: str) -> str:
    """Say what a document comes to; with an unpriced line that is only a lower bound."""
    total = str(Money(Decimal(document["totals"][key]), document["currency"]))
    is_exact = all(None not in (line["monthly_amount"], line["once_amount"]) for line in lines_of(document))
    return total if is_exact else f"≥ {total}"
