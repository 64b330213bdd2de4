"""Two configurations side by side: what they have in common, and where they differ."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from core.money import Money
from orders.bill_of_materials import Part, parts_of

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
        _section(*pair, is_renamed=pair[0][0] != pair[1][0]) for pair in _pairs(_containers(one), _containers(other))
    ]
    return [*sections, Section("Total", tuple(_totals(one, other)))]


Container = tuple[str, Json, list[Part]]
"""The name of an order item with one container of it and the container's parts."""
NOTHING: Container = ("", {}, [])


def _containers(document: Json) -> list[Container]:
    return [
        (item["name"], container, parts_of({"items": [{"name": item["name"], "containers": [container]}]}))
        for item in document["items"]
        for container in item["containers"]
    ]


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


def _section(one: Container, other: Container, *, is_renamed: bool) -> Section:
    (name, here, parts), (other_name, there, other_parts) = one, other
    rows = [
        Row(label, _fact(here, key), _fact(there, key))
        for label, key in (
            ("Package", "package_name"),
            ("Location", "location_name"),
            ("Term", "term"),
            ("Pieces", "quantity"),
        )
    ]
    words, other_words = _words_by_category(parts), _words_by_category(other_parts)
    rows += [
        Row(category, words.get(category, ABSENT), other_words.get(category, ABSENT))
        for category in dict.fromkeys([*words, *other_words])
    ]
    both = " / ".join(each for each in (name, other_name) if each)
    return Section(both if is_renamed else name, tuple(rows))


def _fact(container: Json, key: str) -> str:
    return str(container.get(key, ABSENT))


def _words_by_category(parts: list[Part]) -> dict[str, str]:
    words: dict[str, list[str]] = {}
    for part in parts:
        count = f"{part.count} × " if part.count > 1 else ""
        words.setdefault(part.category, []).append(f"{count}{part.description}")
    return {category: ", ".join(several) for category, several in words.items()}


def _totals(one: Json, other: Json) -> Iterator[Row]:
    for label, key in (("A month", "monthly"), ("Once", "once"), ("Over 36 months", "over_36_months")):
        yield Row(label, total_words(one, key), total_words(other, key))


def total_words(document: Json, key: str) -> str:
    """Say what a document comes to; with an unpriced line that is only a lower bound."""
    total = str(Money(Decimal(document["totals"][key]), document["currency"]))
    is_exact = all(part.monthly is not None and part.once is not None for part in parts_of(document))
    return total if is_exact else f"≥ {total}"
