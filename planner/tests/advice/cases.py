"""What the tests of every kind of advice need to know of each: demands, impossible ones, small random markets."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
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


CASES: Mapping[str, KindCase] = {
    "build_farm": KindCase(
        key="build_farm",
        three=build_farm_case.THREE,
        impossible=build_farm_case.IMPOSSIBLE,
        limit="Time of one build",
        market=build_farm_case.market,
        words=build_farm_case.words,
        every=build_farm_case.every,
        likely=build_farm_case.likely,
    ),
    "database": KindCase(
        key="database",
        three=database_case.THREE,
        impossible=database_case.IMPOSSIBLE,
        limit="Operations",
        market=database_case.market,
        words=database_case.words,
        every=database_case.every,
        likely=database_case.likely,
    ),
    "io_audit": KindCase(
        key="io_audit",
        three=io_audit_case.THREE,
        impossible=io_audit_case.IMPOSSIBLE,
        limit="Load carried",
        market=io_audit_case.market,
        words=io_audit_case.words,
        every=io_audit_case.every,
        likely=io_audit_case.likely,
    ),
    "locations": KindCase(
        key="locations",
        three=locations_case.THREE,
        impossible=locations_case.IMPOSSIBLE,
        limit="Users inside the limit",
        market=locations_case.market,
        words=locations_case.words,
        every=locations_case.every,
        likely=locations_case.likely,
    ),
    "network": KindCase(
        key="network",
        three=network_case.THREE,
        impossible=network_case.IMPOSSIBLE,
        limit="Peak rate",
        market=network_case.market,
        words=network_case.words,
        every=network_case.every,
        likely=network_case.likely,
    ),
    "virtual_to_physical": KindCase(
        key="virtual_to_physical",
        three=mapping_case.THREE,
        impossible=mapping_case.IMPOSSIBLE,
        limit="Memory",
        market=mapping_case.market,
        words=mapping_case.words,
        every=mapping_case.every,
        likely=mapping_case.likely,
    ),
    "raid": KindCase(
        key="raid",
        three=raid_case.THREE,
        impossible={"capacity": "900 TB"},
        limit="Usable capacity",
        market=raid_case.market,
        words=raid_case.words,
        every=raid_case.every,
        likely=raid_case.likely,
    ),
    "replicated_writes": KindCase(
        key="replicated_writes",
        three=replicated_writes_case.THREE,
        impossible=replicated_writes_case.IMPOSSIBLE,
        limit="Writes answered",
        market=replicated_writes_case.market,
        words=replicated_writes_case.words,
        every=replicated_writes_case.every,
        likely=replicated_writes_case.likely,
    ),
}
