"""RAID and disks in small random markets, and every array that somebody could think of there."""

from collections.abc import Iterator
from random import Random

from catalog.container_facts import RuleFacts
from planner.advice.arrays import CONTROLLER, FIRST_SLOT, SERVER, ArrayChoice, Drive, Level, is_layout
from planner.advice.market import Candidate, Market, Part, Role, Shop
from planner.advice.raid import RaidDemand
from planner.tests.advice.factories import Ware, make_market, make_shop

THREE = (
    {"capacity": "10 TB", "iops": "100 IOPS"},
    {"capacity": "500 GB", "iops": "10,000 IOPS"},
    {"capacity": "900 GB", "iops": "100 IOPS", "failures": "0"},
)
IMPOSSIBLE = {"capacity": "900 TB"}
CLASSES = {"SATA": "sata_7k", "SAS 15K": "sas_15k", "SSD": "ssd"}
LEVELS = {"Non-RAID": "none", "RAID 0": "raid0", "RAID 1": "raid1", "RAID 5": "raid5", "RAID 10": "raid10"}
ASKED = {
    "RAID 1": RuleFacts(0, "drives", minimum=2, maximum=2, equality="all"),
    "RAID 5": RuleFacts(0, "drives", minimum=3, equality="all"),
    "RAID 10": RuleFacts(0, "drives", minimum=4, multiple_of=2, equality="each_multiple"),
}


def market(random: Random) -> Market:
    """Make one or two shops with some servers, drives and controllers; some are unpriced, some stand there twice."""
    return make_market(*(_shop(random, f"shop-{number}") for number in range(random.randint(1, 2))))


def _shop(random: Random, key: str) -> Shop:
    servers = [
        Ware(f"Server {number}", fee(random), {"disk_slots": random.choice(("1", "2", "4", "6"))})
        for number in range(random.randint(2, 3))
    ]
    drives = [
        Ware(f"{name} drive {number}", fee(random), {"capacity_gb": random.choice(("100", "500", "1000"))})
        for number, name in enumerate(random.choices(list(CLASSES), k=random.randint(2, 4)))
    ]
    levels = random.sample(list(LEVELS), k=random.randint(3, 5))
    controllers = [Ware(name, fee(random), rule=ASKED.get(name)) for name in levels]
    free = Ware("An operating system", random.choice(("0", "5.555")))
    wares = {SERVER: servers, CONTROLLER: controllers, FIRST_SLOT: drives, "os": [free]}
    stock = {drives[0].description: 3} if random.random() < 0.3 else {}
    return make_shop(wares, required=("os",), slots=6, key=key, stock=stock)


def fee(random: Random) -> str | None:
    """Return a fee with three places; now and then none, and often one that others have too."""
    if random.random() < 0.15:
        return None
    return random.choice(("10", "10", "20.005", f"{random.randint(1, 99)}.{random.randint(0, 999):03d}"))


def words(random: Random) -> dict[str, str]:
    return {
        "capacity": random.choice(("90 GB", "400 GB", "1 TB", "2 TB")),
        "iops": random.choice(("50 IOPS", "150 IOPS", "400 IOPS", "5,000 IOPS")),
        "read_share": random.choice(("0", "70", "100")),
        "failures": random.choice(("0", "0", "1")),
    }


def likely(random: Random) -> dict[str, str]:
    return {
        "capacity": f"{random.randint(50, 6000)} GB",
        "iops": f"{random.randint(10, 1200)} IOPS",
        "read_share": str(random.randint(0, 100)),
        "failures": random.choice(("0", "1")),
        "term": random.choice(("monthly", "hourly")),
        "location": random.choice(("", "dal05", "ams03", "tok02")),
    }


def every(market: Market, demand: RaidDemand) -> Iterator[Candidate]:
    """Every server with every number of equal drives under every controller, however needless or forbidden."""
    for shop in market.shops:
        for server in shop.offered(SERVER):
            for controller in shop.offered(CONTROLLER):
                for drive in shop.offered(FIRST_SLOT):
                    for count in range(1, len(shop.slots) + 1):
                        raid = LEVELS[controller.description]
                        if is_layout(raid, count) and (raid != "none" or count == 1):
                            yield _candidate(shop, server, controller, drive, count)


def _candidate(shop: Shop, server: Part, controller: Part, drive: Part, count: int) -> Candidate:
    drive_class = next(name for words, name in CLASSES.items() if drive.description.startswith(words))
    choice = ArrayChoice(
        Drive(drive, drive_class, float(drive.facts["capacity_gb"])),
        Level(controller, LEVELS[controller.description]),
        count,
    )
    choices = shop.choices({SERVER: server, CONTROLLER: controller}, [drive] * count)
    return Candidate("by force", (Role("Server", 1, shop, choices),), choice, "by force")
