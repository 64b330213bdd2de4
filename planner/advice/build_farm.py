"""Build farm: how many of which machines give every developer a build when it is wanted, for the least money."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from planner.advice.arrays import SERVER
from planner.advice.asking import Field, Values, Words, one_of, quantity, values_of, whole
from planner.advice.build_farm_machines import (
    LATE,
    MOST_DEVELOPERS,
    BuildMachine,
    Farm,
    FarmDemand,
    Project,
    farms_of,
    left_out,
    machines_of,
    minutes_on,
)
from planner.advice.build_farm_page import build_part
from planner.advice.kinds import Delivered, Figure, Judge, Kind, Need, refuse
from planner.advice.market import Candidate, LeftOut, Market, Role, priced
from planner.configurations import MACHINE_TYPE, MEMORY
from planner.figure_words import value_words
from planner.predicted import ASSUMED
from planner.simulations.quantities import CAPACITY, PERCENT, PLAIN, Measure
from simulation.bands import band_of
from simulation.parameters import ParameterSet, load_parameter_set

MINUTES = Measure(
    "min",
    {
        **dict.fromkeys(("m", "min", "minute", "minutes"), 1),
        **dict.fromkeys(("h", "hour", "hours"), 60),
        **dict.fromkeys(("s", "sec", "seconds"), 1 / 60),
    },
    "45 min",
)
COMPILERS = (("gcc", "gcc or alike"), ("msvc", "Visual C++"))
STORAGES = (("local_ssd", "drives of its own"), ("busy_san", "a busy shared storage"))
SHIPPED = load_parameter_set()
WORKING_SET = f"{SHIPPED.value('build.working_set_gb'):g} GB"
PLENTY_GB = 1e6
BETWEEN = "Time of one build, before a developer begins the next"


def _demand(values: Values) -> FarmDemand:
    unit = Project(values["compiler"], values["today_storage"], values["working_set"], size=1)
    today = unit.minutes(
        speed=values["today_speed"], processors=values["cpus"], ram_gb=PLENTY_GB, parameters=SHIPPED
    )  # fmt: skip
    cycle = values["hours"] * 60 / values["builds"]
    if values["within"] is not None and values["within"] >= cycle:
        words = f"A developer begins a build every {value_words(cycle)} min: ask for builds that take less."
        refuse(("too_slow", "within", words))
    return FarmDemand(
        project=replace(unit, storage=values["storage"], size=values["minutes"] / today),
        developers=values["developers"],
        cycle_minutes=cycle,
        patience_minutes=values["wait"],
        within_minutes=values["within"],
    )


def _words(demand: FarmDemand) -> str:
    within = f", each within {value_words(demand.within_minutes)} min" if demand.within_minutes else ""
    return (
        f"a build every {value_words(demand.cycle_minutes)} min for each of {demand.developers:,} "
        f"developer{'s' if demand.developers > 1 else ''}{within}, {100 * (1 - LATE):g} % begun within "
        f"{value_words(demand.patience_minutes)} min, from {dict(STORAGES)[demand.project.storage]}"
    )


def candidates(market: Market, demand: FarmDemand, parameters: ParameterSet) -> Iterator[Candidate]:
    """Give the fewest of each machine that serve all, and what costs less and serves fewer."""

    def can_be_ordered(farm: Farm) -> bool:
        return priced(candidate_of(farm), currency=market.currency) is not None

    for farm in farms_of(machines_of(market, demand, parameters), demand, parameters, can_be_ordered):
        yield candidate_of(farm)


def candidate_of(farm: Farm) -> Candidate:
    machine = farm.machine
    name = "Build machines" if farm.count > 1 else "Build machine"
    role = Role(name, farm.count, machine.shop, machine.shop.choices(machine.named), drawn_as="proxies")
    return Candidate(f"{farm.count} × {machine.title}", (role,), facts=farm, variety=machine.variety)


def judge(demand: FarmDemand, parameters: ParameterSet) -> Judge:
    """Return the judge of farms: how long a build takes was worked out when they were put together."""
    return lambda candidate: _delivered(_farm(candidate), demand)


def _farm(candidate: Candidate) -> Farm:
    assert isinstance(candidate.facts, Farm)
    return candidate.facts


def _delivered(farm: Farm, demand: FarmDemand) -> Delivered:
    served = farm.developers(demand)
    main = Figure("developers", "Developers served", served, "developers", served, served, ASSUMED)
    minutes = Figure("minutes", "Time of one build", farm.minutes, "min", farm.minutes, farm.minutes, ASSUMED)
    needs = [Need("developers", main.label, demand.developers, served, main.unit)]
    if demand.within_minutes is None:
        needs.append(Need("builds", BETWEEN, demand.cycle_minutes, farm.minutes, "min", is_at_least=False))
    else:
        needs.append(Need("within", minutes.label, demand.within_minutes, farm.minutes, "min", is_at_least=False))
    machine = farm.machine
    figures = (
        main,
        minutes,
        Figure.exact("cores", "Processors of each machine", machine.cores, "vCPUs"),
        Figure.exact("ram", "Memory of each machine", machine.ram_gb, "GB"),
        Figure("speed", "Speed of a processor, to Sandy Bridge", 100 * machine.speed, "%",
               100 * machine.speed, 100 * machine.speed, ASSUMED),
    )  # fmt: skip
    limit = "the time of one build" if farm.minutes >= demand.cycle_minutes else "the number of machines"
    return Delivered(main, figures, tuple(needs), limit, notes=tuple(_notes_on(machine, demand)))


def _notes_on(machine: BuildMachine, demand: FarmDemand) -> Iterator[str]:
    if machine.ram_gb < demand.project.working_set_gb:
        yield (
            f"{value_words(machine.ram_gb)} GB hold less than the {value_words(demand.project.working_set_gb)} GB that "
            "a build works with: it starves, and the price makes up for it."
        )


def detail(candidate: Candidate, delivered: Delivered, demand: FarmDemand, parameters: ParameterSet) -> Delivered:
    """Add the bands: what the other fitted parameters make of a build, and what the model itself is off."""
    farm = _farm(candidate)
    others = [minutes_on(farm.machine, demand, parameters.with_values(each)) for each in parameters.ensemble]
    low, high = band_of(farm.minutes, others, workload="build", parameters=parameters)
    most, least = (replace(farm, minutes=minutes).developers(demand) for minutes in (low, high))
    main = replace(delivered.main, low=least, high=most)
    minutes = replace(delivered.figures[1], low=low, high=high)
    return replace(delivered, main=main, figures=(main, minutes, *delivered.figures[2:]))


def _notes(demand: FarmDemand) -> tuple[str, ...]:
    return (
        "A machine does one build at a time; who finds none free waits for the next one.",
        f"At most {100 * LATE:g} % of the builds begin later than was promised, if builds and the time between them "
        "vary like random arrivals. More regular ones wait less.",
        "More processors shorten the part of a build that runs in parallel; the serial part, shared storage and "
        "missing memory stay. Compilers differ: measure your own on two machines before buying many.",
        "What a core does is taken from published compute units, or from benchmark scores of one suite.",
    )


def _left_out(market: Market, demand: FarmDemand) -> Iterable[LeftOut]:
    return left_out(market, SHIPPED)


def _page_part(words: Words, row: Mapping[str, Any], currency: str) -> dict[str, Any]:
    values = values_of(KIND.fields, words)
    working_minutes = values["hours"] * 60 * values["days"]
    return build_part(_demand(values), row, currency, working_minutes=working_minutes, parameters=SHIPPED)


KIND: Kind = Kind(
    key="build_farm",
    title="Build farm",
    note="processors, memory, machines",
    question="Who builds what, and how often?",
    sentence="A build takes {minutes} on {cpus} CPUs today, and {developers} developers begin {builds} a day each, "
    "with the sources on {storage}.",
    own_fields=(
        Field("minutes", "Time of a build today", "45 min", quantity(MINUTES, low=0.01, high=1e4), size=7),
        Field("cpus", "CPUs today", "4", whole(PLAIN, low=1, high=1024), size=4),
        Field("developers", "Developers", "20", whole(PLAIN, low=1, high=MOST_DEVELOPERS), size=4),
        Field("builds", "Builds of a developer in a day", "4", quantity(PLAIN, low=0.1, high=1000), size=4),
        Field("storage", "Where the sources lie", "local_ssd", one_of(STORAGES), choices=STORAGES),
        Field(
            "wait", "Wait for a machine, at most", "5 min", quantity(MINUTES, low=0, high=1e4), is_advanced=True,
            help=f"{100 * (1 - LATE):g} % of all builds wait no longer.",
        ),
        Field(
            "within", "Time of a build, at most", "", quantity(MINUTES, low=0.01, high=1e4), is_advanced=True,
            is_optional=True, help="Such as 20 min. Empty: whatever costs least.",
        ),
        Field("compiler", "Compiler", "gcc", one_of(COMPILERS), choices=COMPILERS, is_advanced=True),
        Field("working_set", "Memory that a build works with", WORKING_SET, quantity(CAPACITY, low=0.1, high=1e4),
              is_advanced=True),
        Field("hours", "Hours of a working day", "8", quantity(PLAIN, low=1, high=24), is_advanced=True),
        Field("days", "Working days of a month", "21", quantity(PLAIN, low=1, high=31), is_advanced=True),
        Field(
            "today_speed", "Speed of today's CPUs", "75 %", quantity(PERCENT, low=1, high=1000), is_advanced=True,
            help="Of one, beside a core of Sandy Bridge (2012): Nehalem (2009) has 75 %, Harpertown (2007) 55 %.",
        ),
        Field("today_storage", "Where the sources lie today", "local_ssd", one_of(STORAGES), choices=STORAGES,
              is_advanced=True),
    ),
    categories=(SERVER, MACHINE_TYPE),
    parts=(SERVER, MACHINE_TYPE, MEMORY),
    main_field="developers",
    main_words=lambda value: f"{int(value)}",
    demand_of=_demand,
    words_of=_words,
    candidates=candidates,
    judge=judge,
    detail=detail,
    left_out=_left_out,
    page_part=_page_part,
    page_template="planner/build_farm_answer.html",
    notes=_notes,
)  # fmt: skip
