"""The address of the composer: everything that somebody chose and typed, as text, with nothing lost on the way.

`choice-CATEGORY` names the item of a category and stands once for each row; `count-CATEGORY`, in the same order, says
how many of it. The word `choice` alone says that nothing is chosen on purpose.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

CHOICE, COUNT, SEARCH = "choice-", "count-", "find-"
MOST_ROWS = 100


@dataclass(frozen=True)
class Pick:
    """One row of a category as typed: which item, and how many of it."""

    value: str
    count: str = "1"


@dataclass(frozen=True)
class Asked:
    """What the address asks for. None is a word that the address leaves out."""

    package: str = ""
    location: str = ""
    term: str = ""
    hours: str = ""
    quantity: str | None = None
    name: str | None = None
    hosts: str = ""
    contract: str = ""
    code: str = ""
    order: str = ""
    container: str = ""
    picks: Mapping[str, tuple[Pick, ...]] | None = None
    searches: Mapping[str, str] | None = None

    def query(self) -> str:
        """Return the address's query, with what is empty left out."""
        words = [(name, getattr(self, name)) for name in ("order", "container", "package", "location", "term", "hours")]
        words += [("contract", self.contract), ("code", self.code)]
        words += [("quantity", self.quantity or ""), ("hosts", self.hosts)]
        pairs = [(name, value) for name, value in words if value]
        if self.name is not None:
            pairs.append(("name", self.name))
        pairs += self._choices()
        pairs += [(f"{SEARCH}{code}", text) for code, text in (self.searches or {}).items() if text]
        return urlencode(pairs)

    @property
    def url(self) -> str:
        return f"{reverse('compose')}?{self.query()}"

    def with_choices(self, choices: Iterable[tuple[str, str]]) -> "Asked":
        """Return the same with these choices (category code and item) instead; equal ones become one row."""
        counts: dict[tuple[str, str], int] = {}
        for choice in choices:
            counts[choice] = counts.get(choice, 0) + 1
        picks: dict[str, tuple[Pick, ...]] = {}
        for (code, value), count in counts.items():
            picks[code] = (*picks.get(code, ()), Pick(value, str(count)))
        return replace(self, picks=picks)

    def _choices(self) -> list[tuple[str, str]]:
        if self.picks is None:
            return []
        pairs: list[tuple[str, str]] = []
        for code, rows in self.picks.items():
            chosen = [pick for pick in rows if pick.value]
            pairs += [(f"{CHOICE}{code}", pick.value) for pick in chosen]
            if any(pick.count != "1" for pick in chosen):
                pairs += [(f"{COUNT}{code}", pick.count) for pick in chosen]
        return pairs or [("choice", "none")]


def asked_in(query: QueryDict) -> Asked:
    """Read an address, or a form with the same fields."""
    return Asked(
        package=_word(query, "package"),
        location=_word(query, "location"),
        term=_word(query, "term"),
        hours=_word(query, "hours"),
        quantity=query.get("quantity"),
        name=query.get("name"),
        hosts=_word(query, "hosts"),
        contract=_word(query, "contract"),
        code=_word(query, "code"),
        order=_word(query, "order"),
        container=_word(query, "container"),
        picks=_picks(query),
        searches={key.removeprefix(SEARCH): _word(query, key) for key in query if key.startswith(SEARCH)},
    )


def _picks(query: QueryDict) -> dict[str, tuple[Pick, ...]] | None:
    codes = [key.removeprefix(CHOICE) for key in query if key.startswith(CHOICE)]
    if not codes and "choice" not in query:
        return None
    return {code: _rows(query.getlist(f"{CHOICE}{code}"), query.getlist(f"{COUNT}{code}")) for code in codes}


def _rows(values: list[str], counts: list[str]) -> tuple[Pick, ...]:
    known = counts + ["1"] * len(values)
    pairs = zip(values[:MOST_ROWS], known, strict=False)
    return tuple(Pick(value.strip(), count.strip()) for value, count in pairs if value.strip())


def _word(query: QueryDict, name: str) -> str:
    return query.get(name, "").strip()
