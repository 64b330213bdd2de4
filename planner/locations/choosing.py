"""From what is on sale to the data centres worth looking at: the best ones, those for less, and those without each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import floor

from planner.advice.market import Candidate, LeftOut, Market, Part, Role
from planner.locations.bundles import bundle_roles, role_cents
from planner.locations.covering import Chosen, Cover, best_cover, most_users
from planner.locations.demand import BY_CDN, FROM_SITES, TO_NETWORK, LocationsDemand
from planner.locations.ground import Ground, ground_of
from planner.locations.sites import Site, data_centre
from simulation.network_path import Spot, great_circle_metres
from simulation.parameters import ParameterSet

BANDWIDTH = "bandwidth"
MOST_OF_THE_CURVE = 25
MICROSECONDS = 1_000
UNKNOWN_PLACE = "It is not known where it is: its name begins with no city known here."


@dataclass(frozen=True)
class Centre:
    """A data centre with the cheapest way to order the bundle there."""

    site: Site
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
        other = replace(self.demand, static_by=FROM_SITES if self.demand.goes_by_cdn else BY_CDN)
        ground = replace(self.ground, demand=other)
        best = best_cover(ground.cover, required=other.required(other.share), aim=other.aim)
        return plan_of(replace(self, ground=ground), best) if best else None


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
        cheapest = _cheapest_role(market, demand, key_name, name)
        if site and cheapest:
            centres.append(Centre(site, *cheapest))
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
        elif _cheapest_role(market, demand, key_name, name) is None:
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
    cheapest. With static traffic there are none, see `_others`.
    """
    demand, reachable = problem.demand, problem.ground.reachable
    if not reachable:
        return
    best = best_cover(problem.cover, required=min(demand.required(demand.share), reachable), aim=demand.aim) or ()
    yield best
    reached = 0
    while reached < reachable:
        share = floor(demand.share_of(reached)) + 1
        required = min(demand.required(share), reachable)
        found = best_cover(problem.cover, required=required, aim=demand.aim) or ()
        is_more = required > demand.required(demand.share)
        if not is_more or (not demand.site_gb and _rank(problem, found) > _rank(problem, best)):
            yield found
        reached = problem.cover.users_of(found)


def _others(problem: Problem) -> Iterator[Chosen]:
    """Give the best sets that do without a city of the best one; those that are as good are not told apart.

    With static traffic there are none: sites are chosen before their bandwidth is, and could only be told apart after.
    """
    demand, cover = problem.demand, problem.cover
    if demand.site_gb:
        return
    required = demand.required(demand.share)
    best = best_cover(cover, required=required, aim=demand.aim)
    for site in best or ():
        spot = problem.centres[site].site.spot
        without = [each for each, centre in enumerate(problem.centres) if centre.site.spot == spot]
        other = best_cover(cover, required=required, aim=demand.aim, without=without)
        if best and other and _rank(problem, other) > _rank(problem, best):
            yield other


def _rank(problem: Problem, chosen: Chosen) -> tuple[int, int, int]:
    """The order in which answers are compared: the money first."""
    cover = problem.cover
    return (cover.cost_of(chosen), len(chosen), -cover.users_of(chosen))


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
    served = problem.ground.users_by_site(chosen)
    roles, missing = [], 0.0
    for site in chosen:
        role = problem.centres[site].role
        each = problem.demand.site_gb * served[site] / problem.demand.users / role.quantity
        enough = _with_bandwidth(role, each)
        missing += each * role.quantity if enough is None else 0.0
        roles.append(enough or role)
    return tuple(roles), missing


def _with_bandwidth(role: Role, gb: float) -> Role | None:
    """Return the role with the cheapest bandwidth that holds so many GB a month; None where none does."""
    now = next((chosen for chosen in role.choices if chosen.category_code == BANDWIDTH), None)
    offered = role.shop.offered(BANDWIDTH)
    if gb <= _outbound_gb(next((part for part in offered if now and part.item.item_id == now.item.item_id), None)):
        return role
    enough = [part for part in offered if _outbound_gb(part) >= gb]
    if not enough:
        return None
    part = min(enough, key=lambda each: (each.monthly.amount, each.item.item_id))
    named = {chosen.category_code: chosen.item for chosen in role.choices} | {BANDWIDTH: part.item}
    choices = tuple(type(role.choices[0])(code, item) for code, item in named.items())
    return Role(role.name, role.quantity, role.shop, choices, role.drawn_as)


def _outbound_gb(part: Part | None) -> float:
    return (part.number("outbound_gb") or 0.0) if part else 0.0


def _cheapest_role(market: Market, demand: LocationsDemand, key_name: str, name: str) -> tuple[Role, int] | None:
    """Return the cheapest way to order the bundle in a data centre with its cents a month."""
    here = Market(market.currency, tuple(shop for shop in market.shops if shop.location_key == key_name))
    best: tuple[Role, int] | None = None
    for role in bundle_roles(demand.bundle, here, name=name, servers=demand.servers):
        cents = role_cents(role, currency=market.currency)
        if cents is not None and (best is None or cents < best[1]):
            best = role, cents
    return best


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words: "Dallas 1, London 2 and Tokyo 2"."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
