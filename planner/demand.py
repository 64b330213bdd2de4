"""What a storage cloud must do: two of throughput, capacity and budget, and the goal that optimises the third."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeVar

from core import units
from core.errors import InputRefused, Violation
from core.money import Money
from planner.storage_limits import DriveLimit, RaidLimit, limits_words

STORAGE_GRID = (5, 10, 15, 20, 30, 40, 50, 60, 70, 80)
"""Storage nodes tried behind one proxy: the grid of the study, 2012. A Swift cloud needs at least five."""
REPLICAS = 3
"""Copies that a Swift cloud keeps of everything it stores."""
MOST_IT_COST = 10**9
"""Money a month for one machine: more is a slip of the keyboard, and whole clusters of it would leave 64 bits."""
DEFAULT_BALANCER = "cc2.8xlarge"
"""The one machine type whose throughput as a balancer was published."""
FEWEST_STORAGE_NODES = 5
"""A Swift cloud needs at least so many."""
MOST_COPIES = 5
MOST_MONTHS = 60
"""Five years; over longer times whole clusters of the dearest machines would leave 64 bits."""
MOST_PARTS_OF_AN_OBJECT = 32
"""Data and parity parts into which an object may be cut, together."""
BALANCER_HEADROOM = 2
"""With head-room the balancers could pass so many times the load."""
ILLUSTRATIVE_PURCHASE_MONTHS = Decimal(24)
"""Months of rent for which a machine is taken to be sold, where the asker names no other: illustrative, our own."""
SPARES: Mapping[str, Decimal] = {
    "drive": Decimal(250),
    "RAID card": Decimal(400),
    "RAM": Decimal(150),
    "power supply": Decimal(180),
    "network card": Decimal(120),
    "switch": Decimal(900),
}
"""What one of each costs in a kit of spares, where the asker names no other amount: illustrative, our own."""


Choice = TypeVar("Choice", bound=StrEnum)


class Goal(StrEnum):
    MINIMISE_COST = "minimise_cost"
    MAXIMISE_THROUGHPUT = "maximise_throughput"
    MAXIMISE_CAPACITY = "maximise_capacity"


class CostBasis(StrEnum):
    """What the cost of a shape counts: a month, buying it, or everything over so many months."""

    MONTHLY = "monthly"
    PURCHASE = "purchase"
    TOTAL = "total"


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

    throughput_mb_s is client traffic in MB/s, capacity_gb usable GB, budget money on the cost basis, it_cost_per_node
    money a month; a shape meets a throughput when it predicts at least `meets_share` of it. `balancers` fixes their
    number.

    Everything is kept in so many copies (`replicas`) or, with both erasure counts, cut into `erasure_data` parts with
    `erasure_parity` more, any of which may be lost. Disks are filled up to `fill_limit`. With `balancer_headroom` the
    balancers could pass twice the load; with a spare of a kind the cluster keeps its promise with one less of it.
    `latency_ms` is the most that a request of 1 MB may take on average. `budget_once` bounds what is paid once.

    The `cost_basis` says what cost and budget are: money a month; everything within `months`, set-up included; or the
    purchase of machines at `purchase_months` times their monthly price, with a kit of spares (`spares`, None for the
    illustrative one) and the IT cost of `months`.

    `raid` and `drives` limit how the disks of storage nodes are joined and of what kind; a proxy keeps no data.
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
    replicas: int = REPLICAS
    erasure_data: int | None = None
    erasure_parity: int | None = None
    fill_limit: Decimal = Decimal(1)
    balancer_headroom: bool = False
    spare_proxy: bool = False
    spare_node: bool = False
    spare_balancer: bool = False
    latency_ms: Decimal | None = None
    budget_once: Decimal | None = None
    cost_basis: CostBasis = CostBasis.MONTHLY
    months: int = 12
    purchase_months: Decimal = ILLUSTRATIVE_PURCHASE_MONTHS
    spares: Decimal | None = None
    raid: RaidLimit = RaidLimit.ANY
    drives: DriveLimit = DriveLimit.ANY

    @property
    def raw_per_usable(self) -> Fraction:
        """Gigabytes written for each gigabyte stored: the copies, or data and parity over data."""
        if self.erasure_data is None or self.erasure_parity is None:
            return Fraction(self.replicas)
        return Fraction(self.erasure_data + self.erasure_parity, self.erasure_data)

    @property
    def fewest_storage_nodes(self) -> int:
        """Every copy or part of an object lies on a node of its own; a cloud has at least five nodes anyway."""
        if self.erasure_data is None or self.erasure_parity is None:
            return max(FEWEST_STORAGE_NODES, self.replicas)
        return max(FEWEST_STORAGE_NODES, self.erasure_data + self.erasure_parity)

    @property
    def spares_cost(self) -> Decimal:
        """What the kit of spares costs; only a purchase has one."""
        if self.cost_basis is not CostBasis.PURCHASE:
            return Decimal(0)
        return sum(SPARES.values(), Decimal(0)) if self.spares is None else self.spares

    @property
    def needed_mb_s(self) -> float:
        """The throughput that a shape must predict, in MB/s; zero where none is asked."""
        return float(self.throughput_mb_s * self.meets_share) if self.throughput_mb_s is not None else 0.0

    @property
    def needed_mgb(self) -> int:
        """The raw capacity that all copies fill up to the fill limit, in thousandths of a GB; zero where none is asked.

        Exact, so that a cluster that just fits does.
        """
        if self.capacity_gb is None:
            return 0
        return math.ceil(Fraction(self.capacity_gb) * 1000 * self.raw_per_usable / Fraction(self.fill_limit))

    def shortfall_of(self, mb_s: float) -> float:
        """How far `mb_s` stays under the whole throughput asked, in MB/s to the byte; zero where it does not."""
        return max(0.0, round(float(self.throughput_mb_s or 0) - mb_s, 6))

    def as_json(self) -> dict[str, Any]:
        return {name: str(value) if isinstance(value, Decimal) else value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Demand":
        """Read a demand back; what an older version did not keep has its default."""
        return cls(
            **{field.name: _revived(field.name, data[field.name]) for field in fields(cls) if field.name in data}
        )

    @property
    def cost_words(self) -> str:
        """What the cost counts, behind an amount: "a month", "in 36 months", "to buy"."""
        if self.cost_basis is CostBasis.TOTAL:
            return f"in {self.months} months"
        return "to buy" if self.cost_basis is CostBasis.PURCHASE else "a month"

    @property
    def words(self) -> str:
        """The demand as a sentence: "2 TB at 175 MB/s, as cheap as possible"."""
        parts = []
        if self.capacity_gb is not None:
            parts.append(units.capacity_words(self.capacity_gb))
        if self.throughput_mb_s is not None:
            parts.append(f"{'at ' if parts else ''}{units.throughput_words(self.throughput_mb_s)}")
        if self.budget is not None:
            parts.append(f"within {Money(self.budget, self.currency)} {self.cost_words}")
        if limits := limits_words(self.raid, self.drives):
            parts.append(f"on {limits}")
        return f"{' '.join(parts)}, {GOAL_WORDS[self.goal]}"


PLAIN_FIELDS = (
    *("balancer", "balancers", "currency", "replicas", "erasure_data", "erasure_parity", "months"),
    *("balancer_headroom", "spare_proxy", "spare_node", "spare_balancer"),
)


CHOICES: Mapping[str, type[StrEnum]] = {
    "goal": Goal,
    "cost_basis": CostBasis,
    "raid": RaidLimit,
    "drives": DriveLimit,
}


def _revived(name: str, value: Any) -> Any:
    if name in CHOICES:
        return CHOICES[name](value)
    if name in PLAIN_FIELDS or value is None:
        return value
    return Decimal(value)


def demand_from_words(words: Mapping[str, str], *, currency: str = "USD") -> Demand:
    """Read a demand as people type it; raises InputRefused naming every field that is missing or wrong.

    Keys: goal, throughput, capacity, budget, read_share (percent), meets_share (percent), it_cost_per_node,
    hours_per_month, balancer, balancers, replicas, erasure ("4+2"), fill_limit (percent), balancer_headroom,
    spare_proxy, spare_node, spare_balancer (yes or no), latency_ms, budget_once, cost_basis, months, purchase_months,
    spares, raid, drives. The goal follows from the two limits given where it is left out.
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


