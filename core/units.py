"""Quantities as people type them (2 TB, 60tb, 0.06 PB, 175 MB/s, 1.2 GB/s) in the units we calculate with.

Capacity is in GB and throughput in MB/s, both decimal (1 TB = 1,000 GB). Binary units (TiB, MiB/s) are converted.
"""

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

CAPACITY_UNITS_GB = {
    "MB": Decimal("0.001"),
    "GB": Decimal(1),
    "TB": Decimal(1000),
    "PB": Decimal(1_000_000),
    "GIB": Decimal(2**30) / Decimal(10**9),
    "TIB": Decimal(2**40) / Decimal(10**9),
    "PIB": Decimal(2**50) / Decimal(10**9),
}
THROUGHPUT_UNITS_MB_S = {
    "KB/S": Decimal("0.001"),
    "MB/S": Decimal(1),
    "GB/S": Decimal(1000),
    "MIB/S": Decimal(2**20) / Decimal(10**6),
    "GIB/S": Decimal(2**30) / Decimal(10**6),
}
ONE_TENTH = Decimal("0.1")
TYPED = re.compile(r"\d[\d.,_'\s]*")
THOUSANDS = re.compile(r"[1-9]\d{0,2}([_,'\s])\d{3}(\1\d{3})*(\.\d+)?")
DECIMAL_COMMA = re.compile(r"\d+,\d+")
MARK = re.compile(r"[_,'\s]")
QUANTITY = re.compile(r"^\s*([0-9][0-9_,' ]*(?:\.[0-9]+)?|\.[0-9]+)\s*([A-Za-z/]+)\s*$")
SIGNS = re.compile(r"[$€£]")
LARGEST = Decimal(10**12)
MOST_PLACES = 6


def without_marks(number: str) -> str:
    """Return a typed number without its thousands marks, which stand between groups of three; else ValueError.

    A decimal comma is refused: 2,5 is not 25.
    """
    if not MARK.search(number) or not TYPED.fullmatch(number):
        return number
    if not THOUSANDS.fullmatch(number):
        way_out = number.replace(",", ".") if DECIMAL_COMMA.fullmatch(number) else "it like 1,000.5"
        raise ValueError(
            f"“{number}” could be read in two ways. Write {way_out}: a point before decimals, and marks only between "
            "groups of three digits."
        )
    return MARK.sub("", number)


def capacity_gb(text: str) -> Decimal:
    """Return the capacity in GB; raises ValueError in words a person can act on."""
    return _quantity(text, CAPACITY_UNITS_GB, example="2 TB")


def throughput_mb_s(text: str) -> Decimal:
    """Return the throughput in MB/s; raises ValueError in words a person can act on."""
    return _quantity(text, THROUGHPUT_UNITS_MB_S, example="175 MB/s")


def amount(text: str) -> Decimal:
    """Return an amount of money typed with or without a sign and thousands separators; raises ValueError."""
    number = without_marks(SIGNS.sub("", text).strip())
    try:
        value = Decimal(number)
    except InvalidOperation:
        raise ValueError(f"“{text}” is not an amount. Write it like 9000 or 9,000.50.") from None
    if not value.is_finite() or not 0 <= value <= LARGEST:
        raise ValueError(f"“{text}” is out of range. Write an amount between 0 and 1,000,000,000,000.")
    if value != round(value, MOST_PLACES):
        raise ValueError(f"“{text}” is too fine. Write an amount with at most {MOST_PLACES} places.")
    return value


def _quantity(text: str, units: dict[str, Decimal], *, example: str) -> Decimal:
    match = QUANTITY.match(text)
    if not match:
        raise ValueError(f"“{text}” is not a quantity with a unit. Write it like {example}.")
    number, unit = match.groups()
    factor = units.get(unit.upper())
    if factor is None:
        raise ValueError(f"“{unit}” is not a unit known here. Write it like {example}.")
    value = Decimal(without_marks(number.strip())) * factor
    if not 0 < value <= LARGEST:
        raise ValueError(f"“{text}” is out of range. Write a quantity above zero, like {example}.")
    return value


def capacity_words(gigabytes: Decimal | float) -> str:
    """Return a capacity for people: 2.13 TB, 850 GB."""
    value = Decimal(str(gigabytes))
    if value >= 1_000_000:
        return f"{_short(value / 1_000_000)} PB"
    if value >= 1000:
        return f"{_short(value / 1000)} TB"
    if 0 < value < ONE_TENTH:
        return f"{_short(value * 1000)} MB"
    return f"{_short(value)} GB"


def throughput_words(mb_s: Decimal | float) -> str:
    """Return a throughput for people: 175 MB/s, 1.2 GB/s."""
    value = Decimal(str(mb_s))
    if 0 < value < ONE_TENTH:
        return f"{_short(value * 1000)} KB/s"
    return f"{_short(value / 1000)} GB/s" if value >= 1000 else f"{_short(value)} MB/s"


def _short(value: Decimal) -> str:
    places = Decimal("0.1") if value >= 10 else Decimal("0.01")
    text = f"{value.quantize(places, ROUND_HALF_UP):,}"
    return text.rstrip("0").rstrip(".") if "." in text else text
