"""Limits on the disks of storage nodes: how they are joined, and what kind of drive they are. Plain values."""

from enum import StrEnum
from functools import cache

from simulation.drives import FLASH, ROTATING


class RaidLimit(StrEnum):
    """What a demand asks of the way in which the disks of a storage node are joined."""

    ANY = "any"
    PROTECTED = "protected"
    RAID_10 = "raid10"
    NONE = "none"


class DriveLimit(StrEnum):
    """What kind of drive a demand asks for in storage nodes."""

    ANY = "any"
    ROTATING = "rotating"
    FLASH = "flash"


RAID_WORDS = {
    RaidLimit.ANY: "joined in any way",
    RaidLimit.PROTECTED: "that outlive any one drive",
    RaidLimit.RAID_10: "in RAID 10",
    RaidLimit.NONE: "without RAID",
}
DRIVE_WORDS = {
    DriveLimit.ANY: "disks",
    DriveLimit.ROTATING: "rotating disks",
    DriveLimit.FLASH: "flash drives",
}
PROTECTED_LEVELS = frozenset({"raid1", "raid5", "raid6", "raid10", "raid50"})
"""RAID levels under which no failure of a single drive loses data."""
RAIDS = {
    RaidLimit.PROTECTED: PROTECTED_LEVELS,
    RaidLimit.RAID_10: frozenset({"raid10"}),
    RaidLimit.NONE: frozenset({"none"}),
}
DRIVES = {DriveLimit.ROTATING: frozenset(ROTATING), DriveLimit.FLASH: frozenset(FLASH)}
RAID_REASONS = {
    RaidLimit.PROTECTED: "the failure of one drive loses its data",
    RaidLimit.RAID_10: "its disks are not in RAID 10",
    RaidLimit.NONE: "its disks are joined by RAID",
}
DRIVE_REASONS = {
    DriveLimit.ROTATING: "its disks do not rotate",
    DriveLimit.FLASH: "its disks are no flash drives",
}


def limits_words(raid: RaidLimit, drives: DriveLimit) -> str:
    """Say both limits in a few words: "rotating disks in RAID 10"; empty where neither binds."""
    if raid is RaidLimit.ANY:
        return "" if drives is DriveLimit.ANY else DRIVE_WORDS[drives]
    return f"{DRIVE_WORDS[drives]} {RAID_WORDS[raid]}"


WEAKER = {
    RaidLimit.RAID_10: (RaidLimit.PROTECTED, RaidLimit.ANY),
    RaidLimit.PROTECTED: (RaidLimit.ANY,),
    RaidLimit.NONE: (RaidLimit.ANY,),
    RaidLimit.ANY: (),
}
"""The limits on RAID that ask for less, nearest first."""


def weaker_limits(raid: RaidLimit, drives: DriveLimit) -> list[tuple[RaidLimit, DriveLimit]]:
    """Return the limits that ask for less than these, nearest first: of RAID, then of drives, then of both."""
    other_drives = () if drives is DriveLimit.ANY else (DriveLimit.ANY,)
    return [
        *((weaker, drives) for weaker in WEAKER[raid]),
        *((raid, other) for other in other_drives),
        *((weaker, other) for other in other_drives for weaker in WEAKER[raid]),
    ]


@cache
def raid_limits_kept(raid: str) -> frozenset[RaidLimit]:
    """Return every limit that disks under a RAID level keep; of an unknown level ("") nothing can be promised."""
    return frozenset({RaidLimit.ANY, *(limit for limit, levels in RAIDS.items() if raid in levels)})


@cache
def drive_limits_kept(drive_class: str) -> frozenset[DriveLimit]:
    """Return every limit that drives of a class keep; of an unknown class ("") nothing can be promised."""
    return frozenset({DriveLimit.ANY, *(limit for limit, classes in DRIVES.items() if drive_class in classes)})


def limits_mask(*, raid: str, drive_class: str) -> int:
    """Return the limits that such disks keep as the bits of a number, to compare many at once."""
    bits = [limit in raid_limits_kept(raid) for limit in RaidLimit]
    bits += [limit in drive_limits_kept(drive_class) for limit in DriveLimit]
    return sum(1 << place for place, is_kept in enumerate(bits) if is_kept)


def unfit_reason(*, raid: str, drive_class: str, raid_limit: RaidLimit, drive_limit: DriveLimit) -> str:
    """Say why a storage node with such disks does not keep the limits; empty where it does."""
    if raid_limit not in raid_limits_kept(raid):
        return RAID_REASONS[raid_limit] if raid else "how its disks are joined is not known"
    if drive_limit not in drive_limits_kept(drive_class):
        return DRIVE_REASONS[drive_limit] if drive_class else "the kind of its disks is not known"
    return ""
