"""From virtual to physical: the servers on sale that do what a machine type did when it was measured on a cloud."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from core.units import capacity_words
from planner.advice.arrays import CONTROLLER, FIRST_SLOT, SERVER
from planner.advice.asking import Field, Values, Words, exact_words, quantity, values_of, whole
from planner.advice.kinds import Delivered, Figure, Judge, Kind, refuse
from planner.advice.market import Candidate, LeftOut, Market
from planner.configurations import MEMORY, UPLINK
from planner.figure_words import value_words
from planner.mapping import machines
from planner.mapping.machines import Match, MeasuredMachine, candidates, needs_of
from planner.mapping.page import cpu_list
from planner.mapping.tables import NAME, table_choices, with_scores
from planner.predicted import ASSUMED, CALIBRATED, measured_accesses
from planner.simulations.quantities import CAPACITY, PERCENT, PLAIN, RATE, Measure
from simulation.nodes import array_read_mb_s, array_write_mb_s
from simulation.parameters import ParameterSet, load_parameter_set
from simulation.score_tables import ScoreTable, read_table, shipped_table
from simulation.scores import SUITE_COLUMNS

POINTS = Measure("points", {"points": 1, "point": 1}, "7,295")
LIMITS = {
    "score": "the processors",
    "memory": "the memory",
    "network": "the network",
    "read": "the drives, reading",
    "write": "the drives, writing",
    "disk": "the room on the drives",
    "failures": "the drives that may fail",
}
"""What a need that is met least generously is called as a limit."""
ANY = "any"
DRIVES = Measure("drives", {"drive": 1, "drives": 1}, "1")
TABLES = tuple((version, f"CPU Mark, {version}") for version in SUITE_COLUMNS)
OLDEST = TABLES[0][0]
"""The shipped table nearest in time to the measurement of the published example, May 2012."""
RANGE = re.compile(r"^(?P<low>[^–-]+?)\s*(?:–|-|\bto\b)\s*(?P<high>.+)$")


def measured_speed(*, low: float, high: float) -> Callable[[str], float]:
    """Return a reader of a speed, or of a range of speeds as one measures them: of a range the higher end counts."""
    read = quantity(RATE, low=low, high=high)

    def read_range(text: str) -> float:
        ends = RANGE.match(text.strip())
        if not ends:
            return read(text)
        first = ends["low"] if not ends["low"].strip().replace(".", "").replace(",", "").isdigit() else None
        speeds = [read(ends["high"]), read(first or f"{ends['low']} {_unit(ends['high'])}")]
        return max(speeds)

    return read_range


def _unit(text: str) -> str:
    return text.strip().lstrip("0123456789.,' ")


def speed_or_any(text: str) -> float | None:
    """Read the speed of drives; "any" where it does not matter."""
    return None if text.strip().casefold() == ANY else measured_speed(low=1, high=1e6)(text)


def _table_named(text: str) -> str:
    name = text.strip()
    if name not in SUITE_COLUMNS and not NAME.fullmatch(name):
        known = ", ".join(SUITE_COLUMNS)
        raise ValueError(f"There is no table “{name[:40]}”. Choose one of: {known}; or bring your own.")
    return name


def _own_table(text: str) -> ScoreTable:
    return read_table(text, source="The table that came with the question.")


def _demand(values: Values) -> MeasuredMachine:
    table = values["scores"]
    if table is None and values["table"] not in SUITE_COLUMNS:
        refuse(
            ("table_unknown", "table", "There is no such imported table here. Choose one of those that are offered.")
        )
    return MeasuredMachine(
        score=values["score"],
        table=table or shipped_table(values["table"]),
        memory_gb=values["memory"],
        read_mb_s=values["read"],
        write_mb_s=values["write"],
        network_mb_s=values["network"],
        disk_gb=values["disk"],
        failures=values["failures"],
        count=values["count"],
        margin=values["margin"],
    )


def _words(demand: MeasuredMachine) -> str:
    disks = [
        f"{value_words(speed)} MB/s {verb}"
        for speed, verb in ((demand.read_mb_s, "reading"), (demand.write_mb_s, "writing"))
        if speed is not None
    ]
    several = f"{demand.count} machines" if demand.count > 1 else "a machine"
    parts = [
        f"{several} of {value_words(demand.score)} points ({demand.table.name})",
        capacity_words(demand.memory_gb) + " memory",
        *disks,
        f"{value_words(demand.network_mb_s)} MB/s network",
    ]
    return ", ".join(parts)


def judge(demand: MeasuredMachine, parameters: ParameterSet) -> Judge:
    """Return the judge of complete servers."""

    def delivered(candidate: Candidate) -> Delivered:
        match = candidate.facts
        if not isinstance(match, Match):
            raise TypeError("A candidate of this planner is judged by its match.")
        needs = needs_of(match, demand, parameters)
        main = Figure.exact("score", needs[0].label, needs[0].delivered, "points", basis=_score_basis(match))
        limits = sorted((need for need in needs if need.asked > 0), key=lambda need: need.delivered / need.asked)
        return Delivered(
            main=main,
            figures=(main, *_figures(match, demand, parameters)),
            needs=needs,
            limit=LIMITS[limits[0].field],
            notes=tuple(_notes_on(match)),
        )

    return delivered


def _score_basis(match: Match) -> str:
    return "published" if match.processors.count == 1 else ASSUMED


def _figures(match: Match, demand: MeasuredMachine, parameters: ParameterSet) -> Iterator[Figure]:
    choice, array = match.array, match.array.array
    yield Figure.exact("own_score", "CPU score", match.processors.score, "points", basis=_score_basis(match))
    yield Figure.exact("memory", "Memory", match.memory_gb, "GB")
    for key, label, speed, operation in (
        ("read", "Sequential reading", array_read_mb_s(array, parameters), "read"),
        ("write", "Sequential writing", array_write_mb_s(array, parameters), "write"),
    ):
        penalty = array.layout.write_penalty if operation == "write" else 0
        is_measured = (choice.drive.drive_class, "sequential", operation, penalty) in measured_accesses()
        yield Figure.exact(key, label, speed, "MB/s", basis=CALIBRATED if is_measured else ASSUMED)
    yield Figure.exact("network", "Network", match.network_mb_s, "MB/s")
    if demand.disk_gb is not None:
        yield Figure.exact("disk", "Disk space", array.usable_gb, "GB")


def _notes_on(match: Match) -> Iterator[str]:
    processors = match.processors
    if processors.count > 1:
        yield (
            f"{processors.count} × {processors.processor} are taken to score {processors.count} times "
            f"{value_words(processors.each)}: processors together score less than that."
        )
    if not match.array.array.layout.drives_that_may_fail:
        yield "Nothing survives a failed drive here: ask for drives that may fail, or keep copies elsewhere."


def _notes(demand: MeasuredMachine) -> tuple[str, ...]:
    percent = value_words(100 * demand.margin)
    return (
        f"The CPU list rests on the table {demand.table.name}. {demand.table.source}",
        "Scores are compared within one suite and version alone: its makers change the scale.",
        f"What falls short by no more than {percent} % counts as equal, as benchmarks scatter; memory and room have no "
        "margin.",
        "An uplink of 1 Gb/s is 125 MB/s. Drives are compared by one long transfer: random I/O is for the planner of "
        "RAID and disks.",
        "A cloud shares its hosts: measure again on the first server before you order the rest.",
    )


def _left_out(market: Market, demand: MeasuredMachine) -> Iterator[LeftOut]:
    return machines.left_out(market, demand, load_parameter_set())


FIELDS = (
    Field("score", "CPU score", "7,295", quantity(POINTS, low=1, high=1e8), size=8),
    Field(
        "table", "Suite and version of the score", OLDEST, _table_named, choices=TABLES,
        choices_for=table_choices,
        help="In which the machine type was measured: scores of two are never compared.",
    ),
    Field("memory", "Memory", "7 GB", quantity(CAPACITY, low=0.1, high=1e5), size=6),
    Field(
        "read", "Sequential reading", "100–120 MB/s", speed_or_any, size=13, is_optional=True,
        help="Of a range the higher end counts; or “any”.",
    ),
    Field("write", "Sequential writing", "70–80 MB/s", speed_or_any, size=12, is_optional=True),
    Field("network", "Network", "100 MB/s", measured_speed(low=0.1, high=1e6), size=9),
    Field("count", "Machines", "1", whole(PLAIN, low=1, high=1000), size=4),
    Field(
        "margin", "Margin", "10 %", quantity(PERCENT, low=0, high=50), is_advanced=True,
        help="What falls short by no more than this counts as equal.",
    ),
    Field(
        "disk", "Disk space", "", quantity(CAPACITY, low=1, high=1e6), is_advanced=True, is_optional=True,
        help="After RAID, such as 1,690 GB; empty: any.",
    ),
    Field("failures", "Failed drives to survive", "0", whole(DRIVES, low=0, high=3), is_advanced=True),
    Field(
        "scores", "Your own table of scores", "", _own_table, is_list=True, is_optional=True, is_advanced=True,
        help="Instead of the table above: CSV with the columns suite, version, cpu, score; one suite and one version.",
    ),
)  # fmt: skip


def page_part(words: Words, row: Mapping[str, Any], currency: str) -> dict[str, Any]:
    """Return the CPU list of the answer: which processors score enough, and which table says so."""
    asked = {field.name: words[field.name] for field in FIELDS if field.name in words}
    return cpu_list(_demand(values_of(FIELDS, asked)))


KIND = Kind(
    key="virtual_to_physical",
    title="From virtual to physical",
    note="servers for a cloud's machines",
    question="Which server replaces a machine that you measured on a cloud?",
    sentence="I measured a CPU score of {score} by {table}, {memory}, disks that read {read} and write {write}, and a "
    "network of {network}; I need {count} of it.",
    own_fields=FIELDS,
    categories=(SERVER,),
    main_field="score",
    main_words=lambda value: exact_words(value, "points"),
    demand_of=_demand,
    words_of=_words,
    candidates=candidates,
    judge=judge,
    left_out=_left_out,
    parts=(SERVER, MEMORY, UPLINK, CONTROLLER, FIRST_SLOT),
    filled_in=with_scores,
    page_part=page_part,
    page_template="planner/mapping_answer.html",
    notes=_notes,
)
