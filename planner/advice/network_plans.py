"""Servers as a network sees them: uplinks, bandwidth with its allowance, and what of it costs least."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations_with_replacement

from catalog.container_facts import Chosen
from catalog.usage import UsageTier, usage_amount
from core.money import Money
from planner.advice.arrays import SERVER, without_needless
from planner.advice.market import LeftOut, Market, Part, Shop
from planner.configurations import UPLINK, bonded_gbps

BANDWIDTH, MANAGEMENT = "bandwidth", "remote_management"
UNLIMITED = re.compile(r"^unlimited\b", re.I)
PUBLIC, PRIVATE = re.compile(r"\bpublic\b", re.I), re.compile(r"\bprivate\b", re.I)
ALONE, TOGETHER = "alone", "together"
MONTH_SECONDS = 30 * 24 * 3600
GB_PER_GBPS_SECOND = 1 / 8
SLACK = Decimal(1)
"""Money by which the rounding of an order's lines may change which of two plans is cheaper."""


@dataclass(frozen=True)
class NetworkDemand:
    """Traffic of a month in GB, rates in Gb/s. `fill` is the share of an uplink that is used at the peak.

    `sharing` tells whether each server's allowance is its own or all are counted together.
    """

    out_gb: float
    in_gb: float
    peak_gbps: float
    private_gbps: float
    most_servers: int
    fill: float
    sharing: str
    needs_management: bool


@dataclass(frozen=True)
class Bandwidth:
    """Bandwidth on sale: GB out that it allows in a month, infinite where unlimited, and what more costs."""

    part: Part
    allowance_gb: float
    tiers: tuple[UsageTier, ...]


@dataclass(frozen=True)
class NetworkPlan:
    """So many equal servers with one uplink each; `bandwidths` has one for each server."""

    shop: Shop
    server: Part
    uplink: Part
    bandwidths: tuple[Bandwidth, ...]

    @property
    def servers(self) -> int:
        return len(self.bandwidths)

    @property
    def gbps(self) -> float:
        return speed_of(self.uplink) or 0.0

    @property
    def grouped(self) -> list[tuple[Bandwidth, int]]:
        counts = Counter(bandwidth.part.item.item_id for bandwidth in self.bandwidths)
        first = {bandwidth.part.item.item_id: bandwidth for bandwidth in reversed(self.bandwidths)}
        return [(first[item_id], counts[item_id]) for item_id in counts]

    @property
    def has_management(self) -> bool:
        return MANAGEMENT in self.shop.usual

    def filled_gbps(self, demand: NetworkDemand) -> float:
        """Return the rate of one uplink, filled as far as it may be: 70 % of 0.1 Gb/s is 0.07 and not 0.0699…9."""
        return float(f"{self.gbps * demand.fill:.12g}")

    def month_gb(self, demand: NetworkDemand) -> float:
        """Return what one uplink passes in a month in each direction, filled as far as it may be."""
        return self.filled_gbps(demand) * MONTH_SECONDS * GB_PER_GBPS_SECOND

    def out_gb(self, demand: NetworkDemand) -> float:
        """Return how much may go out in a month: what the allowances hold or is metered, as the uplinks pass it."""
        month = self.month_gb(demand)
        limits = [month if bandwidth.tiers else min(month, bandwidth.allowance_gb) for bandwidth in self.bandwidths]
        return min(limits) * self.servers if demand.sharing == ALONE else sum(limits)

    def metered(self, demand: NetworkDemand) -> Decimal:
        """Return what the traffic beyond the allowances is expected to cost a month, not rounded."""
        if demand.sharing == ALONE:
            each = demand.out_gb / self.servers
            costs = [self._beyond(bandwidth, each - bandwidth.allowance_gb) for bandwidth in self.bandwidths]
            return sum(costs, start=Decimal(0))
        beyond = demand.out_gb - sum(bandwidth.allowance_gb for bandwidth in self.bandwidths)
        payable = [(bandwidth, count) for bandwidth, count in self.grouped if bandwidth.tiers]
        ways = (count * self._beyond(bandwidth, beyond / count) for bandwidth, count in payable)
        return min(ways, default=Decimal(0))

    def _beyond(self, bandwidth: Bandwidth, gigabytes: float) -> Decimal:
        if gigabytes <= 0 or not bandwidth.tiers:
            return Decimal(0)
        return usage_amount(units=Decimal(str(gigabytes)), tiers=bandwidth.tiers) or Decimal(0)


def plans_of(
    market: Market, demand: NetworkDemand, can_be_ordered: Callable[[NetworkPlan], bool]
) -> Iterator[NetworkPlan]:
    """Give, for each package, uplink and number of servers, the cheapest plans that hold the month's traffic.

    Where none holds it, the one that holds most. Plans that cost about the same are all given: only the order's lines,
    rounded one by one, tell which is cheaper.
    """
    for shop in market.shops:
        servers = list(shop.offered(SERVER))
        servers = without_needless(shop, servers, [None] * len(servers))
        for uplink in uplinks_of(shop):
            for count in range(1, demand.most_servers + 1):
                plans = [
                    NetworkPlan(shop, server, uplink, bandwidths)
                    for server in servers
                    for bandwidths in _bandwidths_for(shop, count, demand)
                ]
                yield from _worth_showing(plans, demand, can_be_ordered)


