"""Database servers in small random markets, and every tier that somebody could think of there."""

from collections.abc import Iterator
from random import Random

from catalog.container_facts import RuleFacts
from catalog.pricing import Term
from planner.advice.arrays import CONTROLLER, FIRST_SLOT, SERVER, ArrayChoice, Drive, Level, is_layout
from planner.advice.database import candidate_of
from planner.advice.database_nodes import DOCUMENT, VOLUME, NodeKind, Tiers, bare_metal_node, price_of, virtual_kinds
from planner.advice.database_search import MOST_PARTS, DatabaseDemand, tier_of
from planner.advice.market import Candidate, Market, Part, Shop
from planner.configurations import MACHINE_TYPE, MEMORY, UPLINK
from planner.tests.advice.factories import Ware, make_market, make_shop
from planner.tests.advice.raid_case import fee
from simulation.parameters import load_parameter_set

THREE = (
    {"data": "20 GB", "ops": "50 ops/s", "read_share": "50"},
    {"store": "key_value", "data": "500 GB", "ops": "20,000 ops/s", "clients": "200"},
    {"data": "600 GB", "ops": "2,000 ops/s", "location": "dal05"},
)
IMPOSSIBLE = {"ops": "50,000,000 ops/s", "location": "dal05"}
PARAMETERS = load_parameter_set()
CLASSES = {"SATA": "sata_7k", "SAS 15K": "sas_15k", "SSD": "ssd"}
LEVELS = {"RAID 1": "raid1", "RAID 10": "raid10"}
ASKED = {
    "RAID 1": RuleFacts(0, "drives", minimum=2, maximum=2, equality="all"),
    "RAID 10": RuleFacts(0, "drives", minimum=4, multiple_of=2, equality="each_multiple"),
}


def market(random: Random) -> Market:
    """Make a shop of servers and, as often, machine types with volumes; some parts are unpriced."""
    shops = [_servers(random)] if random.random() < 0.8 else []
    if not shops or random.random() < 0.5:
        shops += [_machine_types(random), _volumes(random)]
    return make_market(*shops)


def _servers(random: Random) -> Shop:
    wares = {
        SERVER: [
            Ware(f"Server {number}", fee(random), {"disk_slots": random.choice("46"), "cores": random.choice("48")})
            for number in range(2)
        ],
        MEMORY: [Ware(f"RAM {size}", fee(random), {"memory_gb": size}) for size in random.sample(("4", "16", "64"), 2)],
        UPLINK: [Ware(f"{mbps} Mbps", fee(random), {"uplink_mbps": mbps}) for mbps in ("10", "100", "1000")],
        CONTROLLER: [Ware(name, fee(random), rule=ASKED[name]) for name in LEVELS],
        FIRST_SLOT: [
            Ware(f"{name} drive {number}", fee(random), {"capacity_gb": random.choice(("100", "300"))})
            for number, name in enumerate(random.choices(list(CLASSES), k=2))
        ],
    }
    return make_shop(wares, slots=6, key="servers")


def _machine_types(random: Random) -> Shop:
    machines = [
        Ware(
            f"Machine {number}",
            fee(random),
            {
                "compute_units": random.choice(("1", "4", "20")),
                "memory_gb": random.choice(("2", "7.5", "34")),
                "io_class": random.choice(("Low", "High", "unheard of")),
                "bursts": random.choice(("false", "false", "true")),
            },
        )
        for number in range(3)
    ]
    return make_shop({MACHINE_TYPE: machines}, key="machines", term=Term.HOURLY)


def _volumes(random: Random) -> Shop:
    volumes = [Ware(f"Volume {size}", fee(random), {"capacity": size}) for size in ("50", "200")]
    return make_shop({VOLUME: volumes}, key="volumes")


