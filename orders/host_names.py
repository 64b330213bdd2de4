"""Host names of the machines of a container: typed one by one, or as a pattern such as web-{n}."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import partial

from core.errors import Violation

LONGEST_TYPED = 1000
LONGEST_HOST_NAME = 253
SEPARATORS = re.compile(r"[\s,;]+")
COUNTER = re.compile(r"\{(n+|\d{1,9})\}")
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
HOST_NAME = re.compile(rf"{LABEL}(?:\.{LABEL})*")


def tidy(typed: str) -> str:
    """Return what was typed in small letters, with one blank between the names."""
    return " ".join(name for name in SEPARATORS.split(typed.lower()) if name)


def host_names_of(typed: str, *, quantity: int) -> tuple[str, ...]:
    """Return the names of so many machines.

    A single name with {n} counts through them: web-{n} is web-1, web-2 and so on, web-{nn} begins with web-01, and
    web-{7} or web-{007} begin where they say.
    """
    names = tidy(typed).split()
    if len(names) != 1 or not COUNTER.search(names[0]):
        return tuple(names)
    return tuple(COUNTER.sub(partial(_number, piece=piece), names[0]) for piece in range(quantity))


def host_name_problems(typed: str, *, field: str) -> list[Violation]:
    """Say what keeps a text from being host names; nothing typed is fine."""
    if len(tidy(typed)) > LONGEST_TYPED:
        words = f"Host names have at most {LONGEST_TYPED:,} characters together. Use a pattern such as web-{{n}}."
        return [Violation("host_names_too_long", field, words)]
    wrong = [name for name in host_names_of(typed, quantity=1) if not _is_host_name(name)]
    if not wrong:
        return []
    if len(tidy(typed).split()) > 1 and COUNTER.search(tidy(typed)):
        words = "A pattern such as web-{n} names all machines. Leave the other names out, or give each machine its own."
        return [Violation("host_pattern_not_alone", field, words)]
    words = f"“{wrong[0]}” is not a host name. Use letters, digits, hyphens and dots, or a pattern such as web-{{n}}."
    return [Violation("host_name_invalid", field, words)]


def host_count_problems(typed: str, *, quantity: int, field: str) -> list[Violation]:
    """Say where there are host names, but not one for each machine."""
    count = len(host_names_of(typed, quantity=quantity))
    if count in (0, quantity):
        return []
    words = (
        f"{_counted(quantity, 'machine')}, but {_counted(count, 'host name')}. Give each machine one, or none a name."
    )
    return [Violation("host_names_count", field, words)]


def repeated_among(names: Iterable[str]) -> list[str]:
    """Return the names that stand more than once, each once."""
    return [name for name, count in Counter(names).items() if count > 1]


def repeated_problem(names: list[str], *, field: str) -> Violation:
    """Say that these names are given to more than one machine of the order."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    words = f"The host name {names[0]}{more} is given twice in this order. Every machine needs its own."
    return Violation("host_name_repeated", field, words)


def _is_host_name(name: str) -> bool:
    return len(name) <= LONGEST_HOST_NAME and HOST_NAME.fullmatch(name) is not None


def _number(found: re.Match[str], *, piece: int) -> str:
    counter = found[1]
    if counter.isdigit():
        return str(int(counter) + piece).zfill(len(counter))
    return str(piece + 1).zfill(len(counter))


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
