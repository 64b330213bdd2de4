"""Searching tiers: of each kind of node the fewest that do what is asked, and of all kinds those worth showing."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from planner.advice.database_nodes import KEY_VALUE, Load, NodeKind, Tiers, held_gb, machines_of

MOST_PARTS = 16
"""Parts into which a document store is split, or nodes of a key-value store: the most that is looked at."""
SLACK = 1.0
"""Money a month by which a tier's cost may differ from what its lines come to once each is rounded."""
MOST_NEAREST = 20


@dataclass(frozen=True)
class DatabaseDemand:
    """What a database must do. `fill` is the share of the drives that may be filled; no promise is None."""

    load: Load
    ops: float
    latency_ms: float | None
    fill: float
    journal: str


@dataclass(frozen=True)
class Tier:
    """A tier of equal nodes: so many parts, and what it does."""

    kind: NodeKind
    shards: int
    load: Load
    ops: float
    limit: str

    @property
    def machines(self) -> int:
        return machines_of(self.load, self.shards)

    @property
    def cost(self) -> float:
        """About what it costs a month."""
        return float(self.kind.monthly.amount) * self.machines

    @property
    def latency_ms(self) -> float:
        """The mean time of an operation, by Little's law: the clients ask without pause."""
        return 1000 * self.load.clients / self.ops


def tiers_worth_showing(
    kinds: Iterable[NodeKind], demand: DatabaseDemand, tiers: Tiers, can_be_ordered: Callable[[Tier], bool]
) -> Iterator[Tier]:
    """Give the cheapest tiers of each variety that do what is asked, and all that is cheaper and slower; where nothing
    does it, the nearest.

    A kind whose fewest nodes cost more than an answer of its variety cannot be the cheapest, and is passed over.
    """
    cheapest: dict[str, float] = {}
    tried: list[Tier] = []
    for kind in sorted(kinds, key=lambda kind: (kind.monthly.amount, kind.title)):
        fewest = min(fewest_shards(kind, demand), MOST_PARTS)
        known = cheapest.get(kind.variety, math.inf)
        if cost_of(kind, fewest, demand) > known + SLACK:
            continue
        tier = smallest_tier(kind, demand, tiers, fewest)
        if tier is None:
            continue
        tried.append(tier)
        if does(tier, demand) and tier.cost <= known + SLACK and can_be_ordered(tier):
            cheapest[kind.variety] = min(known, tier.cost)
            yield tier
    if cheapest:
        yield from _cheaper_and_slower(tried, demand, tiers, can_be_ordered, below=min(cheapest.values()) + SLACK)
    else:
        yield from _nearest(tried, demand, can_be_ordered)


def _cheaper_and_slower(
    tried: Iterable[Tier],
    demand: DatabaseDemand,
    tiers: Tiers,
    can_be_ordered: Callable[[Tier], bool],
    *,
    below: float,
) -> Iterator[Tier]:
    """Give the tiers that hold the data, cost less than the answer, and are not slower than what costs less still."""
    found = []
    for tier in tried:
        for shards in range(min(fewest_shards(tier.kind, demand), MOST_PARTS), tier.shards + 1):
            if cost_of(tier.kind, shards, demand) > below:
                break
            smaller = tier_of(tier.kind, shards, demand, tiers)
            if smaller and not is_fast(smaller, demand) and is_enough_but_for_speed(smaller, demand):
                found.append(smaller)
    front: list[Tier] = []
    for tier in sorted(found, key=lambda tier: (tier.cost, -tier.ops)):
        fastest = max((each.ops for each in front if each.cost < tier.cost - SLACK), default=0.0)
        if tier.ops >= fastest and can_be_ordered(tier):
            front.append(tier)
            yield tier


def _nearest(tried: Iterable[Tier], demand: DatabaseDemand, can_be_ordered: Callable[[Tier], bool]) -> Iterator[Tier]:
    given = 0
    for tier in sorted(tried, key=lambda tier: (*_misses(tier, demand), tier.cost)):
        if can_be_ordered(tier):
            given += 1
            yield tier
        if given == MOST_NEAREST:
            return


def _misses(tier: Tier, demand: DatabaseDemand) -> tuple[int, float]:
    """Return how many limits a tier misses, and by what share of them all together."""
    held = held_gb(demand.load, tier.kind, tier.shards) * demand.fill
    shares = [1 - tier.ops / demand.ops, 1 - held / demand.load.data_gb]
    if demand.latency_ms is not None:
        shares.append(tier.latency_ms / demand.latency_ms - 1)
    missed = [share for share in shares if share > 0]
    return len(missed), sum(missed)


def cost_of(kind: NodeKind, shards: int, demand: DatabaseDemand) -> float:
    """Return about what so many parts of a kind cost a month."""
    return float(kind.monthly.amount) * machines_of(demand.load, shards)


def fewest_shards(kind: NodeKind, demand: DatabaseDemand) -> int:
    """Return how many parts hold the data, and the copies."""
    parts = math.ceil(demand.load.data_gb / (demand.fill * held_gb(demand.load, kind, 1)) - 1e-9)
    return max(1, parts, demand.load.copies if demand.load.store == KEY_VALUE else 1)


def smallest_tier(kind: NodeKind, demand: DatabaseDemand, tiers: Tiers, fewest: int) -> Tier | None:
    """Return the tier of fewest parts that is fast enough, the largest one where none is; more parts are faster."""
    low, high = fewest, MOST_PARTS
    best = tier_of(kind, high, demand, tiers)
    if best is None or not is_fast(best, demand):
        return best
    while low < high:
        middle = (low + high) // 2
        tier = tier_of(kind, middle, demand, tiers)
        if tier is not None and is_fast(tier, demand):
            best, high = tier, middle
        else:
            low = middle + 1
    return best


def tier_of(kind: NodeKind, shards: int, demand: DatabaseDemand, tiers: Tiers) -> Tier | None:
    rate = tiers.rate(kind, shards)
    return None if rate is None else Tier(kind, shards, demand.load, *rate)


def is_fast(tier: Tier, demand: DatabaseDemand) -> bool:
    return tier.ops >= demand.ops and (demand.latency_ms is None or tier.latency_ms <= demand.latency_ms)


def is_enough_but_for_speed(tier: Tier, demand: DatabaseDemand) -> bool:
    """Tell whether a tier keeps every limit but that of its operations."""
    held = held_gb(demand.load, tier.kind, tier.shards) * demand.fill
    return held >= demand.load.data_gb and (demand.latency_ms is None or tier.latency_ms <= demand.latency_ms)


def does(tier: Tier, demand: DatabaseDemand) -> bool:
    return is_fast(tier, demand) and is_enough_but_for_speed(tier, demand)
