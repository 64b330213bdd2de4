"""RAID levels: what a write costs, what room is left, what may fail, and how exposed a rebuild is."""

from dataclasses import dataclass
from functools import lru_cache

from simulation.scenarios import ScenarioError

HOURS_PER_YEAR = 8766
FEWEST_DRIVES = {"none": 1, "raid0": 1, "raid1": 2, "raid5": 3, "raid6": 4, "raid10": 2, "raid50": 6}
PARITY_DRIVES = {"raid5": 1, "raid6": 2, "raid50": 1}
RAID50_SPANS = 2


@dataclass(frozen=True)
class Layout:
    """How a RAID level lays data out on a number of drives.

    `write_penalty` is the drive I/Os of one small write, `usable_fraction` the share of the raw capacity that holds
    data, `drives_that_may_fail` how many may fail whichever they are.
    """

    raid: str
    drives: int
    write_penalty: int
    usable_fraction: float
    drives_that_may_fail: int

    def write_ios(self, *, strips: float) -> float:
        """Drive I/Os of a host write that covers `strips` strips; a large one replaces stripes without reading."""
        if self.raid not in PARITY_DRIVES:
            return strips * self.write_penalty
        parity = PARITY_DRIVES[self.raid]
        data = self.drives // self.spans - parity
        whole_stripes = strips * (data + parity) / data
        one_stripe = max(2 * (1 + parity), data + parity)
        return max(whole_stripes, min(2 * (strips + parity), one_stripe))

    def controller_ios(self, *, strips: float) -> float:
        """Drive I/Os of a host write that occupy the controller: those of a small write, or what is written if more.

        What a larger write reads to work out its parity streams through the parity engine while its own strips move
        (an assumption), so that a wider stripe never costs the controller more.
        """
        if self.raid not in PARITY_DRIVES:
            return strips * self.write_penalty
        parity = PARITY_DRIVES[self.raid]
        data = self.drives // self.spans - parity
        written = strips * (data + parity) / data if strips > data else strips + parity
        return max(self.write_penalty, written)

    @property
    def spans(self) -> int:
        return RAID50_SPANS if self.raid == "raid50" else 1


def layout_of(*, raid: str, drives: int) -> Layout:
    """The layout of a level on that many drives. Raises ScenarioError where the level cannot have them."""
    if raid not in FEWEST_DRIVES:
        raise ScenarioError("raid", f"must be one of {', '.join(FEWEST_DRIVES)}, not {raid!r}")
    if drives < FEWEST_DRIVES[raid]:
        raise ScenarioError("drives", f"{raid} needs at least {FEWEST_DRIVES[raid]} drives, not {drives}")
    if raid in ("raid10", "raid50") and drives % 2:
        raise ScenarioError("drives", f"{raid} needs an even number of drives, not {drives}")
    parity = PARITY_DRIVES.get(raid, 0)
    copies = {"raid1": drives, "raid10": 2}.get(raid, 1)
    spans = RAID50_SPANS if raid == "raid50" else 1
    return Layout(
        raid=raid,
        drives=drives,
        write_penalty=2 * (1 + parity) if parity else copies,
        usable_fraction=1 - spans * parity / drives if parity else 1 / copies,
        drives_that_may_fail=parity or copies - 1,
    )


@lru_cache(maxsize=4096)
def is_layout(raid: str, drives: int) -> bool:
    """Tell whether a level can have so many drives."""
    try:
        layout_of(raid=raid, drives=drives)
    except ScenarioError:
        return False
    return True


def rebuild_hours(*, drive_gb: float, rebuild_mb_s: float) -> float:
    """How long a replaced drive takes to hold its data again."""
    return drive_gb * 1000 / rebuild_mb_s / 3600


def rebuild_loss_chance(
    *, layout: Layout, drive_gb: float, rebuild_mb_s: float, failures_per_drive_year: float
) -> float:
    """The chance that, while one failed drive is rebuilt, the failures that lose data follow before it ends.

    Drives fail independently of each other and at a constant rate, and as a whole: a sector that cannot be read is not
    counted. A level without a spare copy loses at once: 1.
    """
    if layout.drives_that_may_fail == 0:
        return 1.0
    rate = failures_per_drive_year / HOURS_PER_YEAR * rebuild_hours(drive_gb=drive_gb, rebuild_mb_s=rebuild_mb_s)
    others = {"raid10": 1, "raid50": layout.drives // layout.spans - 1}.get(layout.raid, layout.drives - 1)
    chance = 1.0
    for failed in range(layout.drives_that_may_fail):
        chance *= min(1.0, (others - failed) * rate / (failed + 1))
    return chance
