"""Machines of a build farm: which ones are sold, how long a build takes on them, how many of them a group needs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from planner.advice.arrays import SERVER, without_needless
from planner.advice.database_nodes import price_of
from planner.advice.market import LeftOut, Market, Part, Shop
from planner.configurations import MACHINE_TYPE, MEMORY
from simulation.build import build_minutes
from simulation.parameters import ParameterSet
from simulation.scores import PLANNING_SUITE, processor_named_in, processor_score, score_compute_units
from simulation.shared_machines import late_share, most_people

UNITS_OF_REFERENCE = 88 / 16
"""Compute units of a core of Sandy Bridge: cc2.8xlarge was published with 88 for 2 × E5-2670, 16 cores."""
MOST_MACHINES = 200
MOST_DEVELOPERS = 1000
MOST_SERVED = 2000
LATE = 0.05
"""The share of builds that may wait longer than was promised."""
SLACK = 1.0
"""Money by which the rounding of an order's lines may change which of two farms is cheaper."""


@dataclass(frozen=True)
class Project:
    """What is built: `size` times the project of the published builds."""

    compiler: str
    storage: str
    working_set_gb: float
    size: float

    def minutes(self, *, speed: float, processors: int, ram_gb: float, parameters: ParameterSet) -> float:
        """Return how long one build takes on processors of a speed, 1 being a core of Sandy Bridge."""
        one = build_minutes(
            compiler=self.compiler,
            storage=self.storage,
            speed=speed,
            processors=processors,
            ram_gb=ram_gb,
            working_set_gb=self.working_set_gb,
            parameters=parameters,
        )
        return self.size * one


@dataclass(frozen=True)
class FarmDemand:
    """Who builds what how often. `cycle_minutes` pass from one build's begin of a developer to the next one's."""

    project: Project
    developers: int
    cycle_minutes: float
    patience_minutes: float
    within_minutes: float | None


@dataclass(frozen=True)
class BuildMachine:
    """A machine that can be ordered, with what decides how fast it builds."""

    title: str
    shop: Shop
    named: Mapping[str, Part]
    cores: int
    speed: float
    ram_gb: float
    variety: str

    @cached_property
    def monthly(self) -> float:
        return float(price_of(self.shop, self.named, ()).amount)


@dataclass(frozen=True)
class Farm:
    """So many equal machines, each with one build at a time that takes so many minutes."""

    machine: BuildMachine
    count: int
    minutes: float

    @property
    def cost(self) -> float:
        return self.machine.monthly * self.count

    def serves(self, developers: int, demand: FarmDemand) -> bool:
        """Tell whether so many developers are served as promised."""
        pause = demand.cycle_minutes - self.minutes
        if pause <= 0:
            return False
        late = late_share(
            people=developers, machines=self.count, job=self.minutes, pause=pause, patience=demand.patience_minutes
        )
        return late <= LATE

    def developers(self, demand: FarmDemand) -> int:
        """Return how many developers are served as promised; none where a build outlasts the time between two."""
        pause = demand.cycle_minutes - self.minutes
        if pause <= 0:
            return 0
        return most_people(
            machines=self.count,
            job=self.minutes,
            pause=pause,
            patience=demand.patience_minutes,
            late=LATE,
            most=MOST_SERVED,
        )


def farms_of(
    machines: Iterable[BuildMachine],
    demand: FarmDemand,
    parameters: ParameterSet,
    can_be_ordered: Callable[[Farm], bool],
) -> Iterator[Farm]:
    """Give the fewest of each machine that serve all developers, and what is cheaper and serves fewer."""
    enough = [fewest(machine, demand, parameters) for machine in machines]
    yield from enough
    meeting = [farm.cost for farm in enough if _meets(farm, demand) and can_be_ordered(farm)]
    if meeting:
        yield from _cheaper(enough, demand, can_be_ordered, below=min(meeting) + SLACK)


def fewest(machine: BuildMachine, demand: FarmDemand, parameters: ParameterSet) -> Farm:
    """Return the fewest machines that serve all developers; the most that are looked at where none do."""
    minutes = minutes_on(machine, demand, parameters)
    low, high = 1, min(MOST_MACHINES, demand.developers)
    if minutes >= demand.cycle_minutes:
        return Farm(machine, 1, minutes)
    while low < high:
        middle = (low + high) // 2
        if Farm(machine, middle, minutes).serves(demand.developers, demand):
            high = middle
        else:
            low = middle + 1
    return Farm(machine, low, minutes)


def minutes_on(machine: BuildMachine, demand: FarmDemand, parameters: ParameterSet) -> float:
    return demand.project.minutes(
        speed=machine.speed, processors=machine.cores, ram_gb=machine.ram_gb, parameters=parameters
    )


