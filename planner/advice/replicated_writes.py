"""Replicated writes: hosts whose flash and peers answer so many writes, with an array behind that drains them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from core.units import capacity_words
from planner.advice.arrays import CONTROLLER, FIRST_SLOT, SERVER, ArrayChoice, unknown_disks
from planner.advice.asking import Field, Values, Words, exact_words, quantity, values_of, whole
from planner.advice.kinds import Delivered, Figure, Judge, Kind, Need, refuse
from planner.advice.market import Candidate, LeftOut, Market, Role, priced
from planner.advice.raid import IOPS
from planner.advice.replicated_writes_hosts import (
    Host,
    WriteDemand,
    flash_of,
    hosts_of,
    left_out,
    link_of,
    scenario_of,
)
from planner.advice.replicated_writes_page import time_words, write_part
from planner.configurations import BONDED, UPLINK
from planner.figure_words import value_words
from planner.predicted import ASSUMED, CALIBRATED
from planner.simulations.quantities import BLOCK, CAPACITY, DURATION, PLAIN
from simulation.bands import band_of
from simulation.figures import shipped_figures
from simulation.parameters import ParameterSet, load_parameter_set
from simulation.replicated_write import iops as write_iops

SHIPPED = load_parameter_set()


def _demand(values: Values) -> WriteDemand:
    if values["length"] > values["every"]:
        refuse(("too_long", "length", "A burst must end before the next one begins: ask for a shorter one."))
    return WriteDemand(
        kib=values["io"],
        iops=values["iops"],
        copies=values["copies"],
        data_gb=values["data"],
        base=values["base"],
        burst_gb=values["burst"],
        burst_seconds=values["length"],
        every_seconds=values["every"],
    )


def _words(demand: WriteDemand) -> str:
    return (
        f"{demand.iops:,g} writes of {demand.kib:g} KiB a second on {demand.copies} hosts, bursts of "
        f"{capacity_words(demand.burst_gb)} in {time_words(demand.burst_seconds)} every "
        f"{time_words(demand.every_seconds)}, {value_words(demand.base)} a second between them, "
        f"{capacity_words(demand.data_gb)} behind"
    )


def candidates(market: Market, demand: WriteDemand, parameters: ParameterSet) -> Iterator[Candidate]:
    """Give the hosts worth showing, as many of each as copies are kept."""

    def can_be_ordered(host: Host) -> bool:
        return priced(candidate_of(host, demand), currency=market.currency) is not None

    for host in hosts_of(market, demand, parameters, can_be_ordered):
        yield candidate_of(host, demand)


def candidate_of(host: Host, demand: WriteDemand) -> Candidate:
    behind = ArrayChoice(host.drive, replace(host.level, raid=host.behind.layout.raid), host.behind.drives).words
    cache = f"{host.caches} × {host.cache.part.description}"
    choices = host.shop.choices(host.named, host.disks)
    return Candidate(
        title=f"{demand.copies} × {host.server.description}, {value_words(host.gbps)} Gb/s, {cache} before {behind}",
        roles=(Role("Hosts" if demand.copies > 1 else "Host", demand.copies, host.shop, choices),),
        facts=host,
        variety=f"{flash_of(host.cache)} {host.gbps} {host.behind.layout.raid}",
    )


def judge(demand: WriteDemand, parameters: ParameterSet) -> Judge:
    """Return the judge of hosts: what they pass was worked out when they were put together."""
    return lambda candidate: _delivered(_host(candidate), demand)


def _host(candidate: Candidate) -> Host:
    assert isinstance(candidate.facts, Host)
    return candidate.facts


def _delivered(host: Host, demand: WriteDemand) -> Delivered:
    bursts = demand.bursts(host.front)
    main = Figure("iops", "Writes answered", host.front, "IOPS", host.front, host.front, _basis(host, demand))
    drain = Figure("drain", "Writes that the array drains", host.drain, "IOPS", host.drain, host.drain, ASSUMED)
    backlog = host.backlog_gb(demand)
    needs = (
        Need("iops", main.label, demand.iops, host.front, "IOPS"),
        Need("burst", "Flash for what a burst leaves waiting", backlog, host.cache.gigabytes, "GB"),
        Need("base", drain.label, bursts.mean, host.drain, "IOPS"),
        Need("data", "Room for the data", demand.data_gb, host.behind.usable_gb, "GB"),
    )
    figures = (
        main,
        Figure.exact("flash", needs[1].label, host.cache.gigabytes, "GB"),
        drain,
        Figure.exact("room", needs[3].label, host.behind.usable_gb, "GB"),
        Figure.exact("cores", "Cores of each host", int(host.server.number("cores") or 1), ""),
    )
    return Delivered(main, figures, needs, f"the {host.limit}", notes=tuple(_notes_on(host)))


def _notes_on(host: Host) -> Iterator[str]:
    if host.behind.layout.raid == "none":
        yield "One drive behind and one of flash before it: when either fails, the copy on a peer is all that is left."
    if BONDED.search(host.uplink.description):
        yield "A redundant uplink is a bonded pair and is taken to carry twice its speed."


@lru_cache(maxsize=1)
def measured_hosts() -> frozenset[tuple[str, str, int]]:
    """Return which flash, link and number of peers the fit has seen together."""
    entries = [entry for entry in shipped_figures() if entry["use"] == "calibration"]
    scenarios = [entry["scenario"] for entry in entries if entry["scenario"]["workload"] == "replicated_write"]
    return frozenset((each["flash"], each["link"], each["peers"]) for each in scenarios)


def _basis(host: Host, demand: WriteDemand) -> str:
    seen = (flash_of(host.cache) or "", link_of(host.uplink), demand.copies - 1)
    return CALIBRATED if seen in measured_hosts() else ASSUMED


def detail(candidate: Candidate, delivered: Delivered, demand: WriteDemand, parameters: ParameterSet) -> Delivered:
    """Add the band of the writes: what the other fitted parameters make of them, and what the model itself is off."""
    host = _host(candidate)
    scenario = scenario_of(
        demand, cores=int(host.server.number("cores") or 1), flash=flash_of(host.cache) or "", link=link_of(host.uplink)
    )
    others = [write_iops(scenario, parameters.with_values(member)) for member in parameters.ensemble]
    low, high = band_of(host.front, others, workload="replicated_write", parameters=parameters)
    main = replace(delivered.main, low=low, high=high)
    return replace(delivered, main=main, figures=(main, *delivered.figures[1:]))


def _notes(demand: WriteDemand) -> tuple[str, ...]:
    return (
        "A write is answered when the flash of its host and of every peer has it; the array behind gets it later.",
        "The array drains what the flash has taken as random writes. Over a long time it must drain as fast as is "
        "written: flash makes bursts quick, not a slow array fast.",
        "Flash that bears ten full writes a day is taken to be enterprise MLC, any other SATA flash plain MLC.",
        "Copies are not a backup: back up at least weekly, data in use daily, off the hosts.",
    )


def _left_out(market: Market, demand: WriteDemand) -> Iterable[LeftOut]:
    yield from left_out(market)
    for shop in market.shops:
        yield from unknown_disks(shop)


def _page_part(words: Words, row: Mapping[str, Any], currency: str) -> dict[str, Any]:
    return write_part(_demand(values_of(KIND.fields, words)), row, SHIPPED)


KIND: Kind = Kind(
    key="replicated_writes",
    title="Replicated writes",
    note="flash, links, an array behind",
    question="What must be written, and how safely?",
    sentence="I need {iops} writes of {io} kept on {copies} hosts, and bursts of {burst} in {length} every {every}.",
    own_fields=(
        Field("iops", "Writes in a second", "5,000 IOPS", quantity(IOPS, low=0.1, high=1e8), size=11),
        Field("io", "Size of one write", "4 KiB", quantity(BLOCK, low=0.5, high=16384), size=7),
        Field("copies", "Hosts that keep each write", "2", whole(PLAIN, low=1, high=16), size=3),
        Field("burst", "Data of a burst", "2 GB", quantity(CAPACITY, low=0, high=1e6), size=7),
        Field("length", "Length of a burst", "5 min", quantity(DURATION, low=1, high=1e7), size=7),
        Field("every", "Time from burst to burst", "2 h", quantity(DURATION, low=1, high=1e8), size=7),
        Field(
            "base", "Writes in a second between bursts", "20 IOPS", quantity(IOPS, low=0, high=1e8), is_advanced=True,
            size=11,
        ),
        Field("data", "Data", "500 GB", quantity(CAPACITY, low=0.01, high=1e6), is_advanced=True),
    ),
    categories=(SERVER,),
    parts=(SERVER, UPLINK, CONTROLLER, FIRST_SLOT),
    main_field="iops",
    main_words=lambda value: exact_words(value, "IOPS"),
    demand_of=_demand,
    words_of=_words,
    candidates=candidates,
    judge=judge,
    detail=detail,
    left_out=_left_out,
    page_part=_page_part,
    page_template="planner/replicated_writes_answer.html",
    notes=_notes,
)  # fmt: skip
