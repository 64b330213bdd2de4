"""What a line binds its buyer to besides its price, in words: a contract, the fee after a promotion, rates of use."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from catalog.contracts import months_words
from catalog.fees import rate_words
from catalog.usage import UsageTier, tier_words
from core.money import Money

Json = dict[str, Any]


def contract_words(months: int | None) -> str:
    """Say for how long a container is bound; "" without a contract."""
    if months is None:
        return ""
    return f"contract of {months_words(months)}"


def later_words(monthly: Money | None, months: int | None) -> str:
    """Say what is owed each month once a promotion has ended; "" where none ends."""
    if monthly is None or months is None:
        return ""
    return f"then {monthly} a month after {months_words(months)}"


def use_words(*, tiers: Sequence[Sequence[Any]], allowance: Decimal | str | None, unit: str, currency: str) -> str:
    """Say the rates of use and what a month of one piece includes of it; "" where use costs nothing.

    `tiers` are pairs as lines keep them: from so many units beyond the allowance, the rate of each.
    """
    if not tiers:
        return ""
    rates = tier_words([UsageTier(from_units, Decimal(rate)) for from_units, rate in tiers], currency)
    included = included_words(allowance=allowance, unit=unit)
    return f"{included}, beyond it {rates}" if included else rates


def included_words(*, allowance: Decimal | str | None, unit: str) -> str:
    """Say what a month of one piece includes of use; "" for nothing."""
    if not allowance or not Decimal(allowance):
        return ""
    units = f"{Decimal(allowance).normalize():,f} {unit}".rstrip()
    return f"{units} a month included in each"


def notes_of(line: Json, *, count: int, container: Json, currency: str) -> tuple[str, ...]:
    """Return what so many equal lines of a container bind to, from their document; older ones name less."""
    later = line.get("regular_monthly_amount")
    notes = (
        later_words(None if later is None else Money(Decimal(later), currency) * count, line.get("promotion_months")),
        document_use_words(line, container=container, currency=currency),
    )
    return tuple(words for words in notes if words)


def later_rate_words(line: Json, *, container: Json, currency: str) -> str:
    """Say what one piece costs on its term once a promotion has ended; "" where none ends."""
    fee, months = line.get("regular_fee"), line.get("promotion_months")
    if fee is None or months is None:
        return ""
    unit = "an hour" if container["term"] == "hourly" else "a month"
    return f"then {rate_words(Decimal(fee))} {currency} {unit} each after {months_words(months)}"


def document_use_words(line: Json, *, container: Json, currency: str) -> str:
    """Say the rates of use of a document's line; "" where use costs nothing."""
    return use_words(
        tiers=line.get("usage_tiers", ()),
        allowance=line.get("usage_allowance"),
        unit=container.get("usage_units", {}).get(line["key_name"], ""),
        currency=currency,
    )
