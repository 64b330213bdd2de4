"""Small catalogues with demands, and what trying every shape finds for them: the slow twin of goals.py and front.py."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import strategies as st

from planner.demand import NEEDED, REPLICAS, Demand, Goal
from planner.fleet import Fleet
from planner.shapes import Groups, groups_of
from planner.tests.factories import make_fleet, make_machine
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
GRID = (5, 10)
BALANCER = "balancer"
CENT = Decimal("0.01")
MOST_COUNT = 400

fees = st.decimals(min_value=Decimal(100), max_value=Decimal(900), places=3)


class Shape(NamedTuple):
    """What the goals and their ties look at."""

    cents: int
    machines: int
    mb_s: float
    stored_gb: Fraction
    c: int


@st.composite
def fleets(draw: st.DrawFn) -> Fleet:
    """A small catalogue, sometimes with every machine type twice so that shapes tie."""
    nodes = [
        make_machine(
            f"m{index}",
            fee=str(draw(fees)),
            more_fees=[str(fee) for fee in draw(st.lists(fees, max_size=1))],
            compute_units=draw(st.floats(0.5, 40)),
            network_mb_s=draw(st.floats(10, 1200)),
            local_storage_gb=draw(st.sampled_from([160.0, 850.0, 0.0])),
        )
        for index in range(draw(st.integers(1, 2)))
    ]
    balancer = make_machine(BALANCER, fee=str(draw(fees)), compute_units=draw(st.floats(30, 90)))
    return make_fleet(nodes * draw(st.integers(1, 2)), balancers=[balancer])


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
    """Return the best of all shapes that meet the demand; ties go to fewer machines, less money, more MB/s."""
    demand = groups.demand
    objective = {
        Goal.MINIMISE_COST: lambda shape: shape.cents,
        Goal.MAXIMISE_THROUGHPUT: lambda shape: -shape.mb_s,
        Goal.MAXIMISE_CAPACITY: lambda shape: -shape.stored_gb,
    }[demand.goal]
    budget = None if demand.budget is None else demand.budget * 100
    best: Shape | None = None
    for index in range(len(groups)):
        ceiling = budget if budget is not None or best is None else best.cents
        for shape in _shapes_up_to(groups, index, cents=ceiling):
            if _meets(demand, shape) and (best is None or _rank(objective, shape) < _rank(objective, best)):
                best = shape
                if budget is None:
                    break
    return best


def pareto_by_force(groups: Groups, *, ceiling_cents: int) -> list[tuple[int, float]]:
    """Return (cents, MB/s) of all shapes under the ceiling that hold the capacity and that no other one dominates."""
    needed = groups.demand.capacity_gb or 0
    every = [
        (shape.cents, shape.mb_s)
        for index in range(len(groups))
        for shape in _shapes_up_to(groups, index, cents=Decimal(ceiling_cents))
        if shape.stored_gb >= needed
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
        return [0, 1]
    return list(range(1, int(c * groups.mb_s[index] / groups.balancer_mb_s) + 3))


def shape_at(groups: Groups, index: int, c: int, balancers: int) -> Shape:
    """Price and predict one shape in plain Python: money in decimals, capacity in fractions."""
    nodes = c * int(groups.nodes[index])
    passed = c * float(groups.mb_s[index])
    return Shape(
        cents=cents_of(groups, index, c, balancers),
        machines=c + nodes + balancers,
        mb_s=min(passed, balancers * groups.balancer_mb_s) if balancers else passed,
        stored_gb=Fraction(groups.fleet.nodes[groups.storage[index]].machine.local_storage_gb) * nodes / REPLICAS,
        c=c,
    )


def cents_of(groups: Groups, index: int, c: int, balancers: int) -> int:
    """Add up the lines as an order does: each rounded half-up once; IT cost is one more of them."""
    fleet, demand = groups.fleet, groups.demand
    proxy, storage = fleet.nodes[groups.proxy[index]], fleet.nodes[groups.storage[index]]
    balancer = fleet.balancer(demand.balancer)
    nodes = c * int(groups.nodes[index])
    return (
        sum(_rounded_cents(fee, c) for fee in proxy.line_fees)
        + sum(_rounded_cents(fee, nodes) for fee in storage.line_fees)
        + sum(_rounded_cents(fee, balancers) for fee in balancer.line_fees)
        + _rounded_cents(demand.it_cost_per_node, c + nodes + balancers)
    )


def _rounded_cents(fee: Decimal, quantity: int) -> int:
    # Fees have three places here, so thousandths are whole.
    return (int(fee * 1000) * quantity + 5) // 10


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
    holds = shape.stored_gb >= (demand.capacity_gb or 0)
    return holds and shape.mb_s >= demand.needed_mb_s


def _rank(objective: Any, shape: Shape) -> tuple[Any, ...]:
    return objective(shape), shape.machines, shape.cents, -shape.mb_s


def _about(draw: st.DrawFn, value: Decimal, *, low: str, high: str) -> Decimal:
    factor = draw(st.decimals(Decimal(low), Decimal(high), places=2))
    return (value * factor).quantize(Decimal("0.1")) + CENT
