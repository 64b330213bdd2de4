"""What would make a shape win that lost: the least fall of its price, or the nearest throughput at which it is best."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_DOWN, Decimal
from typing import Any

import numpy as np

from core.money import Money
from core.units import throughput_words
from planner.demand import Demand, Goal
from planner.goals import best_of_groups
from planner.rows import Row
from planner.shapes import MOST_GROUPS, Groups, Ints, balancers_for, dollars, shapes_of
from planner.sliders import groups_of_table

STEPS = 12
"""Groups more, and groups fewer, at which a changed throughput is tried."""
THOUSANDTH = Decimal("0.001")

Json = dict[str, Any]


def with_changes(
    rows: Sequence[Row], *, best: Row, groups: Groups, table: Mapping[str, Any], demand: Demand
) -> list[Row]:
    """Return the rows that lost, each with the smallest change that would make it win.

    `groups` hold at least the groups of these rows, as the optimisation saw them; `table` is the plan's for sliders.
    """
    return [{**row, "change": _change(row, best, groups, table, demand)} for row in rows]


def _change(row: Row, best: Row, groups: Groups, table: Mapping[str, Any], demand: Demand) -> Json:
    drop = price_drop(row, best, groups, demand)
    throughput = other_throughput(row, table=table, demand=demand) if demand.goal is Goal.MINIMISE_COST else None
    return {
        "price_drop": None if drop is None else str(dollars(drop[0])),
        "price_share": None if drop is None else drop[0] / drop[1],
        "throughput_mb_s": None if throughput is None else str(throughput),
        "words": _words(drop, throughput, demand),
    }


def price_drop(row: Row, best: Row, groups: Groups, demand: Demand) -> tuple[int, int] | None:
    """Return by how many cents this configuration must become cheaper to win, and of how many; None where none helps.

    With a budget it is the fall that lets the budget buy as many groups of it as beat the best.
    """
    if demand.goal is Goal.MINIMISE_COST:
        wins_ties = (row["machines"], -row["mb_s"], row["rank"]) < (best["machines"], -best["mb_s"], best["rank"])
        return row["cents"] - best["cents"] + (not wins_ties), row["cents"]
    place = _place(row, groups.proxy, groups.storage, groups.nodes)
    if place is None or demand.budget is None:
        return None
    one = groups.take(place)
    cents = _cents_to_beat(one, best, demand)
    return None if cents is None else (max(0, cents - int(demand.budget * 100)), cents)


def other_throughput(row: Row, *, table: Mapping[str, Any], demand: Demand) -> Decimal | None:
    """Return the throughput nearest to the one asked at which the row's pair of machines is the best; None where none
    within a few groups more or fewer is."""
    if demand.throughput_mb_s is None:
        return None
    groups, places = groups_of_table(table, demand=demand), np.asarray(table["places"], dtype=np.int64)
    place = _place(row, places[groups.proxy], places[groups.storage], groups.nodes)
    if place is None:
        return None
    asked = demand.throughput_mb_s
    is_of_pair = (groups.proxy == groups.proxy[place]) & (groups.storage == groups.storage[place])
    for throughput in sorted(_throughputs(groups, int(place[0]), row, demand), key=lambda each: abs(each - asked)):
        best = best_of_groups(replace(groups, demand=replace(demand, throughput_mb_s=throughput)))
        if len(best) and is_of_pair[best.group[0]]:
            return throughput
    return None


def _throughputs(groups: Groups, place: int, row: Row, demand: Demand) -> Iterator[Decimal]:
    """Yield the most that some counts of the row's group are good enough for."""
    fewest, most = max(1, row["proxies"] - STEPS), min(MOST_GROUPS, row["proxies"] + STEPS)
    counts = np.arange(fewest, most + 1)
    for passed in groups.passed(np.full(len(counts), place), counts).tolist():
        throughput = (Decimal(repr(passed)) / demand.meets_share).quantize(THOUSANDTH, rounding=ROUND_DOWN)
        if throughput > 0:
            yield throughput


def _place(row: Row, proxy: Ints, storage: Ints, nodes: Ints) -> np.ndarray | None:
    """Return where the row's group is among these, or None where it is not; machines count in the plan's fleet."""
    of_row = row["rank"]
    found = np.flatnonzero((proxy == of_row[0]) & (storage == of_row[1]) & (nodes == of_row[2]))
    return found[:1] if len(found) else None


def _cents_to_beat(one: Groups, best: Row, demand: Demand) -> int | None:
    """Return what the fewest groups cost that beat the best one for the goal; None where no number does."""
    zero = np.zeros(1, dtype=np.int64)
    if demand.goal is Goal.MAXIMISE_THROUGHPUT:
        needed = float(np.nextafter(best["mb_s"], np.inf))
        c = np.maximum(one.least_count, one.least_count_for(needed))
    else:
        needed = demand.needed_mb_s
        c = np.maximum(one.least_count, one.least_count_for(needed))
        held = best["capacity_gb"]
        while c[0] <= MOST_GROUPS and shapes_of(one, group=zero, c=c, balancers=zero).capacity_gb[0] <= held:
            c = c + 1
    if c[0] > MOST_GROUPS:
        return None
    shape = shapes_of(one, group=zero, c=c, balancers=balancers_for(one, np.array([needed]), c))
    beats = shape.mb_s[0] > best["mb_s"] if demand.goal is Goal.MAXIMISE_THROUGHPUT else shape.mb_s[0] >= needed
    return int(shape.cents[0]) if beats else None


def _words(drop: tuple[int, int] | None, throughput: Decimal | None, demand: Demand) -> str:
    parts = []
    if drop is not None:
        money = Money(dollars(drop[0]), demand.currency)
        parts.append(f"{money} {demand.cost_words} off its price ({drop[0] / drop[1]:.2%})")
    if throughput is not None and demand.throughput_mb_s:
        change = throughput / demand.throughput_mb_s - 1
        parts.append(f"a demand of {throughput_words(throughput)} ({change:+.1%})")
    return " or ".join(parts) or "nothing nearby"
