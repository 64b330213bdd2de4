"""A quote as a document for people: letterhead facts, lines as they are read, and what may be done with it."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from catalog.fees import rate_words
from core.money import Money
from orders.bill_of_materials import alike, category_words
from orders.host_names import host_names_of
from orders.models import Quote
from orders.moves import time_words
from orders.promise_words import contract_words, notes_of
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
    notes: tuple[str, ...] = ()
    """What it binds to besides: the amount after a promotion, rates of use."""


@dataclass(frozen=True)
class QuotedContainer:
    """So many machines or volumes alike."""

    name: str
    quantity: int
    package: str
    location: str
    term: str
    contract: str
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
        contract=contract_words(container.get("contract_months")),
        host_names=", ".join(names) if len(names) <= 4 else f"{names[0]} … {names[-1]}",
        lines=tuple(_line(group, container=container, currency=currency) for group in alike(container["lines"])),
        monthly=Money(Decimal(container["totals"]["monthly"]), currency),
        once=Money(Decimal(container["totals"]["once"]), currency),
    )


def _line(group: list[Json], *, container: Json, currency: str) -> QuotedLine:
    first = group[0]
    fee = first["hourly_recurring_fee" if container["term"] == "hourly" else "recurring_fee"]
    return QuotedLine(
        count=len(group),
        category=category_words(line["category_name"] for line in group),
        description=first["description"],
        rate=rate_words(Decimal(fee)) if fee is not None else "",
        monthly=Money(Decimal(first["monthly_amount"]), currency) * len(group),
        once=Money(Decimal(first["once_amount"]), currency) * len(group),
        notes=notes_of(first, count=len(group), container=container, currency=currency),
    )
