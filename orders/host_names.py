"""Host names of the machines of a container: typed one by one, or as a pattern such as web-{n}."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import partial
from itertools import count, islice

from core.errors import Violation

LONGEST_TYPED = 1000
LONGEST_HOST_NAME = 253
SEPARATORS = re.compile(r"[\s,;]+")
COUNTER = re.compile(r"\{(n+|\d{1,9})\}")
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
LAST_NUMBER = re.compile(r"-?\d+$")
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


def mended_names(typed: str, *, quantity: int, taken: Collection[str]) -> str:
    """Return host names for so many machines, as near to what was typed as can be; none of them is among those taken.

    Of names that were given one by one as many as can stay do; the others count on. A pattern counts from a number on
    that nobody has. "" where no such names would be valid.
    """
    counted = COUNTER.search(tidy(typed))
    words = tidy(typed).split()
    if counted and len(words) == 1:
        mended = _counting_on(words[0], counted, taken)
    else:
        kept = [name for name in dict.fromkeys(words) if name not in taken][:quantity]
        stem = LAST_NUMBER.sub("", words[0].split(".")[0]) or "host" if words else "host"
        free = (name for name in (f"{stem}-{number}" for number in count(1)) if name not in taken and name not in kept)
        mended = " ".join([*kept, *islice(free, min(quantity - len(kept), LONGEST_TYPED))])
        if len(mended) > LONGEST_TYPED:
            pattern = f"{stem}-{{n}}"
            mended = _counting_on(pattern, COUNTER.search(pattern), taken)
    return "" if host_name_problems(mended, field="") else mended


def _counting_on(pattern: str, counter: re.Match[str] | None, taken: Collection[str]) -> str:
    """Return the pattern with a first number that lies behind all numbers taken."""
    if counter is None:
        return pattern
    before, after = pattern[: counter.start()], pattern[counter.end() :]
    middles = (name[len(before) : len(name) - len(after)] for name in taken if _is_around(name, before, after))
    numbers = [int(middle) for middle in middles if middle.isascii() and middle.isdigit()]
    first = max(numbers, default=0) + 1
    return f"{before}{{{str(first).zfill(len(counter[1]))}}}{after}"


def _is_around(name: str, before: str, after: str) -> bool:
    return len(name) > len(before) + len(after) and name.startswith(before) and name.endswith(after)


def _is_host_name(name: str) -> bool:
    return len(name) <= LONGEST_HOST_NAME and HOST_NAME.fullmatch(name) is not None


def _number(found: re.Match[str], *, piece: int) -> str:
    counter = found[1]
    if counter.isdigit():
        return str(int(counter) + piece).zfill(len(counter))
    return str(piece + 1).zfill(len(counter))


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
