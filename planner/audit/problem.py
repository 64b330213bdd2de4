"""One audit against one market: every array on sale with its price, and the cheapest for each way to run the load."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, partial
from typing import Any

from core.money import Money
from planner.advice import raid
from planner.advice.arrays import ArrayChoice
from planner.advice.market import Candidate, Market, PricedCandidate, priced
from planner.audit.carrying import (
    Carried,
    busy_by_part,
    capable_of,
    carried,
    fewest_drives,
    running,
)
from planner.audit.demand import LEVELS, AuditDemand, Today
from simulation.arrays import Array
from simulation.parameters import ParameterSet
from simulation.raid import FEWEST_DRIVES
from simulation.scenarios import ScenarioError

Json = dict[str, Any]
Without = frozenset[str]


@dataclass(frozen=True)
class Priced:
    """A candidate that can be ordered, with its rank among equals and the array that it makes."""

    price: PricedCandidate
    choice: ArrayChoice


@dataclass
class Problem:
    """A demand with the arrays that may answer it. What is worked out once is remembered for every candidate."""

    demand: AuditDemand
    parameters: ParameterSet
    currency: str
    candidates: list[Candidate] = field(default_factory=list)
    known: dict[tuple[Array, str, Without], Carried] = field(default_factory=dict)

    def carried(self, array: Array, *, level: str, without: Without) -> Carried:
        key = (replace(array, drive_gb=None), level, without)
        if key not in self.known:
            capable = capable_of(self.parameters, queue_depth=self.demand.queue_depth)
            self.known[key] = carried(running(self.demand.parts, without), array, capable, level=level)
        return self.known[key]

    def busy_by_part(self, array: Array) -> dict[str, float]:
        """Return the share of the array's time that each part of the whole load takes on average."""
        capable = capable_of(self.parameters, queue_depth=self.demand.queue_depth)
        return busy_by_part(running(self.demand.parts), array, capable)

    @cached_property
    def priced(self) -> list[Priced]:
        """Every candidate that can be ordered and keeps capacity and failures, the cheapest first."""
        found = []
        for candidate in self.candidates:
            choice = choice_of(candidate)
            array = choice.array
            if array.usable_gb < self.demand.capacity_gb:
                continue
            if array.layout.drives_that_may_fail < self.demand.failures:
                continue
            price = priced(candidate, currency=self.currency)
            if price is not None:
                found.append(Priced(price, choice))
        return sorted(found, key=lambda each: each.price.cents)

    def cheapest(self, *, level: str, without: Without) -> Priced | None:
        """Return the cheapest that carries what runs, as the answer ranks it; None where none does."""
        best: tuple[Any, ...] | None = None
        found = None
        for each in self.priced:
            if best is not None and each.price.cents > best[0]:
                break
            times = self.carried(each.choice.array, level=level, without=without).times
            if times < self.demand.growth:
                continue
            rank = (each.price.cents, each.price.candidate.machines, -times, *each.price.candidate.rank)
            if best is None or rank < best:
                best, found = rank, each
        return found

    @cached_property
    def ladder(self) -> list[Json]:
        """What the cheapest array costs for each level: with everything, without each job, and without all of them."""
        jobs = self.demand.parts.jobs
        scopes: list[tuple[str, Without]] = [("", frozenset())]
        scopes += [(job.key, frozenset({job.key})) for job in jobs]
        if len(jobs) > 1:
            scopes.append(("jobs", frozenset(job.key for job in jobs)))
        return [
            {"level": level, "without": name, **_told(self.cheapest(level=level, without=without))}
            for level, _ in LEVELS
            for name, without in scopes
        ]

    @cached_property
    def today(self) -> Json:
        """How today's drives fare under each level, and how many of them would do."""
        return {
            "busy": self.busy_by_part(self.demand.today.array),
            "levels": list(self._levels()),
        }

    def _levels(self) -> Iterator[Json]:
        today, demand = self.demand.today, self.demand
        for raid_level in FEWEST_DRIVES:
            if raid_level == "none" and today.raid != "none":
                continue
            try:
                array: Array | None = today.under(raid_level, today.drives)
            except ScenarioError:
                array = None
            times = self._times(array) if array else None
            load = fewest_drives(
                array_of=partial(today.under, raid_level),
                enough=lambda each: self._times(each) >= demand.growth,
            )
            room = fewest_drives(
                array_of=partial(today.under, raid_level),
                enough=lambda each: each.usable_gb >= demand.capacity_gb,
            )
            yield {
                "raid": raid_level,
                "times": times,
                "usable_gb": array.usable_gb if array else None,
                "for_load": load,
                "for_capacity": room,
                "drives": _drives(today, raid_level, load, room),
            }

    def _times(self, array: Array) -> float:
        return self.carried(array, level=self.demand.level, without=self.demand.without).times


def _drives(today: Today, raid_level: str, load: int | None, room: int | None) -> int | None:
    """Return the fewest drives that do for both; None where none do."""
    if load is None or room is None:
        return None
    return max(load, room)


def _told(found: Priced | None) -> Json:
    if found is None:
        return {"title": "", "monthly_cost": None}
    return {"title": found.choice.words, "monthly_cost": found.price.monthly.text}


@dataclass(frozen=True)
class Facts:
    """What a candidate is judged by: its array, and the problem that it may answer."""

    choice: ArrayChoice
    problem: Problem


def choice_of(candidate: Candidate) -> ArrayChoice:
    if not isinstance(candidate.facts, Facts):
        raise TypeError("A candidate of the I/O audit is judged by its array.")
    return candidate.facts.choice


def candidates(market: Market, demand: AuditDemand, parameters: ParameterSet) -> Iterator[Candidate]:
    """Give every array that the RAID planner would look at, each as an answer to this load."""
    problem = Problem(demand, parameters, market.currency)
    for candidate in raid.candidates(market, demand.as_raid, parameters):
        choice = candidate.facts
        if not isinstance(choice, ArrayChoice):
            raise TypeError("A candidate of the RAID planner is an array.")
        found = replace(candidate, facts=Facts(choice, problem))
        problem.candidates.append(found)
        yield found


def shares_of(busy: Mapping[str, float], price: Decimal, currency: str, keys: Collection[str]) -> dict[str, Money]:
    """Return what the parts cost a month: their share of the array's time, of what the array costs."""
    return {key: Money(price * Decimal(str(round(busy.get(key, 0.0), 6))), currency).owed() for key in keys}
