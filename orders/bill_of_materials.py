"""The bill of materials of an order or a quote: what is bought, how many, at which fee, from its frozen document."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.spreadsheets import csv_of

Json = dict[str, Any]
ALIKE = (
    *("key_name", "description", "source_price_id", "recurring_fee", "hourly_recurring_fee", "once_fee"),
    *("monthly_amount", "once_amount", "basis", "source"),
)
"""What lines have in common that are one row of the bill."""


@dataclass(frozen=True)
class Part:
    """Equal lines of one container as one row; fees and amounts are text, None where nobody knows the price."""

    order_item: str
    package: str
    location: str
    term: str
    pieces: int
    category: str
    key_name: str
    description: str
    count: int
    """How many of it each piece has."""
    fee: str | None
    """Recurring fee of one, an hour or a month by the term."""
    once_fee: str | None
    monthly: str | None
    once: str | None
    basis: str
    source: str

    @property
    def total_count(self) -> int:
        return self.pieces * self.count


def parts_of(document: Json) -> list[Part]:
    """Return the rows of a document in its order."""
    return [
        part
        for item in document["items"]
        for container in item["containers"]
        for part in _container_parts(item, container)
    ]


def bill_as_csv(document: Json) -> str:
    """Return the bill as CSV, units in its headers."""
    currency = document["currency"]
    columns = [
        *("order item", "package", "location", "term", "pieces", "category", "item", "description"),
        *("count in each piece", "count in all pieces"),
        f"recurring fee of one ({currency} an hour on hourly terms, a month on monthly terms)",
        f"fee paid once for one ({currency})",
        f"owed for all ({currency} a month, {document['hours_per_month']} hours)",
        f"owed once for all ({currency})",
        *("basis", "source"),
    ]
    return csv_of(columns=columns, rows=(_cells(part) for part in parts_of(document)))


def bill_as_json(document: Json) -> Json:
    """Return the bill for programs; amounts are text, and an unpriced one is null."""
    return {
        "name": document["name"],
        "currency": document["currency"],
        "hours_per_month": document["hours_per_month"],
        "parts": [
            {
                "order_item": part.order_item,
                "package": part.package,
                "location": part.location,
                "term": part.term,
                "pieces": part.pieces,
                "category": part.category,
                "item": part.key_name,
                "description": part.description,
                "count_in_each_piece": part.count,
                "count": part.total_count,
                "hourly_recurring_fee" if part.term == "hourly" else "recurring_fee": part.fee,
                "once_fee": part.once_fee,
                "monthly_amount": part.monthly,
                "once_amount": part.once,
                "basis": part.basis,
                "source": part.source,
            }
            for part in parts_of(document)
        ],
        "totals": document["totals"],
    }


def _container_parts(item: Json, container: Json) -> Iterator[Part]:
    """Put lines together that differ in nothing but their category's slot; each keeps its own rounding."""
    groups: dict[tuple[Any, ...], list[Json]] = {}
    for line in container["lines"]:
        groups.setdefault(tuple(line[name] for name in ALIKE), []).append(line)
    for lines in groups.values():
        line = lines[0]
        names = list(dict.fromkeys(each["category_name"] for each in lines))
        is_hourly = container["term"] == "hourly"
        yield Part(
            order_item=item["name"],
            package=container["package"],
            location=container["location"],
            term=container["term"],
            pieces=container["quantity"],
            category=names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}",
            key_name=line["key_name"],
            description=line["description"],
            count=len(lines),
            fee=line["hourly_recurring_fee" if is_hourly else "recurring_fee"],
            once_fee=None if line["once_amount"] is None else line["once_fee"],
            monthly=_times(line["monthly_amount"], len(lines)),
            once=_times(line["once_amount"], len(lines)),
            basis=line["basis"],
            source=line["source"],
        )


def _times(amount: str | None, count: int) -> str | None:
    return None if amount is None else f"{Decimal(amount) * count:.2f}"


def _cells(part: Part) -> list[object]:
    return [
        part.order_item,
        part.package,
        part.location,
        part.term,
        part.pieces,
        part.category,
        part.key_name,
        part.description,
        part.count,
        part.total_count,
        _number(part.fee),
        _number(part.once_fee),
        _number(part.monthly),
        _number(part.once),
        part.basis,
        part.source,
    ]


def _number(amount: str | None) -> Decimal | None:
    return None if amount is None else Decimal(amount)
