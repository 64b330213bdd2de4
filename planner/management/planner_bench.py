"""What planning costs in a warm worker and in a web process, beside plain numpy and plain Python."""

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import numpy as np

from planner.benchmarks import DEMAND, BenchRow, bench_planner, cpu_seconds, fleet_of_2012
from planner.demand import Goal
from planner.fleet import Fleet
from planner.front import columns_of, every_shape
from planner.goals import best_of_groups
from planner.management.modern_fleet import fleet_of_2020s
from planner.planning import parts_of, plan_part
from planner.shapes import Groups, groups_of
from planner.sliders import curves_of, slider_answer, slider_table
from simulation import ranking
from simulation.kernels import ranking as kernels
from simulation.parameters import load_parameter_set
from simulation.ranking import Columns

BUDGET = Decimal(100_000)
THREE_GOALS = (
    DEMAND,
    replace(DEMAND, goal=Goal.MAXIMISE_THROUGHPUT, throughput_mb_s=None, budget=BUDGET),
    replace(DEMAND, goal=Goal.MAXIMISE_CAPACITY, capacity_gb=None, budget=BUDGET),
)
CEILING_CENTS = 12 * 10**8
"""Below this price the machine types of April 2012 make about five million shapes."""
MILLISECONDS = 1000


def planner_rows() -> list[BenchRow]:
    """Measure a whole plan, ranking and front over so many shapes, a slider's answer, and the types of the 2020s."""
    parameters = load_parameter_set()
    study, modern = fleet_of_2012(parameters), fleet_of_2020s(parameters)
    groups = groups_of(fleet=study, demand=DEMAND, parameters=parameters)
    columns = columns_of(groups, every_shape(groups, ceiling_cents=CEILING_CENTS))
    count = f"{len(columns.cents):,} shapes"
    of_goals = [replace(groups, demand=demand) for demand in THREE_GOALS]
    modern_demand = replace(DEMAND, balancer=modern.balancer_here(DEMAND.balancer, parameters))
    first_part = groups_of(fleet=modern, demand=modern_demand, parameters=parameters, proxies=parts_of(modern)[0])
    return [
        *bench_planner(),
        _row(
            f"the best of {count} for each of the three goals (reference: plain numpy, shape by shape)",
            lambda: [best_of_groups(each) for each in of_goals],
            lambda: best_shapes(columns),
        ),
        _row(
            f"the Pareto front of {count} (reference: plain numpy)",
            lambda: kernels.front_rows(columns),
            lambda: ranking.front_rows(columns),
        ),
        _slider_row("the study's types", study, groups),
        _slider_row(f"an eighth of the {len(modern.nodes)} types of the 2020s as proxies", modern, first_part),
        _row(
            f"an eighth of a plan over {len(modern.nodes)} types of the 2020s (reference: its groups' figures alone)",
            lambda: plan_part(
                fleet=modern,
                demand=modern_demand,
                proxies=parts_of(modern)[0],
                parameters=parameters,
                front_rows=kernels.front_rows,
            ),
            lambda: groups_of(fleet=modern, demand=modern_demand, parameters=parameters, proxies=parts_of(modern)[0]),
            repeats=1,
        ),
    ]


def best_shapes(columns: Columns) -> list[int]:
    """Return the row of the best shape for each of the three goals, -1 where none meets it, looking at every one."""
    is_fast, is_large = columns.mb_s >= DEMAND.needed_mb_s, columns.held >= DEMAND.needed_mgb
    is_paid = columns.cents <= int(BUDGET * 100)
    goals = [
        (is_fast & is_large, columns.cents),
        (is_paid & is_large, -columns.mb_s),
        (is_paid & is_fast, -columns.held),
    ]
    return [_best_row(columns, kept, objective) for kept, objective in goals]


def _best_row(columns: Columns, is_kept: np.ndarray, objective: np.ndarray) -> int:
    if not is_kept.any():
        return -1
    rows = np.flatnonzero(is_kept)
    rows = rows[objective[rows] == objective[rows].min()]
    order = np.lexsort((rows, -columns.mb_s[rows], columns.cents[rows], columns.machines[rows]))
    return int(rows[order[0]])


def _slider_row(words: str, fleet: Fleet, groups: Groups) -> BenchRow:
    """Time one slider's answer from the table as it is stored, at other hours; the reference looks at every group."""
    table = slider_table(curves_of(groups), fleet=fleet, demand=groups.demand)
    stored = json.dumps(table)
    moved = replace(
        groups.demand,
        goal=Goal.MAXIMISE_THROUGHPUT,
        throughput_mb_s=None,
        budget=BUDGET,
        hours_per_month=Decimal("500.5"),
        it_cost_per_node=Decimal("12.5"),
    )

    def whole() -> object:
        dearer = fleet.at_hours(moved.hours_per_month)
        return best_of_groups(replace(groups, fleet=dearer, demand=moved))

    kept = f"{len(table['proxy']):,} curves of {len(table['places'])} machines in {len(stored) / 1000:.0f} kB"
    name = f"a slider over {words}, from {kept} (reference: all {len(groups):,} groups)"
    return _row(name, lambda: slider_answer(json.loads(stored), demand=moved), whole)


def _row(name: str, work: Callable[[], object], reference: Callable[[], object], *, repeats: int = 3) -> BenchRow:
    work()  # compiles the kernel, or reads it from disk
    value, other = (MILLISECONDS * cpu_seconds(each, repeats=repeats) for each in (work, reference))
    return BenchRow(name, value, "CPU ms", other, other / value)
