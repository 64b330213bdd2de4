"""Network: servers, uplinks and bandwidth that carry a month's traffic and its peak, for the least money."""

from collections.abc import Iterable, Iterator

from core.units import capacity_words
from planner.advice.arrays import SERVER
from planner.advice.asking import Field, Values, exact_words, one_of, quantity, whole
from planner.advice.kinds import Delivered, Figure, Judge, Kind, Need
from planner.advice.market import Candidate, LeftOut, Market, Role, priced
from planner.advice.network_plans import (
    ALONE,
    BANDWIDTH,
    MANAGEMENT,
    TOGETHER,
    Bandwidth,
    NetworkDemand,
    NetworkPlan,
    left_out,
    metered_money,
    plans_of,
)
from planner.configurations import BONDED, UPLINK
from planner.figure_words import value_words
from planner.simulations.quantities import CAPACITY, NETWORK, PERCENT, PLAIN
from simulation.parameters import ParameterSet

SHARING = ((ALONE, "its own server only"), (TOGETHER, "all servers together"))
MANAGING = (("either", "whichever way"), ("apart", "over a network of its own"))
MOST_SERVERS = 8


def _demand(values: Values) -> NetworkDemand:
    return NetworkDemand(
        out_gb=values["out"],
        in_gb=values["into"],
        peak_gbps=values["peak"],
        private_gbps=values["private"],
        most_servers=values["servers"],
        fill=values["fill"],
        sharing=values["sharing"],
        needs_management=values["management"] == "apart",
    )


def _words(demand: NetworkDemand) -> str:
    servers = "one server" if demand.most_servers == 1 else f"at most {demand.most_servers} servers"
    return (
        f"{capacity_words(demand.out_gb)} out and {capacity_words(demand.in_gb)} in a month, "
        f"{value_words(demand.peak_gbps)} Gb/s at the peak, from {servers}"
    )


def candidates(market: Market, demand: NetworkDemand, parameters: ParameterSet) -> Iterator[Candidate]:
    """Give the plans worth showing of every package, uplink and number of servers."""

    def can_be_ordered(plan: NetworkPlan) -> bool:
        return priced(candidate_of(plan, demand), currency=market.currency) is not None

    for plan in plans_of(market, demand, can_be_ordered):
        yield candidate_of(plan, demand)


def candidate_of(plan: NetworkPlan, demand: NetworkDemand) -> Candidate:
    """Return a plan as it is ordered: one role for the servers of each bandwidth."""
    named = {SERVER: plan.server, UPLINK: plan.uplink}
    roles = tuple(
        Role(
            name=_role_name(plan, bandwidth, count),
            quantity=count,
            shop=plan.shop,
            choices=plan.shop.choices({**named, BANDWIDTH: bandwidth.part}),
            drawn_as="proxies",
        )
        for bandwidth, count in plan.grouped
    )
    bandwidths = ", ".join(
        f"{count} × {bandwidth.part.description}" if plan.servers > 1 else bandwidth.part.description
        for bandwidth, count in plan.grouped
    )
    return Candidate(
        title=f"{plan.servers} × {plan.server.description}, {value_words(plan.gbps)} Gb/s, {bandwidths}",
        roles=roles,
        facts=plan,
        variety=f"{plan.servers} {plan.gbps} {plan.shop.package_key}",
        metered=metered_money(plan, demand).amount,
    )


def _role_name(plan: NetworkPlan, bandwidth: Bandwidth, count: int) -> str:
    servers = "Servers" if count > 1 else "Server"
    return servers if len(plan.grouped) == 1 else f"{servers} with {bandwidth.part.description}"


def judge(demand: NetworkDemand, parameters: ParameterSet) -> Judge:
    return lambda candidate: _delivered(_plan(candidate), demand)


def _plan(candidate: Candidate) -> NetworkPlan:
    assert isinstance(candidate.facts, NetworkPlan)
    return candidate.facts


