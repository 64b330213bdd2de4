"""The exact Pareto front of millions of shapes at once, from flat columns; `simulation.ranking` is its numpy twin."""

import numpy as np
from numpy.typing import NDArray

from simulation.kernels.compiling import compiled
from simulation.ranking import Columns, front_of_candidates

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
BUCKETS = 1 << 16


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
