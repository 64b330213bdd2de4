"""Networks in small random markets, and every combination of bandwidths that somebody could think of there."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from random import Random

from catalog.container_facts import Chosen
from planner.advice.arrays import SERVER
from planner.advice.market import Candidate, Market, Part, Shop
from planner.advice.network import candidate_of
from planner.advice.network_plans import BANDWIDTH, MANAGEMENT, Bandwidth, NetworkDemand, NetworkPlan
from planner.configurations import UPLINK
from planner.tests.advice.factories import Ware, make_market, make_shop
from planner.tests.advice.raid_case import fee

THREE = (
    {"out": "300 GB", "into": "0", "peak": "50 Mbit/s"},
    {"out": "8 TB", "peak": "1 Gb/s"},
    {"out": "30 TB", "peak": "2 Gb/s", "sharing": "together"},
)
IMPOSSIBLE = {"peak": "5,000 Gb/s"}
UPLINKS = {
    "10 Mbps Public & Private": "10",
    "100 Mbps Public & Private": "100",
    "1 Gbps Public & Private": "1000",
    "1 Gbps Redundant Public & Private": "1000",
    "1 Gbps Private": "1000",
}


def market(random: Random) -> Market:
    """Make one or two shops with some servers, uplinks and bandwidths; some are unpriced, some are metered."""
    return make_market(*(_shop(random, f"shop-{number}") for number in range(random.randint(1, 2))))


def _shop(random: Random, key: str) -> Shop:
    uplinks = random.sample(list(UPLINKS), k=random.randint(2, 4))
    sizes = random.sample(("0", "500", "1000", "5000"), k=random.randint(2, 3))
    bandwidths = [_bandwidth(random, size) for size in sizes]
    wares = {
        SERVER: [Ware(f"Server {number}", fee(random)) for number in range(random.randint(1, 2))],
        UPLINK: [Ware(name, fee(random), {"uplink_mbps": UPLINKS[name]}) for name in uplinks],
        BANDWIDTH: bandwidths,
        "os": [Ware("An operating system", random.choice(("0", "5.555")))],
        MANAGEMENT: [Ware("A console", "0")],
    }
    required = ("os", MANAGEMENT) if random.random() < 0.5 else ("os",)
    stock = {"Server 0": 2} if random.random() < 0.3 else {}
    return make_shop(wares, required=required, key=key, stock=stock)


def _bandwidth(random: Random, size: str) -> Ware:
    usage = random.choice(("0.1", "0.035")) if random.random() < 0.3 else None
    return Ware(f"{size} GB Bandwidth", fee(random), {"outbound_gb": size}, usage=usage)


def words(random: Random) -> dict[str, str]:
    return {
        "out": random.choice(("90 GB", "700 GB", "1.2 TB", "3 TB", "9 TB")),
        "into": random.choice(("0", "100 GB", "4 TB")),
        "peak": random.choice(("5 Mbit/s", "60 Mbit/s", "300 Mbit/s", "1.5 Gb/s")),
        "servers": str(random.randint(1, 3)),
        "private": random.choice(("0", "5 Mbit/s", "50 Mbit/s")),
        "sharing": random.choice(("alone", "together")),
        "management": random.choice(("either", "either", "apart")),
    }


def likely(random: Random) -> dict[str, str]:
    return {
        "out": f"{random.randint(1, 12_000)} GB",
        "into": f"{random.randint(0, 5_000)} GB",
        "peak": f"{random.randint(1, 3_000)} Mbit/s",
        "servers": str(random.randint(2, 5)),
        "sharing": random.choice(("alone", "together")),
        "term": random.choice(("monthly", "hourly")),
        "location": random.choice(("", "dal05", "ams03", "tok02")),
    }


def every(market: Market, demand: NetworkDemand) -> Iterator[Candidate]:
    """Every number of every server with every uplink to the public, and every mixture of bandwidths."""
    for shop in market.shops:
        bandwidths = [_known(shop, part) for part in shop.offered(BANDWIDTH)]
        for server in shop.offered(SERVER):
            for uplink in shop.offered(UPLINK):
                for count in range(1, demand.most_servers + 1):
                    for chosen in combinations_with_replacement(bandwidths, count):
                        is_alike = len({bandwidth.part.item.item_id for bandwidth in chosen}) == 1
                        if "Public" in uplink.description and (is_alike or demand.sharing == "together"):
                            yield candidate_of(NetworkPlan(shop, server, uplink, chosen), demand)


def _known(shop: Shop, part: Part) -> Bandwidth:
    answer, _ = shop.prices.of_one(Chosen(BANDWIDTH, part.item), ())
    return Bandwidth(part, float(part.facts["outbound_gb"]), answer.usage)
