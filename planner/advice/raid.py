"""RAID and disks: level, drives and server that hold, answer and survive what is asked, for the least money."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from core.units import capacity_words
from planner.advice.arrays import (
    CONTROLLER,
    FIRST_SLOT,
    LEVEL_WORDS,
    SERVER,
    ArrayChoice,
    arrays_of,
    slots_of,
    unknown_disks,
    without_needless,
)
from planner.advice.asking import Field, Values, exact_words, one_of, quantity, whole
from planner.advice.kinds import Delivered, Figure, Judge, Kind, Need
from planner.advice.market import Candidate, LeftOut, Market, Part, Role, Shop
from planner.predicted import ASSUMED, CALIBRATED, measured_accesses
from planner.simulations.quantities import BLOCK, CAPACITY, PERCENT, PLAIN, Measure
from simulation.arrays import HostIo, array_throughput
from simulation.bands import band_of
from simulation.parameters import ParameterSet
from simulation.raid import Layout, rebuild_hours, rebuild_loss_chance

IOPS = Measure("IOPS", {"iops": 1, "io/s": 1, "i/o/s": 1, "kiops": 1000}, "3,000 IOPS")
DRIVES = Measure("drives", {"drive": 1, "drives": 1, "disk": 1, "disks": 1}, "1")
ANY = "any"
MEDIA = ((ANY, "any drives"), ("rotating", "rotating drives"), ("flash", "flash"))
FLASH = ("ssd", "nvme")


@dataclass(frozen=True)
class RaidDemand:
    """What the disks of one server must do. `read_share` of the I/Os are reads, each of `block_kib`."""

    capacity_gb: float
    iops: float
    read_share: float
    failures: int
    block_kib: float
    queue_depth: int
    media: str


def _demand(values: Values) -> RaidDemand:
    return RaidDemand(
        capacity_gb=values["capacity"],
        iops=values["iops"],
        read_share=values["read_share"],
        failures=values["failures"],
        block_kib=values["block"],
        queue_depth=values["queue_depth"],
        media=values["media"],
    )


def _words(demand: RaidDemand) -> str:
    failures = "no failed drive" if not demand.failures else f"{demand.failures} failed drive"
    plural = "s" if demand.failures > 1 else ""
    reads = f"{100 * demand.read_share:g} % reads"
    return f"{capacity_words(demand.capacity_gb)} at {demand.iops:,g} IOPS, {reads}, through {failures}{plural}"


def candidates(market: Market, demand: RaidDemand, parameters: ParameterSet) -> Iterator[Candidate]:
    """Give every array of equal drives in every server that takes it, one server each."""
    for shop in market.shops:
        if not (shop.offered(SERVER) and shop.offered(CONTROLLER) and shop.slots):
            continue
        for server in servers_of(shop):
            for choice in arrays_of(shop, slots=slots_of(shop, server)):
                if _is_wanted(choice, demand):
                    yield _candidate(shop, server, choice)


def servers_of(shop: Shop) -> list[Part]:
    """Return the cheapest server of each number of disk slots: its processors change nothing here."""
    servers = list(shop.offered(SERVER))
    return without_needless(shop, servers, [slots_of(shop, server) for server in servers])


def _is_wanted(choice: ArrayChoice, demand: RaidDemand) -> bool:
    return demand.media == ANY or (choice.drive.drive_class in FLASH) == (demand.media == "flash")


def _candidate(shop: Shop, server: Part, choice: ArrayChoice) -> Candidate:
    named = {SERVER: server, CONTROLLER: choice.level.part}
    choices = shop.choices(named, [choice.drive.part] * choice.count)
    return Candidate(
        title=f"{choice.words} in {server.description}",
        roles=(Role("Server", 1, shop, choices),),
        facts=choice,
        variety=f"{choice.level.raid} {choice.drive.drive_class}",
    )


def judge(demand: RaidDemand, parameters: ParameterSet) -> Judge:
    """Return the judge of arrays; each array is worked out once, in whichever server it stands."""
    known: dict[tuple[str, int, str], tuple[float, str]] = {}

    def delivered(candidate: Candidate) -> Delivered:
        choice = _choice(candidate)
        key = (choice.drive.drive_class, choice.count, choice.level.raid)
        if key not in known:
            outcome = array_throughput(choice.array, _io(demand), parameters)
            known[key] = (outcome.iops, outcome.bottleneck)
        return _delivered(choice, demand, parameters, *known[key])

    return delivered


def _io(demand: RaidDemand) -> HostIo:
    return HostIo(demand.block_kib, demand.queue_depth, demand.read_share, sequential=False)


def _choice(candidate: Candidate) -> ArrayChoice:
    assert isinstance(candidate.facts, ArrayChoice)
    return candidate.facts


def _delivered(
    choice: ArrayChoice, demand: RaidDemand, parameters: ParameterSet, iops: float, bottleneck: str
) -> Delivered:
    array, layout = choice.array, choice.array.layout
    may_fail = layout.drives_that_may_fail
    main = Figure("iops", "Random I/O", iops, "IOPS", iops, iops, _basis(choice, demand))
    return Delivered(
        main=main,
        figures=(
            main,
            Figure.exact("usable", "Usable capacity", array.usable_gb, "GB"),
            Figure.exact("failures", "Drives that may fail, whichever they are", may_fail, ""),
            *_exposure(choice, parameters),
        ),
        needs=(
            Need("iops", "Random I/O", demand.iops, iops, "IOPS"),
            Need("capacity", "Usable capacity", demand.capacity_gb, array.usable_gb, "GB"),
            Need("failures", "Failed drives survived", demand.failures, may_fail, "drives"),
        ),
        limit=f"the {bottleneck}",
        notes=_notes_on(layout),
    )


def _exposure(choice: ArrayChoice, parameters: ParameterSet) -> tuple[Figure, ...]:
    """How long a replaced drive is rebuilt, and the chance that what is left fails meanwhile; by assumed rates."""
    layout, gigabytes = choice.array.layout, choice.drive.gigabytes
    if not layout.drives_that_may_fail:
        return ()
    speed = parameters.parameters["raid.rebuild_mb_s"]
    failing = parameters.parameters["raid.failures_per_drive_year"]
    hours = [rebuild_hours(drive_gb=gigabytes, rebuild_mb_s=each) for each in (speed.value, speed.high, speed.low)]
    chances = [
        100 * rebuild_loss_chance(
            layout=layout, drive_gb=gigabytes, rebuild_mb_s=mb_s, failures_per_drive_year=per_year
        )
        for mb_s, per_year in (
            (speed.value, failing.value), (speed.high, failing.low), (speed.low, failing.high),
        )
    ]  # fmt: skip
    return (
        Figure("rebuild", "Rebuild of one drive", hours[0], "hours", hours[1], hours[2], ASSUMED),
        Figure("loss", "Chance of loss during a rebuild", chances[0], "%", chances[1], chances[2], ASSUMED),
    )


def _notes_on(layout: Layout) -> tuple[str, ...]:
    if layout.drives_that_may_fail:
        return ()
    whose = "A drive alone" if layout.raid == "none" else LEVEL_WORDS[layout.raid]
    return (f"{whose} loses everything when a drive fails: only for what may be lost.",)


def _basis(choice: ArrayChoice, demand: RaidDemand) -> str:
    """Whether the fit has seen this class of drives do what is asked, under this number of writes per write."""
    drive_class, penalty = choice.drive.drive_class, choice.array.layout.write_penalty
    asked = {(drive_class, "random", "read", 0)} if demand.read_share > 0 else set()
    asked |= {(drive_class, "random", "write", penalty)} if demand.read_share < 1 else set()
    return CALIBRATED if asked <= measured_accesses() else ASSUMED


def detail(candidate: Candidate, delivered: Delivered, demand: RaidDemand, parameters: ParameterSet) -> Delivered:
    """Add the band of the I/O: what the other fitted parameters make of it, and what the model itself is off."""
    array = _choice(candidate).array
    others = [
        array_throughput(array, _io(demand), parameters.with_values(member)).iops for member in parameters.ensemble
    ]
    low, high = band_of(delivered.main.value, others, workload="block_io", parameters=parameters)
    main = replace(delivered.main, low=low, high=high)
    figures = tuple(main if figure.key == main.key else figure for figure in delivered.figures)
    return replace(delivered, main=main, figures=figures)


def _notes(demand: Any) -> tuple[str, ...]:
    return (
        "RAID is not a backup: it keeps a server running when a drive fails, and keeps nothing that was deleted, "
        "overwritten or encrypted by somebody else.",
        "Back up at least weekly, data in use daily, to somewhere off the server.",
        "RAID 10 is the level to take unless something speaks against it; RAID 0 only for what may be lost.",
        "The chance of loss counts whole drives that fail, at an assumed rate; unreadable sectors come on top.",
    )


def _left_out(market: Market, demand: RaidDemand) -> Iterator[LeftOut]:
    for shop in market.shops:
        yield from unknown_disks(shop)


KIND = Kind(
    key="raid",
    title="RAID and disks",
    note="level, drives, rebuild",
    question="What must the disks do?",
    sentence="I need {capacity} that answers {iops}, {read_share} of it reads, and survives {failures} failed drives.",
    own_fields=(
        Field("capacity", "Usable capacity", "2 TB", quantity(CAPACITY, low=1, high=1e6)),
        Field("iops", "Random I/O", "1,000 IOPS", quantity(IOPS, low=1, high=1e8), size=11),
        Field("read_share", "Share of reading", "70 %", quantity(PERCENT, low=0, high=100), size=5),
        Field("failures", "Failed drives to survive", "1", whole(DRIVES, low=0, high=3), size=3),
        Field(
            "block", "Size of one I/O", "8 KiB", quantity(BLOCK, low=0.5, high=1024), is_advanced=True,
        ),
        Field(
            "queue_depth", "I/Os outstanding", "128", whole(PLAIN, low=1, high=4096), is_advanced=True,
            help="How many the programs have under way at any time.",
        ),
        Field("media", "Drives", ANY, one_of(MEDIA), choices=MEDIA, is_advanced=True),
    ),
    categories=(SERVER,),
    main_field="iops",
    main_words=lambda value: exact_words(value, "IOPS"),
    demand_of=_demand,
    words_of=_words,
    candidates=candidates,
    judge=judge,
    detail=detail,
    left_out=_left_out,
    parts=(SERVER, CONTROLLER, FIRST_SLOT),
    notes=_notes,
)  # fmt: skip
