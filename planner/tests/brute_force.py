"""Small catalogues with demands, and what trying every shape finds for them: the slow twin of goals.py and front.py."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from planner.demand import NEEDED, CostBasis, Demand, Goal
from planner.fleet import Fleet, PricedMachine
from planner.shapes import Groups, groups_of
from planner.storage_limits import DriveLimit, RaidLimit
from planner.tests.factories import make_fleet, make_machine
from simulation.machines import Machine
from simulation.object_store import Mix, balancer_mb_s, group_table
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
GRID = (5, 10)
BALANCER = "balancer"
CENT = Decimal("0.01")
MOST_COUNT = 400

fees = st.decimals(min_value=Decimal(100), max_value=Decimal(900), places=3)


class Shape(NamedTuple):
    """What the goals and their ties look at; MB/s and GB as the cluster promises them."""

    cents: int
    once_cents: int
    machines: int
    mb_s: float
    stored_gb: Fraction
    c: int
    nodes: int
    balancers: int


@st.composite
def fleets(draw: st.DrawFn) -> Fleet:
    """A small catalogue, sometimes with every machine type twice so that shapes tie."""
    nodes = [
        make_machine(
            f"m{index}",
            fee=str(draw(fees)),
            more_fees=[str(fee) for fee in draw(st.lists(fees, max_size=1))],
            once_fee=draw(st.sampled_from(["0", "99.995"])),
            compute_units=draw(st.floats(0.5, 40)),
            network_mb_s=draw(st.floats(10, 1200)),
            local_storage_gb=draw(st.sampled_from([160.0, 850.0, 0.0])),
        )
        for index in range(draw(st.integers(1, 2)))
    ]
    disks = st.sampled_from([("", ""), ("none", "sata_7k"), ("raid10", "sata_7k"), ("raid5", "ssd"), ("raid10", "ssd")])
    nodes = [with_disks(node, *draw(disks)) for node in nodes]
    balancer = make_machine(BALANCER, fee=str(draw(fees)), compute_units=draw(st.floats(30, 90)))
    return make_fleet(nodes * draw(st.integers(1, 2)), balancers=[balancer])


def with_disks(priced: PricedMachine, raid: str, drive_class: str) -> PricedMachine:
    """Return the machine with disks so joined and of such a class; its speed stays."""
    return replace(priced, raid=raid, machine=replace(priced.machine, drive_class=drive_class))


@st.composite
def conditions(draw: st.DrawFn) -> dict[str, Any]:
    """Further conditions of a demand, some of them at a time."""
    copies = draw(
        st.sampled_from([{}, {"replicas": 1}, {"replicas": 5}, {"erasure_data": 4, "erasure_parity": 2},
                         {"erasure_data": 9, "erasure_parity": 3}])
    )  # fmt: skip
    switches = ("balancer_headroom", "spare_proxy", "spare_node", "spare_balancer")
    return {
        **copies,
        "fill_limit": Decimal(draw(st.sampled_from(["1", "0.75"]))),
        **{name: draw(st.integers(0, 2)) == 0 for name in switches},
        "latency_ms": draw(st.sampled_from([None, None, Decimal(220), Decimal(300)])),
        "budget_once": draw(st.sampled_from([None, None, Decimal(2500)])),
        "cost_basis": draw(st.sampled_from(CostBasis)),
        "months": draw(st.sampled_from([12, 36])),
        "purchase_months": Decimal("18.25"),
        "spares": draw(st.sampled_from([None, Decimal("500.55")])),
        "raid": draw(st.sampled_from([RaidLimit.ANY, *RaidLimit])),
        "drives": draw(st.sampled_from([DriveLimit.ANY, DriveLimit.ANY, *DriveLimit])),
    }


@st.composite
def questions(draw: st.DrawFn, goal: Goal) -> Groups:
    """The groups of a small catalogue under a demand; its limits are near those of one of its own clusters."""
    fleet = draw(fleets())
    fixed = Demand(
        goal=goal,
        read_share=Decimal(draw(st.sampled_from(["0", "0.3", "1"]))),
        it_cost_per_node=Decimal(draw(st.sampled_from(["0", "12.345"]))),
        balancer=BALANCER,
        balancers=draw(st.sampled_from([None, None, None, 0, 1, 2])),
        **(draw(conditions()) if draw(st.booleans()) else {}),
    )
    groups = groups_of(fleet=fleet, demand=fixed, parameters=PARAMETERS, grid=GRID)
    index, c = draw(st.integers(0, len(groups) - 1)), draw(st.integers(1, 8))
    like = shape_at(groups, index, c, balancers_worth_trying(groups, index, c)[-1])
    limits = {
        "throughput": _about(draw, Decimal(str(like.mb_s)), low="0.5", high="1.05"),
        "capacity": _about(draw, Decimal(str(float(like.stored_gb))), low="0.5", high="1.05"),
        "budget": _about(draw, Decimal(like.cents) / 100, low="0.95", high="1.5"),
    }
    return with_limits(groups, **{name: value for name, value in limits.items() if name in NEEDED[goal]})


def with_limits(
    groups: Groups, *, throughput: Decimal | None = None, capacity: Decimal | None = None, budget: Decimal | None = None
) -> Groups:
    demand = Demand.from_json(
        groups.demand.as_json() | {"throughput_mb_s": throughput, "capacity_gb": capacity, "budget": budget}
    )
    return groups_of(fleet=groups.fleet, demand=demand, parameters=PARAMETERS, grid=GRID)


def best_by_force(groups: Groups) -> Shape | None:
    """Return the best of all shapes that meet the demand; ties go to fewer machines, less money, more MB/s.

    Where disks are limited it looks at the groups of all machines and leaves out itself those that are not asked for.
    """
    demand = groups.demand
    anything = replace(demand, raid=RaidLimit.ANY, drives=DriveLimit.ANY)
    if anything != demand:
        every = groups_of(fleet=groups.fleet, demand=anything, parameters=PARAMETERS, grid=GRID)
        groups = replace(every, demand=demand)
    objective = {
        Goal.MINIMISE_COST: lambda shape: shape.cents,
        Goal.MAXIMISE_THROUGHPUT: lambda shape: -shape.mb_s,
        Goal.MAXIMISE_CAPACITY: lambda shape: -shape.stored_gb,
    }[demand.goal]
    budget = None if demand.budget is None else demand.budget * 100
    best: Shape | None = None
    for index in range(len(groups)):
        if not has_disks_asked_for(demand, groups.fleet.nodes[groups.storage[index]]):
            continue
        ceiling = budget if budget is not None or best is None else best.cents
        for shape in _shapes_up_to(groups, index, cents=ceiling):
            if _meets(demand, shape) and (best is None or _rank(objective, shape) < _rank(objective, best)):
                best = shape
                if budget is None:
                    break
    return best


def has_disks_asked_for(demand: Demand, storage: PricedMachine) -> bool:
    """Say whether a storage node keeps the demand's limits on its disks, case by case."""
    drive_class = storage.machine.drive_class
    outlives_a_drive = storage.raid in ("raid1", "raid5", "raid6", "raid10", "raid50")
    is_raid_kept = {
        "any": True, "protected": outlives_a_drive, "raid10": storage.raid == "raid10", "none": storage.raid == "none",
    }[demand.raid]  # fmt: skip
    flash, rotating = drive_class in ("ssd", "nvme"), drive_class in ("sata_7k", "sas_10k", "sas_15k")
    return is_raid_kept and {"any": True, "flash": flash, "rotating": rotating}[demand.drives]


