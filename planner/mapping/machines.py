"""Servers that stand in for a machine type measured on a cloud: what each offers, and what it misses."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from planner.advice.arrays import (
    CONTROLLER,
    SERVER,
    ArrayChoice,
    arrays_of,
    slots_of,
    without_needless,
)
from planner.advice.kinds import Need
from planner.advice.market import Candidate, LeftOut, Market, Part, Role, Shop
from planner.configurations import MB_S_PER_GBPS, MEMORY, UPLINK, bonded_gbps
from planner.figure_words import value_words
from simulation.nodes import array_read_mb_s, array_write_mb_s
from simulation.parameters import ParameterSet
from simulation.score_tables import ScoreTable, processor_in

MOST_PROCESSORS = 64
SPARE_COUNTS = 2
"""Numbers of drives of a kind and level that are looked at where a rule of the catalogue may forbid the smallest."""


@dataclass(frozen=True)
class MeasuredMachine:
    """A machine type as it was measured on a cloud, and how many of it are to be replaced.

    `score` is of the suite and version of `table`. `margin` is the share by which speeds may fall short and still count
    as equal. Speeds and room of disks are None where they do not matter.
    """

    score: float
    table: ScoreTable
    memory_gb: float
    read_mb_s: float | None
    write_mb_s: float | None
    network_mb_s: float
    disk_gb: float | None
    failures: int
    count: int
    margin: float

    def with_margin(self, speed: float) -> float:
        """Return the largest measured speed of which this one counts as an equal."""
        return speed / (1 - self.margin)


@dataclass(frozen=True)
class Processors:
    """The processors of a server, with what one of them scores in the demand's table."""

    server: Part
    processor: str
    count: int
    each: float

    @property
    def score(self) -> float:
        """What they score together: so many times one, which is an assumption."""
        return self.count * self.each


@dataclass(frozen=True)
class Match:
    """A complete server as the demand sees it."""

    processors: Processors
    memory_gb: float
    network_mb_s: float
    array: ArrayChoice


def candidates(market: Market, demand: MeasuredMachine, parameters: ParameterSet) -> Iterator[Candidate]:
    """Give every server with a score, with the memory, uplink and drives that are the least to do what is asked.

    Where nothing on sale does it, it stands there with the most that there is.
    """
    for shop in market.shops:
        if not _is_complete(shop):
            continue
        memories = _enough(shop, shop.offered(MEMORY), memory_of, demand.memory_gb)
        uplinks = _enough(
            shop, shop.offered(UPLINK), lambda part: demand.with_margin(network_of(part)), demand.network_mb_s
        )
        for processors in servers_of(shop, demand.table):
            for array in _arrays(shop, processors.server, demand, parameters):
                for memory in memories:
                    for uplink in uplinks:
                        yield candidate_of(shop, processors, memory, uplink, array, demand)


def candidate_of(
    shop: Shop, processors: Processors, memory: Part, uplink: Part, array: ArrayChoice, demand: MeasuredMachine
) -> Candidate:
    """Return one complete server as a candidate."""
    named = {SERVER: processors.server, MEMORY: memory, UPLINK: uplink, CONTROLLER: array.level.part}
    choices = shop.choices(named, [array.drive.part] * array.count)
    several = f"{demand.count} × " if demand.count > 1 else ""
    return Candidate(
        title=f"{several}{processors.server.description}, {memory.description}, {array.words}",
        roles=(Role("Servers" if demand.count > 1 else "Server", demand.count, shop, choices),),
        facts=Match(processors, memory_of(memory), network_of(uplink), array),
        variety=f"{processors.count} {processors.processor}",
    )


def needs_of(match: Match, demand: MeasuredMachine, parameters: ParameterSet) -> tuple[Need, ...]:
    """Return what is asked of a match beside what it offers; speeds with the margin, memory and room as they are."""
    array, margin = match.array.array, demand.with_margin
    needs = [
        Need("score", "CPU with margin", demand.score, margin(match.processors.score), "points"),
        Need("memory", "Memory", demand.memory_gb, match.memory_gb, "GB"),
        Need("network", "Network with margin", demand.network_mb_s, margin(match.network_mb_s), "MB/s"),
    ]
    if demand.read_mb_s is not None:
        read = margin(array_read_mb_s(array, parameters))
        needs.append(Need("read", "Reading with margin", demand.read_mb_s, read, "MB/s"))
    if demand.write_mb_s is not None:
        write = margin(array_write_mb_s(array, parameters))
        needs.append(Need("write", "Writing with margin", demand.write_mb_s, write, "MB/s"))
    if demand.disk_gb is not None:
        needs.append(Need("disk", "Disk space", demand.disk_gb, array.usable_gb, "GB"))
    if demand.failures:
        survived = array.layout.drives_that_may_fail
        needs.append(Need("failures", "Failed drives survived", demand.failures, survived, "drives"))
    return tuple(needs)


