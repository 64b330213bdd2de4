"""The I/O audit in small random markets: those of the RAID planner, with every array tried for a measured load."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from planner.advice.arrays import ArrayChoice
from planner.advice.market import Candidate, Market
from planner.audit.demand import AuditDemand
from planner.audit.problem import Facts, Problem
from planner.tests.advice import raid_case
from simulation.parameters import load_parameter_set

THREE = (
    {"growth": "0.5 times"},
    {"growth": "8 times"},
    {"growth": "1.3 times", "capacity": "20 TB"},
)
IMPOSSIBLE = {"growth": "900,000 times"}

market = raid_case.market


def words(random: Random) -> dict[str, str]:
    return {
        "growth": f"{random.choice((0.2, 0.5, 1, 1.5, 6))} times",
        "level": random.choice(("p95", "peak")),
        "scope": random.choice(("everything", "without_jobs")),
        "capacity": random.choice(("90 GB", "400 GB", "1 TB", "2 TB")),
        "failures": random.choice(("0", "0", "1")),
    }


def likely(random: Random) -> dict[str, str]:
    return {
        "growth": f"{random.randint(2, 30) / 10:g} times",
        "level": random.choice(("p95", "peak")),
        "capacity": f"{random.randint(50, 6000)} GB",
        "term": random.choice(("monthly", "hourly")),
        "location": random.choice(("", "dal05", "ams03", "tok02")),
    }


def every(market: Market, demand: AuditDemand) -> Iterator[Candidate]:
    """Every array that somebody could think of, as an answer to the load."""
    problem = Problem(demand, load_parameter_set(), market.currency)
    for candidate in raid_case.every(market, demand.as_raid):
        assert isinstance(candidate.facts, ArrayChoice)
        yield replace(candidate, facts=Facts(candidate.facts, problem))
