"""Figures and times as JSON text."""

from datetime import UTC, datetime
from decimal import Decimal

from core.money import Money


def number_text(value: Decimal) -> str:
    """Return a number exactly, without trailing zeros: "0.08", "720"."""
    return f"{value.normalize():f}"


def money_text(money: Money | None) -> str | None:
    """Return an amount as it is owed, such as "1512.00"; None stays unknown."""
    return None if money is None else money.text


def time_text(at: datetime | None) -> str | None:
    """Return a time in UTC, such as "2026-05-03T12:03:00Z"."""
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")
