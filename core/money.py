"""Money: a Decimal with its currency. Unit rates keep six places; an amount owed is rounded half-up, once."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import models

CENT = Decimal("0.01")
SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}


class CurrencyMismatch(ValueError):
    """Two currencies met in one sum."""


@dataclass(frozen=True)
class Money:
    """An exact amount in one currency; it becomes payable only through `owed`."""

    amount: Decimal
    currency: str

    @classmethod
    def zero(cls, currency: str) -> "Money":
        return cls(Decimal(0), currency)

    def __add__(self, other: "Money") -> "Money":
        if self.currency != other.currency:
            raise CurrencyMismatch(f"{self.currency} and {other.currency} cannot be added.")
        return Money(self.amount + other.amount, self.currency)

    def __mul__(self, factor: Decimal | int) -> "Money":
        return Money(self.amount * factor, self.currency)

    def owed(self) -> "Money":
        """Return the amount as it is owed: two places, half-up."""
        return Money(self.amount.quantize(CENT, rounding=ROUND_HALF_UP), self.currency)

    @property
    def text(self) -> str:
        """The amount for machines, such as "1512.00"."""
        return str(self.owed().amount)

    def __str__(self) -> str:
        return f"{SYMBOLS.get(self.currency, self.currency + ' ')}{self.owed().amount:,}"


@dataclass(frozen=True)
class Total:
    """A sum that remembers how many of its parts have no known price; with any, it is only a lower bound."""

    known: Money
    unpriced_parts: int = 0

    @property
    def is_exact(self) -> bool:
        return self.unpriced_parts == 0

    def __add__(self, other: "Total") -> "Total":
        return Total(self.known + other.known, self.unpriced_parts + other.unpriced_parts)

    def __str__(self) -> str:
        if self.is_exact:
            return str(self.known)
        noun = "part" if self.unpriced_parts == 1 else "parts"
        return f"≥ {self.known}, {self.unpriced_parts} {noun} unpriced"


def total_of(parts: Iterable[Money | None], *, currency: str) -> Total:
    """Add the parts; None is a part whose price nobody knows, which is not zero."""
    total = Total(Money.zero(currency))
    for part in parts:
        total += Total(part) if part is not None else Total(Money.zero(currency), 1)
    return total


def fee_field(**options: Any) -> models.DecimalField:
    """Return a column for a fee: fifteen digits are what SQLite keeps exactly, six of them after the point."""
    return models.DecimalField(max_digits=15, decimal_places=6, **options)
