import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.multiclass import approximate_classes, exact_classes
from simulation.tests.networks import solve

seconds = st.floats(0.01, 2.0)


def test_one_class_is_the_single_class_answer():
    found = exact_classes(demands=np.array([[0.3, 0.7]]), think_seconds=np.array([2.0]), customers=(9,))

    assert found.throughput[0] == pytest.approx(solve(demands=[0.3, 0.7], think=2.0, customers=9).throughput[0])


def test_equal_classes_share_what_one_class_of_all_customers_gets():
    demands = np.array([[0.3, 0.7], [0.3, 0.7]])

    found = exact_classes(demands=demands, think_seconds=np.array([1.0, 1.0]), customers=(3, 6))

    together = solve(demands=[0.3, 0.7], think=1.0, customers=9).throughput[0]
    assert found.throughput.tolist() == pytest.approx([together / 3, together * 2 / 3])


def test_classes_that_never_meet_do_not_slow_each_other():
    demands = np.array([[0.5, 0.0], [0.0, 0.2]])

    found = exact_classes(demands=demands, think_seconds=np.array([0.0, 0.0]), customers=(4, 4))

    assert found.throughput.tolist() == pytest.approx([2.0, 5.0])


@settings(max_examples=50, deadline=None)
@given(
    demands=st.lists(st.tuples(seconds, seconds, seconds), min_size=2, max_size=3),
    think=seconds,
    customers=st.integers(1, 6),
)
def test_the_approximation_is_close_and_both_stay_inside_the_bounds(demands, think, customers):
    table, counts = np.array(demands), (customers,) * len(demands)
    thinking = np.full(len(demands), think)

    exact = exact_classes(demands=table, think_seconds=thinking, customers=counts)
    approximate = approximate_classes(demands=table, think_seconds=thinking, customers=counts)

    assert approximate.throughput == pytest.approx(exact.throughput, rel=0.15)
    for found in (exact, approximate):
        assert found.utilisation(table).max() <= 1 + 1e-6
        assert np.all(found.throughput <= customers / (thinking + table.sum(axis=1)) * (1 + 1e-9))
        assert found.throughput * thinking + found.queue.sum(axis=1) == pytest.approx(np.full(len(demands), customers))


def test_many_customers_are_solved_approximately_alone():
    demands, thinking = np.array([[0.1, 0.2], [0.3, 0.1]]), np.array([0.0, 0.0])

    with pytest.raises(ValueError, match="approximate_classes"):
        exact_classes(demands=demands, think_seconds=thinking, customers=(1000, 1000))
    found = approximate_classes(demands=demands, think_seconds=thinking, customers=(1000, 1000))

    assert found.utilisation(demands).max() == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("customers", [(1,), (-1, 2), (0, 0)])
def test_impossible_customers_are_refused(customers):
    with pytest.raises(ValueError, match="customers"):
        exact_classes(demands=np.ones((2, 1)), think_seconds=np.zeros(2), customers=customers)
