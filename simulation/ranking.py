"""The Pareto front of cost and throughput over flat columns of shapes, in plain numpy."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Columns:
    """Shapes as flat columns: price in cents, MB/s, what is held in whole units, number of machines."""

    cents: NDArray[np.int64]
    mb_s: NDArray[np.float64]
    held: NDArray[np.int64]
    machines: NDArray[np.int64]


def front_rows(columns: Columns) -> NDArray[np.int64]:
    """Return the rows that no other one dominates, cheapest first: each is faster than all cheaper ones.

    Of equal ones the one with fewer machines counts, then the earlier row.
    """
    return front_of_candidates(columns, np.arange(len(columns.cents), dtype=np.int64))


def front_of_candidates(columns: Columns, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the front among these rows, which hold all of it."""
    if not len(rows):
        return rows
    cents, mb_s = columns.cents[rows], columns.mb_s[rows]
    order = np.lexsort((rows, columns.machines[rows], -mb_s, cents))
    best_before = np.concatenate([[-np.inf], np.maximum.accumulate(mb_s[order])[:-1]])
    return rows[order[mb_s[order] > best_before]]
