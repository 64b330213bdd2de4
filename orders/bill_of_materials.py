"""The bill of materials of an order or a quote: what is bought, how many, at which fee, from its frozen document."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.spreadsheets import csv_of
from orders.promise_words import document_use_words

Json = dict[str, Any]
ALIKE = (
    *("key_name", "description", "source_price_id", "recurring_fee", "hourly_recurring_fee", "once_fee"),
    *("monthly_amount", "once_amount", "regular_fee", "regular_monthly_amount", "promotion_months"),
    *("usage_tiers", "usage_allowance", "basis", "source"),
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
    contract_months: int | None
    promotion_months: int | None
    later_fee: str | None
    """Recurring fee of one once a promotion has ended after so many months."""
    later_monthly: str | None
    use: str
    """Rates of use with what is included, in words; "" where use costs nothing."""
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
        for part in _container_parts(item["name"], container, currency=document["currency"])
    ]


def alike(lines: Iterable[Json]) -> list[list[Json]]:
    """Put lines of a document together that differ in nothing but their category's slot; each keeps its rounding."""
    groups: dict[tuple[str, ...], list[Json]] = {}
    for line in lines:
        groups.setdefault(tuple(str(line.get(name)) for name in ALIKE), []).append(line)
    return list(groups.values())


def category_words(names: Iterable[str]) -> str:
    """Name one category, or the first and the last of several."""
    first, *others = dict.fromkeys(names)
    return f"{first} … {others[-1]}" if others else first


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
        "contract (months)",
        "promotion (months)",
        f"recurring fee of one after the promotion ({currency})",
        f"owed for all after the promotion ({currency} a month)",
        "use",
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
                "contract_months": part.contract_months,
                "promotion_months": part.promotion_months,
                "regular_fee": part.later_fee,
                "regular_monthly_amount": part.later_monthly,
                "use": part.use,
                "basis": part.basis,
                "source": part.source,
            }
            for part in parts_of(document)
        ],
        "totals": document["totals"],
    }


def _container_parts(name: str, container: Json, *, currency: str) -> Iterator[Part]:
    for lines in alike(container["lines"]):
        line = lines[0]
        is_hourly = container["term"] == "hourly"
        yield Part(
            order_item=name,
            package=container["package"],
            location=container["location"],
            term=container["term"],
            pieces=container["quantity"],
            category=category_words(each["category_name"] for each in lines),
            key_name=line["key_name"],
            description=line["description"],
            count=len(lines),
            fee=line["hourly_recurring_fee" if is_hourly else "recurring_fee"],
            once_fee=None if line["once_amount"] is None else line["once_fee"],
            monthly=_times(line["monthly_amount"], len(lines)),
            once=_times(line["once_amount"], len(lines)),
            contract_months=container.get("contract_months"),
            promotion_months=line.get("promotion_months"),
            later_fee=line.get("regular_fee"),
            later_monthly=_times(line.get("regular_monthly_amount"), len(lines)),
            use=document_use_words(line, container=container, currency=currency),
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
        part.contract_months,
        part.promotion_months,
        _number(part.later_fee),
        _number(part.later_monthly),
        part.use,
        part.basis,
        part.source,
    ]


def _number(amount: str | None) -> Decimal | None:
    return None if amount is None else Decimal(amount)