def _is_quick(farm: Farm, demand: FarmDemand) -> bool:
    return demand.within_minutes is None or farm.minutes <= demand.within_minutes


def _meets(farm: Farm, demand: FarmDemand) -> bool:
    return _is_quick(farm, demand) and farm.serves(demand.developers, demand)


def _cheaper(
    enough: Iterable[Farm], demand: FarmDemand, can_be_ordered: Callable[[Farm], bool], *, below: float
) -> Iterator[Farm]:
    """Give the farms that cost less and serve at least as many as whatever costs less still."""
    smaller = [
        Farm(farm.machine, count, farm.minutes)
        for farm in enough
        if _is_quick(farm, demand)
        for count in range(1, farm.count)
        if count * farm.machine.monthly <= below
    ]
    front: list[tuple[float, int]] = []
    for farm in sorted(smaller, key=lambda farm: farm.cost):
        most = max((served for cost, served in front if cost < farm.cost - SLACK), default=0)
        if (most == 0 or farm.serves(most, demand)) and can_be_ordered(farm):
            front.append((farm.cost, farm.developers(demand)))
            yield farm


def machines_of(market: Market, demand: FarmDemand, parameters: ParameterSet) -> Iterator[BuildMachine]:
    """Give every machine that the market sells and whose processors are known, bare metal and virtual."""
    for shop in market.shops:
        yield from _servers(shop, demand, parameters)
        yield from _virtual(shop)


def _servers(shop: Shop, demand: FarmDemand, parameters: ParameterSet) -> Iterator[BuildMachine]:
    speeds = {part.item.item_id: speed_of(part, parameters) for part in shop.offered(SERVER)}
    known = [part for part in shop.offered(SERVER) if speeds[part.item.item_id]]
    servers = without_needless(shop, known, [(_cores(part), speeds[part.item.item_id]) for part in known])
    sizes = [part for part in shop.offered(MEMORY) if part.number("memory_gb")]
    enough = demand.project.working_set_gb
    memories = without_needless(shop, sizes, [min(enough, part.number("memory_gb") or 0) for part in sizes])
    for server in servers:
        for memory in memories:
            yield BuildMachine(
                title=f"{server.description}, {memory.description}",
                shop=shop,
                named={SERVER: server, MEMORY: memory},
                cores=_cores(server),
                speed=speeds[server.item.item_id] or 0,
                ram_gb=memory.number("memory_gb") or 0,
                variety=f"{server.description} {shop.package_key}",
            )


def speed_of(server: Part, parameters: ParameterSet) -> float | None:
    """Return the speed of a server's core, 1 being a core of Sandy Bridge; None where its score is not known."""
    processor = processor_named_in(server.description)
    score = processor_score(processor) if processor else None
    processors, cores = server.number("processors"), server.number("cores")
    if score is None or not processors or not cores:
        return None
    units = score_compute_units(score, processors=int(processors), parameters=parameters)
    return units / cores / UNITS_OF_REFERENCE


def _cores(part: Part) -> int:
    return int(part.number("cores") or 1)


def _virtual(shop: Shop) -> Iterator[BuildMachine]:
    for machine in shop.offered(MACHINE_TYPE):
        if _unknown(machine) is None:
            units, memory = machine.number("compute_units") or 0, machine.number("memory_gb") or 0
            yield BuildMachine(
                title=f"{machine.item.key_name} ({machine.description})",
                shop=shop,
                named={MACHINE_TYPE: machine},
                cores=_cores(machine),
                speed=units / _cores(machine) / UNITS_OF_REFERENCE,
                ram_gb=memory,
                variety=f"{machine.item.key_name} {shop.package_key}",
            )


def _unknown(machine: Part) -> str | None:
    """Say why nothing can be told of a machine type; None where all is known."""
    if machine.facts.get("bursts") == "true":
        return "It is throttled when it works for long."
    if not all(machine.number(name) for name in ("compute_units", "cores", "memory_gb")):
        return "The catalogue does not say its compute units, its cores or its memory."
    return None


def left_out(market: Market, parameters: ParameterSet) -> Iterator[LeftOut]:
    """Give the machines of which too little is known."""
    for shop in market.shops:
        for server in shop.offered(SERVER):
            if speed_of(server, parameters) is None:
                reason = f"No score of its processor is known in the suite of {PLANNING_SUITE}, or not its cores."
                yield LeftOut(f"{server.description} ({shop.package_name})", reason)
        for machine in shop.offered(MACHINE_TYPE):
            reason = _unknown(machine) or ""
            if reason:
                yield LeftOut(machine.item.key_name, reason)
