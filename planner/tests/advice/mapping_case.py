"""From virtual to physical in small random markets, and every server that somebody could put together there."""

from collections.abc import Iterator
from random import Random

from planner.advice.arrays import CONTROLLER, FIRST_SLOT, SERVER, ArrayChoice, Drive, Level, is_layout, slots_of
from planner.advice.market import Candidate, Market, Shop
from planner.configurations import MEMORY, UPLINK
from planner.mapping.machines import MeasuredMachine, candidate_of, processors_of
from planner.tests.advice.factories import Ware, make_market, make_shop
from planner.tests.advice.raid_case import ASKED, CLASSES, LEVELS, fee

THREE: tuple[dict[str, str], dict[str, str], dict[str, str]] = (
    {},
    {"score": "14,000", "table": "2017"},
    {"score": "4,000", "table": "2022-08 (version 10)", "read": "250 MB/s", "memory": "20 GB"},
)
IMPOSSIBLE = {"memory": "900 GB"}
PROCESSORS = ("L5640", "E5649", "E3-1245", "E3-1270", "E5-2620", "E5-2620 v9")
UPLINKS = {"100 Mbps": "100", "1 Gbps": "1000", "1 Gbps Redundant": "1000", "10 Gbps": "10000"}


def market(random: Random) -> Market:
    """Make one or two shops with some servers, memories, uplinks, drives and controllers; some of them unpriced."""
    return make_market(*(_shop(random, f"shop-{number}") for number in range(random.randint(1, 2))))


def _shop(random: Random, key: str) -> Shop:
    servers = [
        Ware(
            f"{count} × Xeon {random.choice(PROCESSORS)} (number {number})",
            fee(random),
            {"processors": str(count), "disk_slots": random.choice(("1", "2", "4"))},
        )
        for number, count in enumerate(random.choices((1, 1, 2), k=3))
    ]
    sizes = random.sample(("4", "8", "16", "32"), k=3)
    memories = [Ware(f"{size} GB RAM", fee(random), {"memory_gb": size}) for size in sizes]
    names = random.sample(list(UPLINKS), k=3)
    uplinks = [Ware(f"{name} Uplink", fee(random), {"uplink_mbps": UPLINKS[name]}) for name in names]
    levels = random.sample(list(LEVELS), k=3)
    kinds = random.choices(list(CLASSES), k=2)
    wares = {
        SERVER: servers,
        MEMORY: memories,
        UPLINK: uplinks,
        CONTROLLER: [Ware(name, fee(random), rule=ASKED.get(name)) for name in levels],
        FIRST_SLOT: [
            Ware(f"{kind} drive {number}", fee(random), {"capacity_gb": random.choice(("100", "500", "1000"))})
            for number, kind in enumerate(kinds)
        ],
        "os": [Ware("An operating system", random.choice(("0", "5.555")))],
    }
    stock = {f"{kinds[0]} drive 0": 2} if random.random() < 0.3 else {}
    return make_shop(wares, required=("os",), slots=4, key=key, stock=stock)


def words(random: Random) -> dict[str, str]:
    return {
        "score": random.choice(("6,000", "7,295", "8,500", "13,000")),
        "table": random.choice(("2017", "2020 (before version 10)")),
        "memory": random.choice(("3 GB", "7 GB", "16 GB")),
        "read": random.choice(("", "100–120 MB/s", "250 MB/s")),
        "write": random.choice(("", "80 MB/s", "220 MB/s")),
        "network": random.choice(("11 MB/s", "100 MB/s", "200 MB/s")),
        "disk": random.choice(("", "400 GB", "900 GB")),
        "failures": random.choice(("0", "0", "1")),
        "count": random.choice(("1", "3")),
        "margin": random.choice(("0", "10", "20")),
    }


def likely(random: Random) -> dict[str, str]:
    return {
        "score": f"{random.randint(1000, 9000)}",
        "table": random.choice(("2014", "2017", "2020 (before version 10)", "2022-08 (version 10)")),
        "memory": f"{random.randint(1, 60)} GB",
        "read": f"{random.randint(20, 300)} MB/s",
        "write": f"{random.randint(20, 200)} MB/s",
        "network": f"{random.randint(1, 130)} MB/s",
        "count": str(random.randint(1, 6)),
        "term": random.choice(("monthly", "hourly")),
    }


def every(market: Market, demand: MeasuredMachine) -> Iterator[Candidate]:
    """Every server with every memory, uplink, controller and number of equal drives, however needless or forbidden."""
    for shop in market.shops:
        for processors in filter(None, (processors_of(server, demand.table) for server in shop.offered(SERVER))):
            for array in _arrays(shop, slots_of(shop, processors.server)):
                for memory in shop.offered(MEMORY):
                    for uplink in shop.offered(UPLINK):
                        yield candidate_of(shop, processors, memory, uplink, array, demand)


def _arrays(shop: Shop, slots: int) -> Iterator[ArrayChoice]:
    for controller in shop.offered(CONTROLLER):
        raid = LEVELS[controller.description]
        for part in shop.offered(FIRST_SLOT):
            drive_class = next(name for words, name in CLASSES.items() if part.description.startswith(words))
            drive = Drive(part, drive_class, float(part.facts["capacity_gb"]))
            for count in range(1, slots + 1):
                if is_layout(raid, count) and (raid != "none" or count == 1):
                    yield ArrayChoice(drive, Level(controller, raid), count)
