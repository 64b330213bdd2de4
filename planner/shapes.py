"""Shapes of a cluster: c groups of one proxy and N storage nodes behind b balancers. What each does and costs.

Plain numpy over whole tables. Money is exact: whole cents, from whole hundred-millionths, rounded half-up per order
line exactly as an order rounds it, so that a plan's price is its order's price.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.demand import BALANCER_HEADROOM, STORAGE_GRID, CostBasis, Demand
from planner.fleet import EXACT, Fleet, PricedMachine
from simulation.object_store import Mix, balancer_mb_s, group_table
from simulation.parameters import ParameterSet

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_GROUPS = 5000
"""Groups in the largest cluster that is planned: 400,000 storage nodes, beyond any that was built."""


def exact(fee: Decimal) -> int:
    """Return a fee in whole hundred-millionths."""
    return int((fee * EXACT).to_integral_value(rounding=ROUND_HALF_UP))


def owed_cents(fee: Ints | int, quantity: Ints) -> Ints:
    """Return what `quantity` pieces owe at a fee in hundred-millionths, in cents, rounded half-up once.

    Whole cents and their rest are multiplied apart: together they would leave the 64 bits.
    """
    cents, rest = np.divmod(np.asarray(fee, dtype=np.int64), EXACT // 100)
    return cents * quantity + (rest * quantity + EXACT // 200) // (EXACT // 100)


class Fees:
    """Fees of machines line by line, for exact sums over whole tables: what counts, and what is paid once."""

    def __init__(self, machines: Sequence[PricedMachine], demand: Demand) -> None:
        self.months = demand.months if demand.cost_basis is CostBasis.TOTAL else 1
        self.counts_once = demand.cost_basis is CostBasis.TOTAL
        factor = demand.purchase_months if demand.cost_basis is CostBasis.PURCHASE else Decimal(1)
        self.lines = _LineFees([[fee * factor for fee in machine.line_fees] for machine in machines])
        self.once_lines = _LineFees([machine.once_fees for machine in machines])

    def cents(self, machine: Ints, quantity: Ints) -> Ints:
        """Return what `quantity` machines cost on the demand's basis, in cents, each amount rounded half-up once."""
        recurring = self.months * self.lines.owed(machine, quantity)
        return recurring + self.once_cents(machine, quantity) if self.counts_once else recurring

    def once_cents(self, machine: Ints, quantity: Ints) -> Ints:
        """Return what `quantity` machines owe once when they are ordered, in cents."""
        return self.once_lines.owed(machine, quantity)


class _LineFees:
    """The fees of each machine's lines: every fee once, with the number of lines that have it; none for nothing."""

    def __init__(self, machines: Sequence[Sequence[Decimal]]) -> None:
        counted = [Counter(exact(fee) for fee in fees if fee) for fees in machines]
        width = max(map(len, counted), default=0)
        self.fees = np.zeros((len(machines), width), dtype=np.int64)
        self.counts = np.zeros((len(machines), width), dtype=np.int64)
        for row, fees in enumerate(counted):
            self.fees[row, : len(fees)] = list(fees)
            self.counts[row, : len(fees)] = list(fees.values())

    def owed(self, machine: Ints, quantity: Ints) -> Ints:
        """Return what so many of these machines owe, in cents, each line rounded half-up once."""
        total = np.zeros(np.broadcast(machine, quantity).shape, dtype=np.int64)
        for fees, counts in zip(self.fees.T, self.counts.T, strict=True):
            each = owed_cents(fees[machine], quantity)
            total += counts[machine] * each if counts.max() > 1 else each
        return total