def pareto_by_force(groups: Groups, *, ceiling_cents: int) -> list[tuple[int, float]]:
    """Return (cents, MB/s) of all shapes under the ceiling that hold the capacity and that no other one dominates."""
    free = replace(groups.demand, throughput_mb_s=None)
    every = [
        (shape.cents, shape.mb_s)
        for index in range(len(groups))
        if has_disks_asked_for(free, groups.fleet.nodes[groups.storage[index]])
        for shape in _shapes_up_to(groups, index, cents=Decimal(ceiling_cents))
        if _meets(free, shape)
    ]
    front: list[tuple[int, float]] = []
    for cents, mb_s in sorted(every, key=lambda point: (point[0], -point[1])):
        if not front or mb_s > front[-1][1]:
            front.append((cents, mb_s))
    return front


def balancers_worth_trying(groups: Groups, index: int, c: int) -> list[int]:
    """Return every number of balancers up to one more than passes all that c groups do."""
    if groups.demand.balancers is not None:
        return [groups.demand.balancers]
    if c == 1:
        return [0, 1, 2]
    return list(range(1, int(c * groups.mb_s[index] / groups.balancer_mb_s) + 4))


def shape_at(groups: Groups, index: int, c: int, balancers: int) -> Shape:
    """Price and predict one shape in plain Python: money in decimals, capacity in fractions, physics group by group."""
    demand = groups.demand
    nodes = c * int(groups.nodes[index])
    working = balancers - demand.spare_balancer
    passed = _passed(groups, index, c)
    each = balancer_mb_s(groups.fleet.balancer(demand.balancer).machine, PARAMETERS) / (1 + demand.balancer_headroom)
    local_gb = Fraction(groups.fleet.nodes[groups.storage[index]].machine.local_storage_gb)
    return Shape(
        cents=cents_of(groups, index, c, balancers),
        once_cents=_order_cents(groups, index, c, balancers, fees="once_fees"),
        machines=c + nodes + balancers,
        mb_s=min(passed, working * each) if balancers else passed,
        stored_gb=local_gb * (nodes - demand.spare_node) * Fraction(demand.fill_limit) / _copies(demand),
        c=c,
        nodes=nodes,
        balancers=balancers,
    )


