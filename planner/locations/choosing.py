"""From what is on sale to the data centres worth looking at: the best ones, those for less, and those without each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import floor

from planner.advice.market import Candidate, LeftOut, Market, Role
from planner.locations.bundles import bundle_roles, role_cents
from planner.locations.covering import Chosen, Cover, best_cover, most_users
from planner.locations.demand import BY_CDN, FROM_SITES, TO_NETWORK, LocationsDemand
from planner.locations.ground import Ground, ground_of
from planner.locations.sites import Site, data_centre
from planner.locations.traffic import Offer, Scales, Weighed, machine_gb, offer_for, offers_of
from simulation.network_path import Spot, great_circle_metres
from simulation.parameters import ParameterSet

MOST_OF_THE_CURVE = 25
MICROSECONDS = 1_000
UNKNOWN_PLACE = "It is not known where it is: its name begins with no city known here."


@dataclass(frozen=True)
class Centre:
    """A data centre with the ways to order the bundle there; `role` is the cheapest one, for `cents` a month."""

    site: Site
    ways: tuple[Role, ...]
    role: Role
    cents: int


@dataclass(frozen=True)
class Problem:
    """A demand with the data centres that can answer it."""

    ground: Ground
    currency: str
    centres: tuple[Centre, ...]

    @property
    def demand(self) -> LocationsDemand:
        return self.ground.demand

    @property
    def cover(self) -> Cover:
        return self.ground.cover

    @cached_property
    def curve(self) -> list[int]:
        """How many users one data centre can have inside the limit, two, and so on until all are who can be."""
        users: list[int] = []
        while not users or (users[-1] < self.ground.reachable and len(users) < MOST_OF_THE_CURVE):
            users.append(most_users(self.cover, sites=len(users) + 1))
        return users

    @cached_property
    def the_other_way(self) -> "Plan | None":
        """The best answer if static traffic went the other way, by a CDN or from the data centres; None without one."""
        demand = replace(self.demand, static_by=FROM_SITES if self.demand.goes_by_cdn else BY_CDN)
        other = replace(self, ground=replace(self.ground, demand=demand))
        best = other.best_or_nearest(demand.required(demand.share))
        return plan_of(other, best) if best else None

    @cached_property
    def offers(self) -> list[list[Offer]]:
        """The ways to order each data centre with bandwidth for its static traffic."""
        return [offers_of(centre.ways, currency=self.currency) for centre in self.centres]

    @cached_property
    def scales(self) -> Scales:
        return Scales(self.ground, self.offers)

    @cached_property
    def weighed(self) -> list[Weighed]:
        """All sets of few data centres with what they cost, the best one first; for static traffic."""
        return self.scales.all_of_few()

    def best(self, required: int, *, without: Sequence[int] = ()) -> Chosen | None:
        """Return the best data centres that have at least so many users inside the limit, and hold the static traffic.

        None where there are none. With static traffic the best is taken of all sets of few data centres and of the
        larger one that is the best without its bandwidth.
        """
        required, aim = max(1, required), self.demand.aim
        found = best_cover(self.cover, required=required, aim=aim, without=without)
        if not self.demand.site_gb or not found:
            return found
        barred = set(without)
        fit = (each for each in self.weighed if each.users >= required and barred.isdisjoint(each.chosen))
        both = [each for each in (next(fit, None), self.scales.weigh(found)) if each]
        return min(both, key=lambda each: each.rank(aim)).chosen if both else None

    def best_or_nearest(self, required: int) -> Chosen | None:
        """Return the best data centres for so many users, or those that only sell too little bandwidth."""
        return self.best(required) or best_cover(self.cover, required=required, aim=self.demand.aim)

    def is_dearer(self, chosen: Chosen, other: Chosen) -> bool:
        """Tell whether an answer comes after another one: the money first. What cannot be had is compared with none."""
        mine, others = self._rank(chosen), self._rank(other)
        return mine is not None and others is not None and mine > others

    def _rank(self, chosen: Chosen) -> tuple[int, int, int] | None:
        cents: int | None = self.cover.cost_of(chosen)
        if self.demand.site_gb:
            weighed = self.scales.weigh(chosen)
            cents = weighed.cents if weighed else None
        return None if cents is None else (cents, len(chosen), -self.cover.users_of(chosen))


@dataclass(frozen=True)
class Plan:
    """Some data centres of a problem as an answer: what a candidate is judged by.

    `missing_gb` is the static traffic a month for which the data centres sell too little bandwidth.
    """

    problem: Problem
    chosen: Chosen
    roles: tuple[Role, ...]
    missing_gb: float

    @property
    def title(self) -> str:
        return listed([role.shop.location_name for role in self.roles])

    @property
    def cents(self) -> int | None:
        """What the order costs a month; None where part of it cannot be had."""
        costs = [role_cents(role, currency=self.problem.currency) for role in self.roles]
        return None if self.missing_gb or None in costs else sum(cost for cost in costs if cost is not None)


def problem_of(market: Market, demand: LocationsDemand) -> Problem:
    """Return the data centres in which the bundle can be ordered, in the catalogue's order, with all distances."""
    centres = []
    for key_name, name in market.places.items():
        site = data_centre(key_name, name)
        ways = _priced_roles(market, demand, key_name, name)
        if site and ways:
            role, cents = min(ways, key=lambda way: way[1])
            centres.append(Centre(site, tuple(role for role, _ in ways), role, cents))
    if demand.to == TO_NETWORK:
        # All of them are as near to the edge; ties go to the one whose servers are nearest.
        centres.sort(key=lambda centre: _distance_of_users(demand, centre.site))
    sites, costs = [centre.site for centre in centres], [centre.cents for centre in centres]
    return Problem(ground_of(demand, sites, costs), market.currency, tuple(centres))