def _worth_showing(
    plans: Iterable[NetworkPlan], demand: NetworkDemand, can_be_ordered: Callable[[NetworkPlan], bool]
) -> Iterator[NetworkPlan]:
    wanted = sorted(((_shortfall(plan, demand), rough_cost(plan, demand), place, plan)
                     for place, plan in enumerate(plans)), key=lambda each: each[:3])  # fmt: skip
    known: tuple[float, Decimal] | None = None
    for short, cost, _, plan in wanted:
        if known and (short > known[0] or cost > known[1] + SLACK):
            return
        if can_be_ordered(plan):
            known = known or (short, cost)
            yield plan


def _shortfall(plan: NetworkPlan, demand: NetworkDemand) -> float:
    return max(0.0, demand.out_gb - plan.out_gb(demand))


def rough_cost(plan: NetworkPlan, demand: NetworkDemand) -> Decimal:
    """Return about what a plan costs a month, with its metered traffic: to rank by, not to charge."""
    usual = {code: part for code, part in plan.shop.usual.items() if code not in (SERVER, UPLINK, BANDWIDTH)}
    parts = [*usual.values(), plan.server, plan.uplink]
    each = sum((part.monthly.amount for part in parts), start=Decimal(0))
    bandwidths = sum((bandwidth.part.monthly.amount for bandwidth in plan.bandwidths), start=Decimal(0))
    return each * plan.servers + bandwidths + plan.metered(demand)


def _bandwidths_for(shop: Shop, count: int, demand: NetworkDemand) -> Iterator[tuple[Bandwidth, ...]]:
    bandwidths = bandwidths_of(shop)
    if demand.sharing == ALONE:
        return iter([(bandwidth,) * count for bandwidth in bandwidths])
    return combinations_with_replacement(bandwidths, count)


def uplinks_of(shop: Shop) -> list[Part]:
    """Return the cheapest uplink of each speed that reaches the public network."""
    known = [part for part in shop.offered(UPLINK) if speed_of(part) and is_public(part)]
    return without_needless(shop, known, [speed_of(part) for part in known])


def speed_of(uplink: Part) -> float | None:
    """Return what an uplink carries in Gb/s; None where the catalogue does not say it."""
    mbps = uplink.number("uplink_mbps")
    return None if mbps is None else bonded_gbps(mbps, uplink.description)


def is_public(uplink: Part) -> bool:
    """Tell whether an uplink reaches the public network: not if its description speaks of the private one alone."""
    return bool(PUBLIC.search(uplink.description)) or not PRIVATE.search(uplink.description)


def bandwidths_of(shop: Shop) -> list[Bandwidth]:
    """Return the bandwidths whose allowance is told, the cheapest of each."""
    found = [bandwidth for part in shop.offered(BANDWIDTH) if (bandwidth := _bandwidth_of(shop, part)) is not None]
    kept = without_needless(shop, [each.part for each in found], [(each.allowance_gb, each.tiers) for each in found])
    return [each for each in found if each.part in kept]


def _bandwidth_of(shop: Shop, part: Part) -> Bandwidth | None:
    allowance = allowance_of(part)
    if allowance is None:
        return None
    answer, _ = shop.prices.of_one(Chosen(BANDWIDTH, part.item), ())
    return Bandwidth(part, allowance, answer.usage if answer.usage and answer.usage[0].from_units == 0 else ())


def allowance_of(part: Part) -> float | None:
    """Return how many GB a bandwidth allows out in a month; None where the catalogue does not say it."""
    if UNLIMITED.search(part.description):
        return float("inf")
    told = part.facts.get("outbound_gb", part.facts.get("capacity", ""))
    return 0.0 if told in ("0", "0.0") else part.number("outbound_gb") or part.number("capacity")


def left_out(market: Market) -> Iterator[LeftOut]:
    """Give the uplinks and bandwidths that cannot be planned with."""
    for shop in market.shops:
        yield from _left_out(shop, shop.offered(UPLINK), lambda part: speed_of(part), "Its speed is not told.")
        yield from _left_out(shop, shop.offered(UPLINK), is_public, "It does not reach the public network.")
        yield from _left_out(
            shop, shop.offered(BANDWIDTH), lambda part: allowance_of(part) is not None, "Its allowance is not told."
        )


def _left_out(shop: Shop, parts: Sequence[Part], is_known: Callable[[Part], object], reason: str) -> Iterator[LeftOut]:
    for part in parts:
        if not is_known(part):
            yield LeftOut(f"{part.description} ({shop.package_name})", reason)


def metered_money(plan: NetworkPlan, demand: NetworkDemand) -> Money:
    """Return what use beyond the allowances is expected to come to in a month, as it will be owed."""
    return Money(plan.metered(demand), plan.server.monthly.currency).owed()
