"""Replicated writes in small random markets, and every host that somebody could think of there."""

from collections.abc import Iterator
from random import Random

from catalog.container_facts import RuleFacts
from planner.advice.arrays import CONTROLLER, FIRST_SLOT, SERVER, Drive, Level
from planner.advice.market import Candidate, Market, Part, Shop
from planner.advice.replicated_writes import candidate_of
from planner.advice.replicated_writes_hosts import Speeds, WriteDemand, host_of
from planner.configurations import UPLINK
from planner.tests.advice.factories import Ware, make_market, make_shop
from planner.tests.advice.raid_case import fee
from simulation.parameters import load_parameter_set

THREE = (
    {"iops": "1,000 IOPS", "burst": "200 MB"},
    {"iops": "2,000 IOPS", "io": "64 KiB", "burst": "2 GB"},
    {"iops": "2,000 IOPS", "data": "6 TB", "burst": "100 GB", "length": "1 h", "every": "24 h", "base": "300 IOPS"},
)
IMPOSSIBLE = {"iops": "9,000,000 IOPS"}
PARAMETERS = load_parameter_set()
CLASSES = {"SATA": "sata_7k", "SAS 15K": "sas_15k", "SSD": "ssd", "NVMe": "nvme"}
LEVELS = {"Non-RAID": "none", "RAID 10": "raid10"}
PAIRED = RuleFacts(0, "drives", minimum=4, multiple_of=2, equality="each_multiple")
UPLINKS = {"100 Mbps": "100", "1 Gbps": "1000", "1 Gbps Redundant": "1000", "10 Gbps Private": "10000"}
FLASH = ("64 GB SSD", "200 GB SSD (10 DWPD)", "100 GB NVMe")


def market(random: Random) -> Market:
    """Make one or two shops with some servers, drives, controllers and uplinks; some are unpriced, some are few."""
    return make_market(*(_shop(random, f"shop-{number}") for number in range(random.randint(1, 2))))


def _shop(random: Random, key: str) -> Shop:
    servers = [
        Ware(f"Server {number}", fee(random), {"disk_slots": random.choice("246"), "cores": random.choice("48")})
        for number in range(2)
    ]
    drives = [Ware(name, fee(random), {"capacity_gb": name.split()[0]}) for name in random.sample(FLASH, k=2)]
    drives += [
        Ware(f"{size} GB {name}", fee(random), {"capacity_gb": str(size)})
        for name, size in random.sample((("SATA", 500), ("SATA", 1000), ("SAS 15K", 300)), k=2)
    ]
    uplinks = random.sample(list(UPLINKS), k=random.randint(2, 3))
    wares = {
        SERVER: servers,
        UPLINK: [Ware(name, fee(random), {"uplink_mbps": UPLINKS[name]}) for name in uplinks],
        CONTROLLER: [Ware("Non-RAID", fee(random)), Ware("RAID 10", fee(random), rule=PAIRED)],
        FIRST_SLOT: drives,
        "os": [Ware("An operating system", random.choice(("0", "5.555")))],
    }
    stock = {"Server 0": random.randint(1, 3)} if random.random() < 0.3 else {}
    return make_shop(wares, required=("os",), slots=6, key=key, stock=stock)


def words(random: Random) -> dict[str, str]:
    return {
        "iops": random.choice(("300 IOPS", "2,000 IOPS", "6,000 IOPS")),
        "io": random.choice(("4 KiB", "32 KiB", "256 KiB")),
        "copies": random.choice(("1", "2", "3")),
        "burst": random.choice(("0", "1 GB", "20 GB", "90 GB")),
        "length": random.choice(("1 min", "10 min")),
        "every": random.choice(("10 min", "6 h", "24 h")),
        "base": random.choice(("0", "20 IOPS", "150 IOPS")),
        "data": random.choice(("100 GB", "400 GB", "900 GB")),
    }


def likely(random: Random) -> dict[str, str]:
    return {
        "iops": f"{random.randint(100, 4_000)} IOPS",
        "io": random.choice(("4 KiB", "16 KiB", "64 KiB")),
        "burst": f"{random.randint(0, 2_000)} MB",
        "copies": random.choice(("1", "2", "3")),
        "base": f"{random.randint(0, 40)} IOPS",
        "location": random.choice(("", "dal05", "ams03")),
        "term": random.choice(("monthly", "hourly")),
    }


def every(market: Market, demand: WriteDemand) -> Iterator[Candidate]:
    """Every server with every flash before every number of drives, over every uplink of 1 Gb/s or more."""
    speeds = Speeds(demand, PARAMETERS)
    for shop in market.shops:
        for server in shop.offered(SERVER):
            for uplink in shop.offered(UPLINK):
                for cache in shop.offered(FIRST_SLOT):
                    for drive in shop.offered(FIRST_SLOT):
                        if uplink.facts["uplink_mbps"] != "100" and _is_flash(cache) and not _is_flash(drive):
                            yield from _hosts(shop, server, uplink, _drive(cache), _drive(drive), demand, speeds)


def _hosts(
    shop: Shop, server: Part, uplink: Part, cache: Drive, drive: Drive, demand: WriteDemand, speeds: Speeds
) -> Iterator[Candidate]:
    for controller in shop.offered(CONTROLLER):
        level = Level(controller, LEVELS[controller.description])
        for count in (1,) if level.raid == "none" else (2, 4):
            yield candidate_of(host_of(shop, server, uplink, level, cache, drive, count, speeds), demand)


def _is_flash(part: Part) -> bool:
    return part.description in FLASH


def _drive(part: Part) -> Drive:
    drive_class = next(name for words, name in CLASSES.items() if words in part.description)
    return Drive(part, drive_class, float(part.facts["capacity_gb"]))
