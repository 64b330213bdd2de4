"""What a storage cloud must do: two of throughput, capacity and budget, and the goal that optimises the third."""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from core import units
from core.errors import InputRefused, Violation
from core.money import Money

STORAGE_GRID = (5, 10, 15, 20, 30, 40, 50, 60, 70, 80)
"""Storage nodes tried behind one proxy: the grid of the study, 2012. A Swift cloud needs at least five."""
REPLICAS = 3
"""Copies that a Swift cloud keeps of everything it stores."""
MOST_IT_COST = 10**9
"""Money a month for one machine: more is a slip of the keyboard, and whole clusters of it would leave 64 bits."""
DEFAULT_BALANCER = "cc2.8xlarge"
"""The one machine type whose throughput as a balancer was published."""


class Goal(StrEnum):
    MINIMISE_COST = "minimise_cost"
    MAXIMISE_THROUGHPUT = "maximise_throughput"
    MAXIMISE_CAPACITY = "maximise_capacity"


NEEDED = {
    Goal.MINIMISE_COST: ("throughput", "capacity"),
    Goal.MAXIMISE_THROUGHPUT: ("budget", "capacity"),
    Goal.MAXIMISE_CAPACITY: ("budget", "throughput"),
}
GOAL_WORDS = {
    Goal.MINIMISE_COST: "as cheap as possible",
    Goal.MAXIMISE_THROUGHPUT: "as fast as possible",
    Goal.MAXIMISE_CAPACITY: "as large as possible",
}