def _delivered(plan: NetworkPlan, demand: NetworkDemand) -> Delivered:
    carried = float(f"{plan.servers * plan.filled_gbps(demand):.12g}")
    main = Figure.exact("peak", "Peak rate", carried, "Gb/s")
    out = Figure.exact("out", "Traffic out", plan.out_gb(demand), "GB a month")
    into = Figure.exact("into", "Traffic in", plan.servers * plan.month_gb(demand), "GB a month")
    private = Figure.exact("private", "Private rate of each server", plan.filled_gbps(demand), "Gb/s")
    networks = Figure.exact("networks", "Networks of each server", 3 if plan.has_management else 2, "")
    needs = [
        Need("peak", main.label, demand.peak_gbps, carried, main.unit),
        Need("out", out.label, demand.out_gb, out.value, out.unit),
        Need("into", into.label, demand.in_gb, into.value, into.unit),
        Need("private", private.label, demand.private_gbps, private.value, private.unit),
    ]
    if demand.needs_management:
        needs.append(Need("management", networks.label, 3, networks.value, ""))
    return Delivered(
        main=main,
        figures=(main, out, into, private, networks),
        needs=tuple(needs),
        limit="the uplinks",
        notes=tuple(_notes_on(plan, demand)),
    )


def _notes_on(plan: NetworkPlan, demand: NetworkDemand) -> Iterator[str]:
    metered = metered_money(plan, demand)
    if metered.amount:
        yield f"Traffic beyond the allowance is expected to cost {metered} a month on top of the order."
    speed = value_words(plan.gbps)
    if plan.has_management:
        management = plan.shop.usual[MANAGEMENT].description
        yield f"Three networks: public and private at {speed} Gb/s each, and one apart for management ({management})."
    else:
        yield f"Two networks: public and private at {speed} Gb/s each; this package tells of none for management."
    if BONDED.search(plan.uplink.description):
        yield "A redundant uplink is a bonded pair and is taken to carry twice its speed; when one fails, half is left."
    if plan.servers == 1:
        yield "When the one server or its uplink fails, nothing is carried."


def _notes(demand: NetworkDemand) -> tuple[str, ...]:
    shared = (
        "Allowances are counted together: the seller pools them, or a balancer gives each server what it may let out."
        if demand.sharing == TOGETHER
        else "Each server has its own allowance, and all carry the same: one that is not used up helps no other."
    )
    return (
        "What comes in and what stays on the private network is free; what goes out takes from the allowance.",
        shared,
        f"Uplinks are filled to {100 * demand.fill:g} % at the peak: beyond that, waiting grows fast.",
        "A month has 30 days here.",
    )


def _left_out(market: Market, demand: NetworkDemand) -> Iterable[LeftOut]:
    return left_out(market)


KIND = Kind(
    key="network",
    title="Network",
    note="bandwidth, uplinks, three networks",
    question="What must the network carry?",
    sentence="I need {out} out and {into} in a month, {peak} at the peak, from at most {servers} servers.",
    own_fields=(
        Field("out", "Traffic out in a month", "2 TB", quantity(CAPACITY, low=0.001, high=1e8)),
        Field("into", "Traffic in in a month", "500 GB", quantity(CAPACITY, low=0, high=1e8)),
        Field(
            "peak", "Peak rate", "200 Mbit/s", quantity(NETWORK, low=1e-6, high=1e5), size=11,
            help="Of the busier direction, all servers together. MB/s are read as bytes, Mbit/s as bits.",
        ),
        Field("servers", "Servers, at most", "4", whole(PLAIN, low=1, high=MOST_SERVERS), size=3),
        Field(
            "private", "Private rate of each server", "50 Mbit/s", quantity(NETWORK, low=0, high=1e5), is_advanced=True,
            size=11, help="Between your own servers: free, but it needs a port that is fast enough.",
        ),
        Field("fill", "Fill an uplink to", "70 %", quantity(PERCENT, low=1, high=100), size=5, is_advanced=True),
        Field("sharing", "An allowance serves", ALONE, one_of(SHARING), choices=SHARING, is_advanced=True),
        Field("management", "Management", "either", one_of(MANAGING), choices=MANAGING, is_advanced=True),
    ),
    categories=(SERVER,),
    main_field="peak",
    main_words=lambda value: exact_words(value, "Gb/s"),
    demand_of=_demand,
    words_of=_words,
    candidates=candidates,
    judge=judge,
    left_out=_left_out,
    parts=(SERVER, UPLINK, BANDWIDTH),
    notes=_notes,
)  # fmt: skip
