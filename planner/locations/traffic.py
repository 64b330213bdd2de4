"""Data centres that carry static traffic themselves: what each costs with enough bandwidth, and which sets are best.

How much a data centre sends depends on which others stand beside it, and so does what its bandwidth costs: sets are
weighed whole.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, inf

import numpy as np

from catalog.container_facts import Chosen
from planner.advice.market import Role
from planner.advice.network_plans import BANDWIDTH, GB_PER_GBPS_SECOND, MONTH_SECONDS, allowance_of, speed_of
from planner.configurations import UPLINK
from planner.locations.bundles import role_cents
from planner.locations.covering import Aim
from planner.locations.covering import Chosen as Sites
from planner.locations.demand import LocationsDemand
from planner.locations.ground import Ground

MOST_SETS = 20_000
"""Sets that are weighed one by one: all of up to three data centres where fifty sell it, all there are of fourteen."""


@dataclass(frozen=True)
class Offer:
    """One way to order the machines of a data centre: GB that each may send a month, and cents for all of them."""

    role: Role
    gb: float
    cents: int


@dataclass(frozen=True)
class Weighed:
    """A set of data centres that holds the static traffic, with what it costs in cents, bandwidth and all."""

    chosen: Sites
    users: int
    cents: int
    delay: int

    def rank(self, aim: Aim) -> tuple[int, int, int, int, Sites]:
        """The order of sets by an aim; ties as `best_cover` settles them."""
        first, second = len(self.chosen), self.cents
        aims = (first, second) if aim is Aim.FEWEST else (second, first)
        return (*aims, -self.users, self.delay, self.chosen)


def offers_of(roles: Iterable[Role], *, currency: str) -> list[Offer]:
    """Return ways to order any of the roles with more and more bandwidth, cheapest first, without needless ones."""
    ways = (way for role in roles for way in _with_each_bandwidth(role))
    offers = [Offer(role, gb, cents) for role, gb in ways if (cents := role_cents(role, currency=currency)) is not None]
    kept: list[Offer] = []
    for offer in sorted(offers, key=lambda each: (each.cents, -each.gb)):
        if not kept or offer.gb > kept[-1].gb:
            kept.append(offer)
    return kept


def offer_for(offers: Iterable[Offer], gb: float) -> Offer | None:
    """Return the cheapest offer whose machines may send so many GB a month each; None where none may."""
    return next((offer for offer in offers if offer.gb >= gb), None)


class Scales:
    """Weighs sets of the data centres of a ground; `offers` are those of each."""

    def __init__(self, ground: Ground, offers: Sequence[Sequence[Offer]]) -> None:
        self.demand, self.cover, self.offers = ground.demand, ground.cover, offers
        self.reached = ground.cover.reached
        self.times = np.array([[way.ms for way in ways] for ways in ground.ways]).T

    def weigh(self, chosen: Sites) -> Weighed | None:
        """Weigh a set; None where it sells too little bandwidth. Users take the nearest, as `users_by_site` says."""
        sites = list(chosen)
        nearest = self.times[sites].argmin(axis=0)
        served = np.bincount(nearest, weights=self.cover.users, minlength=len(sites)).tolist()
        cents = 0
        for site, users in zip(sites, served, strict=True):
            gb = machine_gb(self.demand, int(users))
            offer = offer_for(self.offers[site], gb)
            if offer is None:
                return None
            cents += offer.cents
        users = int(self.cover.users[self.reached[sites].any(axis=0)].sum())
        return Weighed(chosen, users, cents, self.cover.delay_of(chosen))

    def all_of_few(self) -> list[Weighed]:
        """Return all sets of few data centres that hold the static traffic, the best by the aim first."""
        sites = range(len(self.offers))
        found = (self.weigh(chosen) for size in set_sizes(len(sites)) for chosen in combinations(sites, size))
        return sorted((each for each in found if each), key=lambda each: each.rank(self.demand.aim))


def machine_gb(demand: LocationsDemand, users: int) -> float:
    """Return the GB of static traffic a month that each machine of a data centre sends to so many users."""
    return demand.site_gb * users / demand.users / demand.servers


def set_sizes(sites: int) -> Iterator[int]:
    """Give the sizes of sets of which all, with all smaller ones, are few enough to be weighed."""
    sets = 0
    for size in range(1, sites + 1):
        sets += comb(sites, size)
        if sets > MOST_SETS:
            return
        yield size


def _with_each_bandwidth(role: Role) -> Iterator[tuple[Role, float]]:
    """Give the role as it is and with every bandwidth sold whose allowance is told, with the GB of one machine.

    No machine sends more than its uplink passes in a month, however unlimited its bandwidth.
    """
    most = _uplink_gb(role)
    now = next((chosen.item.item_id for chosen in role.choices if chosen.category_code == BANDWIDTH), None)
    allowances = {part.item.item_id: (part, allowance_of(part)) for part in role.shop.offered(BANDWIDTH)}
    yield role, min(most, allowances[now][1] or 0.0) if now in allowances else 0.0
    for item_id, (part, gb) in allowances.items():
        if item_id != now and gb is not None:
            named = {chosen.category_code: chosen for chosen in role.choices} | {
                BANDWIDTH: Chosen(BANDWIDTH, part.item)
            }
            yield replace(role, choices=tuple(named.values())), min(most, gb)


def _uplink_gb(role: Role) -> float:
    """Return what the uplink of a machine passes out in a month; without end where its speed is not told."""
    ordered = {chosen.item.item_id for chosen in role.choices if chosen.category_code == UPLINK}
    speeds = [speed_of(part) for part in role.shop.offered(UPLINK) if part.item.item_id in ordered]
    return min((speed * MONTH_SECONDS * GB_PER_GBPS_SECOND for speed in speeds if speed), default=inf)
