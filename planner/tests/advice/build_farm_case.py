"""Build farms in small random markets, and every number of every machine that somebody could think of there."""

from collections.abc import Iterator
from random import Random

from catalog.pricing import Term
from planner.advice.arrays import SERVER
from planner.advice.build_farm import candidate_of
from planner.advice.build_farm_machines import BuildMachine, Farm, FarmDemand, minutes_on, speed_of
from planner.advice.market import Candidate, Market, Part, Shop
from planner.configurations import MACHINE_TYPE, MEMORY
from planner.tests.advice.factories import Ware, make_market, make_shop
from planner.tests.advice.raid_case import fee
from simulation.parameters import load_parameter_set

THREE = (
    {"developers": "2", "minutes": "10 min"},
    {"developers": "60", "minutes": "60 min"},
    {"developers": "20", "within": "14 min"},
)
IMPOSSIBLE = {"within": "30 s"}
PARAMETERS = load_parameter_set()
MOST_DEVELOPERS = 9
SERVERS = {
    "Single Intel Xeon E3-1270 (4 Cores)": {"cores": "4", "processors": "1"},
    "Dual Intel Xeon E5-2620 (12 Cores)": {"cores": "12", "processors": "2"},
    "Dual Intel Xeon E5-2690 v4 (28 Cores)": {"cores": "28", "processors": "2"},
    "Single Unheard 9-9999 (4 Cores)": {"cores": "4", "processors": "1"},
}
TYPES = {
    "small": {"cores": "1", "compute_units": "1", "memory_gb": "1.7"},
    "large": {"cores": "4", "compute_units": "8", "memory_gb": "15"},
    "quick": {"cores": "8", "compute_units": "40", "memory_gb": "30"},
    "micro": {"cores": "1", "compute_units": "2", "memory_gb": "0.6", "bursts": "true"},
    "vague": {"cores": "1", "memory_gb": "1"},
}


def market(random: Random) -> Market:
    """Make a shop of servers, of machine types, or both; some are unpriced, of some only few are left."""
    shops = [_servers(random), _machine_types(random)]
    return make_market(*random.sample(shops, k=random.randint(1, 2)))


def _servers(random: Random) -> Shop:
    names = random.choices(list(SERVERS), k=3)
    servers = [Ware(f"{name} {number}", fee(random), SERVERS[name]) for number, name in enumerate(names)]
    wares = {
        SERVER: servers,
        MEMORY: [
            Ware(f"{size} GB", fee(random), {"memory_gb": size}) for size in random.sample(("2", "4", "8", "64"), 3)
        ],
        "os": [Ware("An operating system", random.choice(("0", "5.555")))],
    }
    stock = {servers[0].description: random.randint(1, 4)} if random.random() < 0.4 else {}
    return make_shop(wares, required=("os",), key="servers", stock=stock)


def _machine_types(random: Random) -> Shop:
    names = random.sample(list(TYPES), k=3)
    types = [Ware(name, fee(random), TYPES[name]) for name in names]
    return make_shop({MACHINE_TYPE: types}, key="machines", term=Term.HOURLY)


def words(random: Random) -> dict[str, str]:
    return {
        "minutes": random.choice(("5 min", "20 min", "60 min")),
        "cpus": random.choice(("2", "4", "8")),
        "developers": str(random.randint(1, MOST_DEVELOPERS)),
        "builds": random.choice(("1", "4", "10")),
        "storage": random.choice(("local_ssd", "busy_san")),
        "wait": random.choice(("0", "2 min", "15 min")),
        "within": random.choice(("", "", "40 min", "12 min")),
        "compiler": random.choice(("gcc", "msvc")),
    }


def likely(random: Random) -> dict[str, str]:
    return {
        "minutes": f"{random.randint(2, 60)} min",
        "developers": str(random.randint(1, 80)),
        "builds": str(random.randint(1, 5)),
        "wait": f"{random.randint(0, 15)} min",
        "location": random.choice(("", "us-east-1", "dal05")),
        "term": random.choice(("monthly", "hourly")),
    }


def every(market: Market, demand: FarmDemand) -> Iterator[Candidate]:
    """Every number of every machine, up to one for each developer and one more."""
    for shop in market.shops:
        for machine in _machines(shop):
            for count in range(1, MOST_DEVELOPERS + 2):
                yield candidate_of(Farm(machine, count, minutes_on(machine, demand, PARAMETERS)))


def _machines(shop: Shop) -> Iterator[BuildMachine]:
    for server in shop.offered(SERVER):
        speed = speed_of(server, PARAMETERS)
        for memory in shop.offered(MEMORY) if speed else ():
            yield _machine(shop, {SERVER: server, MEMORY: memory}, server, float(memory.facts["memory_gb"]), speed or 0)
    for machine in shop.offered(MACHINE_TYPE):
        if machine.description not in ("micro", "vague"):
            speed = float(machine.facts["compute_units"]) / int(machine.facts["cores"]) / 5.5
            yield _machine(shop, {MACHINE_TYPE: machine}, machine, float(machine.facts["memory_gb"]), speed)


def _machine(shop: Shop, named: dict[str, Part], part: Part, ram_gb: float, speed: float) -> BuildMachine:
    return BuildMachine("by force", shop, named, int(part.facts["cores"]), speed, ram_gb, "by force")
