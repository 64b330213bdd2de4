"""Ranking millions of shapes at once: the best for each of three goals in one pass, and the exact Pareto front.

Columns are flat: cents, MB/s, what is held, machines. `simulation.ranking` holds the plain numpy twins.
"""

import numpy as np
from numpy.typing import NDArray

from simulation.kernels.compiling import compiled
from simulation.ranking import NO_ROW, Columns, Limits, front_of_candidates

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
BUCKETS = 1 << 16


def best_rows(columns: Columns, limits: Limits) -> tuple[int, int, int]:
    """Return the rows of the cheapest, the fastest and the largest shape, as `simulation.ranking.best_rows` does."""
    best = _best_rows(
        columns.cents, columns.mb_s, columns.held, columns.machines, limits.mb_s, limits.held, limits.cents
    )
    return int(best[0]), int(best[1]), int(best[2])


def front_rows(columns: Columns) -> Ints:
    """Return the rows of the Pareto front, as `simulation.ranking.front_rows` does."""
    return front_of_candidates(columns, front_candidates(columns.cents, columns.mb_s))


def front_candidates(cents: Ints, mb_s: Floats) -> Ints:
    """Return the rows that are faster than all that are cheaper by a bucket of prices or more: few, and all of the
    front among them."""
    if not len(cents):
        return np.empty(0, dtype=np.int64)
    rows: Ints = _front_candidates(cents, mb_s, BUCKETS)
    return rows


@compiled
def _best_rows(
    cents: Ints, mb_s: Floats, held: Ints, machines: Ints, needed_mb_s: float, needed_held: int, budget_cents: int
) -> tuple[int, int, int]:
    cheapest, fastest, largest = NO_ROW, NO_ROW, NO_ROW
    for row in range(len(cents)):
        is_fast, is_large, is_paid = mb_s[row] >= needed_mb_s, held[row] >= needed_held, cents[row] <= budget_cents
        if (
            is_fast
            and is_large
            and (
                cheapest < 0
                or cents[row] < cents[cheapest]
                or (cents[row] == cents[cheapest] and _comes_first(cents, mb_s, machines, row, cheapest))
            )
        ):
            cheapest = row
        if (
            is_paid
            and is_large
            and (
                fastest < 0
                or mb_s[row] > mb_s[fastest]
                or (mb_s[row] == mb_s[fastest] and _comes_first(cents, mb_s, machines, row, fastest))
            )
        ):
            fastest = row
        if (
            is_paid
            and is_fast
            and (
                largest < 0
                or held[row] > held[largest]
                or (held[row] == held[largest] and _comes_first(cents, mb_s, machines, row, largest))
            )
        ):
            largest = row
    return cheapest, fastest, largest


@compiled
def _comes_first(cents: Ints, mb_s: Floats, machines: Ints, row: int, other: int) -> bool:
    """Of two equal in the goal: fewer machines, less money, more MB/s, and otherwise the earlier row stays."""
    if machines[row] != machines[other]:
        return bool(machines[row] < machines[other])
    if cents[row] != cents[other]:
        return bool(cents[row] < cents[other])
    return bool(mb_s[row] > mb_s[other])


@compiled
def _front_candidates(cents: Ints, mb_s: Floats, buckets: int) -> Ints:
    dearest = cents[0]
    for row in range(len(cents)):
        dearest = max(dearest, cents[row])
    shift = 0
    while (dearest >> shift) >= buckets:
        shift += 1
    fastest = np.full((dearest >> shift) + 2, -1.0)
    for row in range(len(cents)):
        bucket = (cents[row] >> shift) + 1
        if mb_s[row] > fastest[bucket]:
            fastest[bucket] = mb_s[row]
    for bucket in range(1, len(fastest)):
        fastest[bucket] = max(fastest[bucket], fastest[bucket - 1])
    count = 0
    for row in range(len(cents)):
        if mb_s[row] > fastest[cents[row] >> shift]:
            count += 1
    rows = np.empty(count, dtype=np.int64)
    count = 0
    for row in range(len(cents)):
        if mb_s[row] > fastest[cents[row] >> shift]:
            rows[count] = row
            count += 1
    return rows
