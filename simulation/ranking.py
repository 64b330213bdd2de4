"""Ranking shapes in plain numpy: the best for each of three goals, and the Pareto front of cost and throughput."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NO_ROW = -1
"""Stands for the row of a goal that no shape meets."""


@dataclass(frozen=True)
class Columns:
    """Shapes as flat columns: price in cents, MB/s, what is held in whole units, number of machines."""

    cents: NDArray[np.int64]
    mb_s: NDArray[np.float64]
    held: NDArray[np.int64]
    machines: NDArray[np.int64]


@dataclass(frozen=True)
class Limits:
    """What a shape must reach, and the most that it may cost; each goal looks at two of them."""

    mb_s: float
    held: int
    cents: int


def best_rows(columns: Columns, limits: Limits) -> tuple[int, int, int]:
    """Return the rows of the cheapest shape that is fast and large enough, of the fastest that is large enough within
    the price, and of the largest that is fast enough within it; NO_ROW where none is.

    Ties go to fewer machines, then less money, then more MB/s, then the earlier row.
    """
    is_fast, is_large = columns.mb_s >= limits.mb_s, columns.held >= limits.held
    is_paid = columns.cents <= limits.cents
    return (
        _best_row(columns, is_fast & is_large, columns.cents),
        _best_row(columns, is_paid & is_large, -columns.mb_s),
        _best_row(columns, is_paid & is_fast, -columns.held),
    )


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


def _best_row(columns: Columns, kept: NDArray[np.bool_], objective: NDArray[np.int64] | NDArray[np.float64]) -> int:
    if not kept.any():
        return NO_ROW
    rows = np.flatnonzero(kept)
    rows = rows[objective[rows] == objective[rows].min()]
    order = np.lexsort((rows, -columns.mb_s[rows], columns.cents[rows], columns.machines[rows]))
    return int(rows[order[0]])
