"""Sweeps: the values of one field as people type them, and how their points are shared out."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from planner.simulations.fields import Field
from planner.simulations.scenarios import value_at

MOST_VALUES = 1000
MOST_REPLICATIONS = 10
ELLIPSIS = re.compile(r"\s*(?:…|\.{2,3})\s*,?\s*")
STEPPED = re.compile(r"^\s*(?P<first>.+?)\s*(?:-|–|to)\s*(?P<last>.+?)\s+step\s+(?P<step>.+?)\s*$", re.I)
SEPARATOR = re.compile(r"\s*[,;]\s+|\s*;\s*|\s*,(?!\d{3}(?!\d))\s*")
TINY = 1e-9

CHUNK_SECONDS = 2.0
MOST_IN_A_CHUNK = 32
SECONDS_FOR_A_CUSTOMER = {"block_io": 1e-4, "document_store": 1e-3, "replicated_write": 3e-3}
"""About how long all figures of one point take for each customer of its network; the store's kernel is apart."""
CUSTOMER_FIELD = {"block_io": "queue_depth", "document_store": "clients", "replicated_write": "workers"}
SECONDS_AT_LEAST = 0.002
MOST_MEMBERS = 16


@dataclass(frozen=True)
class Chunk:
    """Tasks that one worker does in one turn: those from `first` up to, not including, `end`."""

    first: int
    end: int


def read_values(text: str, field: Field) -> list[Any]:
    """Return the values that people typed: "1, 2, 4…128", "1-64 step 1" or a list. Raises ValueError with a way out."""
    stepped = STEPPED.match(text)
    if field.kind == "choice":
        values = [field.read(word) for word in re.split(r"\s*[,;]\s*", text.strip(" ,;")) if word]
    elif stepped:
        first, last, step = (_number(stepped[name], field) for name in ("first", "last", "step"))
        values = _steps(first, last, step)
    elif ELLIPSIS.search(text):
        values = _continued(text, field)
    else:
        values = [_number(word, field) for word in SEPARATOR.split(text.strip(" ,;")) if word]
    if field.kind == "whole":
        values = [_whole(value) for value in values]
    values = list(dict.fromkeys(values))
    if not values:
        raise ValueError("Write the values to try, such as 1, 2, 4…128.")
    if len(values) > MOST_VALUES:
        raise ValueError(f"These are {len(values):,} values. Write at most {MOST_VALUES:,}.")
    return values


def values_words(values: Sequence[Any], field: Field) -> str:
    """Return the values in a few words: "1, 2 … 128 (8 values)"."""
    words = [field.label_of(value) for value in values]
    return ", ".join(words) if len(words) <= 4 else f"{words[0]}, {words[1]} … {words[-1]} ({len(words)} values)"


def seconds_of(scenario: dict[str, Any]) -> float:
    """Return about how long all figures of one point take, once."""
    workload = scenario["workload"]
    field = CUSTOMER_FIELD.get(workload)
    customers = value_at(scenario, field) if field else 0
    return max(SECONDS_AT_LEAST, SECONDS_FOR_A_CUSTOMER.get(workload, 0.0) * (customers or 0))


def members_for(scenario: dict[str, Any], *, most: int = MOST_MEMBERS) -> int:
    """Return under how many members of the ensemble a point is predicted again, so that it stays a short turn."""
    if scenario["workload"] == "kv_store":
        return most
    return max(0, min(most, int(2 * CHUNK_SECONDS / seconds_of(scenario)) - 1))


def chunks_of(*, tasks: int, scenario: dict[str, Any], members: int) -> list[Chunk]:
    """Share tasks out in turns short enough to end within a third of a lease. A store's runs are a turn each."""
    each = 1
    if scenario["workload"] != "kv_store":
        each = max(1, min(MOST_IN_A_CHUNK, int(CHUNK_SECONDS / (seconds_of(scenario) * (1 + members)))))
    return [Chunk(first, min(first + each, tasks)) for first in range(0, tasks, each)]


def _continued(text: str, field: Field) -> list[Any]:
    """Go on from the first values to the last one: by their difference, or by their ratio."""
    head, *rest = ELLIPSIS.split(text.strip())
    if len(rest) != 1:
        raise ValueError("Write one … between the first values and the last one, such as 1, 2, 4…128.")
    first = [_number(word, field) for word in SEPARATOR.split(head.strip(" ,;")) if word]
    last = _number(rest[0], field)
    if len(first) == 1:
        first = [first[0], first[0] + 1]
    step, ratio = first[-1] - first[-2], first[-1] / first[-2] if first[-2] else 0.0
    if len(first) == 2 or _is_even(first, lambda one, next_one: next_one - one):
        return first[:-1] + _steps(first[-1], last, step)
    if ratio > 1 and _is_even(first, lambda one, next_one: next_one / one if one else 0.0):
        count = math.floor(math.log(last / first[-1]) / math.log(ratio) + TINY) if last >= first[-1] else -1
        return first + [first[-1] * ratio**power for power in range(1, min(count, MOST_VALUES + 1) + 1)]
    raise ValueError("The first values grow neither by a step nor by a factor. Write them like 1, 2, 4…128.")


def _is_even(values: Sequence[float], between: Any) -> bool:
    gaps = [between(one, following) for one, following in pairwise(values)]
    return all(abs(gap - gaps[0]) <= TINY * max(1.0, abs(gap)) for gap in gaps)


def _steps(first: float, last: float, step: float) -> list[float]:
    if step <= 0 or last < first:
        raise ValueError("The values must grow, such as 1-64 step 1.")
    count = math.floor((last - first) / step + TINY)
    return [first + step * number for number in range(min(count, MOST_VALUES) + 1)]


def _number(text: str, field: Field) -> float:
    value: float = field.read(text)
    return value


def _whole(value: float) -> int:
    if abs(value - round(value)) > TINY:
        raise ValueError(f"{value:g} is no whole number.")
    return round(value)