SWITCHES = ("balancer_headroom", "spare_proxy", "spare_node", "spare_balancer")
YES, NO = ("yes", "true", "on", "1"), ("", "no", "false", "off", "0")
ERASURE = re.compile(r"^(\d{1,2})\s*\+\s*(\d{1,2})$")


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
            **self.copies(),
            "fill_limit": self.percent("fill_limit", default=100, low=1),
            **{name: self.switch(name) for name in SWITCHES},
            "latency_ms": self.latency(),
            "budget_once": self.read("budget_once", units.amount),
            "cost_basis": self.choice("cost_basis", CostBasis.MONTHLY, "no cost basis"),
            "raid": self.choice("raid", RaidLimit.ANY, "no limit on RAID"),
            "drives": self.choice("drives", DriveLimit.ANY, "no limit on drives"),
            "months": self.whole("months", default=12, high=MOST_MONTHS),
            "purchase_months": self.number(
                "purchase_months", default=int(ILLUSTRATIVE_PURCHASE_MONTHS), low=1, high=MOST_MONTHS
            ),
            "spares": self.read("spares", units.amount),
        }

    def copies(self) -> dict[str, Any]:
        """Read the number of copies, or the parts of an erasure code."""
        copies = self.whole("replicas", default=REPLICAS, high=MOST_COPIES)
        text = self.text("erasure")
        if not text:
            return {"replicas": copies}
        match = ERASURE.match(text)
        data, parity = (int(match[1]), int(match[2])) if match else (0, 0)
        if not data or not parity or data + parity > MOST_PARTS_OF_AN_OBJECT:
            words = (
                f"“{text}” is no erasure code. Write data and parity parts like 4+2, at most "
                f"{MOST_PARTS_OF_AN_OBJECT} together, or leave it empty for whole copies."
            )
            self.wrong("erasure", "erasure_not_readable", words)
            return {"replicas": copies}
        return {"replicas": copies, "erasure_data": data, "erasure_parity": parity}

    def switch(self, field: str) -> bool:
        text = self.text(field).lower()
        if text not in YES and text not in NO:
            self.wrong(field, "not_yes_or_no", f"“{self.text(field)}” is neither yes nor no. Write one of them.")
        return text in YES

    def latency(self) -> Decimal | None:
        if not self.text("latency_ms"):
            return None
        return self.number("latency_ms", default=1000, low=1, high=600_000)

    def choice(self, field: str, usual: Choice, noun: str) -> Choice:
        text = self.text(field) or usual.value
        try:
            return type(usual)(text)
        except ValueError:
            words = f"“{text}” is {noun}. Choose one of: {', '.join(type(usual))}."
            self.wrong(field, f"{field}_unknown", words)
            return usual

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

    def whole(self, field: str, *, default: int, high: int) -> int:
        value = self.number(field, default=default, low=1, high=high)
        if value != int(value):
            self.wrong(field, "not_whole", f"{self.text(field)} is no whole number. Write one from 1 to {high}.")
        return int(value)

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
