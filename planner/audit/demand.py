"""What somebody asks of an I/O audit, as it was read."""

from dataclasses import dataclass, field
from decimal import Decimal

from planner.advice.raid import RaidDemand
from planner.audit.parts import Parts
from simulation.arrays import Array
from simulation.raid import layout_of

MOSTLY, PEAK = "p95", "peak"
QUANTILES = {MOSTLY: 0.95, PEAK: 1.0}
LEVELS = ((MOSTLY, "in 95 % of its intervals"), (PEAK, "in every interval"))
EVERYTHING, WITHOUT_JOBS = "everything", "without_jobs"
SCOPES = ((EVERYTHING, "everything that ran"), (WITHOUT_JOBS, "what ran without the jobs that return"))


@dataclass(frozen=True)
class Today:
    """The array that was measured: equal drives under one level, and what it costs a month, if told."""

    drive_class: str
    drives: int
    raid: str
    drive_gb: float
    monthly_price: Decimal | None

    @property
    def array(self) -> Array:
        return self.under(self.raid, self.drives)

    def under(self, raid: str, drives: int) -> Array:
        """Return the same drives under another level or in another number; raises ScenarioError for what cannot be."""
        return Array(self.drive_class, drives, layout_of(raid=raid, drives=drives), self.drive_gb)


@dataclass(frozen=True)
class AuditDemand:
    """A measured load and what the array for it must do: carry `growth` times the load that `scope` leaves.

    `fingerprint` tells one measured load from another.
    """

    parts: Parts = field(compare=False)
    fingerprint: str
    today: Today
    growth: float
    level: str
    scope: str
    capacity_gb: float
    failures: int
    queue_depth: int
    media: str

    @property
    def without(self) -> frozenset[str]:
        """The parts that are switched off."""
        return frozenset(part.key for part in self.parts.jobs) if self.scope == WITHOUT_JOBS else frozenset()

    @property
    def as_raid(self) -> RaidDemand:
        """The question to the RAID planner whose arrays are looked at."""
        return RaidDemand(
            self.capacity_gb, 0.0, 1.0, self.failures, 1.0, queue_depth=self.queue_depth, media=self.media
        )