@dataclass(frozen=True)
class Demand:
    """A demand in the units we calculate with.

    throughput_mb_s is client traffic in MB/s, capacity_gb usable GB, budget and it_cost_per_node money a month;
    a shape meets a throughput when it predicts at least `meets_share` of it. `balancers` fixes their number.
    """

    goal: Goal
    throughput_mb_s: Decimal | None = None
    capacity_gb: Decimal | None = None
    budget: Decimal | None = None
    read_share: Decimal = Decimal(0)
    meets_share: Decimal = Decimal("0.95")
    it_cost_per_node: Decimal = Decimal(0)
    hours_per_month: Decimal = Decimal(720)
    balancer: str = DEFAULT_BALANCER
    balancers: int | None = None
    currency: str = "USD"

    @property
    def needed_mb_s(self) -> float:
        """The throughput that a shape must predict, in MB/s; zero where none is asked."""
        return float(self.throughput_mb_s * self.meets_share) if self.throughput_mb_s is not None else 0.0

    @property
    def needed_mgb(self) -> int:
        """The raw capacity that all copies fill, in thousandths of a GB; zero where none is asked."""
        return 0 if self.capacity_gb is None else math.ceil(self.capacity_gb * 1000 * REPLICAS)

    def shortfall_of(self, mb_s: float) -> float:
        """How far `mb_s` stays under the whole throughput asked, in MB/s to the byte; zero where it does not."""
        return max(0.0, round(float(self.throughput_mb_s or 0) - mb_s, 6))

    def as_json(self) -> dict[str, Any]:
        return {name: str(value) if isinstance(value, Decimal) else value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Demand":
        return cls(**{field.name: _revived(field.name, data[field.name]) for field in fields(cls)})

    @property
    def words(self) -> str:
        """The demand as a sentence: "2 TB at 175 MB/s, as cheap as possible"."""
        parts = []
        if self.capacity_gb is not None:
            parts.append(units.capacity_words(self.capacity_gb))
        if self.throughput_mb_s is not None:
            parts.append(f"{'at ' if parts else ''}{units.throughput_words(self.throughput_mb_s)}")
        if self.budget is not None:
            parts.append(f"within {Money(self.budget, self.currency)} a month")
        return f"{' '.join(parts)}, {GOAL_WORDS[self.goal]}"


def _revived(name: str, value: Any) -> Any:
    if name == "goal":
        return Goal(value)
    if name in ("balancer", "balancers", "currency") or value is None:
        return value
    return Decimal(value)


def demand_from_words(words: Mapping[str, str], *, currency: str = "USD") -> Demand:
    """Read a demand as people type it; raises InputRefused naming every field that is missing or wrong.

    Keys: goal, throughput, capacity, budget, read_share (percent), meets_share (percent), it_cost_per_node,
    hours_per_month, balancer, balancers. The goal follows from the two limits given where it is left out.
    """
    reader = _Reader(words)
    goal = reader.goal()
    throughput = reader.limit("throughput", goal, units.throughput_mb_s)
    capacity = reader.limit("capacity", goal, units.capacity_gb)
    budget = reader.limit("budget", goal, units.amount)
    settings = reader.settings()
    reader.refuse_if_wrong()
    return Demand(
        goal=goal, throughput_mb_s=throughput, capacity_gb=capacity, budget=budget, **settings, currency=currency
    )


def comparison_from_words(words: Mapping[str, str], *, currency: str = "USD") -> Demand:
    """Read the settings of a comparison of named shapes, where a throughput may be asked and nothing is optimised."""
    reader = _Reader(words)
    throughput = reader.read("throughput", units.throughput_mb_s)
    settings = reader.settings()
    for field in ("goal", "capacity", "budget"):
        if reader.text(field):
            reader.wrong(field, "limit_not_wanted", f"Leave the {field} out: a comparison takes shapes as they are.")
    reader.refuse_if_wrong()
    return Demand(goal=Goal.MINIMISE_COST, throughput_mb_s=throughput, **settings, currency=currency)


class _Reader:
    """Reads typed words field by field and collects what is wrong with them."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = words
        self.violations: list[Violation] = []

    def wrong(self, field: str, code: str, words: str) -> None:
        self.violations.append(Violation(code=code, field=field, words=words))

    def refuse_if_wrong(self) -> None:
        if self.violations:
            raise InputRefused(tuple(self.violations))

    def settings(self) -> dict[str, Any]:
        return {
            "read_share": self.percent("read_share", default=0, low=0),
            "meets_share": self.percent("meets_share", default=95, low=1),
            "it_cost_per_node": self.it_cost(),
            "hours_per_month": self.number("hours_per_month", default=720, low=1, high=744),
            "balancer": self.text("balancer") or DEFAULT_BALANCER,
            "balancers": self.count("balancers"),
        }

    def text(self, field: str) -> str:
        return (self.words.get(field) or "").strip()

    def read(self, field: str, parse: Callable[[str], Decimal]) -> Decimal | None:
        text = self.text(field)
        if not text:
            return None
        try:
            return parse(text)
        except ValueError as error:
            self.wrong(field, "not_readable", str(error))
            return None

    def it_cost(self) -> Decimal:
        value = self.read("it_cost_per_node", units.amount) or Decimal(0)
        if value > MOST_IT_COST:
            words = f"The IT cost of a machine is at most {MOST_IT_COST:,} a month."
            self.wrong("it_cost_per_node", "out_of_range", words)
        return value

    def goal(self) -> Goal:
        text = self.text("goal")
        if text:
            try:
                return Goal(text)
            except ValueError:
                self.wrong("goal", "goal_unknown", f"“{text}” is not a goal. Choose one of: {', '.join(Goal)}.")
        given = {name for name in ("throughput", "capacity", "budget") if self.text(name)}
        return next((goal for goal, needed in NEEDED.items() if set(needed) == given), Goal.MINIMISE_COST)

    def limit(self, field: str, goal: Goal, parse: Callable[[str], Decimal]) -> Decimal | None:
        is_needed = field in NEEDED[goal]
        if is_needed and not self.text(field):
            self.wrong(field, "limit_missing", f"Say the {field}: this goal starts from {' and '.join(NEEDED[goal])}.")
        if not is_needed and self.text(field):
            self.wrong(
                field, "limit_not_wanted", f"Leave the {field} empty: with this goal it is what the plan works out."
            )
            return None
        value = self.read(field, parse)
        if value is not None and value <= 0:
            self.wrong(field, "limit_not_positive", f"The {field} must be above zero.")
        return value

    def number(self, field: str, *, default: int, low: int, high: int) -> Decimal:
        text = self.text(field)
        if not text:
            return Decimal(default)
        try:
            value = Decimal(text.rstrip("% "))
        except InvalidOperation:
            self.wrong(field, "not_a_number", f"“{text}” is not a number. Write one from {low} to {high}.")
            return Decimal(default)
        if not value.is_finite() or not low <= value <= high:
            self.wrong(field, "out_of_range", f"{text} is out of range. Write a number from {low} to {high}.")
            return Decimal(default)
        return value.quantize(Decimal("0.01"))

    def percent(self, field: str, *, default: int, low: int) -> Decimal:
        return self.number(field, default=default, low=low, high=100) / 100

    def count(self, field: str) -> int | None:
        text = self.text(field)
        if not text:
            return None
        if not text.isdecimal() or len(text) > 4 or int(text) > 1000:
            self.wrong(
                field, "out_of_range", f"“{text}” is not a number of balancers. Write 0 to 1000, or leave it empty."
            )
            return None
        return int(text)
