"""A kind of advice: one question of a workload, what may answer it, and how each answer is judged."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from core.errors import InputRefused, Violation
from planner.advice.asking import COMMON_FIELDS, Field, Values, Words, values_of
from planner.advice.market import Candidate, LeftOut, Market
from simulation.parameters import ParameterSet


@dataclass(frozen=True)
class Figure:
    """One figure that a candidate delivers, with its band. `basis`: calibrated, assumed, published, specification."""

    key: str
    label: str
    value: float
    unit: str
    low: float
    high: float
    basis: str

    @classmethod
    def exact(cls, key: str, label: str, value: float, unit: str, *, basis: str = "specification") -> "Figure":
        """A figure that has no band because it follows from what is ordered."""
        return cls(key, label, value, unit, value, value, basis)


@dataclass(frozen=True)
class Need:
    """One limit of the demand beside what a candidate delivers. `field` is where people type the limit."""

    field: str
    label: str
    asked: float
    delivered: float
    unit: str
    is_at_least: bool = True

    @property
    def is_met(self) -> bool:
        return self.delivered >= self.asked if self.is_at_least else self.delivered <= self.asked

    @property
    def shortfall(self) -> float:
        """By what share of the limit it is missed; zero where it is met."""
        if self.is_met:
            return 0.0
        return abs(self.asked - self.delivered) / max(abs(self.asked), 1e-12)


@dataclass(frozen=True)
class Delivered:
    """What a candidate delivers. `main` is the figure that the chart sets against the cost.

    `limit` says in words what limits the main figure, `notes` what the buyer of this very candidate should know.
    `extra` is JSON that its kind shows besides.
    """

    main: Figure
    figures: tuple[Figure, ...]
    needs: tuple[Need, ...]
    limit: str
    notes: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def meets(self) -> bool:
        return all(need.is_met for need in self.needs)


Judge = Callable[[Candidate], Delivered | None]
"""Says what a candidate delivers; None where the models refuse it."""


def _as_it_is(candidate: Candidate, delivered: Delivered, demand: Any, parameters: ParameterSet) -> Delivered:
    return delivered


def _as_typed(words: Words, partner_id: int) -> Words:
    return words


@dataclass(frozen=True)
class Kind:
    """One kind of advice.

    `demand_of` makes the demand (a frozen dataclass) of the values read from the fields; it raises InputRefused where
    they do not go together. `main_field` is the field that asks for the main figure: what a candidate's main figure is
    must not depend on how much of it is asked. `categories` name what is on sale for it: packages that ask for any of
    them. `candidates` gives complete configurations whose every part is offered, unpriced still; the catalogue's rules
    are checked and prices added by the frame. `judge` makes the judge of a demand, which may remember what equal
    machines do; its first need is that of the main figure. `detail` adds to the candidates that are shown what would
    take too long for all: bands. `parts` are the categories among which it chooses: what is unpriced there is told, and
    so is what `left_out` gives: things of which too little is known. `notes` are advice in plain words, whatever is
    chosen.

    `filled_in` adds to the words of a question, given the asker's partner, what must stay as it was when it was asked.
    `kept` makes of the words of a question that was read those that are stored: a large file as a short one.

    A kind that `is_everywhere` has a shop for each place of a package, not for those alone that may be cheapest.
    `page_part` makes, of the words of the question, a row of the answer and the currency, what its `page_template`
    shows beside the rest.
    """

    key: str
    title: str
    note: str
    question: str
    sentence: str
    own_fields: tuple[Field, ...]
    categories: tuple[str, ...]
    main_field: str
    main_words: Callable[[float], str]
    demand_of: Callable[[Values], Any]
    words_of: Callable[[Any], str]
    candidates: Callable[[Market, Any, ParameterSet], Iterator[Candidate]]
    judge: Callable[[Any, ParameterSet], Judge]
    detail: Callable[[Candidate, Delivered, Any, ParameterSet], Delivered] = _as_it_is
    left_out: Callable[[Market, Any], Iterable[LeftOut]] = field(default=lambda market, demand: ())
    parts: tuple[str, ...] = ()
    filled_in: Callable[[Words, int], Words] = _as_typed
    kept: Callable[[Words], Words] = field(default=lambda words: words)
    is_everywhere: bool = False
    page_part: Callable[[Words, Mapping[str, Any], str], dict[str, Any]] | None = None
    page_template: str = ""
    notes: Callable[[Any], tuple[str, ...]] = field(default=lambda demand: ())

    @property
    def fields(self) -> tuple[Field, ...]:
        return (*self.own_fields, *COMMON_FIELDS)

    def named(self, name: str) -> Field:
        return next(each for each in self.fields if each.name == name)


@dataclass(frozen=True)
class Asked:
    """A demand as it was read, with where and how it is to be billed; no location is wherever it is sold."""

    kind: Kind
    demand: Any
    location_key: str
    term: str
    hours_per_month: Decimal

    @property
    def words(self) -> str:
        return self.kind.words_of(self.demand)


def asked_of(kind: Kind, words: Words) -> Asked:
    """Read a question; raises InputRefused naming every field that is wrong."""
    values = values_of(kind.fields, words)
    return Asked(
        kind=kind,
        demand=kind.demand_of(values),
        location_key=values["location"] or "",
        term=values["term"],
        hours_per_month=values["hours_per_month"],
    )


def refuse(*problems: tuple[str, str, str]) -> None:
    """Raise InputRefused with problems as (code, field, words), unless there is none."""
    if problems:
        raise InputRefused(tuple(Violation(code, name, words) for code, name, words in problems))
