"""The question of a kind of advice: fields as people type them, and reading them, with all that is wrong at once."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.errors import InputRefused, Violation
from planner.simulations.quantities import Measure, read_number

Words = Mapping[str, str]
Values = Mapping[str, Any]
BLANK = re.compile(r"\{(\w+)\}")
LONGEST_WORDS = 200
LONGEST_LIST = 200_000
"""Characters of a field that holds a list, such as the places of some users."""
LOCATION, TERM, HOURS = "location", "term", "hours_per_month"
MONTHLY, HOURLY = "monthly", "hourly"
MOST_HOURS = 744
NUL = "\x00"


@dataclass(frozen=True)
class Field:
    """One blank of the sentence, or one assumption. `read` turns the words into a value; it raises ValueError in words,
    with an argument for each thing that is wrong.

    `choices` pairs value and words where only these may be said; `choices_now` looks them up when a form is made.
    `choices_for` adds to `choices` those of the asker's partner, given its id.
    `is_list` is a field of many lines, which may also be sent as a file.
    """

    name: str
    label: str
    default: str
    read: Callable[[str], Any]
    help: str = ""
    size: int = 8
    choices: tuple[tuple[str, str], ...] = ()
    choices_now: Callable[[], Sequence[tuple[str, str]]] | None = None
    choices_for: Callable[[int], Sequence[tuple[str, str]]] | None = None
    is_advanced: bool = False
    is_optional: bool = False
    is_list: bool = False
    longest: int = 0
    """Characters that may be sent where they are not the usual number."""

    @property
    def most_characters(self) -> int:
        return self.longest or (LONGEST_LIST if self.is_list else LONGEST_WORDS)


def choices_of(field: Field, *, partner_id: int) -> list[tuple[str, str]]:
    """Return what an account of the partner may say for a field, as pairs of value and words; [] is anything."""
    if field.choices_now:
        return list(field.choices_now())
    return [*field.choices, *(field.choices_for(partner_id) if field.choices_for else ())]


def quantity(measure: Measure, *, low: float, high: float) -> Callable[[str], float]:
    """Return a reader of quantities between two bounds in the measure's own unit."""

    def read(text: str) -> float:
        value = read_number(text, measure)
        if not low * measure.factor <= value <= high * measure.factor:
            raise ValueError(f"“{text.strip()}” is out of range. Write {_range(low, high, measure)}.")
        return value

    return read


def whole(measure: Measure, *, low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers between two bounds."""

    def read(text: str) -> int:
        value = read_number(text, measure)
        if value != int(value):
            raise ValueError(f"“{text.strip()}” is no whole number. Write {_range(low, high, measure)}.")
        if not low <= value <= high:
            raise ValueError(f"“{text.strip()}” is out of range. Write {_range(low, high, measure)}.")
        return int(value)

    return read


def one_of(choices: Sequence[tuple[str, str]]) -> Callable[[str], str]:
    """Return a reader of one of some words."""

    def read(text: str) -> str:
        if text.strip() not in dict(choices):
            raise ValueError(f"“{text.strip()}” cannot be chosen. Choose one of: {', '.join(dict(choices))}.")
        return text.strip()

    return read


def exact_words(value: float, unit: str) -> str:
    """Return a number with its unit so that it reads back as the same number."""
    whole = value == int(value) and abs(value) < 1e15
    return f"{int(value) if whole else value:,} {unit}".strip()


def as_typed(text: str) -> str:
    return text.strip()


def _hours(text: str) -> Decimal:
    hours = Decimal(str(quantity(HOURS_MEASURE, low=1, high=MOST_HOURS)(text)))
    if hours != round(hours, 2):
        raise ValueError("Hours per month have at most two places.")
    return hours


HOURS_MEASURE = Measure("h", {"h": 1, "hours": 1}, "720")
TERMS = ((MONTHLY, "by the month"), (HOURLY, "by the hour"))
COMMON_FIELDS = (
    Field(LOCATION, "Location", "", as_typed, is_advanced=True, is_optional=True),
    Field(
        TERM, "Billing", MONTHLY, one_of(TERMS), choices=TERMS, is_advanced=True,
        help="What cannot be had this way is taken the other way.",
    ),
    Field(HOURS, "Hours in a month", "720", _hours, is_advanced=True, help="What is billed by the hour runs so long."),
)  # fmt: skip
"""Fields that every kind of advice has: where, on which term, for how many hours."""


def complete_words(fields: Sequence[Field], words: Words) -> dict[str, str]:
    """Return what was typed for each field, and what stands there to begin with where it was left out."""
    return {field.name: words.get(field.name, field.default).strip() for field in fields}


def values_of(fields: Sequence[Field], words: Words) -> dict[str, Any]:
    """Read every field; an optional one that is empty is None. Raises InputRefused with all that is wrong."""
    problems = [_unknown(name, fields) for name in words if name not in {field.name for field in fields}]
    values: dict[str, Any] = {}
    for field in fields:
        text = words.get(field.name, field.default).strip()
        problem = _text_problem(field, text)
        if problem:
            problems.append(problem)
        elif text or not field.is_optional:
            try:
                values[field.name] = field.read(text) if text else _missing(field)
            except ValueError as error:
                problems += [Violation("not_readable", field.name, str(told)) for told in error.args]
        else:
            values[field.name] = None
    if problems:
        raise InputRefused(tuple(problems))
    return values


def _missing(field: Field) -> Any:
    raise ValueError(f"{field.label} is missing. Write it like {field.default}.")


def _text_problem(field: Field, text: str) -> Violation | None:
    if NUL in text:
        told = f"{field.label}: there is a NUL character in it, which no text has. Send it as plain text."
        return Violation("not_text", field.name, told)
    if len(text) > field.most_characters:
        return Violation("too_long", field.name, f"{field.label}: write at most {field.most_characters:,} characters.")
    return None


def _unknown(name: str, fields: Sequence[Field]) -> Violation:
    known = ", ".join(field.name for field in fields)
    return Violation("field_unknown", name[:LONGEST_WORDS], f"There is no field of this name. The fields are: {known}.")


def _range(low: float, high: float, measure: Measure) -> str:
    unit = f" {measure.unit}" if measure.unit else ""
    return f"{low:,g} to {high:,g}{unit}"


def sentence_pieces(sentence: str) -> list[tuple[str, str]]:
    """Split a sentence with blanks: pairs of the words before a blank and its field's name; "" where none follows."""
    parts = BLANK.split(sentence)
    return list(zip(parts[::2], [*parts[1::2], ""], strict=True))
