"""Shapes of a cluster: c groups of one proxy and N storage nodes behind b balancers. What each does and costs.

Plain numpy over whole tables. Money is exact: whole cents, from whole hundred-millionths, rounded half-up per order
line exactly as an order rounds it, so that a plan's price is its order's price.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.demand import REPLICAS, STORAGE_GRID, Demand
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
    """Monthly fees of machines line by line, for exact sums over whole tables."""

    def __init__(self, machines: Sequence[PricedMachine]) -> None:
        width = max((len(machine.line_fees) for machine in machines), default=1)
        self.lines = np.zeros((len(machines), width), dtype=np.int64)
        for row, machine in enumerate(machines):
            for column, fee in enumerate(machine.line_fees):
                self.lines[row, column] = exact(fee)

    def cents(self, machine: Ints, quantity: Ints) -> Ints:
        """Return what `quantity` machines owe a month, in cents, each line rounded half-up once."""
        total = np.zeros(np.broadcast(machine, quantity).shape, dtype=np.int64)
        for column in range(self.lines.shape[1]):
            total += owed_cents(self.lines[machine, column], quantity)
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

    def __len__(self) -> int:
        return len(self.proxy)

    @property
    def least_count_for_capacity(self) -> Ints:
        """The least count of each group that stores anything, and the capacity asked; beyond MOST_GROUPS where none."""
        needed, never = max(1, self.demand.needed_mgb), 2 * MOST_GROUPS
        usable = np.maximum(self.usable_mgb, 1)
        return np.where(self.usable_mgb > 0, np.minimum(-(-needed // usable), never), never)

    def take(self, rows: Ints) -> "Groups":
        columns: dict[str, Any] = {
            name: value[rows] for name, value in vars(self).items() if isinstance(value, np.ndarray)
        }
        return replace(self, **columns)

    @property
    def fees(self) -> Fees:
        return Fees(self.fleet.nodes)

    @property
    def balancer_fees(self) -> Fees:
        return Fees([self.fleet.balancer(self.demand.balancer)])


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
    machines: Ints

    def __len__(self) -> int:
        return len(self.group)

    @property
    def cents(self) -> Ints:
        """What a month costs in all, IT cost included, in cents."""
        return self.node_cents + self.balancer_cents + self.it_cents

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
    """Return every group of the given proxies (all by default) with every storage type and node count of the grid."""
    chosen = list(range(len(fleet.nodes))) if proxies is None else list(proxies)
    machines = [priced.machine for priced in fleet.nodes]
    table = group_table(
        proxies=[machines[index] for index in chosen],
        storages=machines,
        nodes_per_proxy=grid,
        mix=Mix(read_fraction=float(demand.read_share)),
        replicas=REPLICAS,
        parameters=parameters,
    )
    shape = table.throughput_mb_s.shape
    proxy, storage, nodes = (axis.ravel() for axis in np.indices(shape))
    local_mgb = np.array([round(machine.local_storage_gb * 1000) for machine in machines], dtype=np.int64)
    node_count = np.asarray(grid, dtype=np.int64)[nodes]
    return Groups(
        fleet=fleet,
        demand=demand,
        proxy=np.asarray(chosen, dtype=np.int64)[proxy],
        storage=storage.astype(np.int64),
        nodes=node_count,
        mb_s=table.throughput_mb_s.ravel(),
        limit=table.limits.ravel(),
        is_assumed=table.assumed.ravel(),
        usable_mgb=local_mgb[storage] * node_count,
        balancer_mb_s=balancer_mb_s(fleet.balancer(demand.balancer).machine, parameters),
    )


def shapes_of(groups: Groups, *, group: Ints, c: Ints, balancers: Ints) -> Shapes:
    """Say what these shapes deliver, hold and cost. Without a balancer a shape passes what its groups do."""
    demand = groups.demand
    passes = np.where(balancers == 0, np.inf, balancers * groups.balancer_mb_s)
    proxies, storage_nodes = c, c * groups.nodes[group]
    machines = proxies + storage_nodes + balancers
    fees = groups.fees
    return Shapes(
        group=group,
        c=c,
        balancers=balancers,
        mb_s=np.minimum(c * groups.mb_s[group], passes),
        capacity_gb=c * groups.usable_mgb[group] / (1000 * REPLICAS),
        node_cents=fees.cents(groups.proxy[group], proxies) + fees.cents(groups.storage[group], storage_nodes),
        balancer_cents=groups.balancer_fees.cents(np.zeros_like(group), balancers),
        it_cents=owed_cents(exact(demand.it_cost_per_node), machines),
        machines=machines,
    )


def balancers_for(groups: Groups, mb_s: Floats, c: Ints) -> Ints:
    """Return the fewest balancers that pass `mb_s`; one proxy alone needs none, several need at least one."""
    if groups.demand.balancers is not None:
        return np.full(len(c), groups.demand.balancers, dtype=np.int64)
    return np.where(c > 1, np.maximum(1, whole_units(mb_s, groups.balancer_mb_s)), 0)


def whole_units(amount: NDArray[np.floating[Any]], unit: Floats | float) -> Ints:
    """Return the least n with n × unit ≥ amount, also where division rounds the wrong way; amounts stay in range."""
    with np.errstate(divide="ignore", invalid="ignore"):
        n = np.ceil(np.minimum(np.nan_to_num(amount / unit, nan=0.0, posinf=2.0 * MOST_GROUPS), 2.0 * MOST_GROUPS))
    n = np.where((n - 1) * unit >= amount, n - 1, n)
    n = np.where(n * unit < amount, n + 1, n)
    return n.astype(np.int64)


def dollars(cents: int) -> Decimal:
    return Decimal(int(cents)).scaleb(-2)
