"""A shared configuration as its page shows it: machines with their parts and prices, and nothing of its account."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from catalog.fees import rate_words
from catalog.models import Item
from core.money import Money
from orders.bill_of_materials import Part, parts_of
from orders.comparing import total_words
from orders.compose_address import Asked
from orders.models import SharedConfiguration
from orders.options import value_of
from orders.promise_words import contract_words, later_words

Json = dict[str, Any]


@dataclass(frozen=True)
class SharedPart:
    """Equal parts of one machine as one row; amounts are for all machines, None where nobody knows the price."""

    words: str
    category: str
    rate: str
    basis: str
    once: Money | None
    monthly: Money | None
    notes: tuple[str, ...]
    """What it binds to besides: the amount after a promotion, rates of use."""


@dataclass(frozen=True)
class SharedContainer:
    """So many machines or volumes alike."""

    name: str
    quantity: int
    package: str
    location: str
    term: str
    contract: str
    parts: tuple[SharedPart, ...]
    once: str
    monthly: str
    compose_url: str
    """Where somebody who is signed in composes it again; "" for others."""


@dataclass(frozen=True)
class SharedPage:
    """Everything that the page of a link shows."""

    contents: str
    containers: tuple[SharedContainer, ...]
    once: str
    monthly: str
    over_12_months: str
    over_36_months: str
    hours_per_month: Decimal


def shared_page(shared: SharedConfiguration, *, may_compose: bool) -> SharedPage:
    """Arrange what was frozen; only for those who may compose the catalogue is asked, for the names of items."""
    document = shared.document
    urls = list(_compose_urls(shared.asked)) if may_compose else []
    containers = [
        _container(item["name"], container, document=document)
        for item in document["items"]
        for container in item["containers"]
    ]
    shown = [(*each, urls[number] if urls else "") for number, each in enumerate(containers)]
    return SharedPage(
        contents=", ".join(f"{item['quantity']:,} × {item['name']}" for item in document["items"]),
        containers=tuple(SharedContainer(*each) for each in shown),
        once=total_words(document, "once"),
        monthly=total_words(document, "monthly"),
        over_12_months=total_words(document, "over_12_months"),
        over_36_months=total_words(document, "over_36_months"),
        hours_per_month=Decimal(document["hours_per_month"]),
    )


def _container(name: str, container: Json, *, document: Json) -> tuple[Any, ...]:
    alone = {
        "items": [{"name": name, "containers": [container]}],
        "currency": document["currency"],
        "totals": container["totals"],
    }
    return (
        name,
        container["quantity"],
        container["package_name"],
        container["location_name"],
        container["term"],
        contract_words(container.get("contract_months")),
        tuple(_part(part, currency=document["currency"]) for part in parts_of(alone)),
        total_words(alone, "once"),
        total_words(alone, "monthly"),
    )


def _part(part: Part, *, currency: str) -> SharedPart:
    count = f"{part.count:,} × " if part.count > 1 else ""
    unit = "an hour" if part.term == "hourly" else "a month"
    return SharedPart(
        words=f"{count}{part.description}",
        category=part.category,
        rate="" if part.fee is None else f"{rate_words(Decimal(part.fee))} {currency} {unit} each",
        basis="" if part.basis == "published" else part.basis,
        once=_money(part.once, currency),
        monthly=_money(part.monthly, currency),
        notes=tuple(
            words
            for words in (later_words(_money(part.later_monthly, currency), part.promotion_months), part.use)
            if words
        ),
    )


def _money(amount: str | None, currency: str) -> Money | None:
    return None if amount is None else Money(Decimal(amount), currency)


def _compose_urls(asked: Json) -> Iterator[str]:
    """Yield the composer's address of each container, in their order."""
    containers = [(item["name"], container) for item in asked["items"] for container in item["containers"]]
    items = Item.objects.in_bulk({part["item_id"] for _, container in containers for part in container["parts"]})
    for name, container in containers:
        choices = [
            (part["category"], value_of(items[part["item_id"]]))
            for part in container["parts"]
            for _ in range(part["count"])
        ]
        address = Asked(
            package=container["package"],
            location=container["location"],
            term=container["term"],
            hours=asked["hours_per_month"] if container["term"] == "hourly" else "",
            contract=str(container.get("contract_months", "")),
            quantity=str(container["quantity"]),
            name=name,
        )
        yield address.with_choices(choices).url