@dataclass(frozen=True)
class Groups:
    """Every group worth planning with: proxy and storage (indexes into the fleet), nodes behind a proxy, MB/s, GB."""

    fleet: Fleet
    demand: Demand
    proxy: Ints
    storage: Ints
    nodes: Ints
    mb_s: Floats
    limit: NDArray[np.str_]
    is_assumed: NDArray[np.bool_]
    usable_mgb: Ints
    """Usable capacity of one group in thousandths of a GB, times the number of replicas, so that it stays whole."""
    balancer_mb_s: float
    """What one balancer may be given: half of what it passes, where head-room is asked."""
    lost_mb_s: Floats | float = 0.0
    """What a cluster passes less without the proxy and the storage node that it must be able to do without."""
    lost_mgb: Ints | int = 0
    """What it holds less without that storage node, in the unit of `usable_mgb`."""

    def __len__(self) -> int:
        return len(self.proxy)

    def passed(self, group: Ints, c: Ints) -> Floats:
        """Return what c groups promise to pass, in MB/s, however many balancers."""
        return np.maximum(0.0, c * self.mb_s[group] - _at(self.lost_mb_s, group))

    def held(self, group: Ints, c: Ints) -> Ints:
        """Return what c groups promise to hold, in the unit of `usable_mgb`."""
        return np.maximum(0, c * self.usable_mgb[group] - _at(self.lost_mgb, group))

    @cached_property
    def least_count(self) -> Ints:
        """The least count of each group that stores anything, and the capacity asked, on as many nodes and proxies as
        are needed; beyond MOST_GROUPS where none does."""
        demand, never = self.demand, 2 * MOST_GROUPS
        usable = np.maximum(self.usable_mgb, 1)
        for_capacity = -(-(max(1, demand.needed_mgb) + self.lost_mgb) // usable)
        for_nodes = -(-(demand.fewest_storage_nodes + demand.spare_node) // self.nodes)
        least = np.maximum(np.maximum(for_capacity, for_nodes), 1 + demand.spare_proxy)
        return np.where(self.usable_mgb > 0, np.minimum(least, never), never)

    def least_count_for(self, mb_s: float) -> Ints:
        """Return the least count of each group that promises to pass `mb_s`; beyond MOST_GROUPS where none does."""
        every = np.arange(len(self))
        c = np.maximum(1, whole_units(np.full(len(self), mb_s) + self.lost_mb_s, self.mb_s))
        c = np.where((c > 1) & (self.passed(every, c - 1) >= mb_s), c - 1, c)
        return np.where(self.passed(every, c) < mb_s, c + 1, c)

    def take(self, rows: Ints) -> "Groups":
        columns: dict[str, Any] = {
            field.name: value[rows]
            for field in fields(self)
            if isinstance(value := getattr(self, field.name), np.ndarray)
        }
        return replace(self, **columns)

    @cached_property
    def fees(self) -> Fees:
        return Fees(self.fleet.nodes, self.demand)

    @cached_property
    def balancer_fees(self) -> Fees:
        return Fees([self.fleet.balancer(self.demand.balancer)], self.demand)


def _at(column: Any, group: Ints) -> Any:
    """Return a column's values of these groups; a plain number stands for all."""
    return column[group] if isinstance(column, np.ndarray) else column


@dataclass(frozen=True)
class Shapes:
    """Shapes as columns: which group, how many of it, how many balancers; what they deliver, hold and cost."""

    group: Ints
    c: Ints
    balancers: Ints
    mb_s: Floats
    capacity_gb: Floats
    node_cents: Ints
    balancer_cents: Ints
    it_cents: Ints
    spares_cents: Ints
    once_cents: Ints
    """What ordering it owes once; part of the cost only where the basis counts it."""
    machines: Ints

    def __len__(self) -> int:
        return len(self.group)

    @property
    def cents(self) -> Ints:
        """What the shape costs in all on the demand's basis, IT cost included, in cents."""
        return self.node_cents + self.balancer_cents + self.it_cents + self.spares_cents

    def take(self, rows: Ints | NDArray[np.bool_]) -> "Shapes":
        return Shapes(**{name: column[rows] for name, column in vars(self).items()})


def groups_of(
    *,
    fleet: Fleet,
    demand: Demand,
    parameters: ParameterSet,
    proxies: Sequence[int] | None = None,
    grid: Sequence[int] = STORAGE_GRID,
) -> Groups:
    """Return every group of the given proxies (all by default) with every storage type and node count of the grid.

    Machines that store nothing, without disks of their own or with others than the demand asks for, are left out as
    storage, unless all are: then they hold nothing.
    """
    chosen = fleet.proxies if proxies is None else list(proxies)
    machines = [priced.machine for priced in fleet.nodes]
    local_mgb = np.array(
        [0 if priced.unfit_reason(demand) else round(priced.machine.local_storage_gb * 1000) for priced in fleet.nodes],
        dtype=np.int64,
    )
    stored = np.flatnonzero(local_mgb) if local_mgb.any() else np.arange(len(machines))
    table_of = partial(
        group_table,
        proxies=[machines[index] for index in chosen],
        storages=[machines[index] for index in stored],
        mix=Mix(read_fraction=float(demand.read_share)),
        replicas=float(demand.raw_per_usable),
        parameters=parameters,
        most_seconds=None if demand.latency_ms is None else float(demand.latency_ms) / 1000,
    )
    table = table_of(nodes_per_proxy=grid)
    shape = table.throughput_mb_s.shape
    proxy, storage_type, nodes = (axis.ravel() for axis in np.indices(shape))
    storage = stored[storage_type]
    node_count = np.asarray(grid, dtype=np.int64)[nodes]
    lost = np.zeros(shape)
    if demand.spare_node:
        lost += table.throughput_mb_s - table_of(nodes_per_proxy=[count - 1 for count in grid]).throughput_mb_s
    if demand.spare_proxy:
        lost += table.throughput_mb_s
    headroom = BALANCER_HEADROOM if demand.balancer_headroom else 1
    return Groups(
        fleet=fleet,
        demand=demand,
        proxy=np.asarray(chosen, dtype=np.int64)[proxy],
        storage=storage,
        nodes=node_count,
        mb_s=table.throughput_mb_s.ravel(),
        limit=table.limits.ravel(),
        is_assumed=table.assumed.ravel(),
        usable_mgb=local_mgb[storage] * node_count,
        balancer_mb_s=balancer_mb_s(fleet.balancer(demand.balancer).machine, parameters) / headroom,
        lost_mb_s=lost.ravel(),
        lost_mgb=local_mgb[storage] * demand.spare_node,
    )


def shapes_of(groups: Groups, *, group: Ints, c: Ints, balancers: Ints) -> Shapes:
    """Say what these shapes promise, hold and cost. Without a balancer a shape passes what its groups do."""
    demand = groups.demand
    working = np.maximum(0, balancers - demand.spare_balancer)
    passes = np.where(balancers == 0, np.inf, working * groups.balancer_mb_s)
    proxies, storage_nodes = c, c * groups.nodes[group]
    machines = proxies + storage_nodes + balancers
    fees, balancer_fees, one = groups.fees, groups.balancer_fees, np.zeros_like(group)
    proxy, storage = groups.proxy[group], groups.storage[group]
    it_months = 1 if demand.cost_basis is CostBasis.MONTHLY else demand.months
    raw = float(demand.raw_per_usable / Fraction(demand.fill_limit))
    return Shapes(
        group=group,
        c=c,
        balancers=balancers,
        mb_s=np.minimum(groups.passed(group, c), passes),
        capacity_gb=groups.held(group, c) / (1000 * raw),
        node_cents=fees.cents(proxy, proxies) + fees.cents(storage, storage_nodes),
        balancer_cents=balancer_fees.cents(one, balancers),
        it_cents=it_months * owed_cents(exact(demand.it_cost_per_node), machines),
        spares_cents=np.full_like(machines, owed_cents(exact(demand.spares_cost), np.ones(1, dtype=np.int64))[0]),
        once_cents=fees.once_cents(proxy, proxies)
        + fees.once_cents(storage, storage_nodes)
        + balancer_fees.once_cents(one, balancers),
        machines=machines,
    )


def balancers_for(groups: Groups, mb_s: Floats, c: Ints) -> Ints:
    """Return the fewest balancers that pass `mb_s`; one proxy alone needs none, several need at least one, and one
    more where the cluster must be able to do without it."""
    demand = groups.demand
    if demand.balancers is not None:
        return np.full(len(c), demand.balancers, dtype=np.int64)
    return np.where(c > 1, np.maximum(1, whole_units(mb_s, groups.balancer_mb_s)) + demand.spare_balancer, 0)


def whole_units(amount: NDArray[np.floating[Any]], unit: Floats | float) -> Ints:
    """Return the least n with n × unit ≥ amount, also where division rounds the wrong way; amounts stay in range."""
    with np.errstate(divide="ignore", invalid="ignore"):
        n = np.ceil(np.minimum(np.nan_to_num(amount / unit, nan=0.0, posinf=2.0 * MOST_GROUPS), 2.0 * MOST_GROUPS))
    n = np.where((n - 1) * unit >= amount, n - 1, n)
    n = np.where(n * unit < amount, n + 1, n)
    return n.astype(np.int64)


def dollars(cents: int) -> Decimal:
    return Decimal(int(cents)).scaleb(-2)