def servers_of(shop: Shop, table: ScoreTable) -> list[Processors]:
    """Return the servers whose processors have a score; of those that are equal here, the cheapest."""
    found = [each for each in (processors_of(part, table) for part in shop.offered(SERVER)) if each]
    kinds: list[Hashable] = [(each.processor, each.count, slots_of(shop, each.server)) for each in found]
    kept = without_needless(shop, [each.server for each in found], kinds)
    return [each for each in found if each.server in kept]


def processors_of(server: Part, table: ScoreTable) -> Processors | None:
    """Return the processors of a server; None where the table has no score of them, or their number is not told."""
    count = server.facts.get("processors", "")
    processor = processor_in(server.description, table)
    if processor is None or not count.isdecimal() or not 1 <= int(count) <= MOST_PROCESSORS:
        return None
    return Processors(server, processor, int(count), table.scores[processor])


def memory_of(part: Part) -> float:
    """Return how many GB a memory item has; zero where the catalogue does not say."""
    return part.number("memory_gb") or 0.0


def network_of(part: Part) -> float:
    """Return the MB/s of an uplink, a bonded pair counting twice; zero where the catalogue does not say."""
    return bonded_gbps(part.number("uplink_mbps") or 0.0, part.description) * MB_S_PER_GBPS


def left_out(market: Market, demand: MeasuredMachine, parameters: ParameterSet) -> Iterator[LeftOut]:
    """Give the servers that have no score in the table, and those that miss something, with what and by how much."""
    for shop in market.shops:
        if not _is_complete(shop):
            yield LeftOut(shop.package_name, "It sells no memory, uplink or drives to choose from.")
            continue
        unscored = []
        for server in shop.offered(SERVER):
            processors = processors_of(server, demand.table)
            if processors is None:
                unscored.append(server.description)
                continue
            missed = _missed_by_all(shop, processors, demand, parameters)
            if missed:
                yield LeftOut(f"{server.description} ({shop.package_name})", f"It misses {'; '.join(missed)}.")
        if unscored:
            names = ", ".join(dict.fromkeys(unscored))
            words = f"Their processors have no score in the table {demand.table.name}: bring one that has them."
            yield LeftOut(f"{shop.package_name}: {names}", words)


def _missed_by_all(shop: Shop, processors: Processors, demand: MeasuredMachine, parameters: ParameterSet) -> list[str]:
    """Return what the server misses with the most of everything that can be put into it."""
    memory = max(memory_of(part) for part in shop.offered(MEMORY))
    network = max(network_of(part) for part in shop.offered(UPLINK))
    most: dict[str, Need] = {}
    for array in arrays_of(shop, slots=slots_of(shop, processors.server)):
        for need in needs_of(Match(processors, memory, network, array), demand, parameters):
            if need.label not in most or need.delivered > most[need.label].delivered:
                most[need.label] = need
    return [missed_words(need) for need in most.values() if not need.is_met]


def missed_words(need: Need) -> str:
    """Return a limit that is missed: "Memory: 64 of 100 GB, 36 % short"."""
    short = f"{100 * need.shortfall:.0f}" if need.shortfall >= 0.01 else "less than 1"
    return f"{need.label}: {value_words(need.delivered)} of {value_words(need.asked)} {need.unit}, {short} % short"


def _is_complete(shop: Shop) -> bool:
    return bool(shop.slots and all(shop.offered(code) for code in (SERVER, MEMORY, UPLINK, CONTROLLER)))


def _enough(shop: Shop, parts: Sequence[Part], value: Callable[[Part], float], asked: float) -> list[Part]:
    """Return the cheapest part that is enough, and those that a rule names; where none is, the one that has most."""
    enough = [part for part in parts if value(part) >= asked]
    free = [part for part in enough if part.item.item_id not in shop.ruled_items]
    if free:
        return without_needless(shop, enough, ["enough"] * len(enough))
    return [*enough, *_most(parts, value)]


def _most(parts: Sequence[Part], value: Callable[[Part], float]) -> list[Part]:
    most = max(value(part) for part in parts)
    return [part for part in parts if value(part) == most]


def _arrays(shop: Shop, server: Part, demand: MeasuredMachine, parameters: ParameterSet) -> list[ArrayChoice]:
    """Return of each kind of drive and level the fewest drives that do what is asked; where none do, the most."""
    slots = slots_of(shop, server)
    doing: dict[tuple[int, int], list[ArrayChoice]] = {}
    most: dict[tuple[int, int], ArrayChoice] = {}
    for choice in arrays_of(shop, slots=slots):
        kind = (choice.drive.part.item.item_id, choice.level.part.item.item_id)
        most[kind] = choice
        if len(doing.get(kind, ())) < SPARE_COUNTS and _does(choice, demand, parameters):
            doing.setdefault(kind, []).append(choice)
    return [choice for choices in doing.values() for choice in choices] or list(most.values())


def _does(choice: ArrayChoice, demand: MeasuredMachine, parameters: ParameterSet) -> bool:
    disks = ("read", "write", "disk", "failures")
    blank = Match(Processors(choice.drive.part, "", 1, 0.0), 0.0, 0.0, choice)
    return all(need.is_met for need in needs_of(blank, demand, parameters) if need.field in disks)
