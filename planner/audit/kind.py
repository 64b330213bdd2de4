"""The I/O audit as a kind of advice: what was measured, what it is made of, and the cheapest array that carries it."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from core.errors import InputRefused, Violation
from core.units import amount, capacity_words
from planner.advice.arrays import CONTROLLER, FIRST_SLOT, SERVER, unknown_disks
from planner.advice.asking import Field, Values, Words, exact_words, one_of, quantity, values_of, whole
from planner.advice.kinds import Delivered, Figure, Judge, Kind, Need, refuse
from planner.advice.market import Candidate, LeftOut, Market
from planner.advice.raid import ANY, DRIVES, MEDIA
from planner.audit.carrying import capable_of, carried, running
from planner.audit.demand import EVERYTHING, LEVELS, MOSTLY, SCOPES, WITHOUT_JOBS, AuditDemand, Today
from planner.audit.page import audit_part
from planner.audit.parts import parts_of
from planner.audit.problem import Facts, candidates, choice_of
from planner.audit.reading.files import read_series
from planner.audit.reading.rows import ReadSeries
from planner.audit.sample import sample_text
from planner.audit.series import DeviceUnclear, Series, series_of, series_text
from planner.audit.words import CLASSES, RAIDS
from planner.predicted import ASSUMED
from planner.simulations.quantities import CAPACITY, PERCENT, PLAIN, Measure
from simulation.bands import band_of
from simulation.parameters import ParameterSet, load_parameter_set
from simulation.scenarios import ScenarioError

TIMES = Measure("times", {"times": 1, "x": 1, "×": 1, "%": 0.01}, "1.3 times")
SERIES = "series"
LONGEST_FILE = 5_000_000
STRIP_KIB = load_parameter_set().value("controller.strip_kib")


def _series(values: Values) -> Series:
    """Return the series of the device that is meant; raises InputRefused with all that is wrong."""
    found: ReadSeries = values[SERIES]
    try:
        return series_of(found, values["device"] or "")
    except DeviceUnclear as error:
        raise InputRefused((Violation("device_unclear", "device", str(error)),)) from None
    except ValueError as error:
        raise InputRefused(tuple(Violation("series_refused", SERIES, str(told)) for told in error.args)) from None


def _demand(values: Values) -> AuditDemand:
    today = Today(
        drive_class=values["class_now"],
        drives=values["drives_now"],
        raid=values["raid_now"],
        drive_gb=values["drive_gb_now"],
        monthly_price=values["price_now"],
    )
    try:
        today.under(today.raid, today.drives)
    except ScenarioError as error:
        refuse(("array_impossible", "drives_now", f"{error.reason[0].upper()}{error.reason[1:]}."))
    series = _series(values)
    return AuditDemand(
        parts=parts_of(series, strip_kib=STRIP_KIB, read_share=values["read_share"]),
        fingerprint=f"{series.fingerprint} {values['read_share']}",
        today=today,
        growth=values["growth"],
        level=values["level"],
        scope=values["scope"],
        capacity_gb=values["capacity"],
        failures=values["failures"],
        queue_depth=values["queue_depth"],
        media=values["media"],
    )


def _words(demand: AuditDemand) -> str:
    series = demand.parts.series
    device = f" of {series.device}" if series.device not in ("", "-") else ""
    what = " without its returning jobs" if demand.scope == WITHOUT_JOBS else ""
    return (
        f"{demand.growth:g} times the I/O{device} from {series.start:%-d %b %Y} to {series.at(series.count):%-d %b %Y}"
        f"{what}, {dict(LEVELS)[demand.level]}, in {capacity_words(demand.capacity_gb)}"
    )


def judge(demand: AuditDemand, parameters: ParameterSet) -> Judge:
    """Return the judge of arrays: how many times the measured load each carries."""

    def delivered(candidate: Candidate) -> Delivered:
        assert isinstance(candidate.facts, Facts)
        array = candidate.facts.choice.array
        busy = candidate.facts.problem.carried(array, level=demand.level, without=demand.without)
        may_fail = array.layout.drives_that_may_fail
        main = Figure("times", "Load carried", busy.times, "times what was measured", busy.times, busy.times, ASSUMED)
        return Delivered(
            main=main,
            figures=(
                main,
                _assumed("busy", "Busy on average", 100 * busy.mean_busy, "%"),
                _assumed("most_busy", f"Busy {dict(LEVELS)[demand.level]}", 100 * busy.busy, "% at most"),
                Figure.exact("usable", "Usable capacity", array.usable_gb, "GB"),
                Figure.exact("failures", "Drives that may fail, whichever they are", may_fail, ""),
            ),
            needs=(
                Need("growth", "Load carried", demand.growth, busy.times, "times"),
                Need("capacity", "Usable capacity", demand.capacity_gb, array.usable_gb, "GB"),
                Need("failures", "Failed drives survived", demand.failures, may_fail, "drives"),
            ),
            limit="the array, which is full of work when it carries no more",
        )

    return delivered


def _assumed(key: str, label: str, value: float, unit: str) -> Figure:
    return Figure(key, label, value, unit, value, value, ASSUMED)


def detail(candidate: Candidate, delivered: Delivered, demand: AuditDemand, parameters: ParameterSet) -> Delivered:
    """Add the band, what each part takes of the array, and what would be needed with less to do."""
    assert isinstance(candidate.facts, Facts)
    array, problem = choice_of(candidate).array, candidate.facts.problem
    parts = running(demand.parts, demand.without)
    others = []
    for member in parameters.ensemble:
        capable = capable_of(parameters.with_values(member), queue_depth=demand.queue_depth)
        others.append(carried(parts, array, capable, level=demand.level).times)
    low, high = band_of(delivered.main.value, others, workload="block_io", parameters=parameters)
    main = replace(delivered.main, low=low, high=high)
    extra = {"busy": problem.busy_by_part(array), "today": problem.today, "ladder": problem.ladder}
    return replace(delivered, main=main, figures=(main, *delivered.figures[1:]), extra=extra)


def _notes(demand: AuditDemand) -> tuple[str, ...]:
    told = (
        *demand.parts.series.notes,
        "Parts that share an array are taken to add up, each at its own mean size and share of reading; the model "
        "takes every I/O as random, so an array that streams a backup may carry more.",
        "What was not running while it was measured is not in the file: measure a whole week, with the end of a month "
        "in it where accounts are closed then.",
        "A job that returns can be moved to a quieter hour, made smaller (incremental backups) or switched off before "
        "anything is bought.",
        "RAID is not a backup, whatever its level: keep one off the server.",
    )
    if demand.parts.series.tells_reads:
        return told
    return ("The file does not tell reads from writes; the share of reading is as entered.", *told)


def _left_out(market: Market, demand: AuditDemand) -> Iterator[LeftOut]:
    for shop in market.shops:
        yield from unknown_disks(shop)


def _price(text: str) -> Decimal:
    price = amount(text)
    if price > 10**9:
        raise ValueError("That is too much for a month. Write it like 480.00.")
    return price


def kept(words: Words) -> dict[str, str]:
    """Return the words of a question with the series as a short table of the one device that is meant.

    The file itself is not kept, only its SHA-256 and the program that wrote it.
    """
    text = words[SERIES]
    series = series_of(read_series(text), words["device"].strip())
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {**words, SERIES: series_text(series, digest=digest), "device": ""}


FIELDS = (
    Field("growth", "Times what was measured", "1.3 times", quantity(TIMES, low=0.01, high=1e6), size=9),
    Field("level", "How often", MOSTLY, one_of(LEVELS), choices=LEVELS),
    Field("scope", "What is to run", EVERYTHING, one_of(SCOPES), choices=SCOPES),
    Field("capacity", "Usable capacity", "2 TB", quantity(CAPACITY, low=1, high=1e6)),
    Field("failures", "Failed drives to survive", "1", whole(DRIVES, low=0, high=3), size=3),
    Field("drives_now", "Drives today", "8", whole(DRIVES, low=1, high=64), size=3),
    Field("class_now", "Kind of drive today", "sas_15k", one_of(CLASSES), choices=CLASSES),
    Field("drive_gb_now", "Size of a drive today", "600 GB", quantity(CAPACITY, low=1, high=1e6), size=7),
    Field("raid_now", "Level today", "raid50", one_of(RAIDS), choices=RAIDS),
    Field("price_now", "What it costs a month", "", _price, is_optional=True, size=8),
    Field(
        SERIES, "I/O over time", sample_text(), read_series, is_list=True, longest=LONGEST_FILE,
        help="iostat -x -t as text or JSON, a graph exported from Cacti, esxtop -b, or a table with columns such as "
        "time, read IOPS, write IOPS, MB/s, latency ms. What stands here is an example.",
    ),
    Field(
        "device", "Device", "", str.strip, is_optional=True,
        help="Where the file has several: the name of one, or “all” for their sum.",
    ),
    Field(
        "read_share", "Share of reading, if not told", "70 %", quantity(PERCENT, low=0, high=100), is_advanced=True,
        help="For files that do not tell reads from writes.",
    ),
    Field("queue_depth", "I/Os outstanding", "128", whole(PLAIN, low=1, high=4096), is_advanced=True),
    Field("media", "Drives to buy", ANY, one_of(MEDIA), choices=MEDIA, is_advanced=True),
)  # fmt: skip


def _page_part(words: Words, row: Mapping[str, Any], currency: str) -> dict[str, Any]:
    known = {field.name: words[field.name] for field in FIELDS if field.name in words}
    return audit_part(_demand(values_of(FIELDS, known)), row, currency)


KIND = Kind(
    key="io_audit",
    title="I/O audit",
    note="what your disks do all day",
    question="What do your disks do all day, and what would do without it?",
    sentence="I need an array that holds {capacity}, survives {failures} failed drives and carries {growth} the load "
    "below {level} with {scope}. Today it runs on {drives_now} {class_now} drives of {drive_gb_now} in {raid_now} for "
    "{price_now} a month.",
    own_fields=FIELDS,
    categories=(SERVER,),
    main_field="growth",
    main_words=lambda value: exact_words(value, "times"),
    demand_of=_demand,
    words_of=_words,
    candidates=candidates,
    judge=judge,
    detail=detail,
    left_out=_left_out,
    parts=(SERVER, CONTROLLER, FIRST_SLOT),
    notes=_notes,
    kept=kept,
    page_part=_page_part,
    page_template="planner/audit_answer.html",
)
