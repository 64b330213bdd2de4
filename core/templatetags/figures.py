"""Figures in templates: money, capacities and rates with their units."""

from collections.abc import Sequence
from decimal import Decimal

from django import template

from core import units
from core.money import Money

register = template.Library()


@register.filter
def money(amount: Decimal | str | None, currency: str = "USD") -> str:
    """Show an amount owed, or "unpriced" where there is none."""
    return "unpriced" if amount is None else str(Money(Decimal(str(amount)), currency))


@register.filter
def rate(amount: Decimal | None, currency: str = "USD") -> str:
    """Show a unit rate with the places it needs, at least two: $0.08, $0.165."""
    if amount is None:
        return "—"
    places = max(2, -int(amount.normalize().as_tuple().exponent))
    return f"{str(Money(Decimal(0), currency))[:-4]}{amount:,.{places}f}"


@register.filter
def capacity(gigabytes: Decimal | float | None) -> str:
    return "—" if gigabytes is None else units.capacity_words(gigabytes)


@register.filter
def throughput(mb_s: Decimal | float | None) -> str:
    return "—" if mb_s is None else units.throughput_words(mb_s)


@register.filter
def percent(share: Decimal) -> str:
    """Show a share of one as per cent."""
    return f"{(share * 100).normalize():f} %"


@register.filter
def lookup(mapping: dict[str, object], key: str) -> object:
    """Read a key that is only known at run time."""
    return mapping.get(key)


@register.filter
def with_columns(row: Sequence[object], columns: Sequence[object]) -> list[tuple[object, object]]:
    """Pair the cells of a table's row with the columns they stand in."""
    return list(zip(row, columns, strict=True))