def _distance_of_users(demand: LocationsDemand, site: Site) -> float:
    return sum(
        place.users * great_circle_metres(Spot(place.latitude, place.longitude), site.spot) for place in demand.places
    )


def left_out(market: Market, demand: LocationsDemand) -> Iterator[LeftOut]:
    """Give the data centres that cannot be advised, together where the reason is the same."""
    unknown, unsold = [], []
    for key_name, name in market.places.items():
        if data_centre(key_name, name) is None:
            unknown.append(name)
        elif not _priced_roles(market, demand, key_name, name):
            unsold.append(name)
    if unknown:
        yield LeftOut(listed(unknown), UNKNOWN_PLACE)
    if unsold:
        words = f"{demand.bundle.name} is not sold there, or something that it needs has no price."
        yield LeftOut(listed(unsold), words[0].upper() + words[1:])


def candidates(market: Market, demand: LocationsDemand, parameters: ParameterSet) -> Iterator[Candidate]:
    """Give the sets of data centres that may be the answer, be shown beside it, or be the nearest to it.

    Those for less of the demand are the best for every whole per cent of the users, so that nothing lies between them.
    """
    problem = problem_of(market, demand)
    if not problem.centres:
        return
    for chosen in _sets(problem):
        yield _candidate(problem, chosen)


def _sets(problem: Problem) -> Iterator[Chosen]:
    given: set[Chosen] = set()
    for chosen in (*_best_sets(problem), *_others(problem)):
        if chosen and chosen not in given:
            given.add(chosen)
            yield chosen


def _best_sets(problem: Problem) -> Iterator[Chosen]:
    """Give the best set for the demand, and for every other whole per cent of the users that can be reached.

    Of those that reach more than is asked, only what costs more is given: the fewest data centres need not be the
    cheapest.
    """
    demand, reachable = problem.demand, problem.ground.reachable
    if not reachable:
        return
    best = problem.best_or_nearest(min(demand.required(demand.share), reachable)) or ()
    yield best
    reached = 0
    while reached < reachable:
        share = floor(demand.share_of(reached)) + 1
        required = min(demand.required(share), reachable)
        found = problem.best_or_nearest(required) or ()
        if required <= demand.required(demand.share) or problem.is_dearer(found, best):
            yield found
        reached = problem.cover.users_of(found)


def _others(problem: Problem) -> Iterator[Chosen]:
    """Give the best sets that do without a city of the best one; those that are as good are not told apart."""
    required = problem.demand.required(problem.demand.share)
    best = problem.best(required)
    for site in best or ():
        spot = problem.centres[site].site.spot
        without = [each for each, centre in enumerate(problem.centres) if centre.site.spot == spot]
        other = problem.best(required, without=without)
        if best and other and problem.is_dearer(other, best):
            yield other


def _candidate(problem: Problem, chosen: Chosen) -> Candidate:
    plan = plan_of(problem, chosen)
    variety = " ".join(problem.centres[site].site.key_name for site in chosen)
    return Candidate(title=plan.title, roles=plan.roles, facts=plan, variety=variety)


def plan_of(problem: Problem, chosen: Chosen) -> Plan:
    """Return the data centres as an answer, with the bandwidth that their static traffic needs."""
    roles, missing_gb = _roles(problem, chosen)
    return Plan(problem, chosen, roles, missing_gb)


def _roles(problem: Problem, chosen: Chosen) -> tuple[tuple[Role, ...], float]:
    """Return the roles with the bandwidth that static traffic needs, and how many GB find none."""
    if not problem.demand.site_gb:
        return tuple(problem.centres[site].role for site in chosen), 0.0
    served = problem.ground.users_by_site(chosen)
    roles, missing = [], 0.0
    for site in chosen:
        each = machine_gb(problem.demand, served[site])
        offer = offer_for(problem.offers[site], each)
        missing += 0.0 if offer else each * problem.demand.servers
        roles.append(offer.role if offer else problem.centres[site].role)
    return tuple(roles), missing


def _priced_roles(market: Market, demand: LocationsDemand, key_name: str, name: str) -> list[tuple[Role, int]]:
    """Return the ways to order the bundle in a data centre, each with its cents a month."""
    here = Market(market.currency, tuple(shop for shop in market.shops if shop.location_key == key_name))
    roles = bundle_roles(demand.bundle, here, name=name, servers=demand.servers)
    priced = ((role, role_cents(role, currency=market.currency)) for role in roles)
    return [(role, cents) for role, cents in priced if cents is not None]


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words: "Dallas 1, London 2 and Tokyo 2"."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
