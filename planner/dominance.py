"""Which groups no other one dominates, whatever throughput, capacity, budgets, IT cost and hours are asked.

One dominates another that passes and holds no more, on no fewer machines, and costs no less in each of its prices (an
hour, a month, once): either price by price, or by so much that no rounding to cents can turn it round.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.fleet import EXACT, PricedMachine
from planner.shapes import Floats, Groups, Ints, exact

CENT = EXACT // 100
"""A cent in hundred-millionths."""


def undominated(groups: Groups) -> Ints:
    """Return the rows of the groups that store something and that no other one dominates, in their order."""
    rows = np.flatnonzero(groups.usable_mgb > 0)
    facts = _facts_of(groups)
    left = rows[np.lexsort((rows, facts.hour[rows], facts.flat[rows], groups.nodes[rows]))]
    kept = []
    while len(left):
        row, left = int(left[0]), left[1:]
        kept.append(row)
        left = left[~_dominates(facts, row, left)]
    return np.sort(np.array(kept, dtype=np.int64))


@dataclass(frozen=True)
class _Facts:
    """What groups are compared by: what they deliver, the more the better, and what they take, the less the better."""

    delivers: Floats
    takes: Ints
    lines: Ints
    """Every single price of a group, so that those of one kind of machine are compared price by price."""
    hour: Ints
    flat: Ints
    once: Ints
    slack: Ints
    """Half a cent for every line: by so much rounding may move a group's price."""


def _facts_of(groups: Groups) -> _Facts:
    demand, every = groups.demand, np.arange(len(groups))
    fewest = np.full(len(groups), 1 + demand.spare_proxy)
    for_nodes = -(-(demand.fewest_storage_nodes + demand.spare_node) // groups.nodes)
    prices = [_Prices.of(groups.fleet.nodes, name) for name in ("hour", "flat", "once")]
    hour, flat, once = (each.of_groups(groups) for each in prices)
    return _Facts(
        delivers=np.stack(
            [
                groups.mb_s,
                groups.passed(every, fewest),
                groups.usable_mgb.astype(np.float64),
                groups.held(every, fewest).astype(np.float64),
            ]
        ),
        takes=np.stack([groups.nodes, for_nodes]),
        lines=np.concatenate([each.lines[column].T for each in prices for column in (groups.proxy, groups.storage)]),
        hour=hour,
        flat=flat,
        once=once,
        slack=(prices[0].count[groups.proxy] + prices[0].count[groups.storage]) * (CENT // 2),
    )


@dataclass(frozen=True)
class _Prices:
    """One kind of price of each machine: line by line, and how many lines there are. In hundred-millionths."""

    lines: Ints
    count: Ints

    @classmethod
    def of(cls, machines: Sequence[PricedMachine], kind: str) -> "_Prices":
        rows = [prices_of(machine, kind) for machine in machines]
        width = max((len(row) for row in rows), default=1)
        lines = np.zeros((len(rows), max(1, width)), dtype=np.int64)
        for index, row in enumerate(rows):
            lines[index, : len(row)] = row
        return cls(lines, np.array([len(machine.line_fees) for machine in machines], dtype=np.int64))

    def of_groups(self, groups: Groups) -> Ints:
        totals = self.lines.sum(axis=1)
        return totals[groups.proxy] + groups.nodes * totals[groups.storage]


def prices_of(machine: PricedMachine, kind: str) -> list[int]:
    """Return a machine's prices line by line, in hundred-millionths: by the hour, a month (flat), or once."""
    if kind == "once":
        return [exact(fee) for fee in machine.once_fees]
    is_hourly = bool(machine.line_rates)
    if kind == "hour":
        return [exact(rate) for rate in machine.line_rates] if is_hourly else []
    return [] if is_hourly else [exact(fee) for fee in machine.line_fees]


def _dominates(facts: _Facts, row: int, others: Ints) -> NDArray[np.bool_]:
    """Say which of the others this row is at least as good as, whatever is asked, and sure to come before."""
    found = np.zeros(len(others), dtype=np.bool_)
    near = np.flatnonzero(np.all(facts.takes[:, [row]] <= facts.takes[:, others], axis=0))
    near = near[np.all(facts.delivers[:, [row]] >= facts.delivers[:, others[near]], axis=0)]
    rivals = others[near]
    is_no_dearer = np.all(facts.lines[:, [row]] <= facts.lines[:, rivals], axis=0)
    is_first = (row < rivals) | (facts.takes[0, row] < facts.takes[0, rivals])
    less_hour, less_flat, less_once = (column[rivals] - column[row] for column in (facts.hour, facts.flat, facts.once))
    slack = facts.slack[row] + facts.slack[rivals] + CENT
    is_cheaper = (less_hour >= 0) & (less_flat >= 0) & (less_hour + less_flat >= slack)
    is_cheaper_once = (less_once >= slack) | ((less_once == 0) & (facts.once[rivals] == 0))
    found[near] = (is_no_dearer & is_first) | (is_cheaper & is_cheaper_once)
    return found