def words(random: Random) -> dict[str, str]:
    return {
        "store": random.choice((DOCUMENT, "key_value", "key_value")),
        "data": random.choice(("10 GB", "100 GB", "400 GB", "3 TB")),
        "ops": random.choice(("100 ops/s", "400 ops/s", "1,500 ops/s", "9,000 ops/s")),
        "read_share": random.choice(("0", "50", "90")),
        "latency": random.choice(("", "", "", "900 ms")),
        "journal": random.choice(("either", "either", "either", "separate", "shared")),
    }


def likely(random: Random) -> dict[str, str]:
    return {
        "store": random.choice((DOCUMENT, "key_value")),
        "data": f"{random.randint(1, 400)} GB",
        "ops": f"{random.randint(10, 2000)} ops/s",
        "read_share": str(random.randint(0, 100)),
        "clients": str(random.choice((16, 64, 200))),
        "location": random.choice(("", "us-east-1", "dal05")),
    }


def every(market: Market, demand: DatabaseDemand) -> Iterator[Candidate]:
    """Every number of nodes of every kind, however needless or forbidden."""
    tiers = Tiers(demand.load, PARAMETERS)
    for kind in _kinds(market, demand):
        for shards in range(demand.load.copies if demand.load.store != DOCUMENT else 1, MOST_PARTS + 1):
            tier = tier_of(kind, shards, demand, tiers)
            if tier:
                yield candidate_of(tier)


def _kinds(market: Market, demand: DatabaseDemand) -> Iterator[NodeKind]:
    has_journal = demand.load.store == DOCUMENT
    for shop in market.shops:
        for server in shop.offered(SERVER):
            for controller in shop.offered(CONTROLLER):
                for drive in shop.offered(FIRST_SLOT):
                    for count in range(1, 7):
                        array = _array(drive, controller, count)
                        if is_layout(array.level.raid, count):
                            if not has_journal or demand.journal != "separate":
                                yield from _with_memory_and_uplink(shop, server, array, None)
                            for journal in _journals(shop, array) if demand.journal != "shared" else []:
                                if has_journal:
                                    yield from _with_memory_and_uplink(shop, server, array, journal)
        for volumes in market.shops:
            if demand.journal != "separate" or not has_journal:
                yield from virtual_kinds(shop, volumes, PARAMETERS)


def _journals(shop: Shop, array: ArrayChoice) -> list[Drive]:
    """Two of the smallest SSDs, which only RAID 10 takes beside other pairs."""
    drives = [_drive(part) for part in shop.offered(FIRST_SLOT) if part.description.startswith("SSD")]
    smallest = min((drive.gigabytes for drive in drives), default=0)
    return [drive for drive in drives if drive.gigabytes == smallest and array.level.raid == "raid10"]


def _with_memory_and_uplink(shop: Shop, server: Part, array: ArrayChoice, journal: Drive | None) -> Iterator[NodeKind]:
    disks = ((journal.part,) * 2 if journal else ()) + (array.drive.part,) * array.count
    if len(disks) > int(server.facts["disk_slots"]):
        return
    for memory in shop.offered(MEMORY):
        for uplink in shop.offered(UPLINK):
            if uplink.facts["uplink_mbps"] != "10":
                named = {SERVER: server, MEMORY: memory, UPLINK: uplink, CONTROLLER: array.level.part}
                yield NodeKind(
                    title="by force",
                    pieces=(("nodes", shop, named, disks),),
                    monthly=price_of(shop, named, disks),
                    node=bare_metal_node(server, memory, uplink, array, journal),
                    data_gb=array.array.usable_gb,
                    variety="by force",
                )


def _array(drive: Part, controller: Part, count: int) -> ArrayChoice:
    return ArrayChoice(_drive(drive), Level(controller, LEVELS[controller.description]), count)


def _drive(part: Part) -> Drive:
    drive_class = next(name for words, name in CLASSES.items() if part.description.startswith(words))
    return Drive(part, drive_class, float(part.facts["capacity_gb"]))
