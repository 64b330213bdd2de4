"""The front of shapes: the kernel and its numpy twin say the same, and what they say is right on small tables."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation import ranking
from simulation.kernels import ranking as kernels
from simulation.ranking import Columns

few = st.integers(0, 6)


@st.composite
def tables(draw):
    """Shapes of few different figures, so that many tie."""
    rows = draw(st.lists(st.tuples(few, few, few, few), max_size=40))
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    scale = draw(st.sampled_from([1, 10**6, 10**13]))
    return Columns(table[:, 0] * scale, table[:, 1].astype(np.float64), table[:, 2].copy(), table[:, 3].copy())


@settings(deadline=None)
@given(tables())
def test_kernel_and_twin_find_the_same_front_of_points_that_nothing_dominates(table):
    found = ranking.front_rows(table).tolist()

    assert kernels.front_rows(table).tolist() == found
    points = list(zip(table.cents.tolist(), table.mb_s.tolist(), strict=True))
    undominated = {
        point
        for point in points
        if not any(other != point and other[0] <= point[0] and other[1] >= point[1] for other in points)
    }
    assert {points[row] for row in found} == undominated
    assert len(found) == len(undominated)


def test_a_large_random_table_has_the_same_front_in_kernel_and_twin():
    rng = np.random.default_rng(1)
    cents = rng.integers(1, 10**9, 200_000)
    held, machines = rng.integers(1, 99, (2, 200_000))
    table = Columns(cents, np.sqrt(cents) * rng.random(200_000), held, machines)

    assert kernels.front_rows(table).tolist() == ranking.front_rows(table).tolist()
