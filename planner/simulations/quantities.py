"""Quantities of scenarios as people type them: "8 KiB", "300 GB", "2 h", "10 Gb/s", "4,125 km", "70 %"."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.units import without_marks

NUMBER = re.compile(r"^\s*(\d[\d_,' ]*(?:\.\d+)?|\.\d+)\s*([^\d\s.,].*?)?\s*$")
LARGEST = 1e15


@dataclass(frozen=True)
class Measure:
    """A kind of quantity: its units by name in lower case, each in the unit that scenarios use.

    `unit` is how that one is written; `factor` of it is what the scenario holds (a share for a percentage).
    """

    unit: str
    units: Mapping[str, float]
    example: str
    factor: float = 1.0


CAPACITY = Measure(
    "GB",
    {"mb": 1e-3, "gb": 1, "tb": 1e3, "pb": 1e6, "mib": 2**20 / 1e9, "gib": 2**30 / 1e9, "tib": 2**40 / 1e9},
    "300 GB",
)
BLOCK = Measure("KiB", {"b": 1 / 1024, "kb": 1, "kib": 1, "mb": 1024, "mib": 1024, "k": 1, "m": 1024}, "8 KiB")
BYTES = Measure("B", {"b": 1, "bytes": 1, "kb": 1e3, "kib": 1024, "mb": 1e6, "mib": 2**20}, "50 kB")
DURATION = Measure(
    "s",
    {
        **dict.fromkeys(("s", "sec", "second", "seconds"), 1),
        **dict.fromkeys(("m", "min", "minute", "minutes"), 60),
        **dict.fromkeys(("h", "hour", "hours"), 3600),
    },
    "2 h",
)
NETWORK = Measure(
    "Gb/s",
    {"mb/s": 8e-3, "gb/s": 1, "gbps": 1, "gbit/s": 1, "gbe": 1, "mbps": 1e-3, "mbit/s": 1e-3, "g": 1},
    "10 Gb/s",
)
RATE = Measure("MB/s", {"mb/s": 1, "gb/s": 1e3, "kb/s": 1e-3, "mib/s": 2**20 / 1e6}, "5 MB/s")
DISTANCE = Measure("km", {"m": 1e-3, "metres": 1e-3, "km": 1, "mi": 1.609344, "miles": 1.609344}, "4,125 km", 1e3)
PERCENT = Measure("%", {"%": 1, "percent": 1}, "70 %", 0.01)
OF_A_HUNDRED = Measure("%", {"%": 1, "percent": 1}, "99 %")
MILLISECONDS = Measure("ms", {"us": 1e-3, "ms": 1, "s": 1000, "sec": 1000}, "20 ms")
PLAIN = Measure("", {}, "8")


def read_number(text: str, measure: Measure) -> float:
    """Return a typed quantity in the scenario's unit; a bare number is in the measure's own. Raises ValueError."""
    match = NUMBER.match(text)
    if not match:
        raise ValueError(f"“{text.strip()}” is no quantity. Write it like {measure.example}.")
    number, unit = match.groups()
    if unit and unit.casefold() not in measure.units:
        known = f"Write it like {measure.example}." if measure.units else "Write a number without a unit."
        raise ValueError(f"“{unit}” is not a unit known here. {known}")
    value = float(without_marks(number.strip())) * (measure.units[unit.casefold()] if unit else 1)
    if value > LARGEST:
        raise ValueError(f"“{text.strip()}” is too much. Write it like {measure.example}.")
    return float(f"{value * measure.factor:.12g}")  # 70 % is 0.7 and not 0.7000000000000001


def read_whole(text: str) -> int:
    """Return a typed count, with or without separators. Raises ValueError."""
    value = read_number(text, PLAIN)
    if value != int(value):
        raise ValueError(f"“{text.strip()}” is no whole number. Write it like {PLAIN.example}.")
    return int(value)


def number_words(value: float, measure: Measure = PLAIN) -> str:
    """Return a scenario's number as people type it, so that it reads back as the same number."""
    typed = value / measure.factor
    text = f"{typed:,.10g}" if abs(typed) < 1e10 else f"{typed:.17g}"
    return f"{text} {measure.unit}".strip()
