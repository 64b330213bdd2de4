"""What planning costs in CPU time, beside a plain-Python reference measured in the same run."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from decimal import Decimal

from planner.demand import Demand, Goal
from planner.fleet import Fleet, PricedMachine
from planner.planning import plan_now
from planner.shapes import Groups, groups_of
from simulation.machines import EC2_2012_04, machine_of_type
from simulation.object_store import cluster_mb_s
from simulation.parameters import ParameterSet, load_parameter_set

SHAPES = 100_000
REFERENCE_SHAPES = 5_000
REPEATS = 5
DEMAND = Demand(goal=Goal.MINIMISE_COST, throughput_mb_s=Decimal(2600), capacity_gb=Decimal(50_000))


@dataclass(frozen=True)
class BenchRow:
    """One measured figure, with the reference it is held against and the ratio of the two."""

    name: str
    value: float
    unit: str
    reference: float
    ratio: float

    def as_dict(self) -> dict[str, str | float]:
        return asdict(self)


def bench_planner() -> list[BenchRow]:
    """Time a whole warm plan, front and chart included, per 100,000 shapes; the reference prices them one by one."""
    parameters = load_parameter_set()
    fleet = fleet_of_2012(parameters)
    considered = plan_now(fleet=fleet, demand=DEMAND, parameters=parameters)["considered"]
    plan = cpu_seconds(lambda: plan_now(fleet=fleet, demand=DEMAND, parameters=parameters)) * SHAPES / considered
    groups = groups_of(fleet=fleet, demand=DEMAND, parameters=parameters)
    reference = cpu_seconds(lambda: _one_by_one(groups, REFERENCE_SHAPES)) * SHAPES / REFERENCE_SHAPES
    name = f"a plan of {considered:,} shapes, per 100,000 (reference: plain Python)"
    return [BenchRow(name, plan, "CPU s", reference, reference / plan)]


def fleet_of_2012(parameters: ParameterSet) -> Fleet:
    """Return the frozen machine types of April 2012 at list price, as a fleet without a catalogue."""
    nodes = tuple(
        PricedMachine(
            machine=machine_of_type(machine_type, parameters=parameters),
            title=key_name,
            package_key_name="ec2-virtual-server",
            lines=(("machine_type", key_name),),
            line_fees=(machine_type.price_per_hour * DEMAND.hours_per_month,),
        )
        for key_name, machine_type in EC2_2012_04.items()
    )
    return Fleet("USD", "us-east-1", "frozen", nodes, nodes, ())


def _one_by_one(groups: Groups, count: int) -> list[tuple[Decimal, float]]:
    """Price and predict shapes in plain Python, as the page of a textbook would."""
    found = []
    balancer_fee = groups.fleet.balancer(DEMAND.balancer).line_fees[0]
    for number in range(count):
        group, c = number % len(groups), 1 + number // len(groups)
        mb_s = float(groups.mb_s[group])
        balancers = max(1, -int(-c * mb_s // groups.balancer_mb_s))
        proxy, storage = groups.fleet.nodes[groups.proxy[group]], groups.fleet.nodes[groups.storage[group]]
        cost = c * proxy.line_fees[0] + c * int(groups.nodes[group]) * storage.line_fees[0] + balancers * balancer_fee
        passes = cluster_mb_s(group_mb_s=mb_s, groups=c, balancer_mb_s=groups.balancer_mb_s, balancers=balancers)
        found.append((cost.quantize(Decimal("0.01")), passes))
    return sorted(found)


def cpu_seconds(work: Callable[[], object], *, repeats: int = REPEATS) -> float:
    """Return the least CPU time of some runs: what the work costs when nothing disturbs it."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
