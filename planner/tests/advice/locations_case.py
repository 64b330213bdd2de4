"""Locations in small random markets, and every set of data centres that somebody could order there."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import inf
from random import Random

from catalog.container_facts import Chosen
from planner.advice.market import Candidate, Market, Role, Shop
from planner.locations.bundles import SERVER, bundle_roles
from planner.locations.choosing import Plan, Problem, problem_of
from planner.locations.demand import LocationsDemand
from planner.tests.advice.factories import Ware, make_shop

BANDWIDTH = "bandwidth"

THREE = (
    {"places": "New York, 1,000\nBoston, 300"},
    {"places": "Paris, 1,000\nTokyo, 900"},
    {"places": "New York, 1,000\nLondon, 900\nSydney, 800", "aim": "cheapest"},
)
IMPOSSIBLE = {"places": "Nairobi, 1,000\nParis, 500"}
CITIES = {"ams01": "Amsterdam 1", "dal05": "Dallas 5", "dal06": "Dallas 6", "sjc01": "San Jose 1", "tok02": "Tokyo 2"}
TOWNS = ("London", "Denver", "New York", "Los Angeles", "Tokyo", "Osaka", "Berlin", "Houston", "Seattle", "Miami")
USUAL, UNLIMITED = Ware("500 GB Bandwidth", "0", {"outbound_gb": "500"}), "Unlimited Bandwidth"
ALLOWED_GB = {"500 GB Bandwidth": 500.0, "1000 GB Bandwidth": 1_000.0, UNLIMITED: inf}
PRESET = "d2620v4-64gb-2x1tb-sata-raid-1"


def market(random: Random) -> Market:
    """Make shops in some data centres, each with a few servers of its own prices; some are unpriced."""
    keys = random.sample(list(CITIES), k=random.randint(2, 4))
    shops = [_shop(random, key, package) for key in keys for package in range(random.randint(1, 2))]
    return Market("USD", tuple(shops), catalog_version="1-test", places={key: CITIES[key] for key in keys})


def _shop(random: Random, location_key: str, package: int) -> Shop:
    servers = [Ware(f"Server {number}", _fee(random)) for number in range(random.randint(1, 2))]
    more = random.choice(
        (Ware("1000 GB Bandwidth", _fee(random), {"outbound_gb": "1000"}), Ware(UNLIMITED, _fee(random)))
    )
    wares = {SERVER: servers, "os": [Ware("A system", "5")], BANDWIDTH: [USUAL, more]}
    shop = make_shop(wares, required=("os", BANDWIDTH), key=f"package-{package}")
    return replace(shop, location_key=location_key, location_name=CITIES[location_key])


def _fee(random: Random) -> str | None:
    return None if random.random() < 0.15 else random.choice(("10", "10", "20.005", f"{random.randint(5, 60)}"))


def words(random: Random) -> dict[str, str]:
    towns = random.sample(TOWNS, k=random.randint(2, 6))
    return {
        "places": "\n".join(f"{town}, {random.choice((1, 5, 5, 10, 40))}" for town in towns),
        "share": f"{random.choice((40, 60, 75, 90, 100))} %",
        "limit": f"{random.choice((30, 45, 60, 110))} ms",
        "aim": "cheapest",
        "servers": str(random.randint(1, 3)),
        "to": random.choice(("servers", "servers", "servers", "network")),
        "static_gb": random.choice(("", "900 GB", "2 TB", "5 TB")),
    }


def likely(random: Random) -> dict[str, str]:
    """Make a demand of cities near data centres, for the cheapest server or a preset."""
    towns = random.sample(("London", "Paris", "New York", "Dallas", "Tokyo", "Sydney", "Montreal", "Seattle"), k=3)
    return {
        "places": "\n".join(f"{town}, {random.randint(1, 900)}k" for town in towns),
        "share": f"{random.randint(50, 100)} %",
        "limit": f"{random.randint(30, 60)} ms",
        "aim": random.choice(("fewest", "cheapest")),
        "servers": str(random.randint(1, 4)),
        "bundle": random.choice((SERVER, PRESET)),
        "static_gb": random.choice(("", "2 TB")),
    }


def every(market: Market, demand: LocationsDemand) -> Iterator[Candidate]:
    """Every set of data centres with every server and every bandwidth in each of them, however needless."""
    problem = problem_of(market, demand)
    ways: list[list[Role | None]] = []
    for centre in problem.centres:
        here = Market("USD", tuple(s for s in market.shops if s.location_key == centre.site.key_name))
        bundles = bundle_roles(demand.bundle, here, name="by force", servers=demand.servers)
        ways.append([None, *(role for bundle in bundles for role in _with_any_bandwidth(bundle))])
    for roles in product(*ways):
        chosen = tuple(number for number, role in enumerate(roles) if role)
        if chosen:
            ordered = tuple(role for role in roles if role)
            plan = Plan(problem, chosen, ordered, _missing_gb(problem, chosen, ordered))
            yield Candidate("by force", ordered, plan, "by force")


def _with_any_bandwidth(role: Role) -> Iterator[Role]:
    for part in role.shop.offered(BANDWIDTH):
        others = (chosen for chosen in role.choices if chosen.category_code != BANDWIDTH)
        yield replace(role, choices=(*others, Chosen(BANDWIDTH, part.item)))


def _missing_gb(problem: Problem, chosen: Sequence[int], roles: Sequence[Role]) -> float:
    """Add up what the data centres are to send of which their machines, each by itself, may not."""
    demand, missing = problem.demand, 0.0
    for (_, users), role in zip(problem.ground.users_by_site(chosen).items(), roles, strict=True):
        sent = demand.site_gb * users / demand.users
        (allowed,) = (ALLOWED_GB[each.item.description] for each in role.choices if each.category_code == BANDWIDTH)
        missing += sent if sent / demand.servers > allowed else 0.0
    return missing
