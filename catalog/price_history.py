"""What an item cost on another day, and every price that it had, has or will have at a place."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal

from django.db.models import Q

from catalog.fees import Fees
from catalog.models import Basis, Item, ItemPrice


@dataclass(frozen=True)
class PricePeriod:
    """One price and when it holds. The fees are for a month and for an hour; None is not offered that way."""

    price_id: int
    monthly: Decimal | None
    hourly: Decimal | None
    once: Decimal
    currency: str
    where: str
    capacity: str
    valid_from: datetime
    valid_to: datetime | None
    basis: str
    basis_words: str
    source: str
    is_open: bool


def moment_on(day: date | None, *, now: datetime) -> datetime:
    """Return the end of a day in UTC, which is what counted on it; today, or without a day, now."""
    if day is None or day == now.astimezone(UTC).date():
        return now
    return datetime.combine(day, time.max, UTC)


def price_history(*, item: Item, groups: Sequence[int], at: datetime) -> list[PricePeriod]:
    """Return the standard prices of an item and those of these location groups, latest first, in one query."""
    here = Q(location_group__isnull=True) | Q(location_group__external_id__in=groups)
    prices = item.prices.filter(here).select_related("location_group").order_by("-valid_from", "-pk")
    return [_period(price, at) for price in prices]


def _period(price: ItemPrice, at: datetime) -> PricePeriod:
    return PricePeriod(
        price_id=price.pk,
        monthly=price.recurring_fee,
        hourly=price.hourly_recurring_fee,
        once=Fees(**price.fees).once,
        currency=price.currency,
        where=str(price.location_group) if price.location_group else "everywhere else",
        capacity=_capacity_words(price),
        valid_from=price.valid_from,
        valid_to=price.valid_to,
        basis=price.basis,
        basis_words=Basis(price.basis).label.lower(),
        source=price.source,
        is_open=price.valid_from <= at and (price.valid_to is None or price.valid_to > at),
    )


def _capacity_words(price: ItemPrice) -> str:
    if not price.restriction:
        return ""
    low, high = price.restriction_minimum, price.restriction_maximum
    return f"{price.get_restriction_display()} {low if low == high else f'{low} to {high}'}"
