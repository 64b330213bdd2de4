"""Database server: the tier of document or key-value nodes that answers so much of so much data, for least money."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from core.units import capacity_words
from planner.advice.arrays import CONTROLLER, FIRST_SLOT, SERVER, unknown_disks
from planner.advice.asking import Field, Values, exact_words, one_of, quantity, whole
from planner.advice.database_nodes import (
    DOCUMENT,
    KEY_VALUE,
    VOLUME,
    Load,
    NodeKind,
    Tiers,
    bare_metal_kinds,
    held_gb,
    virtual_kinds,
)
from planner.advice.database_search import MOST_PARTS, DatabaseDemand, Tier, tiers_worth_showing
from planner.advice.kinds import Delivered, Figure, Judge, Kind, Need, refuse
from planner.advice.market import Candidate, LeftOut, Market, Role, priced
from planner.configurations import MACHINE_TYPE, MEMORY, UPLINK
from planner.predicted import ASSUMED, CALIBRATED
from planner.simulations.quantities import BLOCK, CAPACITY, MILLISECONDS, PERCENT, PLAIN, Measure
from simulation.bands import band_of
from simulation.figures import shipped_figures
from simulation.parameters import ParameterSet

OPERATIONS = Measure("ops/s", {"ops/s": 1, "ops": 1, "op/s": 1, "requests/s": 1, "kops/s": 1000}, "1,000 ops/s")
STORES = ((DOCUMENT, "document store"), (KEY_VALUE, "key-value store"))
JOURNALS = (("either", "whichever is cheaper"), ("separate", "on two SSDs of its own"), ("shared", "beside the data"))
WORKLOADS = {DOCUMENT: "document_store", KEY_VALUE: "kv_store"}
HIGHEST_READ_SHARE = 0.999


def _demand(values: Values) -> DatabaseDemand:
    store, copies = values["store"], values["copies"] or (3 if values["store"] == KEY_VALUE else 1)
    load = Load(
        store=store,
        data_gb=values["data"],
        read_share=min(values["read_share"], HIGHEST_READ_SHARE),
        clients=values["clients"],
        record_kib=values["record"],
        copies=copies,
    )
    if copies > MOST_PARTS:
        refuse(("out_of_range", "copies", f"At most {MOST_PARTS} copies are kept."))
    return DatabaseDemand(load, values["ops"], values["latency"], values["fill"], values["journal"])


def _words(demand: DatabaseDemand) -> str:
    load = demand.load
    store = dict(STORES)[load.store]
    promise = f" within {demand.latency_ms:g} ms" if demand.latency_ms else ""
    return (
        f"a {store} of {capacity_words(load.data_gb)} at {demand.ops:,g} ops/s, {100 * load.read_share:g} % reads, "
        f"for {load.clients:,} clients{promise}"
    )


def candidates(market: Market, demand: DatabaseDemand, parameters: ParameterSet) -> Iterator[Candidate]:
    """Give the tiers worth showing: the cheapest of each variety, what is cheaper and slower, or what is nearest."""
    kinds = node_kinds(market, demand, parameters)

    def can_be_ordered(tier: Tier) -> bool:
        return priced(candidate_of(tier), currency=market.currency) is not None

    for tier in tiers_worth_showing(kinds, demand, Tiers(demand.load, parameters), can_be_ordered):
        yield candidate_of(tier)


def node_kinds(market: Market, demand: DatabaseDemand, parameters: ParameterSet) -> Iterator[NodeKind]:
    """Give every kind of node that the market sells."""
    is_document = demand.load.store == DOCUMENT
    wants = {
        "with_journal": is_document and demand.journal != "shared",
        "without_journal": not is_document or demand.journal != "separate",
    }
    for shop in market.shops:
        yield from bare_metal_kinds(shop, **wants)
        if shop.offered(MACHINE_TYPE) and wants["without_journal"]:
            for volumes in market.shops:
                if volumes.location_key == shop.location_key and volumes.offered(VOLUME):
                    yield from virtual_kinds(shop, volumes, parameters)


def candidate_of(tier: Tier) -> Candidate:
    roles = tuple(
        Role(
            name=f"Database {name}",
            quantity=tier.machines,
            shop=shop,
            choices=shop.choices(named, disks),
            drawn_as="storage" if name == "nodes" else "proxies",
        )
        for name, shop, named, disks in tier.kind.pieces
    )
    title = f"{tier.machines} × {tier.kind.title}"
    return Candidate(title=title, roles=roles, facts=tier, variety=tier.kind.variety)


def judge(demand: DatabaseDemand, parameters: ParameterSet) -> Judge:
    """Return the judge of tiers: what they do was worked out when they were put together."""
    return lambda candidate: _delivered(_tier(candidate), demand)


def _tier(candidate: Candidate) -> Tier:
    assert isinstance(candidate.facts, Tier)
    return candidate.facts


def _delivered(tier: Tier, demand: DatabaseDemand) -> Delivered:
    held = held_gb(demand.load, tier.kind, tier.shards) * demand.fill
    basis = _basis(tier)
    main = Figure("ops", "Operations", tier.ops, "ops/s", tier.ops, tier.ops, basis)
    latency = Figure("latency", "Mean time of one", tier.latency_ms, "ms", tier.latency_ms, tier.latency_ms, basis)
    needs = [Need("ops", main.label, demand.ops, tier.ops, "ops/s")]
    needs.append(Need("data", "Data that it holds", demand.load.data_gb, held, "GB"))
    if demand.latency_ms is not None:
        needs.append(Need("latency", latency.label, demand.latency_ms, tier.latency_ms, "ms", is_at_least=False))
    figures = (main, latency, Figure.exact("data", "Data that it holds", held, "GB"))
    return Delivered(main, figures, tuple(needs), limit=f"the {tier.limit}", notes=_notes_on(tier))


def _notes_on(tier: Tier) -> tuple[str, ...]:
    notes = []
    if tier.load.store == DOCUMENT and tier.shards > 1:
        notes.append(f"The data is split over {tier.shards} parts; each client's work spreads over them evenly.")
    if tier.load.store == DOCUMENT and tier.load.copies == 1:
        notes.append("One copy: when a node fails, its data is away until it is back. Ask for 3 copies to go on.")
    if tier.kind.node["platform"] == "virtual":
        notes.append("Each node keeps its data on one volume of the network, whose speed changes over the day.")
    return tuple(notes)


@lru_cache(maxsize=1)
def measured_nodes() -> frozenset[tuple[str, str, str]]:
    """Return which store, platform and drive class the fit has seen together."""
    found = set()
    for entry in shipped_figures():
        node = entry["scenario"].get("node")
        if node and entry["use"] == "calibration":
            found.add((entry["scenario"]["workload"], node["platform"], node["array"]["drive_class"]))
    return frozenset(found)


def _basis(tier: Tier) -> str:
    node = tier.kind.node
    seen = (WORKLOADS[tier.load.store], node["platform"], node["array"]["drive_class"])
    return CALIBRATED if seen in measured_nodes() else ASSUMED


def detail(candidate: Candidate, delivered: Delivered, demand: DatabaseDemand, parameters: ParameterSet) -> Delivered:
    """Add the bands: what the other fitted parameters make of it, and what the model itself is off."""
    tier = _tier(candidate)
    others = Tiers(demand.load, parameters).others(tier.kind, tier.shards)
    low, high = band_of(tier.ops, others, workload=WORKLOADS[demand.load.store], parameters=parameters)
    main = replace(delivered.main, low=low, high=high)
    clients = 1000 * demand.load.clients
    latency = replace(delivered.figures[1], low=clients / high, high=clients / low)
    return replace(delivered, main=main, figures=(main, latency, *delivered.figures[2:]))


def _notes(demand: DatabaseDemand) -> tuple[str, ...]:
    notes = [
        "The clients ask without pause: each sends its next operation when the last one is answered.",
        "RAID is not a backup, nor are copies: back up at least weekly, data in use daily, off the servers.",
    ]
    if demand.load.store == DOCUMENT:
        notes.append("A journal on two SSDs of its own keeps its writes from waiting behind the data's.")
        notes.append("All operations of a part go to one of its copies; the others stand by.")
    else:
        notes.append("An answer is given when more than half of the copies have theirs.")
    return tuple(notes)


def _left_out(market: Market, demand: DatabaseDemand) -> Iterable[LeftOut]:
    with_volumes = {shop.location_key for shop in market.shops if shop.offered(VOLUME)}
    for shop in market.shops:
        yield from unknown_disks(shop)
        machines = shop.offered(MACHINE_TYPE)
        if machines and shop.location_key not in with_volumes:
            reason = "No volume is sold there to keep a database's data on."
            yield LeftOut(f"{shop.package_name} in {shop.location_name}", reason)
            continue
        for machine in machines:
            if machine.facts.get("bursts") == "true":
                yield LeftOut(machine.item.key_name, "It is throttled when it works for long.")
            elif not machine.number("compute_units") or not machine.number("memory_gb"):
                yield LeftOut(machine.item.key_name, "The catalogue does not say its compute units or its memory.")


def _main_words(value: float) -> str:
    return exact_words(value, "ops/s")


KIND: Kind = Kind(
    key="database",
    title="Database server",
    note="documents or key-value",
    question="What must the database do?",
    sentence="I need a {store} of {data} that answers {ops}, {read_share} of them reads, for {clients} clients.",
    own_fields=(
        Field("store", "Kind of store", DOCUMENT, one_of(STORES), choices=STORES),
        Field("data", "Data", "200 GB", quantity(CAPACITY, low=0.01, high=1e6)),
        Field("ops", "Operations", "1,000 ops/s", quantity(OPERATIONS, low=0.1, high=1e8), size=11),
        Field("read_share", "Share of reading", "80 %", quantity(PERCENT, low=0, high=100), size=5),
        Field("clients", "Clients", "64", whole(PLAIN, low=1, high=65536), size=5),
        Field(
            "latency", "Mean time of one, at most", "", quantity(MILLISECONDS, low=0.01, high=60000), is_advanced=True,
            is_optional=True, help="Such as 20 ms. Empty: whatever it takes.",
        ),
        Field("record", "One document or value", "16 KiB", quantity(BLOCK, low=0.05, high=16384), is_advanced=True),
        Field(
            "copies", "Copies", "", whole(PLAIN, low=1, high=MOST_PARTS), is_advanced=True, is_optional=True,
            help="Empty: 3 of a key-value store, 1 of a document store.",
        ),
        Field("fill", "Fill the drives to", "75 %", quantity(PERCENT, low=1, high=100), is_advanced=True),
        Field("journal", "Journal", "either", one_of(JOURNALS), choices=JOURNALS, is_advanced=True),
    ),
    categories=(SERVER, MACHINE_TYPE, VOLUME),
    parts=(SERVER, MACHINE_TYPE, VOLUME, MEMORY, UPLINK, CONTROLLER, FIRST_SLOT),
    main_field="ops",
    main_words=_main_words,
    demand_of=_demand,
    words_of=_words,
    candidates=candidates,
    judge=judge,
    detail=detail,
    left_out=_left_out,
    notes=_notes,
)  # fmt: skip