def _passed(groups: Groups, index: int, c: int) -> float:
    """What c groups pass when a proxy with all its nodes is gone, and one node of another group."""
    whole = _group_mb_s(groups, index, int(groups.nodes[index]))
    lost = 0.0
    if groups.demand.spare_node:
        lost += whole - _group_mb_s(groups, index, int(groups.nodes[index]) - 1)
    if groups.demand.spare_proxy:
        lost += whole
    return max(0.0, c * whole - lost)


def _group_mb_s(groups: Groups, index: int, nodes: int) -> float:
    demand = groups.demand
    proxy, storage = (groups.fleet.nodes[each[index]].machine for each in (groups.proxy, groups.storage))
    return _solved_mb_s(proxy, storage, nodes, demand.read_share, _copies(demand), demand.latency_ms)


@cache
def _solved_mb_s(
    proxy: Machine, storage: Machine, nodes: int, read_share: Decimal, copies: Fraction, latency_ms: Decimal | None
) -> float:
    table = group_table(
        proxies=[proxy],
        storages=[storage],
        nodes_per_proxy=[nodes],
        mix=Mix(read_fraction=float(read_share)),
        replicas=float(copies),
        parameters=PARAMETERS,
        most_seconds=float(latency_ms) / 1000 if latency_ms else None,
    )
    return float(table.throughput_mb_s[0, 0, 0])


def _copies(demand: Demand) -> Fraction:
    if demand.erasure_data and demand.erasure_parity:
        return Fraction(demand.erasure_data + demand.erasure_parity, demand.erasure_data)
    return Fraction(demand.replicas)


def cents_of(groups: Groups, index: int, c: int, balancers: int) -> int:
    """Add up the lines as an order does, each rounded half-up once, on the basis of the demand; IT cost is one more."""
    demand = groups.demand
    machines = c + c * int(groups.nodes[index]) + balancers
    it_cents = _rounded_cents(demand.it_cost_per_node, machines)
    if demand.cost_basis is CostBasis.PURCHASE:
        bought = _order_cents(groups, index, c, balancers, factor=demand.purchase_months)
        spares = Decimal(2000) if demand.spares is None else demand.spares
        return bought + it_cents * demand.months + int(spares * 100)
    monthly = _order_cents(groups, index, c, balancers) + it_cents
    if demand.cost_basis is CostBasis.TOTAL:
        return monthly * demand.months + _order_cents(groups, index, c, balancers, fees="once_fees")
    return monthly


def _order_cents(
    groups: Groups, index: int, c: int, balancers: int, *, fees: str = "line_fees", factor: Decimal = Decimal(1)
) -> int:
    fleet = groups.fleet
    pieces = (
        (fleet.nodes[groups.proxy[index]], c),
        (fleet.nodes[groups.storage[index]], c * int(groups.nodes[index])),
        (fleet.balancer(groups.demand.balancer), balancers),
    )
    return sum(_rounded_cents(fee * factor, count) for machine, count in pieces for fee in getattr(machine, fees))


def _rounded_cents(fee: Decimal, quantity: int) -> int:
    # Fees have three places here, and five when bought, so hundred-thousandths are whole.
    return (_whole(fee) * quantity + 500) // 1000


@cache
def _whole(fee: Decimal) -> int:
    return int(fee * 100_000)


def _shapes_up_to(groups: Groups, index: int, *, cents: Decimal | int | None) -> Iterator[Shape]:
    """Yield the shapes of a group, count after count, as long as their nodes alone stay under the price."""
    if not groups.usable_mgb[index]:
        return
    for c in range(1, MOST_COUNT if groups.demand.balancers != 0 else 2):
        if cents is not None and cents_of(groups, index, c, 0) > cents:
            return
        for balancers in balancers_worth_trying(groups, index, c):
            shape = shape_at(groups, index, c, balancers)
            if cents is not None and shape.cents > cents:
                break
            yield shape


def _meets(demand: Demand, shape: Shape) -> bool:
    parts = (demand.erasure_data or 0) + (demand.erasure_parity or 0) or demand.replicas
    return (
        shape.stored_gb >= (demand.capacity_gb or 0)
        and shape.mb_s > 0
        and shape.mb_s >= demand.needed_mb_s
        and shape.nodes - demand.spare_node >= max(5, parts)
        and shape.c >= 1 + demand.spare_proxy
        and (shape.balancers == 0 or shape.balancers > demand.spare_balancer)
        and (demand.budget_once is None or shape.once_cents <= demand.budget_once * 100)
    )


def _rank(objective: Any, shape: Shape) -> tuple[Any, ...]:
    return objective(shape), shape.machines, shape.cents, -shape.mb_s


def _about(draw: st.DrawFn, value: Decimal, *, low: str, high: str) -> Decimal:
    factor = draw(st.decimals(Decimal(low), Decimal(high), places=2))
    return (value * factor).quantize(Decimal("0.1")) + CENT
