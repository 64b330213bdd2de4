"""What the tests of every kind of advice need to know of each: demands, impossible ones, small random markets."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any

from planner.advice.market import Candidate, Market
from planner.tests.advice import (
    build_farm_case,
    database_case,
    io_audit_case,
    locations_case,
    mapping_case,
    network_case,
    raid_case,
    replicated_writes_case,
)

Words = dict[str, str]


@dataclass(frozen=True)
class KindCase:
    """One kind of advice as the tests see it.

    `three` are demands whose best answers on the shipped catalogue differ; `impossible` has none there, and its limit
    is what is said to bind. `market` makes a small market at random, `words` a demand that some of it may meet;
    `every` gives every candidate that a buyer could think of, without leaving out what is needless; `likely` makes a
    demand that the shipped catalogue meets.
    """

    key: str
    three: tuple[Words, Words, Words]
    impossible: Words
    limit: str
    market: Callable[[Random], Market]
    words: Callable[[Random], Words]
    every: Callable[[Market, Any], Iterator[Candidate]]
    likely: Callable[[Random], Words]


def _case(key: str, module: ModuleType, *, limit: str) -> KindCase:
    return KindCase(
        key=key,
        three=module.THREE,
        impossible=module.IMPOSSIBLE,
        limit=limit,
        market=module.market,
        words=module.words,
        every=module.every,
        likely=module.likely,
    )


CASES: Mapping[str, KindCase] = {
    case.key: case
    for case in (
        _case("build_farm", build_farm_case, limit="Time of one build"),
        _case("database", database_case, limit="Operations"),
        _case("io_audit", io_audit_case, limit="Load carried"),
        _case("locations", locations_case, limit="Users inside the limit"),
        _case("network", network_case, limit="Peak rate"),
        _case("virtual_to_physical", mapping_case, limit="Memory"),
        _case("raid", raid_case, limit="Usable capacity"),
        _case("replicated_writes", replicated_writes_case, limit="Writes answered"),
    )
}
