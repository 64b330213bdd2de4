"""A demand on the ground: the sites that may serve it, every way to them, and who is inside the limit."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor

from planner.locations.covering import Cover
from planner.locations.demand import TO_NETWORK, LocationsDemand
from planner.locations.places import Place
from planner.locations.reach import Reach, Way, reach_of
from planner.locations.sites import Site, shipped_sites

MICROSECONDS = 1_000
"""Times are compared in whole microseconds, so that every comparison is exact."""

Numbers = Sequence[int]


@dataclass(frozen=True)
class Ground:
    """Data centres with what each costs in cents a month, and all distances; places and sites go by their number."""

    demand: LocationsDemand
    costs: tuple[int, ...]
    reach: Reach

    @property
    def sites(self) -> tuple[Site, ...]:
        return self.reach.centres

    @property
    def limit(self) -> int:
        """The limit in microseconds."""
        return floor(self.demand.site_limit_ms * MICROSECONDS)

    @cached_property
    def ways(self) -> tuple[tuple[Way, ...], ...]:
        """The fastest way of each place to a server in each data centre, by whichever entry."""
        entries = [self.reach.entries_of(site) for site in range(len(self.sites))]
        return tuple(
            tuple(self.reach.way(place, site, entries[site]) for site in range(len(self.sites)))
            for place in range(len(self.reach.places))
        )

    @cached_property
    def limited(self) -> tuple[tuple[Way, ...], ...]:
        """The ways for which the limit holds: to a server, or to the edge of the network that it stands on."""
        if self.demand.to != TO_NETWORK:
            return self.ways
        entries = [self.reach.entries_of(site) for site in range(len(self.sites))]
        return tuple(
            tuple(self.reach.edge(place, site, entries[site]) for site in range(len(self.sites)))
            for place in range(len(self.reach.places))
        )

    @cached_property
    def cover(self) -> Cover:
        """What the search looks at."""
        places, sites = range(len(self.reach.places)), range(len(self.sites))
        return Cover.of(
            users=[place.users for place in self.reach.places],
            delays=[[microseconds(self.limited[place][site].ms) for place in places] for site in sites],
            costs=self.costs,
            limit=self.limit,
        )

    @cached_property
    def reachable(self) -> int:
        """How many users all sites together have inside the limit."""
        return self.cover.users_of(range(len(self.sites)))

    @cached_property
    def least_limit_ms(self) -> float:
        """The limit inside which all sites together have as many users as are asked for."""
        missing = self.demand.required(self.demand.share)
        best = [min(way.ms for way in ways) for ways in self.limited]
        for ms, place in sorted(zip(best, self.reach.places, strict=True), key=lambda pair: pair[0]):
            missing -= place.users
            if missing <= 0:
                return ms
        return max(best)

    @property
    def beyond(self) -> list[Place]:
        """The places that no site has inside the limit."""
        sites = range(len(self.sites))
        return [place for number, place in enumerate(self.reach.places) if not self.is_inside(sites, number)]

    def nearest(self, chosen: Numbers, place: int) -> int:
        """Return which of the chosen sites a place reaches fastest, in time to a server; ties go to the first."""
        return min(chosen, key=lambda site: (self.ways[place][site].ms, site))

    def users_by_site(self, chosen: Numbers) -> dict[int, int]:
        """Return how many users are nearest to each chosen site."""
        served = dict.fromkeys(chosen, 0)
        for number, place in enumerate(self.reach.places):
            served[self.nearest(chosen, number)] += place.users
        return served

    def is_inside(self, chosen: Numbers, place: int) -> bool:
        """Tell whether one of the chosen sites has the place inside the limit."""
        return any(microseconds(self.limited[place][site].ms) <= self.limit for site in chosen)


def ground_of(demand: LocationsDemand, sites: Sequence[Site], costs: Sequence[int]) -> Ground:
    """Return the ground of a demand with these data centres; every site that is shipped may be an entry."""
    presences = sorted(shipped_sites().values(), key=lambda site: site.kind, reverse=True)
    reach = reach_of(places=demand.places, centres=sites, sites=presences, model=demand.model)
    return Ground(demand, tuple(costs), reach)


def microseconds(ms: float) -> int:
    return round(ms * MICROSECONDS)
