import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.mva import closed_throughput
from simulation.tests.networks import solve

demands = st.lists(st.floats(0.001, 10.0), min_size=1, max_size=5)
thinking = st.floats(0.0, 50.0)


def test_a_single_station_is_always_busy():
    result = solve(demands=[0.25], customers=7)

    assert result.throughput[0] == pytest.approx(4.0)
    assert result.utilisation[0, 0] == pytest.approx(1.0)
    assert result.residence[0, 0] == pytest.approx(7 * 0.25)


@pytest.mark.parametrize(("machines", "repair", "running"), [(1, 2.0, 8.0), (4, 2.0, 8.0), (10, 1.0, 20.0)])
def test_the_machine_repairman_has_the_known_throughput(machines, repair, running):
    # One repairman: the number of broken machines is a finite birth and death process.
    weights = [math.perm(machines, broken) * (repair / running) ** broken for broken in range(machines + 1)]
    repairman_busy = 1 - weights[0] / sum(weights)

    result = solve(demands=[repair], think=running, customers=machines)

    assert result.throughput[0] == pytest.approx(repairman_busy / repair)


@pytest.mark.parametrize(("stations", "customers"), [(1, 1), (3, 2), (5, 48), (80, 48)])
def test_a_balanced_network_has_the_known_throughput(stations, customers):
    result = solve(demands=[6.0], stations=[stations], customers=customers)

    assert result.throughput[0] == pytest.approx(customers / (6.0 / stations * (customers + stations - 1)))


def test_a_group_of_identical_stations_equals_the_stations_one_by_one():
    grouped = solve(demands=[0.5, 3.0], stations=[1, 4], think=1.5, customers=20)
    apart = solve(demands=[0.5, 0.75, 0.75, 0.75, 0.75], think=1.5, customers=20)

    assert grouped.throughput[0] == pytest.approx(apart.throughput[0])
    assert grouped.residence[0, 1] == pytest.approx(apart.residence[0, 1:].sum())
    assert grouped.utilisation[0, 1] == pytest.approx(apart.utilisation[0, 1])


def test_a_batch_gives_each_network_its_own_answer():
    batch = closed_throughput(
        demands=np.array([[1.0, 2.0], [0.5, 0.1]]),
        multiplicity=np.array([[1.0, 2.0], [1.0, 7.0]]),
        think_seconds=np.array([0.0, 3.0]),
        customers=9,
    )

    assert batch.throughput[0] == solve(demands=[1.0, 2.0], stations=[1, 2], customers=9).throughput[0]
    assert batch.throughput[1] == solve(demands=[0.5, 0.1], stations=[1, 7], think=3.0, customers=9).throughput[0]


@given(demands=demands, think=thinking, customers=st.integers(1, 60))
def test_throughput_stays_inside_the_asymptotic_bounds(demands, think, customers):
    throughput = solve(demands=demands, think=think, customers=customers).throughput[0]

    total, largest = sum(demands), max(demands)
    assert throughput <= min(1 / largest, customers / (think + total)) * (1 + 1e-9)
    assert throughput >= customers / (think + customers * total) * (1 - 1e-9)


@given(demands=demands, think=thinking, customers=st.integers(1, 60))
def test_the_customers_are_all_somewhere(demands, think, customers):
    result = solve(demands=demands, think=think, customers=customers)

    assert result.throughput[0] * (think + result.residence[0].sum()) == pytest.approx(customers)


def test_a_network_without_customers_is_refused():
    with pytest.raises(ValueError, match="customers"):
        solve(demands=[1.0], customers=0)


def test_a_negative_demand_is_refused():
    with pytest.raises(ValueError, match="demands"):
        solve(demands=[-1.0], customers=1)
