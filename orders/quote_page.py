"""A quote as a document for people: letterhead facts, lines as they are read, and what may be done with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from catalog.fees import rate_words
from core.money import Money
from orders.host_names import host_names_of
from orders.models import Quote
from orders.moves import time_words
from orders.quoting import quote_state

Json = dict[str, Any]


@dataclass(frozen=True)
class QuotedLine:
    """Equal lines of a container as one."""

    count: int
    category: str
    description: str
    rate: str
    monthly: Money
    once: Money


@dataclass(frozen=True)
class QuotedContainer:
    """So many machines or volumes alike."""

    name: str
    quantity: int
    package: str
    location: str
    term: str
    host_names: str
    lines: tuple[QuotedLine, ...]
    monthly: Money
    once: Money


@dataclass(frozen=True)
class QuotePage:
    """Everything that the document shows."""

    quote: Quote
    state: str
    containers: tuple[QuotedContainer, ...]
    monthly: Money
    once: Money
    over_12_months: Money
    over_36_months: Money
    valid_until: str

    @property
    def is_open(self) -> bool:
        return self.state == "open"


def quote_page(quote: Quote, *, now: datetime) -> QuotePage:
    """Arrange a quote's frozen document; nothing of it is read from the catalogue."""
    document, currency = quote.document, quote.currency
    totals = {name: Money(Decimal(amount), currency) for name, amount in document["totals"].items()}
    return QuotePage(
        quote=quote,
        state=quote_state(quote, now=now),
        containers=tuple(
            _container(container, name=item["name"], currency=currency)
            for item in document["items"]
            for container in item["containers"]
        ),
        valid_until=time_words(quote.expires_at),
        **totals,
    )


def _container(container: Json, *, name: str, currency: str) -> QuotedContainer:
    names = host_names_of(container["host_names"], quantity=container["quantity"])
    return QuotedContainer(
        name=name,
        quantity=container["quantity"],
        package=container["package_name"],
        location=container["location_name"],
        term=container["term"],
        host_names=", ".join(names) if len(names) <= 4 else f"{names[0]} … {names[-1]}",
        lines=_lines(container["lines"], term=container["term"], currency=currency),
        monthly=Money(Decimal(container["totals"]["monthly"]), currency),
        once=Money(Decimal(container["totals"]["once"]), currency),
    )


def _lines(lines: Sequence[Json], *, term: str, currency: str) -> tuple[QuotedLine, ...]:
    alike: dict[tuple[object, ...], list[Json]] = {}
    for line in lines:
        key = (line["key_name"], line["description"], line["monthly_amount"], line["once_amount"])
        alike.setdefault(key, []).append(line)
    return tuple(_line(group, term=term, currency=currency) for group in alike.values())


def _line(group: list[Json], *, term: str, currency: str) -> QuotedLine:
    first, last = group[0], group[-1]
    first_name, last_name = first["category_name"], last["category_name"]
    fee = first["hourly_recurring_fee" if term == "hourly" else "recurring_fee"]
    return QuotedLine(
        count=len(group),
        category=first_name if first_name == last_name else f"{first_name} … {last_name}",
        description=first["description"],
        rate=rate_words(Decimal(fee)) if fee is not None else "",
        monthly=Money(Decimal(first["monthly_amount"]), currency) * len(group),
        once=Money(Decimal(first["once_amount"]), currency) * len(group),
    )
